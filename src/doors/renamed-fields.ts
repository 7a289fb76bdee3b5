// Refusals of this API name its own fields. A dialect names those that they were made from.
import { GatewayError } from '../errors.ts'

export interface Detail {
  path: string
  message: string
}

export const detailsOf = (error: GatewayError): Detail[] => (error.extra.details ?? []) as Detail[]

export function renamed(error: unknown, fields: Readonly<Record<string, string>>): unknown {
  if (!(error instanceof GatewayError) || !Array.isArray(error.extra.details)) return error
  const details = detailsOf(error).map(({ path, message }) => ({ path: nameOf(path, fields), message }))
  return new GatewayError(
    error.reason,
    { ...error.extra, details },
    { message: error.message, cause: error.cause },
  )
}

/** By the longest name of this API that the path begins with. */
function nameOf(path: string, fields: Readonly<Record<string, string>>): string {
  const parts = path.split('.')
  for (let length = parts.length; length > 0; length -= 1) {
    const name = fields[parts.slice(0, length).join('.')]
    if (name !== undefined) return [name, ...parts.slice(length)].filter((part) => part !== '').join('.')
  }
  return path
}
