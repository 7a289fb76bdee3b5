// The order in which messages are listed: received ones when they were stored, all others by their own time. Messages of a history
// are stored after later ones, so the order of their rows is not the order of the conversation.
import { type RawBuilder, sql } from 'kysely'

/** Equal to the expression of the indexes. Among equal times, the row decides. */
export const LISTED_AT: RawBuilder<number> = sql<number>`coalesce(messages.listed_at, messages.created_at)`

/** The position of a message in the list. */
export interface ListPosition {
  at: number
  /** Null: before every message of that time. */
  rowId: number | null
}

export const isListedBefore = ({ at, rowId }: ListPosition): RawBuilder<boolean> =>
  rowId === null
    ? sql<boolean>`${LISTED_AT} < ${at}`
    : sql<boolean>`(${LISTED_AT}, messages.row_id) < (${at}, ${rowId})`

export const isListedAfter = ({ at, rowId }: ListPosition): RawBuilder<boolean> =>
  sql<boolean>`(${LISTED_AT}, messages.row_id) > (${at}, ${rowId ?? 0})`

export const comparePositions = (a: ListPosition, b: ListPosition): number =>
  a.at - b.at || (a.rowId ?? 0) - (b.rowId ?? 0)

export const positionOf = (row: {
  listed_at: number | null
  created_at: number
  row_id: number
}): ListPosition => ({
  at: row.listed_at ?? row.created_at,
  rowId: row.row_id,
})
