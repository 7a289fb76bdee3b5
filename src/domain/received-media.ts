// The file of a received message: from where it is kept, else from the network.
import type { FileContent } from '../contract/route.ts'
import { GatewayError } from '../errors.ts'
import { findMessage } from '../store/queries/messages.ts'
import type { Caller } from './caller.ts'
import type { Deps } from './deps.ts'

/** Where files of received messages are kept, by the row of the message. */
export interface FileShelf {
  read(instanceId: number, rowId: number): Promise<Uint8Array | null>
}

export interface ReceivedFile extends FileContent {
  fileName: string
}

interface MediaContent {
  media?: { mimetype?: string; fileName?: string | null } | null
}

export async function readReceivedMedia(
  deps: Pick<Deps, 'store' | 'sessions' | 'files'>,
  caller: Caller,
  messageId: string,
): Promise<ReceivedFile> {
  const row = await findMessage(deps.store.db, caller.account.id, messageId)
  if (!row) throw new GatewayError('message_not_found')
  if (row.media_reference === null) throw new GatewayError('media_not_found')
  const bytes =
    (await deps.files.read(row.instance_id, row.row_id)) ??
    (await deps.sessions.downloadMedia(row.instance_id, JSON.parse(row.media_reference)))
  if (bytes === null) throw new GatewayError('media_not_found')
  const { media } = JSON.parse(row.content) as MediaContent
  return {
    bytes,
    contentType: media?.mimetype ?? 'application/octet-stream',
    fileName: media?.fileName ?? row.id,
  }
}
