// Which stored messages are deleted already.

export interface StoredDeletion {
  status: string
  target: { messageId: string; direction: string | null }
}

/** A deletion counts from its acceptance. One that failed has deleted nothing. */
export const isDeletionOf = (
  message: { id: string; direction: string },
  { status, target }: StoredDeletion,
): boolean =>
  status !== 'failed' &&
  target.messageId === message.id &&
  (target.direction === null || target.direction === message.direction)
