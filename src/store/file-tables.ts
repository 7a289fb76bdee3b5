// The tables of files: of received messages, of uploads, and profile pictures.
import type { Generated } from 'kysely'

export interface ReceivedFilesTable {
  message_row_id: number
  instance_id: number
  status: string
  tries: Generated<number>
  due_at: number | null
  created_at: number
}

export interface ReceivedFilePartsTable {
  message_row_id: number
  part: number
  instance_id: number
  sealed: Uint8Array
}

export interface MediaUploadsTable {
  id: Generated<number>
  account_id: number
  media_id: string
  mimetype: string
  file_name: string | null
  size_bytes: number
  sha256: string | null
  created_at: number
  expires_at: number
  kept_until: number
  /** The send with approval that the file was fetched for; null: a caller has uploaded it, or the send is not accepted yet. */
  held_instance_id: Generated<number | null>
  held_message_id: Generated<string | null>
}

export interface MediaUploadPartsTable {
  upload_id: number
  part: number
  sealed: Uint8Array
}

export interface PicturesTable {
  instance_id: number
  jid: string
  status: string
  sealed: Generated<Uint8Array | null>
  digest: Generated<string | null>
  version: Generated<number>
  checked_at: Generated<number>
  due_at: number
}
