// The file of a message: of a received one, or of one that the account sent.

import type { WalledKey } from '../accounts/walls.ts'
import type { Deps } from '../context.ts'
import { GatewayError } from '../errors.ts'
import type { MessageRow } from './message-queries.ts'
import { type MessageName, requireMessages } from './messages.ts'
import { findSentPayload } from './payload-queries.ts'
import { piecesOf, type ReceivedFile, readReceivedMedia } from './received-media.ts'

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
