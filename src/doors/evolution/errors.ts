// Refusals in the form of the Evolution dialect.
import { STATUS_CODES } from 'node:http'
import { GatewayError } from '../../errors.ts'
import { detailsOf } from '../renamed-fields.ts'

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
  const details = detailsOf(error)
  if (details.length === 0) return [error.message]
  return details.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
}
