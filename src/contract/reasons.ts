// The catalogue of refusals: each reason a caller can meet, its HTTP status and its sentence for people (spec 7).
import { SANDBOX_REASONS, type SandboxReason } from './sandbox-reasons.ts'

export const REASONS = {
  invalid_request: [400, 'The request is not valid.'],
  url_not_allowed: [400, 'This URL is not allowed.'],
  unauthorized: [401, 'The API key is missing or not valid.'],
  subscription_inactive: [403, 'The subscription of this account is not active.'],
  limit_reached: [403, 'The plan of this account does not allow more of these.'],
  feature_not_in_plan: [403, 'The plan of this account does not include this feature.'],
  scope_missing: [403, 'This API key may not do that.'],
  csrf_failed: [403, 'The cookie needs the X-CSRF-Token that belongs to it.'],
  instance_not_found: [404, 'There is no such instance.'],
  webhook_not_found: [404, 'There is no such webhook.'],
  delivery_not_found: [404, 'There is no such delivery of this webhook.'],
  chat_not_found: [404, 'There is no such chat.'],
  contact_not_found: [404, 'There is no such contact.'],
  message_not_found: [404, 'There is no such message.'],
  media_not_found: [404, 'The message has no file, or it cannot be had any more.'],
  api_key_not_found: [404, 'There is no such API key.'],
  account_not_found: [404, 'There is no such account.'],
  plan_not_found: [404, 'There is no such plan.'],
  user_not_found: [404, 'There is no such user.'],
  profile_picture_not_found: [404, 'The connected account shows no profile picture.'],
  not_found: [404, 'There is nothing at this address.'],
  method_not_allowed: [405, 'This address does not take that method.'],
  body_too_large: [413, 'The request body is larger than 256 KiB.'],
  unsupported_media_type: [415, 'The request body must be JSON (content-type: application/json).'],
  instance_still_connected: [409, 'The instance is still connected. Log it out before deleting it.'],
  instance_not_connected: [409, 'The instance is not logged in to the network. Connect it first.'],
  instance_already_connected: [409, 'The instance is already connected.'],
  webhook_exists: [409, 'A webhook with this URL exists for the same scope.'],
  plan_in_use: [409, 'Accounts still use this plan.'],
  user_exists: [409, 'A user with this e-mail address exists in the account.'],
  account_has_instances: [409, 'The account still has instances. Delete them first.'],
  last_key: [409, 'This is the last usable key of the account that may manage keys.'],
  idempotency_in_flight: [409, 'The first request with this Idempotency-Key is still running.'],
  message_not_cancellable: [409, 'Only a message that is still queued can be cancelled.'],
  idempotency_key_reused: [422, 'This Idempotency-Key was used with a different request.'],
  rate_limited: [429, 'Too many requests. Try again later.'],
  queue_full: [429, 'Too many messages are waiting for this instance. Try again later.'],
  internal: [500, 'Something went wrong on our side.'],
  qr_not_ready: [503, 'The login code is not ready yet. Try again shortly.'],
  unavailable: [503, 'The service cannot do this right now. Try again shortly.'],
  network_timeout: [504, 'The messaging network did not answer in time.'],
} as const satisfies Record<string, readonly [status: number, sentence: string]>

export type Reason = keyof typeof REASONS
/** Whatever a route can declare: the sandbox network has refusals of its own. */
export type DeclaredReason = Reason | SandboxReason

const entry = (reason: DeclaredReason) => ({ ...REASONS, ...SANDBOX_REASONS })[reason]
export const statusOf = (reason: DeclaredReason): number => entry(reason)[0]
export const sentenceOf = (reason: DeclaredReason): string => entry(reason)[1]
