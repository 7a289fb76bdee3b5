/** How a call of the world's API is declared: its input is checked against a schema before any handler runs. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { noQuery } from '../api-schemas.ts'
import { Refusal } from '../refusal.ts'

type Schema = z.ZodType
export type Call<Params extends Schema, Query extends Schema, Body extends Schema> = {
  params?: Params
  query?: Query
  body?: Body
  handle(input: {
    params: z.output<Params>
    query: z.output<Query>
    body: z.output<Body>
    request: FastifyRequest
    reply: FastifyReply
  }): unknown
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Answers with `success: true` beside what the handler returns. */
export function call<Params extends Schema, Query extends Schema, Body extends Schema>(
  app: FastifyInstance,
  method: Method,
  url: string,
  { params, query, body, handle }: Call<Params, Query, Body>,
): void {
  app.route({
    method,
    url,
    async handler(request, reply) {
      const answer = await handle({
        params: check(params ?? noQuery, request.params) as z.output<Params>,
        query: check(query ?? noQuery, request.query) as z.output<Query>,
        body: (body ? check(body, request.body ?? {}) : undefined) as z.output<Body>,
        request,
        reply,
      })
      return reply.sent || answer === reply ? reply : { success: true, ...(answer as object | undefined) }
    },
  })
}

function check(schema: Schema, value: unknown): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const details = result.error.issues.flatMap((issue) => {
    const path = issue.path.join('.')
    if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }]
    return issue.keys.map((key) => ({ path: path ? `${path}.${key}` : key, message: 'is not a known field' }))
  })
  const first = details[0]
  const where = first?.path ? `${first.path}: ` : ''
  throw new Refusal('invalid_request', `Invalid request: ${where}${first?.message ?? ''}`, details)
}
