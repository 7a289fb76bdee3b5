// Converts content into the payload to send: fetches and uploads media, then applies the conversion of the kind.
import { randomBytes } from 'node:crypto'
import { prepareWAMessageMedia, type WASocket } from 'baileys'
import type { OutgoingContent, OutgoingOf } from '../message.ts'
import type { FetchedMedia, MediaSource } from '../network.ts'
import { encodePayload } from './payload.ts'
import { toNetwork } from './to-network/index.ts'
import {
  type MediaKind,
  mediaRequests,
  type UploadedMedia,
  uploadedMedia,
  uploadInput,
} from './to-network/uploaded-media.ts'

const SECRET_BYTES = 32

export async function preparePayload(
  socket: WASocket,
  chat: string,
  outgoing: OutgoingContent,
  source: MediaSource,
  stop?: AbortSignal,
): Promise<Uint8Array> {
  const media: UploadedMedia[] = []
  for (const { kind, url } of mediaRequests(outgoing)) {
    const file = await source({ url, kind, mimetype: askedType(outgoing), signal: stop })
    media.push(await upload(socket, kind, file).finally(() => void file.release()))
  }
  const facts = { nowMs: Date.now(), messageSecret: randomBytes(SECRET_BYTES), media }
  // The table pairs each kind with its conversion, which the compiler cannot infer for a union.
  return encodePayload({ chat, ...toNetwork(outgoing as OutgoingOf<'text'>, facts) })
}

async function upload(
  socket: WASocket,
  kind: MediaKind,
  { stream, mimetype }: FetchedMedia,
): Promise<UploadedMedia> {
  const facts = { mimetype }
  const prepared = await prepareWAMessageMedia(uploadInput(kind, stream, facts), {
    upload: socket.waUploadToServer,
  })
  return uploadedMedia(prepared, facts)
}

/** A caller can set the type of a single file, not of the pictures on cards. */
const askedType = (outgoing: OutgoingContent): string | undefined =>
  'mimetype' in outgoing.content ? outgoing.content.mimetype : undefined
