// All calls of the Cloud API that clients and help desks use, with what differs here on purpose, and what else its document lists.

/** `Method path`, and a note; without one, the call behaves as in the original. */
export const KNOWN_CALLS: readonly (readonly [call: string, note?: string])[] = [
  ['POST /{id}/messages', 'all kinds of the table below; also `status: read` with `typing_indicator`'],
  ['POST /{id}/media', 'up to 100 MB; a file can be sent for 24 hours, by every number of the account'],
  ['GET /{media_id}', 'files of received messages; the URL is one of this gateway and does not expire'],
  ['GET /{media_id}/download', 'where that URL leads, with the same key'],
  ['DELETE /{media_id}', 'uploaded files; messages that use one already are sent'],
  ['GET /{id}', 'the number: `quality_rating` is `UNKNOWN`; no tier, no throughput, no review of names'],
  ['POST /{id}', 'only `webhook_configuration`'],
  ['POST /{id}/register', 'succeeds for a linked number; numbers are linked by scanning a code'],
  ['GET /{id}/phone_numbers', 'the one number of this id; the key may be in the query'],
  ['GET /{id}/whatsapp_business_profile', 'fields of business accounts only if the number has one'],
  [
    'POST /{id}/whatsapp_business_profile',
    '`about`, and `profile_picture_handle` with the id of an uploaded file; others are ignored next to these, and refused alone: they can only be changed on the phone',
  ],
  [
    'GET /{id}/message_templates',
    'the templates of the account, at first `hello_world`; the key may be in the query',
  ],
  ['POST /{id}/message_templates', 'approved at once; at most 250'],
  ['DELETE /{id}/message_templates'],
  ['GET /{id}/subscribed_apps', 'the webhooks of the format `cloud`'],
  [
    'POST /{id}/subscribed_apps',
    'with `override_callback_uri` and `verify_token`: sets the webhook of the number',
  ],
  ['DELETE /{id}/subscribed_apps', 'deletes that webhook'],
  ['GET /debug_token', '`input_token` must be the key of the request'],
  ['POST /{id}/calls'],
  ['GET /{id}/call_permissions'],
  ['GET /{id}/flows'],
  ['GET /{id}/message_qrdls'],
  ['POST /{id}/conversational_automation'],
  ['POST /{id}/request_code'],
  ['POST /{id}/verify_code'],
  ['POST /{id}/deregister'],
  ['GET /{id}/settings'],
  ['GET /{id}/assigned_users'],
  ['GET /{id}/groups'],
  ['POST /{id}/block_users'],
]

/** By `type`: what it becomes on the phone. */
export const KIND_NOTES: Readonly<Record<string, string>> = {
  text: '`preview_url` adds a preview of the first link',
  image: '`link` or `id`, `caption`; up to 16 MB',
  video: '`link` or `id`, `caption`',
  audio: '`link` or `id`; always sent as a voice message',
  document: '`link` or `id`, `caption`, `filename`',
  sticker: '`link` or `id`; an image that is not WebP becomes a sticker',
  location: '',
  contacts: 'each card with its first number and e-mail address',
  reaction: 'an empty `emoji` withdraws it',
  interactive:
    '`button`, `list` and `cta_url`, with a header of the type `text`; above buttons also `image`, `video` or `document`, with `link` or `id`, and `filename`: file, text and buttons are one message with one id. The text has up to 1024 characters. `action` may be JSON as text. Other types: 131051',
  template: 'a stored template, rendered to a text, or to a file with a caption',
}

/** What a message of this API becomes. */
export const EVENT_ROWS: readonly (readonly [string, string])[] = [
  [
    'text, image, video, audio, document, sticker, location, contacts, reaction',
    '`messages` with that `type`; a file has `id`, `mime_type`, `sha256`, and `caption`, `filename`, `voice` or `animated`',
  ],
  [
    'tap on a button or a row of a list',
    '`type: interactive` with `button_reply` or `list_reply`, and `context`',
  ],
  ['reply, forwarded message, message from an advertisement', '`context`, `context.forwarded`, `referral`'],
  [
    'poll, vote, event, answer to an event, view-once message, unknown content',
    '`type: unsupported` with error 131051',
  ],
  [
    'order',
    '`type: order`, with `text`, and with `order_id`, `token`, `item_count`, `total` and `currency`, which the original does not have; `product_items` is empty, because the message does not name them',
  ],
  ['product', '`type: text`, with `context.referred_product`'],
  ['a file that is not available', 'its `type` without `id`, and error 131052'],
  [
    'edit or deletion by a person',
    '`type: unsupported`, and beside it `edit` or `revoke` with `original_message_id`: other types would be shown as empty messages',
  ],
  [
    'message, edit or deletion that the owner makes on the phone',
    'field `smb_message_echoes`; edits and deletions with the types `edit` and `revoke`',
  ],
  ['message that was sent through this gateway', 'not posted: its client knows it'],
  ['sent, delivered, read, failed', '`statuses`; a played voice message is `read`; a failure has `errors`'],
  [
    'history, status posts, presence, calls, groups, connection',
    'not posted; use a webhook of the format `switchboard`',
  ],
]

/** For all calls. */
export const DIFFERENCES: readonly (readonly [original: string, here: string])[] = [
  [
    'Ids of numbers and of business accounts are digits',
    'both are the API name of the instance, and the same',
  ],
  [
    'A token belongs to an app',
    'it is a key of the account with the scopes `send`, `instances:manage`, `contacts` and `webhooks`',
  ],
  [
    'The token may be in the query',
    'only for `message_templates` and `phone_numbers`, where help desks put it; elsewhere 190',
  ],
  [
    'Messages after 24 hours need a template (131047), test numbers a list of recipients (131030)',
    'neither exists: these codes never come',
  ],
  [
    'Ids of messages begin with `wamid.`',
    'they are those of the network, also in `context`, reactions and read receipts',
  ],
  ['Read receipts are for one message', 'the whole chat is marked as read'],
  [
    'Statuses have `conversation` and `pricing`; `biz_opaque_callback_data` comes back',
    'none of them: nothing is billed, and that field is ignored',
  ],
  [
    'A hidden number has only a `user_id`, such as `US.123`',
    'the same, as `XX.123`; `to` and `recipient` take it',
  ],
  [
    'The app secret signs webhooks',
    'the secret of the webhook does, in `X-Hub-Signature-256`, and beside it the signatures of this gateway',
  ],
  [
    'A webhook is retried for days',
    'ten times in about three days; deliveries are listed and can be replayed',
  ],
  [
    'A send is answered when it is queued',
    'the same: the message is stored by then; `Idempotency-Key` is accepted',
  ],
]
