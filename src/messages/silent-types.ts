// Types of messages that are about other messages or about the chat.

/** They change neither the last message nor the unread count of a chat. */
export const SILENT_TYPES: ReadonlySet<string> = new Set([
  'reaction',
  'edit',
  'delete',
  'pin',
  'poll_vote',
  'event_answer',
  'disappearing',
  'album',
])

export const SILENT = [...SILENT_TYPES]
