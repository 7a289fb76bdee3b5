// Refusals in the form of the Evolution dialect.
import { STATUS_CODES } from 'node:http'
import { GatewayError } from '../../errors.ts'

/** A refusal that this API does not have. */
export class EvolutionError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.name = 'EvolutionError'
    this.status = status
  }
}

export interface EvolutionErrorBody {
  status: number
  error: string
  response: { message: string[] }
}

/** Clients of the dialect know 400 where this API says that the state does not allow it. */
const STATUSES: Readonly<Record<number, number>> = { 409: 400, 422: 400 }

interface Detail {
  path: string
  message: string
}

export function evolutionErrorBody(error: GatewayError | EvolutionError): EvolutionErrorBody {
  const status = STATUSES[error.status] ?? error.status
  return {
    status,
    error: STATUS_CODES[status] ?? 'Error',
    response: { message: messagesOf(error) },
  }
}

function messagesOf(error: GatewayError | EvolutionError): string[] {
  if (!(error instanceof GatewayError) || error.reason !== 'invalid_request') return [error.message]
  const details = (error.extra.details ?? []) as Detail[]
  if (details.length === 0) return [error.message]
  return details.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
}

/** A refusal of a field of this API names the field of the dialect that it was made from. */
export function renamed(error: unknown, fields: Readonly<Record<string, string>>): unknown {
  if (!(error instanceof GatewayError) || !Array.isArray(error.extra.details)) return error
  const details = (error.extra.details as Detail[]).map(({ path, message }) => ({
    path: nameOf(path, fields),
    message,
  }))
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
