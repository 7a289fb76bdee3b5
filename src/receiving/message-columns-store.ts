// The columns of a received message, with their types on PostgreSQL.
import type { ReceivedType } from '../contract/messages.ts'
import type { ReceivedRow } from './report-store.ts'

export const MESSAGE_COLUMNS: readonly { name: keyof ReceivedRow; type: 'text' | 'bigint' }[] = [
  { name: 'id', type: 'text' },
  { name: 'account_id', type: 'bigint' },
  { name: 'instance_id', type: 'bigint' },
  { name: 'direction', type: 'text' },
  { name: 'chat', type: 'text' },
  { name: 'number', type: 'text' },
  { name: 'group_jid', type: 'text' },
  { name: 'kind', type: 'text' },
  { name: 'content', type: 'text' },
  { name: 'media_reference', type: 'text' },
  { name: 'addressed_as', type: 'text' },
  { name: 'secret', type: 'text' },
  { name: 'delay_ms', type: 'bigint' },
  { name: 'status', type: 'text' },
  { name: 'created_at', type: 'bigint' },
  { name: 'updated_at', type: 'bigint' },
  { name: 'sent_at', type: 'bigint' },
  { name: 'delivered_at', type: 'bigint' },
  { name: 'starred', type: 'bigint' },
  { name: 'historical', type: 'bigint' },
  { name: 'listed_at', type: 'bigint' },
]

/** The type of a message whose content is not known. It is replaced if the content arrives later (decision 0132). */
export const UNDECRYPTABLE: ReceivedType = 'undecryptable'
export const REPLACED_COLUMNS = [
  'kind',
  'content',
  'media_reference',
  'addressed_as',
  'secret',
  'updated_at',
] as const satisfies (keyof ReceivedRow)[]
