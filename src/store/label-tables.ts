// Rows of labels.
import type { Generated } from 'kysely'

/** A boolean. */
type Flag = 0 | 1

export interface LabelsTable {
  instance_id: number
  label_id: string
  name: string
  color: number
  /** Of a label that every business phone has. */
  predefined_id: number | null
  deleted: Generated<Flag>
  updated_at: number
}

export interface ChatLabelsTable {
  chat_id: number
  instance_id: number
  label_id: string
}
