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
  'pix',
  'location',
  'poll',
  'sticker',
  'contact',
  'event',
  'album',
] as const
export type MessageKind = (typeof MESSAGE_KINDS)[number]

/** What a key of PIX, the payments of Brazil, is. */
export const PIX_KEY_TYPES = ['phone', 'email', 'cpf', 'cnpj', 'random'] as const
export type PixKeyType = (typeof PIX_KEY_TYPES)[number]

/** Changes of an earlier message or of the chat, which are sent like messages. */
export const ACTION_KINDS = ['reaction', 'edit', 'delete', 'pin', 'disappearing'] as const
export type ActionKind = (typeof ACTION_KINDS)[number]
export type OutgoingKind = MessageKind | ActionKind

/** Sent like messages, but shown only through others: they are not counted, and are not the last message of a chat. */
export const UNCOUNTED_KINDS: readonly OutgoingKind[] = [...ACTION_KINDS, 'album']

/** In the order in which a message goes through them. A failure is final: no later receipt changes it. */
export const MESSAGE_STATUSES = [
  'awaiting_approval',
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

/** Reasons of messages that a person cancelled or rejected. They have the status `failed`, but nothing went wrong. */
export const CALLED_OFF: readonly string[] = ['canceled', 'rejected']
export const isCalledOff = (reason: string | null | undefined): boolean =>
  reason !== null && reason !== undefined && CALLED_OFF.includes(reason)

export const isLaterStatus = (status: MessageStatus, than: MessageStatus): boolean =>
  MESSAGE_STATUSES.indexOf(status) > MESSAGE_STATUSES.indexOf(than)

/** The chat of all status posts: of the instance, and of the people that it knows. */
export const STATUS_CHAT = 'status@broadcast'

/** For how long a message can be pinned. The API takes no other values. */
export const PIN_SECONDS = { day: 86_400, week: 604_800, month: 2_592_000 } as const
