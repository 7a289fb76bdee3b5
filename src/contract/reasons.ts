// The catalogue of error reasons: the HTTP status and the sentence for people of each. Programs rely on the reason, so its
// spelling never changes.
import { SANDBOX_REASONS, type SandboxReason } from './sandbox-reasons.ts'

export const REASONS = {
  invalid_request: [400, 'The request is not valid.'],
  url_not_allowed: [400, 'The URL is not allowed.'],
  webhook_not_verified: [400, 'The receiver did not confirm the webhook by its handshake.'],
  unauthorized: [401, 'The API key is missing or not valid.'],
  subscription_inactive: [403, "The account's subscription is not active."],
  limit_reached: [403, "The limit of the account's plan is reached."],
  upload_space_full: [
    403,
    "The account's space for uploaded files is full. Each file is removed 24 hours after its upload.",
  ],
  scope_missing: [403, 'The API key does not have the required scope.'],
  outside_walls: [
    403,
    'The walls of the API key do not allow this: another instance, another chat, or a call that it cannot make.',
  ],
  not_a_group_admin: [403, 'Only an admin of the group may do this.'],
  csrf_failed: [403, 'A request with a sign-in cookie needs the matching X-CSRF-Token header.'],
  instance_not_found: [404, 'There is no such instance.'],
  webhook_not_found: [404, 'There is no such webhook.'],
  chatwoot_not_set: [404, 'The instance is not connected with Chatwoot.'],
  destination_not_found: [404, 'There is no such destination.'],
  delivery_not_found: [404, 'There is no such delivery.'],
  chat_not_found: [404, 'There is no such chat.'],
  label_not_found: [404, 'There is no such label.'],
  contact_not_found: [404, 'There is no such contact.'],
  quick_reply_not_found: [404, 'There is no such quick reply.'],
  message_not_found: [404, 'There is no such message.'],
  media_not_found: [404, 'There is no such file, or it is no longer available.'],
  not_a_group_member: [404, 'The group does not exist, or the instance is not in it.'],
  person_not_found: [404, 'The number is not registered on the network.'],
  invite_not_found: [404, 'The invite code is not valid, or no longer valid.'],
  passkey_link_not_found: [
    404,
    'The link is not valid, or no longer valid. Ask the person who sent it for a new one.',
  ],
  call_not_found: [404, 'There is no such call.'],
  api_key_not_found: [404, 'There is no such API key.'],
  account_not_found: [404, 'There is no such account.'],
  plan_not_found: [404, 'There is no such plan.'],
  user_not_found: [404, 'There is no such user.'],
  node_not_found: [404, 'There is no such node.'],
  profile_picture_not_found: [404, 'There is no profile picture, or the instance cannot see it.'],
  not_found: [404, 'There is nothing at this path.'],
  method_not_allowed: [405, 'This path does not support the method. The Allow header lists the methods.'],
  request_timeout: [408, 'The request was not received in time.'],
  instance_still_connected: [409, 'The instance is still connected. Log it out before deleting it.'],
  instance_not_connected: [409, 'The instance is not logged in to the network. Connect it first.'],
  instance_already_connected: [409, 'The instance is already connected.'],
  destination_exists: [
    409,
    'The same instances already have a destination with this URL and topic. Update it by its id.',
  ],
  webhook_exists: [409, 'The same instances already have a webhook with this URL. Update it by its id.'],
  plan_in_use: [409, 'Accounts still use this plan. Move them to another plan first.'],
  user_exists: [409, 'The account already has a user with this e-mail address.'],
  account_has_instances: [409, 'The account still has instances. Delete them first.'],
  rotated_meanwhile: [409, 'Another request rotated it at the same time. This request changed nothing.'],
  held_by_setting: [409, 'The gateway is held by SESSIONS=off. Restart it without that setting.'],
  node_not_working: [409, 'Only a node that is live or draining can be drained or resumed.'],
  node_works_alone: [
    409,
    'The node has no NODE_URL: it works alone, and no other node can take its instances.',
  ],
  last_taking_node: [409, 'No other node takes instances. Start or resume another node first.'],
  node_held: [409, 'The node is held by SESSIONS=off or a restored database. End the hold instead.'],
  last_key: [409, "This is the account's last key that can manage keys. Create another one first."],
  idempotency_in_flight: [
    409,
    'The first request with this Idempotency-Key is still running. Try again later.',
  ],
  subscriptions_full: [
    409,
    'An instance can follow the presence of at most 100 people. Stop following others first.',
  ],
  labels_full: [409, 'An instance can have at most 20 labels. Delete others first.'],
  quick_reply_exists: [409, 'The account already has a quick reply with this shortcut.'],
  quick_replies_full: [409, 'An account can have at most 200 quick replies. Delete others first.'],
  call_over: [409, 'The call was already answered, rejected or ended.'],
  message_not_cancellable: [409, 'Only a message that waits to be sent can be cancelled.'],
  message_not_awaiting_approval: [409, 'The message does not wait for approval.'],
  approval_changed: [
    409,
    'The send was changed since it was read. Read it again, and decide about what it is now.',
  ],
  message_on_several_instances: [
    409,
    'Several instances have a message with this id. Name one of them with instanceName.',
  ],
  message_not_sent: [409, 'The message was not sent yet, or has failed, so it cannot be changed.'],
  message_deleted: [409, 'The message was deleted, so it can no longer be changed, quoted or forwarded.'],
  message_not_editable: [409, 'Only texts and captions that you sent in the last 15 minutes can be edited.'],
  message_is_status: [409, 'A status can be deleted or forwarded, but not changed in another way.'],
  message_not_deletable: [
    409,
    'Only messages that you sent in the last 60 hours can be deleted for everyone; an admin can delete any message of the group.',
  ],
  passkey_pending: [
    409,
    'The code was scanned, and the network demands the passkey of the account. Read it with GET /instance/passkey.',
  ],
  passkey_not_expected: [
    409,
    'This is not expected now: the passkey step has not begun, has gone on, or has ended. Read the state of the instance.',
  ],
  passkey_other_code: [409, 'The code to compare has changed. Read it again, and compare it with the phone.'],
  passkey_attempts_used: [409, 'Too many assertions were wrong. Start pairing again.'],
  message_not_a_poll: [409, 'The message is not a poll.'],
  message_not_playable: [409, 'Only audio and videos that the instance received can be played.'],
  message_not_forwardable: [409, 'A message of this type cannot be forwarded.'],
  body_too_large: [413, 'The request body is too large.'],
  unsupported_media_type: [415, 'The request body must be JSON (content-type: application/json).'],
  idempotency_key_reused: [422, 'This Idempotency-Key was already used with a different request.'],
  passkey_malformed: [
    422,
    'The assertion is not in the JSON form of WebAuthn with unpadded base64url. Use `toJSON()` of the credential.',
  ],
  passkey_wrong_type: [
    422,
    'The assertion is not one of a sign-in (webauthn.get). Use navigator.credentials.get.',
  ],
  passkey_wrong_challenge: [
    422,
    'The assertion answers another challenge. Read the current one with GET /instance/passkey, and use the passkey again.',
  ],
  passkey_wrong_origin: [
    422,
    'The assertion was made on another page. Use the passkey on https://web.whatsapp.com itself.',
  ],
  passkey_wrong_site: [422, 'The passkey belongs to another site. Use the one of whatsapp.com.'],
  passkey_without_presence: [
    422,
    'The authenticator did not confirm that a person was present. Use the passkey again.',
  ],
  passkey_without_verification: [
    422,
    'The authenticator did not verify the person by PIN, fingerprint or face. Use the passkey again.',
  ],
  rate_limited: [429, 'Too many requests. Try again later.'],
  too_many_downloads: [429, 'Too many files are being transferred. Try again when one of them has ended.'],
  key_limit_reached: [429, 'The API key has used its messages of this day (UTC).'],
  queue_full: [429, 'Too many messages are queued for this instance. Try again later.'],
  internal: [500, 'An internal error occurred.'],
  refused_by_network: [502, 'The messaging network refused the request.'],
  chatwoot_failed: [502, 'Chatwoot refused a call, or did not answer.'],
  gateway_held: [503, 'The gateway is held: nothing is sent or received until the operator resumes it.'],
  phone_keys_missing: [
    503,
    'The phone has not shared the keys for changes of the account yet. Open WhatsApp on it, and try again.',
  ],
  qr_not_ready: [503, 'The login code is not ready yet. Try again shortly.'],
  unavailable: [503, 'The service is temporarily unavailable. Try again shortly.'],
  network_timeout: [504, 'The messaging network did not answer in time.'],
  outcome_unknown: [504, 'It is not known whether this was done. Check before you repeat the request.'],
} as const satisfies Record<string, readonly [status: number, sentence: string]>

export type Reason = keyof typeof REASONS
/** A reason that a route can declare. The sandbox has additional ones. */
export type DeclaredReason = Reason | SandboxReason

const entry = (reason: DeclaredReason) => ({ ...REASONS, ...SANDBOX_REASONS })[reason]
export const statusOf = (reason: DeclaredReason): number => entry(reason)[0]
export const sentenceOf = (reason: DeclaredReason): string => entry(reason)[1]
