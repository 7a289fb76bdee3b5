/** How a call of the world's API is answered: its input is checked against its route before any handler runs. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { type AnswerOf, isFileAnswer, type ParsedInput, type Route } from '../../../contract/route.ts'
import { Refusal } from '../refusal.ts'

/** `success` is added here; a file is sent by its handler. */
type Answer<R extends Route> = R['answer'] extends z.ZodType ? Omit<AnswerOf<R>, 'success'> : FastifyReply
type Handle<R extends Route> = (input: ParsedInput<R>, reply: FastifyReply) => Answer<R> | Promise<Answer<R>>

const NOTHING = z.strictObject({})

export function call<R extends Route>(app: FastifyInstance, route: R, handle: Handle<R>): void {
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
      const answer = await handle(input as ParsedInput<R>, reply)
      return isFileAnswer(route.answer) ? answer : { success: true, ...(answer as object) }
    },
  })
}

function check(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const details = result.error.issues.flatMap((issue) => {
    const path = issue.path.join('.')
    if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }]
    return issue.keys.map((key) => ({ path: path ? `${path}.${key}` : key, message: 'unknown field' }))
  })
  const first = details[0]
  const where = first?.path ? `${first.path}: ` : ''
  throw new Refusal('invalid_request', `The request is not valid: ${where}${first?.message ?? ''}`, details)
}
