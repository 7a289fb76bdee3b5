// What a handler is: a few lines from a parsed request to an answer, typed by its route.
import type { FastifyRequest } from 'fastify'
import type { AnswerOf, ParsedInput, Route } from '../contract/route.ts'
import type { RouteId, Routes } from '../contract/routes.ts'
import type { Caller } from '../domain/caller.ts'

export interface RequestContext {
  /** From the `Idempotency-Key` header, on routes that take it. */
  idempotencyKey: string | undefined
  /** From the `Prefer` header, on routes that take it. */
  waitSeconds: number | undefined
  setHeader(name: string, value: string): void
  /** A header of the request that no schema declares. */
  header(name: string): string | undefined
  /** Aborted when the caller has hung up, or the server is to end: for answers that take their time. */
  ended: AbortSignal
  /** Raises when the caller may not go on: for answers that outlive the check at their beginning. */
  recheck(): Promise<void>
}

export type ContextOf<R extends Route> = R['area'] extends 'api'
  ? RequestContext & { caller: Caller }
  : R['area'] extends 'session'
    ? RequestContext & { request: FastifyRequest }
    : RequestContext

export type Handler<R extends Route> = (context: ContextOf<R>, input: ParsedInput<R>) => Promise<AnswerOf<R>>
export type Handlers<K extends RouteId = RouteId> = { [P in K]: Handler<Routes[P]> }
