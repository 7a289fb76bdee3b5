// Live questions to the network: who is this number, which groups, what picture, what file.
import { type DownloadableMessage, downloadContentFromMessage, type WASocket } from 'baileys'
import { fetch } from 'undici'
import type { FileContent } from '../../contract/route.ts'
import type { NetworkSession } from '../network.ts'
import type { AuthState } from './auth-state.ts'
import { mediaReference } from './from-network/received-media.ts'
import { toNetworkGroup } from './groups.ts'
import { inTime } from './in-time.ts'
import type { WhatsAppSettings } from './network.ts'

const ANSWER_MS = 15_000
const DOWNLOAD_MS = 120_000
/** As much as a message that is sent may have. */
const MAX_FILE_BYTES = 100 * 1024 * 1024
const MAX_PICTURE_BYTES = 5 * 1024 * 1024

type Questions = Pick<NetworkSession, 'lookUp' | 'listGroups' | 'profilePicture' | 'downloadMedia'>

export function createQuestions(settings: WhatsAppSettings, socket: WASocket, auth: AuthState): Questions {
  return {
    async lookUp(numbers) {
      // One question each: the answer leaves unknown numbers out and may name another form of a known one.
      const answers = await inTime(
        Promise.all(numbers.map(async (number) => [number, await socket.onWhatsApp(number)] as const)),
        ANSWER_MS,
        'the question for a number',
      )
      return new Map(
        answers.map(([number, found]) => [number, found?.find((entry) => entry.exists)?.jid ?? null]),
      )
    },
    async listGroups() {
      const groups = await inTime(socket.groupFetchAllParticipating(), ANSWER_MS, 'the list of groups')
      return Object.values(groups).map((group) => toNetworkGroup(group, auth.creds.me))
    },
    async profilePicture() {
      const url = await inTime(ownPictureUrl(socket, auth), ANSWER_MS, 'the profile picture')
      return url === null ? null : inTime(fetchPicture(settings, url), ANSWER_MS, 'the profile picture')
    },
    async downloadMedia(stored) {
      const reference = mediaReference(stored)
      const options = settings.downloadDispatcher ? { dispatcher: settings.downloadDispatcher } : {}
      const media = await inTime(socket.refreshMediaConn(false), ANSWER_MS, 'the media servers')
      const host = media.hosts[0]?.hostname
      const file = {
        ...reference,
        fileEncSha256: reference.fileEncSha256 ?? undefined,
      } as DownloadableMessage
      const fetching = downloadContentFromMessage(file, reference.type, {
        options: options as RequestInit,
        ...(host ? { host } : {}),
      }).then((stream) => readAll(stream, MAX_FILE_BYTES))
      return unlessGone(inTime(fetching, DOWNLOAD_MS, 'the file'))
    },
  }
}

/** The media hosts keep files for some weeks; then they answer 404 or 410. */
async function unlessGone(file: Promise<Uint8Array>): Promise<Uint8Array | null> {
  try {
    return await file
  } catch (error) {
    const { output } = ((error as Error).cause ?? error) as { output?: { statusCode?: number } }
    if (output?.statusCode === 404 || output?.statusCode === 410) return null
    throw error
  }
}

async function ownPictureUrl(socket: WASocket, auth: AuthState): Promise<string | null> {
  try {
    return (await socket.profilePictureUrl(auth.creds.me?.id ?? '', 'image')) ?? null
  } catch (error) {
    // "There is none" arrives as an error with the network's 404 or 401 (hidden) in its data.
    const { data } = error as { data?: number }
    if (data === 404 || data === 401) return null
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

/** By its first bytes: what the server calls it does not count, and a drawing that can hold a script is none of these. */
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
    if (size > limitBytes) throw new Error('the file is larger than allowed')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
