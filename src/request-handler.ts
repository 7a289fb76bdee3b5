// The types of handlers: a handler turns a parsed request into a call of the domain, and the result into an answer.
import type { FastifyRequest } from 'fastify'
import type { Caller } from './accounts/caller.ts'
import type { AnswerOf, FileContent, ParsedInput, Route, StreamedFile } from './contract/route.ts'
import type { RouteId, Routes } from './contract/routes.ts'
import type { TracedMessage } from './tracer.ts'

export interface RequestContext {
  /** From the `Idempotency-Key` header, on routes that take it. */
  idempotencyKey: string | undefined
  /** From the `Prefer` header, on routes that take it. */
  waitSeconds: number | undefined
  /** The request was accepted as this message. Absent while tracing is off. */
  traceMessage?: ((message: TracedMessage) => void) | undefined
  setHeader(name: string, value: string): void
  /** A request header that no schema declares. */
  header(name: string): string | undefined
  /** Aborted when the client disconnects or the server drains: for long answers. */
  ended: AbortSignal
  /** Throws when the caller has lost access: for answers that continue after admission. */
  recheck(): Promise<void>
  /** Called when the answer was sent, or its client has disconnected. */
  onClosed(listener: () => void): void
  /** Scheme, host and port of the request. */
  origin: string
  /** The same, for what a person signs in with: throws if the host name of the request is not checked. */
  checkedOrigin: string
}

export type ContextOf<R extends Route> = R['area'] extends 'api'
  ? RequestContext & { caller: Caller }
  : R['area'] extends 'session'
    ? RequestContext & { request: FastifyRequest }
    : RequestContext

/** A file may be in memory or be streamed. */
type HandlerAnswer<A> = A extends FileContent ? FileContent | StreamedFile : WithoutSuccess<A>
/** The server adds `success: true` to every JSON answer that declares it. */
type WithoutSuccess<A> = A extends { success: true } ? Omit<A, 'success'> : A

export type Handler<R extends Route> = (
  context: ContextOf<R>,
  input: ParsedInput<R>,
) => Promise<HandlerAnswer<AnswerOf<R>>>
export type Handlers<K extends RouteId = RouteId> = { [P in K]: Handler<Routes[P]> }

/** A route and the handler that answers it. */
export interface HandledRoute {
  route: Route
  /** The context and the input have the types of the route: the server builds them from its declaration. */
  handle: (context: never, input: never) => Promise<unknown>
}
