// The one error of this client: a refusal of the gateway, or the lack of an answer.

export interface CallFailure {
  /** The HTTP status; 0 if there was no answer. */
  status: number
  /** A reason of the API, or `unreachable` or `unreadable_answer`. */
  reason: string
  /** With `invalid_request`: every invalid field. */
  details?: { path: string; message: string }[] | undefined
  requestId?: string | undefined
  retryAfterSeconds?: number | undefined
}

export class SwitchboardError extends Error implements CallFailure {
  readonly status: number
  readonly reason: string
  readonly details: { path: string; message: string }[]
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, failure: CallFailure, cause?: unknown) {
    super(message, { cause })
    this.name = 'SwitchboardError'
    this.status = failure.status
    this.reason = failure.reason
    this.details = failure.details ?? []
    this.requestId = failure.requestId
    this.retryAfterSeconds = failure.retryAfterSeconds
  }
}

export const unreachable = (cause: unknown): SwitchboardError =>
  new SwitchboardError('The gateway did not answer.', { status: 0, reason: 'unreachable' }, cause)

/** A refusal in the form of the API; anything else comes from a proxy or another server. */
export async function refusalOf(response: Response): Promise<SwitchboardError> {
  const { status } = response
  const retryAfterSeconds = retryAfterOf(response.headers.get('retry-after'))
  const body = (await response.json().catch(() => undefined)) as
    | (CallFailure & { error?: unknown })
    | undefined
  if (typeof body?.reason !== 'string') return unreadable(status, retryAfterSeconds)
  const { reason, details, requestId } = body
  return new SwitchboardError(String(body.error), { status, reason, details, requestId, retryAfterSeconds })
}

export const unreadable = (status: number, retryAfterSeconds?: number, cause?: unknown): SwitchboardError =>
  new SwitchboardError(
    `The answer (status ${status}) is not from the gateway. Check its URL.`,
    { status, reason: 'unreadable_answer', retryAfterSeconds },
    cause,
  )

/** Seconds, or the date that proxies may send. */
export function retryAfterOf(header: string | null, now = Date.now()): number | undefined {
  if (header === null) return undefined
  if (/^\d+$/.test(header)) return Number(header)
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000))
}
