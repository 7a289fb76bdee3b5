/** Media on a phone: encrypted before upload under a key that travels in the message, opened with it again. */
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { getMediaKeys, type MediaType, type proto } from 'baileys'
import type { MediaStore } from '../media-store.ts'

/** The fields by which a message refers to uploaded media. */
export type MediaReference = {
  url: string
  directPath: string
  mediaKey: Uint8Array
  fileSha256: Uint8Array
  fileEncSha256: Uint8Array
  fileLength: number
  mediaKeyTimestamp: number
}

const MAC_BYTES = 10

export async function uploadMedia(
  media: MediaStore,
  host: string,
  bytes: Uint8Array,
  type: MediaType,
): Promise<MediaReference> {
  const mediaKey = randomBytes(32)
  const { iv, cipherKey, macKey } = await mediaKeys(mediaKey, type)
  const cipher = createCipheriv('aes-256-cbc', cipherKey, iv)
  const encrypted = Buffer.concat([cipher.update(bytes), cipher.final()])
  const sealed = Buffer.concat([encrypted, macOf(macKey, iv, encrypted)])
  const directPath = media.pathOf(await media.save(sealed, 'media'))
  return {
    url: `https://${host}${directPath}`,
    directPath,
    mediaKey,
    fileSha256: sha256(bytes),
    fileEncSha256: sha256(sealed),
    fileLength: bytes.length,
    mediaKeyTimestamp: Math.floor(Date.now() / 1000),
  }
}

/** Undefined when the message has no media; throws when bytes, code or hash do not fit. */
export async function downloadMedia(
  media: MediaStore,
  message: proto.IMessage,
  card?: number,
): Promise<{ bytes: Buffer; mimetype: string } | undefined> {
  const found = mediaPart(card === undefined ? message : cardHeader(message, card))
  if (!found) return undefined
  const { part, type } = found
  const sealed = await media.read(media.fileAt(part.directPath ?? ''))
  const encrypted = sealed.subarray(0, -MAC_BYTES)
  const { iv, cipherKey, macKey } = await mediaKeys(part.mediaKey ?? new Uint8Array(), type)
  if (!macOf(macKey, iv, encrypted).equals(sealed.subarray(-MAC_BYTES)))
    throw new Error('the media was changed on the way')
  const decipher = createDecipheriv('aes-256-cbc', cipherKey, iv)
  const bytes = Buffer.concat([decipher.update(encrypted), decipher.final()])
  if (!sha256(bytes).equals(Buffer.from(part.fileSha256 ?? []))) throw new Error('the media has another hash')
  return { bytes, mimetype: part.mimetype ?? 'application/octet-stream' }
}

/** What stands above the text of a carousel's card. */
const cardHeader = (message: proto.IMessage, card: number): proto.IMessage => {
  const header = message.interactiveMessage?.carouselMessage?.cards?.[card]?.header
  return { imageMessage: header?.imageMessage ?? null, videoMessage: header?.videoMessage ?? null }
}

type MediaPart = {
  directPath?: string | null
  mediaKey?: Uint8Array | null
  fileSha256?: Uint8Array | null
  mimetype?: string | null
}

function mediaPart(message: proto.IMessage): { part: MediaPart; type: MediaType } | undefined {
  if (message.imageMessage) return { part: message.imageMessage, type: 'image' }
  if (message.videoMessage) return { part: message.videoMessage, type: 'video' }
  if (message.audioMessage) return { part: message.audioMessage, type: 'audio' }
  if (message.documentMessage) return { part: message.documentMessage, type: 'document' }
  if (message.stickerMessage) return { part: message.stickerMessage, type: 'sticker' }
  return undefined
}

async function mediaKeys(mediaKey: Uint8Array, type: MediaType) {
  const { iv, cipherKey, macKey } = await getMediaKeys(mediaKey, type)
  return { iv: Buffer.from(iv), cipherKey: Buffer.from(cipherKey), macKey: Buffer.from(macKey ?? []) }
}

function macOf(macKey: Buffer, iv: Buffer, encrypted: Buffer): Buffer {
  return createHmac('sha256', macKey).update(iv).update(encrypted).digest().subarray(0, MAC_BYTES)
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}
