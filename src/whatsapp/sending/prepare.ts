// Converts content into the payload to send: fetches and uploads media, then applies the conversion of the kind.

import { randomBytes } from 'node:crypto'
import { type Clock, wallClock } from '../../kernel/async/clock.ts'
import type { OutgoingContent, OutgoingContext, OutgoingOf } from '../../network/message.ts'
import { type FetchedMedia, type MessageSources, NetworkError } from '../../network/network.ts'
import { plainJid } from '../from-network/people.ts'
import type { LibrarySocket } from '../library/library-socket.ts'
import { CALL_AUDIO_PREFIX, CALL_VIDEO_PREFIX, isJidStatusBroadcast } from '../library/protocol.ts'
import { toNetwork } from '../to-network/index.ts'
import {
  type MediaKind,
  mediaRequests,
  type UploadedMedia,
  uploadedMedia,
  uploadInput,
} from '../to-network/uploaded-media.ts'
import { decodePayload, encodePayload } from './payload.ts'

const SECRET_BYTES = 32

export async function preparePayload(
  socket: LibrarySocket,
  chat: string,
  outgoing: OutgoingContent,
  { media: source, ...context }: MessageSources,
  stop?: AbortSignal,
  clock: Clock = wallClock,
): Promise<Uint8Array> {
  const media: UploadedMedia[] = []
  // A forwarded file is on the network's servers already.
  const isStored = context.forwarded !== undefined && context.forwarded !== 'again'
  for (const { kind, origin } of isStored ? [] : mediaRequests(outgoing)) {
    const file = await source({ origin, kind, mimetype: requestedType(outgoing), signal: stop })
    media.push(await upload(socket, kind, file).finally(() => void file.release()))
  }
  const me = plainJid(socket.me?.id ?? '')
  const callLink = await callLinkOf(socket, outgoing)
  const messageSecret = randomBytes(SECRET_BYTES)
  const facts = { nowMs: clock(), messageSecret, media, chat, me, context, callLink }
  // The table pairs each kind with its conversion, which the compiler cannot infer for a union.
  const sent = toNetwork(outgoing as OutgoingOf<'text'>, facts)
  return encodePayload({
    chat,
    ...sent,
    ...(isJidStatusBroadcast(chat) && { audience: audienceOf(context) }),
  })
}

/** A change of a status goes to the people who got the status. */
function audienceOf({ audience, target }: OutgoingContext): string[] {
  const known = audience ?? (target?.payload ? decodePayload(target.payload).audience : undefined)
  if (!known) throw new NetworkError('refused', 'the audience of the status is not known')
  return known
}

const CALL_PREFIX = { audio: CALL_AUDIO_PREFIX, video: CALL_VIDEO_PREFIX }

/** The network creates the link for the time of the event. */
async function callLinkOf(
  socket: LibrarySocket,
  { kind, content }: OutgoingContent,
): Promise<string | undefined> {
  if (kind !== 'event' || content.call === undefined) return undefined
  const startTime = Math.floor(Date.parse(content.startsAt) / 1000)
  const token = await socket.createCallLink(content.call, { startTime })
  if (!token) throw new NetworkError('refused', 'the network created no call link')
  return `${CALL_PREFIX[content.call]}${token}`
}

async function upload(
  socket: LibrarySocket,
  kind: MediaKind,
  { stream, facts }: FetchedMedia,
): Promise<UploadedMedia> {
  return uploadedMedia(await socket.uploadMedia(uploadInput(kind, stream, facts)), facts)
}

/** A caller can set the type of a single file, not of the pictures on cards. */
const requestedType = (outgoing: OutgoingContent): string | undefined =>
  'mimetype' in outgoing.content ? outgoing.content.mimetype : undefined
