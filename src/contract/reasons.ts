// The catalogue of error reasons: the HTTP status and the sentence for people of each. Programs rely on the reason, so its
// spelling never changes.
import { SANDBOX_REASONS, type SandboxReason } from './sandbox-reasons.ts'

export const REASONS = {
  invalid_request: [400, 'The request is not valid.'],
  url_not_allowed: [400, 'The URL is not allowed.'],
  unauthorized: [401, 'The API key is missing or not valid.'],
  subscription_inactive: [403, "The account's subscription is not active."],
  limit_reached: [403, "The limit of the account's plan is reached."],
  scope_missing: [403, 'The API key does not have the required scope.'],
  csrf_failed: [403, 'A request with a sign-in cookie needs the matching X-CSRF-Token header.'],
  instance_not_found: [404, 'There is no such instance.'],
  webhook_not_found: [404, 'There is no such webhook.'],
  delivery_not_found: [404, 'The webhook has no such delivery.'],
  chat_not_found: [404, 'There is no such chat.'],
  contact_not_found: [404, 'There is no such contact.'],
  message_not_found: [404, 'There is no such message.'],
  media_not_found: [404, 'The message has no file, or the file is no longer available.'],
  api_key_not_found: [404, 'There is no such API key.'],
  account_not_found: [404, 'There is no such account.'],
  plan_not_found: [404, 'There is no such plan.'],
  user_not_found: [404, 'There is no such user.'],
  profile_picture_not_found: [404, 'There is no profile picture, or the instance cannot see it.'],
  not_found: [404, 'There is nothing at this path.'],
  method_not_allowed: [405, 'This path does not support the method. The Allow header lists the methods.'],
  request_timeout: [408, 'The request was not received in time.'],
  instance_still_connected: [409, 'The instance is still connected. Log it out before deleting it.'],
  instance_not_connected: [409, 'The instance is not logged in to the network. Connect it first.'],
  instance_already_connected: [409, 'The instance is already connected.'],
  webhook_exists: [409, 'The same instances already have a webhook with this URL. Update it by its id.'],
  plan_in_use: [409, 'Accounts still use this plan. Move them to another plan first.'],
  user_exists: [409, 'The account already has a user with this e-mail address.'],
  account_has_instances: [409, 'The account still has instances. Delete them first.'],
  rotated_meanwhile: [409, 'Another request rotated it at the same time. This request changed nothing.'],
  held_by_setting: [409, 'The gateway is held by SESSIONS=off. Restart it without that setting.'],
  last_key: [409, "This is the account's last key that can manage keys. Create another one first."],
  idempotency_in_flight: [
    409,
    'The first request with this Idempotency-Key is still running. Try again later.',
  ],
  message_not_cancellable: [409, 'Only a queued message can be cancelled.'],
  body_too_large: [413, 'The request body is too large.'],
  unsupported_media_type: [415, 'The request body must be JSON (content-type: application/json).'],
  idempotency_key_reused: [422, 'This Idempotency-Key was already used with a different request.'],
  rate_limited: [429, 'Too many requests. Try again later.'],
  queue_full: [429, 'Too many messages are queued for this instance. Try again later.'],
  internal: [500, 'An internal error occurred.'],
  refused_by_network: [502, 'The messaging network refused the request.'],
  gateway_held: [503, 'The gateway is held: nothing is sent or received until the operator resumes it.'],
  qr_not_ready: [503, 'The login code is not ready yet. Try again shortly.'],
  unavailable: [503, 'The service is temporarily unavailable. Try again shortly.'],
  network_timeout: [504, 'The messaging network did not answer in time.'],
} as const satisfies Record<string, readonly [status: number, sentence: string]>

export type Reason = keyof typeof REASONS
/** A reason that a route can declare. The sandbox has additional ones. */
export type DeclaredReason = Reason | SandboxReason

const entry = (reason: DeclaredReason) => ({ ...REASONS, ...SANDBOX_REASONS })[reason]
export const statusOf = (reason: DeclaredReason): number => entry(reason)[0]
export const sentenceOf = (reason: DeclaredReason): string => entry(reason)[1]
