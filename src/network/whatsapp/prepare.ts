// From asked-for content to bytes for the wire: media is fetched and uploaded, then the kind's conversion does the rest.
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { prepareWAMessageMedia, type WASocket } from 'baileys'
import type { OutgoingContent, OutgoingOf } from '../message.ts'
import type { MediaSource } from '../network.ts'
import { encodePayload } from './payload.ts'
import { toNetwork } from './to-network/index.ts'
import { mediaRequests, type UploadedMedia, uploadedMedia, uploadInput } from './to-network/uploaded-media.ts'

const SECRET_BYTES = 32

export async function preparePayload(
  socket: WASocket,
  outgoing: OutgoingContent,
  source: MediaSource,
): Promise<Uint8Array> {
  const media: UploadedMedia[] = []
  for (const { kind, url } of mediaRequests(outgoing)) {
    const file = await source(url, kind)
    const facts = { mimetype: file.mimetype }
    const prepared = await prepareWAMessageMedia(uploadInput(kind, Readable.from(file.stream), facts), {
      upload: socket.waUploadToServer,
    })
    media.push(uploadedMedia(prepared, facts))
  }
  const facts = { nowMs: Date.now(), messageSecret: randomBytes(SECRET_BYTES), media }
  // The table pairs each kind with its conversion; the compiler cannot follow that through a union.
  return encodePayload(toNetwork(outgoing as OutgoingOf<'text'>, facts))
}
