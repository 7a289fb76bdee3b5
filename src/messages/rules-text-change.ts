// What an edit or a deletion makes of the text of an earlier message. A list of chats and the search show the text after it.

export interface TextChange {
  messageId: string
  direction: string
  isDeletion: boolean
  /** Null for a deletion. */
  text: string | null
}

export interface TextChangeFacts {
  kind: string
  /** `direction` is null where no such message is stored. */
  target: { messageId: string; direction: string | null } | null | undefined
  text: string | null
}

/** Undefined for a message that changes no stored text. */
export function textChangeOf({ kind, target, text }: TextChangeFacts): TextChange | undefined {
  if ((kind !== 'edit' && kind !== 'delete') || !target?.direction) return undefined
  const { messageId, direction } = target
  const isDeletion = kind === 'delete'
  return { messageId, direction, isDeletion, text: isDeletion ? null : text }
}
