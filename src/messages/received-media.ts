// The file of a received message: a stream from the location where it is stored, otherwise downloaded from the network.

import type { WalledKey } from '../accounts/walls.ts'
import type { Deps } from '../context.ts'
import type { StreamedFile } from '../contract/route.ts'
import { GatewayError } from '../errors.ts'
import { NetworkError } from '../network/network.ts'
import type { MessageRow } from './message-queries.ts'
import { type MessageName, requireMessages } from './messages.ts'

export interface ReceivedFile extends StreamedFile {
  fileName: string
}

interface MediaContent {
  media?: { mimetype?: string; fileName?: string | null } | null
}

type FileStream = Pick<StreamedFile, 'chunks' | 'sizeBytes'>

/** `holdInMemory` is called before a file is downloaded from the network, which needs memory for the whole file; it may refuse. */
export async function readReceivedMedia(
  deps: Pick<Deps, 'store' | 'sessions' | 'files'>,
  caller: WalledKey,
  name: MessageName,
  holdInMemory: () => void,
): Promise<ReceivedFile> {
  const copies = (await requireMessages(deps.store.db, caller, name)).filter(
    (row) => row.media_reference !== null,
  )
  const found = (await firstStored(deps, copies)) ?? (await firstDownloaded(deps, copies, holdInMemory))
  if (!found) throw new GatewayError('media_not_found')
  const { row, file } = found
  const { media } = JSON.parse(row.content) as MediaContent
  return {
    ...file,
    contentType: media?.mimetype ?? 'application/octet-stream',
    fileName: media?.fileName ?? row.id,
  }
}

interface FoundFile {
  row: MessageRow
  file: FileStream
}

async function firstStored({ files }: Pick<Deps, 'files'>, copies: MessageRow[]): Promise<FoundFile | null> {
  for (const row of copies) {
    const opened = await files.open(row.instance_id, row.row_id)
    if (opened) return { row, file: { sizeBytes: opened.sizeBytes, chunks: opened.chunks() } }
  }
  return null
}

/** Tries each instance that has the message; if none returns the file, the last error is thrown. */
async function firstDownloaded(
  { sessions }: Pick<Deps, 'sessions'>,
  copies: MessageRow[],
  holdInMemory: () => void,
): Promise<FoundFile | null> {
  if (copies.length > 0) holdInMemory()
  let lastError: NetworkError | undefined
  for (const row of copies) {
    try {
      const bytes = await sessions.downloadMedia(row.instance_id, JSON.parse(row.media_reference ?? 'null'))
      if (bytes) return { row, file: { sizeBytes: bytes.length, chunks: piecesOf(bytes) } }
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error
      lastError = error
    }
  }
  if (lastError) throw lastError
  return null
}

const PIECE_BYTES = 1024 * 1024

/** In pieces, so that progress of the client can be seen. */
export async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}
