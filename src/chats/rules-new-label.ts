// The id and the colour of a label that the gateway creates.
import { LABEL_COLORS } from '../contract/chat-fields.ts'

export interface KnownLabel {
  label_id: string
  color: number
  deleted: number
}

/** Ids are whole numbers. That of a deleted label is not used again: other devices may still have chats under it. */
export const nextLabelId = (known: readonly KnownLabel[]): string =>
  String(Math.max(0, ...known.map(({ label_id: id }) => Number(id)).filter(Number.isSafeInteger)) + 1)

/** The first that no other label has, otherwise the first. */
export function freeColor(known: readonly KnownLabel[]): number {
  const used = new Set(known.filter(({ deleted }) => deleted === 0).map(({ color }) => color))
  for (let color = 0; color < LABEL_COLORS; color += 1) if (!used.has(color)) return color
  return 0
}
