// Refusals in the form of the Cloud API: one table from the reasons of this API to its codes.
import type { Reason } from '../../contract/reasons.ts'
import type { FailureReason } from '../../contract/sending.ts'
import { GatewayError } from '../../errors.ts'
import { type Detail, detailsOf } from '../renamed-fields.ts'

/** The codes that this gateway uses, with the titles of the Cloud API. */
export const TITLES = {
  3: 'API method',
  10: 'Permission denied',
  100: 'Invalid parameter',
  190: 'Access token is missing or not valid',
  2500: 'Unknown path components',
  80007: 'Rate limit issues',
  130429: 'Rate limit hit',
  131000: 'Something went wrong',
  131005: 'Access denied',
  131008: 'Required parameter is missing',
  131009: 'Parameter value is not valid',
  131016: 'Service unavailable',
  131026: 'Message undeliverable',
  131031: 'Account has been locked',
  131042: 'Business eligibility payment issue',
  131051: 'Unsupported message type',
  131052: 'Media download error',
  131053: 'Media upload error',
  131057: 'Account in maintenance mode',
  132000: 'Number of parameters does not match the expected number of params',
  132001: 'Template name does not exist in the translation',
  133010: 'Phone number not registered',
} as const
export type CloudCode = keyof typeof TITLES

/** Of an object in the path, or a file, that does not exist: `error_subcode` beside code 100. */
export const UNKNOWN_OBJECT = 33
/** Of a template that exists already. */
export const TEMPLATE_EXISTS = 2_388_024

/** A refusal that this API does not have. */
export class CloudError extends Error {
  readonly status: number
  readonly code: CloudCode
  readonly subcode: number | undefined

  constructor(status: number, code: CloudCode, details: string, subcode?: number) {
    super(details)
    this.name = 'CloudError'
    this.status = status
    this.code = code
    this.subcode = subcode
  }
}

export interface CloudErrorBody {
  error: {
    message: string
    type: string
    code: number
    error_subcode?: number
    error_data: { messaging_product: 'whatsapp'; details: string }
    fbtrace_id: string
  }
}

type Refusal = readonly [status: number, code: CloudCode, subcode?: number]

/** Each reason that a call of the dialect can meet. `invalid_request` is told apart by its details. */
export const REFUSALS: Partial<Record<Reason, Refusal>> = {
  url_not_allowed: [400, 131009],
  webhook_not_verified: [400, 100],
  unauthorized: [401, 190],
  subscription_inactive: [403, 131042],
  limit_reached: [403, 131042],
  upload_space_full: [403, 131053],
  scope_missing: [403, 10],
  outside_walls: [403, 10],
  csrf_failed: [403, 10],
  instance_not_found: [400, 100, UNKNOWN_OBJECT],
  media_not_found: [400, 100, UNKNOWN_OBJECT],
  message_not_found: [400, 131009],
  message_on_several_instances: [400, 131009],
  message_not_sent: [400, 131009],
  message_deleted: [400, 131009],
  message_is_status: [400, 131009],
  chat_not_found: [400, 131009],
  person_not_found: [400, 131026],
  webhook_not_found: [400, 100, UNKNOWN_OBJECT],
  webhook_exists: [400, 100],
  not_a_group_member: [400, 131026],
  not_a_group_admin: [403, 131005],
  instance_not_connected: [400, 133010],
  idempotency_in_flight: [409, 131016],
  idempotency_key_reused: [422, 100],
  not_found: [400, 2500],
  method_not_allowed: [400, 100],
  request_timeout: [408, 131016],
  body_too_large: [413, 100],
  unsupported_media_type: [400, 100],
  rate_limited: [429, 80007],
  too_many_downloads: [429, 80007],
  queue_full: [429, 130429],
  key_limit_reached: [429, 130429],
  internal: [500, 131000],
  refused_by_network: [502, 131000],
  network_timeout: [504, 131016],
  outcome_unknown: [504, 131000],
  unavailable: [503, 131016],
  phone_keys_missing: [503, 131016],
  gateway_held: [503, 131057],
}

/** Why a message failed, as the status of the message says it. */
export const FAILURES: Readonly<Record<FailureReason, CloudCode>> = {
  number_not_on_network: 131026,
  not_a_group_member: 131026,
  rejected_by_network: 131000,
  account_restricted: 131031,
  media_unavailable: 131053,
  media_too_large: 131053,
  expired: 131026,
  canceled: 131000,
  rejected: 131000,
  instance_deleted: 133010,
  logged_out: 133010,
  target_not_sent: 131009,
  target_deleted: 131009,
  no_recipients: 131026,
  internal: 131000,
}

/** The original tells a missing parameter from one with a wrong value. */
function refusalOf(error: GatewayError): Refusal {
  if (error.reason !== 'invalid_request') return REFUSALS[error.reason] ?? [error.status, 131000]
  const [first] = detailsOf(error)
  if (!first || first.path === '' || first.path === 'messaging_product') return [400, 100]
  return [400, first.message.startsWith('required') ? 131008 : 131009]
}

const sentence = ({ path, message }: Detail): string => (path === '' ? message : `${path}: ${message}`)

function detailsText(error: GatewayError | CloudError): string {
  const details = error instanceof GatewayError ? detailsOf(error) : []
  return details.length > 0 ? details.map(sentence).join('; ') : error.message
}

/** `fbtrace_id` is the id of the request, as `X-Request-Id` and the log have it. */
export function cloudErrorOf(
  error: GatewayError | CloudError,
  requestId: string,
): { status: number; body: CloudErrorBody } {
  const [status, code, subcode] =
    error instanceof CloudError ? [error.status, error.code, error.subcode] : refusalOf(error)
  return {
    status,
    body: {
      error: {
        message: `(#${code}) ${TITLES[code]}`,
        type: 'OAuthException',
        code,
        ...(subcode !== undefined && { error_subcode: subcode }),
        error_data: { messaging_product: 'whatsapp', details: detailsText(error) },
        fbtrace_id: requestId,
      },
    },
  }
}

/** An error inside a webhook body: of a failed status, or of a message that cannot be shown. */
export const webhookError = (code: CloudCode, details: string) => ({
  code,
  title: TITLES[code],
  message: TITLES[code],
  error_data: { details },
})
