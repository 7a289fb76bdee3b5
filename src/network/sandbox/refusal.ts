/** Refusals: what the world's driver asked for cannot be done, with the status and reason it is told. */

const STATUSES = {
  invalid_request: 400,
  unauthorized: 401,
  not_found: 404,
  phone_not_found: 404,
  group_not_found: 404,
  message_not_found: 404,
  media_not_found: 404,
  option_not_found: 404,
  number_not_registered: 404,
  code_not_requested: 404,
  qr_used: 409,
  wrong_code: 409,
  pairing_failed: 409,
  not_tappable: 409,
  not_a_poll: 409,
  not_own_message: 409,
  not_a_member: 409,
  not_an_admin: 409,
  qr_expired: 410,
  code_expired: 410,
  body_too_large: 413,
  unsupported_media_type: 415,
} as const

export type RefusalReason = keyof typeof STATUSES

export class Refusal extends Error {
  readonly reason: RefusalReason
  readonly status: number
  readonly details: { path: string; message: string }[] | undefined

  constructor(reason: RefusalReason, message: string, details?: { path: string; message: string }[]) {
    super(message)
    this.reason = reason
    this.status = STATUSES[reason]
    this.details = details
  }
}
