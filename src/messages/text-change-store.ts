// An edit or a deletion that was sent or received, as the store applies it to the list of chats and to the search.

import type { Row } from '../store/tables.ts'
import type { TextChange } from './rules-text-change.ts'

export interface AppliedChange extends TextChange {
  instanceId: number
  now: number
}

/** The columns of a message that its index is made of. */
export type IndexedMessage = Pick<Row<'messages'>, 'row_id' | 'account_id' | 'instance_id' | 'content'>
