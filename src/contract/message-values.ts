// The values of messages that endpoints, rules and the dashboard share. Without the schemas, so that a browser can load them.

export const MESSAGE_KINDS = [
  'text',
  'image',
  'video',
  'document',
  'audio',
  'button',
  'list',
  'cta',
  'carousel',
  'location',
  'poll',
  'sticker',
  'contact',
  'event',
] as const
export type MessageKind = (typeof MESSAGE_KINDS)[number]

/** In the order in which a message goes through them. A failure is final: no later receipt changes it. */
export const MESSAGE_STATUSES = [
  'scheduled',
  'queued',
  'sending',
  'sent',
  'delivered',
  'read',
  'played',
  'failed',
] as const
export type MessageStatus = (typeof MESSAGE_STATUSES)[number]

export const isLaterStatus = (status: MessageStatus, than: MessageStatus): boolean =>
  MESSAGE_STATUSES.indexOf(status) > MESSAGE_STATUSES.indexOf(than)

/** The chat of all status posts of an instance. */
export const STATUS_CHAT = 'status@broadcast'

/** For how long a message can be pinned. Phones offer no other times. */
export const PIN_SECONDS = [86_400, 604_800, 2_592_000] as const
