// A refusal is the error that an API call answers with: a reason, its status and a sentence.
import { type Reason, statusOf } from '../../src/contract/reasons.ts'
import type { SandboxReason } from '../../src/contract/sandbox-reasons.ts'

/** Reasons shared with the gateway's catalogue. */
type Shared =
  | 'invalid_request'
  | 'unauthorized'
  | 'not_found'
  | 'message_not_found'
  | 'profile_picture_not_found'
  | 'body_too_large'
  | 'unsupported_media_type'
export type RefusalReason = SandboxReason | Extract<Reason, Shared>

export class Refusal extends Error {
  readonly reason: RefusalReason
  readonly status: number
  readonly details: { path: string; message: string }[] | undefined

  constructor(reason: RefusalReason, message: string, details?: { path: string; message: string }[]) {
    super(message)
    this.reason = reason
    this.status = statusOf(reason)
    this.details = details
  }
}
