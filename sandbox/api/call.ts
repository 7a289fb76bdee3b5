// Registers a call of the API: its input is validated against the route before the handler runs.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { findFault } from '../../src/contract/body-guard.ts'
import { type AnswerOf, isFileAnswer, type ParsedInput, type Route } from '../../src/contract/route.ts'
import { Refusal } from '../model/refusal.ts'
import type { StateWithPhones } from '../phones/phone.ts'
import { type View, viewOf } from './view.ts'

/** `success` is added here. A handler that answers with a file sends it itself. */
type Answer<R extends Route> = R['answer'] extends z.ZodType ? Omit<AnswerOf<R>, 'success'> : FastifyReply
type Handle<R extends Route> = (
  input: ParsedInput<R>,
  view: View,
  reply: FastifyReply,
) => Answer<R> | Promise<Answer<R>>

const NOTHING = z.strictObject({})

export function call<R extends Route>(
  app: FastifyInstance,
  state: StateWithPhones,
  route: R,
  handle: Handle<R>,
): void {
  const { params = NOTHING, query = NOTHING, body } = route
  app.route({
    method: route.method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    async handler(request, reply) {
      const input = {
        params: check(params, request.params),
        query: check(query, request.query),
        body: body ? check(body, request.body ?? {}) : undefined,
      }
      const answer = await handle(input as ParsedInput<R>, viewOf(state, request.headers), reply)
      return isFileAnswer(route.answer) ? answer : { success: true, ...(answer as object) }
    },
  })
}

function check(schema: z.ZodType, value: unknown): unknown {
  const fault = findFault(value)
  if (fault) throw invalid([fault])
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const details = result.error.issues.flatMap((issue) => {
    const path = issue.path.join('.')
    if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }]
    return issue.keys.map((key) => ({ path: path ? `${path}.${key}` : key, message: 'unknown field' }))
  })
  throw invalid(details)
}

function invalid(details: { path: string; message: string }[]): Refusal {
  const first = details[0]
  const where = first?.path ? `${first.path}: ` : ''
  return new Refusal('invalid_request', `The request is not valid: ${where}${first?.message ?? ''}`, details)
}
