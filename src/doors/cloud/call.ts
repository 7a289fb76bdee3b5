// How a call of the Cloud API dialect is declared: the route of this API whose admission it shares, its fields, and its handler.
import { z } from 'zod'
import type { Caller } from '../../accounts/caller.ts'
import type { Deps } from '../../context.ts'
import type { RouteId } from '../../contract/routes.ts'
import type { UseRoute } from '../use-route.ts'

export interface CloudContext {
  caller: Caller
  use: UseRoute
  parts: Pick<Deps, 'store' | 'clock'>
  /** What the path names: the API name of an instance, or a file. */
  id: string
  /** Of this call: scheme, host, prefix and version. */
  base: string
  /** The file of a form, stored as an upload; undefined: there is none. */
  formFile: { mediaId: string } | undefined
  /** The key of the request. */
  key: string | undefined
  /** Names fields of the request that have no effect, in the log. */
  noteIgnored(fields: readonly string[]): void
}

export interface CloudCall<Body extends z.ZodObject = z.ZodObject, Query extends z.ZodObject = z.ZodObject> {
  /** Decides which scope the key needs, and whether the call is refused under load, while held, or without a subscription. */
  admission: RouteId
  body?: Body
  query?: Query
  takesForm?: boolean
  /** The key may be in the query as `access_token`, as help desks send it when they are set up (decision 0144). */
  keyInQuery?: boolean
  /** In refusals: the name of the dialect for a field of this API. */
  fields?: Readonly<Record<string, string>>
  handle(context: CloudContext, input: { body: z.output<Body>; query: z.output<Query> }): Promise<unknown>
}

type NoFields = z.ZodObject<Record<string, never>>

/** Types the handler by the schemas. */
export const call = <Body extends z.ZodObject = NoFields, Query extends z.ZodObject = NoFields>(
  declared: CloudCall<Body, Query>,
): CloudCall => declared

/** A text of any length up to that of the body, checked further by the route of this API. */
export const text = z.string()
export const optionalText = z.string().nullish()

export const PRODUCT = 'whatsapp'
export const product = z.literal(PRODUCT, { error: 'expected "whatsapp"' })

/** Clients ask for fields by name, separated by commas. Without names, all are shown. */
export const fieldsQuery = z.object({ fields: optionalText })

export function chosenFields<Shown extends Record<string, unknown>>(
  shown: Shown,
  fields: string | null | undefined,
): Partial<Shown> {
  if (!fields) return shown
  const names = new Set([...fields.split(',').map((name) => name.trim()), 'id', 'messaging_product'])
  return Object.fromEntries(Object.entries(shown).filter(([name]) => names.has(name))) as Partial<Shown>
}
