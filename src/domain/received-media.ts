// The file of a received message: from the data directory, otherwise from the network.
import type { FileContent } from '../contract/route.ts'
import { GatewayError } from '../errors.ts'
import { NetworkError } from '../network/network.ts'
import type { MessageRow } from '../store/queries/messages.ts'
import type { Caller } from './caller.ts'
import type { Deps } from './deps.ts'
import { type MessageName, requireMessages } from './messages.ts'

export interface ReceivedFile extends FileContent {
  fileName: string
}

interface MediaContent {
  media?: { mimetype?: string; fileName?: string | null } | null
}

export async function readReceivedMedia(
  deps: Pick<Deps, 'store' | 'sessions' | 'files'>,
  caller: Caller,
  name: MessageName,
): Promise<ReceivedFile> {
  const copies = (await requireMessages(deps.store.db, caller, name)).filter(
    (row) => row.media_reference !== null,
  )
  const found = (await firstStored(deps, copies)) ?? (await firstDownloaded(deps, copies))
  if (!found) throw new GatewayError('media_not_found')
  const { row, bytes } = found
  const { media } = JSON.parse(row.content) as MediaContent
  return {
    bytes,
    contentType: media?.mimetype ?? 'application/octet-stream',
    fileName: media?.fileName ?? row.id,
  }
}

interface FoundFile {
  row: MessageRow
  bytes: Uint8Array
}

async function firstStored({ files }: Pick<Deps, 'files'>, copies: MessageRow[]): Promise<FoundFile | null> {
  for (const row of copies) {
    const bytes = await files.read(row.instance_id, row.row_id)
    if (bytes) return { row, bytes }
  }
  return null
}

/** Tries each instance that has the message; if none returns the file, the last error is thrown. */
async function firstDownloaded(
  { sessions }: Pick<Deps, 'sessions'>,
  copies: MessageRow[],
): Promise<FoundFile | null> {
  let lastError: NetworkError | undefined
  for (const row of copies) {
    try {
      const bytes = await sessions.downloadMedia(row.instance_id, JSON.parse(row.media_reference ?? 'null'))
      if (bytes) return { row, bytes }
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error
      lastError = error
    }
  }
  if (lastError) throw lastError
  return null
}
