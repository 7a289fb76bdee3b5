// The file of a received message: a stream from the location where it is stored, otherwise downloaded from the network.
import type { WalledKey } from '../accounts/walls.ts'
import type { Deps } from '../context.ts'
import type { StreamedFile } from '../contract/route.ts'
import { GatewayError } from '../errors.ts'
import { NetworkError } from '../network/network.ts'
import { findSentPayload, type MessageRow } from './message-queries.ts'
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

// The file of a message: of a received one, or of one that the account sent.

type MediaDeps = Pick<Deps, 'store' | 'sessions' | 'files' | 'sentMedia'>

/** `holdInMemory` is called before a file is downloaded from the network, which needs memory for the whole file; it may refuse. */
export async function readMedia(
  deps: MediaDeps,
  caller: WalledKey,
  name: MessageName,
  holdInMemory: () => void,
): Promise<ReceivedFile> {
  const copies = await requireMessages(deps.store.db, caller, name)
  // What was written on the phone arrives like a received message, with a reference to its file.
  const sent = copies.find(
    ({ direction, media_reference }) => direction === 'outgoing' && media_reference === null,
  )
  const isReceived = copies.some(({ media_reference }) => media_reference !== null)
  if (!sent || isReceived) return readReceivedMedia(deps, caller, name, holdInMemory)
  return readSent(deps, sent, holdInMemory)
}

/** From the network, which keeps the file that was uploaded to it. The payload that names it is stored for eight days. */
async function readSent(
  { store, sessions, sentMedia }: MediaDeps,
  row: MessageRow,
  holdInMemory: () => void,
): Promise<ReceivedFile> {
  const payload = await findSentPayload(store.db, row.instance_id, row.id)
  const media = payload && sentMedia(payload)
  if (!media?.reference) throw new GatewayError('media_not_found')
  holdInMemory()
  const bytes = await sessions.downloadMedia(row.instance_id, media.reference)
  if (!bytes) throw new GatewayError('media_not_found')
  const { fileName } = JSON.parse(row.content) as { fileName?: string }
  return {
    contentType: media.mimetype,
    fileName: fileName ?? media.fileName ?? row.id,
    sizeBytes: bytes.length,
    chunks: piecesOf(bytes),
  }
}
