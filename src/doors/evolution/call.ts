// How a call of the Evolution dialect is declared: the route of this API whose admission it shares, its fields, and its handler.
import { z } from 'zod'
import type { Caller } from '../../accounts/caller.ts'
import type { Deps } from '../../context.ts'
import type { RouteId } from '../../contract/routes.ts'
import type { InstanceAlias } from '../../instances/named-instances.ts'
import type { UseRoute } from '../use-route.ts'

export interface EvolutionParts
  extends Pick<
    Deps,
    'store' | 'vault' | 'clock' | 'sessions' | 'checkUrl' | 'readPicture' | 'wakeDeliveries'
  > {
  /** A PNG. */
  drawQr(code: string): Promise<Uint8Array>
}

export interface CallContext {
  caller: Caller
  /** The instance that the path names. Calls whose path names none must not read it. */
  instance: InstanceAlias
  /** Set for a request with the token of an instance: it sees no other one. */
  onlyInstanceId: number | undefined
  use: UseRoute
  parts: EvolutionParts
  /** Takes one of the places for files in memory, until the answer is sent; throws if there is none. */
  holdInMemory(): void
  /** Called when a name means another instance from now on, or none. */
  forgetName(name: string): void
  /** The API name of the instance, for `use`. */
  instanceName: string
  /** The file of a form, stored as an upload; undefined: the request is JSON, or its form has no file. */
  formFile: { mediaId: string } | undefined
}

export interface EvolutionCall<
  Body extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
> {
  /** Decides which scope the key needs, and whether the call is refused under load, while held, or without a subscription. */
  admission: RouteId
  status: 200 | 201
  body?: Body
  query?: Query
  /** The field of the body with a file, as a URL or in base64; a form has it as the part `file`. */
  fileField?: string
  /** In refusals: the name of the dialect for a field of this API. */
  fields?: Readonly<Record<string, string>>
  handle(context: CallContext, input: { body: z.output<Body>; query: z.output<Query> }): Promise<unknown>
}

type NoFields = z.ZodObject<Record<string, never>>

/** Types the handler by the schemas. */
export const call = <Body extends z.ZodObject = NoFields, Query extends z.ZodObject = NoFields>(
  declared: EvolutionCall<Body, Query>,
): EvolutionCall => declared

/** A text of any length up to that of the body, checked further by the route of this API. */
export const text = z.string()
export const optionalText = z.string().nullish()

/** Clients also write numbers and booleans as text: forms have nothing else. */
export const wholeNumber = z.coerce.number().int()
export const looseFlag = z.union([
  z.boolean(),
  z.enum(['true', 'false']).transform((value) => value === 'true'),
])

export const messageKey = z.object({
  id: text,
  remoteJid: optionalText,
  fromMe: looseFlag.nullish(),
  participant: optionalText,
})
