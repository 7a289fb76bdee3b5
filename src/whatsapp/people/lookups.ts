// Requests to the network: numbers, profile pictures and files.

import { setImmediate } from 'node:timers/promises'
import { fetch } from 'undici'
import type { FileContent } from '../../contract/route.ts'
import { NetworkError, type NetworkSession } from '../../network/network.ts'
import { mediaReference } from '../from-network/received-media.ts'
import type { LibrarySocket } from '../library/library-socket.ts'
import { type DownloadableMessage, downloadContentFromMessage } from '../library/protocol.ts'
import { withTimeout } from '../library/with-timeout.ts'
import type { WhatsAppSettings } from '../settings.ts'

const ANSWER_MS = 15_000
const DOWNLOAD_MS = 120_000
/** The same limit as for files that are sent. */
const MAX_FILE_BYTES = 100 * 1024 * 1024
const MAX_PICTURE_BYTES = 5 * 1024 * 1024
/** How much is copied before the event loop gets a turn. */
const PIECE_BYTES = 4 * 1024 * 1024

type Lookups = Pick<NetworkSession, 'lookUp' | 'profilePicture' | 'downloadMedia'>

export function createLookups(settings: WhatsAppSettings, socket: LibrarySocket): Lookups {
  return {
    async lookUp(numbers) {
      // One request per number: an answer omits unregistered numbers and may use another form of a registered one.
      const answers = await withTimeout(
        Promise.all(numbers.map(async (number) => [number, await socket.onWhatsApp(number)] as const)),
        ANSWER_MS,
        'the number lookup',
      )
      return new Map(
        answers.map(([number, found]) => [number, found?.find((entry) => entry.exists)?.jid ?? null]),
      )
    },
    async profilePicture(chat) {
      const url = await withTimeout(pictureUrl(socket, chat), ANSWER_MS, 'the profile picture')
      return url === null ? null : withTimeout(fetchPicture(settings, url), ANSWER_MS, 'the profile picture')
    },
    async downloadMedia(stored) {
      const reference = mediaReference(stored)
      const options = settings.downloadDispatcher ? { dispatcher: settings.downloadDispatcher } : {}
      const media = await withTimeout(socket.refreshMediaConn(false), ANSWER_MS, 'the media servers')
      const host = media.hosts[0]?.hostname
      const file = {
        ...reference,
        fileEncSha256: reference.fileEncSha256 ?? undefined,
      } as DownloadableMessage
      const fetching = downloadContentFromMessage(file, reference.type, {
        options: options as RequestInit,
        ...(host ? { host } : {}),
      }).then((stream) => readAll(stream, MAX_FILE_BYTES))
      return unlessGone(withTimeout(fetching, DOWNLOAD_MS, 'the file'))
    },
  }
}

/** Null when the media server refuses the file, as after some weeks, or the file is larger than allowed. */
async function unlessGone(file: Promise<Uint8Array>): Promise<Uint8Array | null> {
  try {
    return await file
  } catch (error) {
    if (error instanceof NetworkError && (error.kind === 'refused' || error.kind === 'stale')) return null
    throw error
  }
}

/** A missing or hidden picture is reported as an error with one of these codes in its data. */
const NO_PICTURE: ReadonlySet<number> = new Set([401, 403, 404, 410])

async function pictureUrl(socket: LibrarySocket, chat: string): Promise<string | null> {
  try {
    return (await socket.profilePictureUrl(chat, 'image')) ?? null
  } catch (error) {
    if (NO_PICTURE.has((error as { data?: number }).data ?? 0)) return null
    throw error
  }
}

async function fetchPicture(settings: WhatsAppSettings, url: string): Promise<FileContent | null> {
  const response = await fetch(
    url,
    settings.downloadDispatcher ? { dispatcher: settings.downloadDispatcher } : {},
  )
  if (!response.ok || !response.body) return null
  const bytes = await readAll(response.body, MAX_PICTURE_BYTES)
  const contentType = imageType(bytes)
  return contentType === undefined ? null : { bytes, contentType }
}

/** By the first bytes, not by the declared type. Excludes SVG, which can contain scripts. */
function imageType(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  return head.startsWith('RIFF') && head.endsWith('WEBP') ? 'image/webp' : undefined
}

async function readAll(stream: AsyncIterable<Uint8Array>, limitBytes = Infinity): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.byteLength
    if (size > limitBytes) throw new NetworkError('refused', 'the file is larger than allowed')
    chunks.push(chunk)
  }
  return concatenate(chunks, size)
}

/** Copies in pieces and lets the event loop run between them: a file can have a hundred megabytes. */
async function concatenate(chunks: Uint8Array[], size: number): Promise<Uint8Array> {
  const whole = Buffer.allocUnsafeSlow(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    if (Math.floor(at / PIECE_BYTES) !== Math.floor((at + chunk.length) / PIECE_BYTES)) await setImmediate()
    at += chunk.length
  }
  return whole
}
