// Media on a phone: encrypted before the upload with a key that is sent in the message, and decrypted with the same key.
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { getMediaKeys, type MediaType, type proto } from 'baileys'
import { Refusal } from '../model/refusal.ts'
import type { MediaStore } from '../store/media-store.ts'

/** The fields with which a message refers to uploaded media. */
export interface PhoneMediaReference {
  url: string
  directPath: string
  mediaKey: Uint8Array
  fileSha256: Uint8Array
  fileEncSha256: Uint8Array
  fileLength: number
  mediaKeyTimestamp: number
}

const MAC_BYTES = 10

/** Encrypts and stores the bytes as a stream, so that memory use does not depend on the size of the file. */
export async function uploadMedia(
  media: MediaStore,
  host: string,
  bytes: Readable,
  type: MediaType,
): Promise<PhoneMediaReference> {
  const mediaKey = randomBytes(32)
  const { iv, cipherKey, macKey } = await mediaKeys(mediaKey, type)
  const cipher = createCipheriv('aes-256-cbc', cipherKey, iv)
  const mac = createHmac('sha256', macKey).update(iv)
  const plain = createHash('sha256')
  let fileLength = 0
  async function* seal() {
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      plain.update(chunk)
      fileLength += chunk.length
      const encrypted = cipher.update(chunk)
      mac.update(encrypted)
      yield encrypted
    }
    const last = cipher.final()
    yield last
    yield mac.update(last).digest().subarray(0, MAC_BYTES)
  }
  const { file, sha256 } = await media.keep(Readable.from(seal()), 'media')
  const directPath = media.pathOf(file)
  return {
    url: `https://${host}${directPath}`,
    directPath,
    mediaKey,
    fileSha256: plain.digest(),
    fileEncSha256: sha256,
    fileLength,
    mediaKeyTimestamp: Math.floor(Date.now() / 1000),
  }
}

export interface DownloadedMedia {
  bytes: Readable
  sizeBytes: number
  mimetype: string
}

/**
 * Undefined when the message has no media; throws when MAC or hash do not match. The file is read twice, first to verify it and
 * then to stream it, because an error can no longer be answered once the stream has started.
 */
export async function downloadMedia(
  media: MediaStore,
  message: proto.IMessage,
  card?: number,
): Promise<DownloadedMedia | undefined> {
  const found = mediaPart(card === undefined ? message : cardHeader(message, card))
  if (!found) return undefined
  const { part, type } = found
  const file = media.fileAt(part.directPath ?? '')
  const sealedBytes = (await media.sizeOf(file)) ?? 0
  if (sealedBytes <= MAC_BYTES) throw new Error('the media file is missing')
  const keys = await mediaKeys(part.mediaKey ?? new Uint8Array(), type)
  const encrypted = () => media.stream(file, 0, sealedBytes - MAC_BYTES - 1)
  const { mac, sha256, sizeBytes } = await verify(encrypted(), keys)
  const given = await bytesOf(media.stream(file, sealedBytes - MAC_BYTES, sealedBytes - 1))
  if (!mac.equals(given)) throw new Error('the MAC of the media does not match')
  if (!sha256.equals(Buffer.from(part.fileSha256 ?? [])))
    throw new Error('the hash of the media does not match')
  const mimetype = PRINTABLE.test(part.mimetype ?? '') ? (part.mimetype ?? '') : 'application/octet-stream'
  return { bytes: Readable.from(decrypt(encrypted(), keys)), sizeBytes, mimetype }
}

/** The network drops the file of a message, as it does some weeks after the upload. */
export async function expireMedia(media: MediaStore, message: proto.IMessage): Promise<void> {
  const file = media.fileAt(mediaPart(message)?.part.directPath ?? '')
  if ((await media.sizeOf(file)) === undefined)
    throw new Refusal('media_not_found', 'That message has no media.')
  await media.expire(file)
}

/** Safe as the value of a header. */
const PRINTABLE = /^[\x20-\x7e]+$/

interface MediaKeys {
  iv: Buffer
  cipherKey: Buffer
  macKey: Buffer
}

async function verify(encrypted: Readable, keys: MediaKeys) {
  const mac = createHmac('sha256', keys.macKey).update(keys.iv)
  const sha256 = createHash('sha256')
  let sizeBytes = 0
  async function* counted() {
    for await (const chunk of encrypted as AsyncIterable<Buffer>) {
      mac.update(chunk)
      yield chunk
    }
  }
  for await (const chunk of decrypt(counted(), keys)) {
    sha256.update(chunk)
    sizeBytes += chunk.length
  }
  return { mac: mac.digest().subarray(0, MAC_BYTES), sha256: sha256.digest(), sizeBytes }
}

async function* decrypt(encrypted: AsyncIterable<Buffer>, { cipherKey, iv }: MediaKeys) {
  const decipher = createDecipheriv('aes-256-cbc', cipherKey, iv)
  for await (const chunk of encrypted) yield decipher.update(chunk)
  yield decipher.final()
}

async function bytesOf(stream: Readable): Promise<Buffer> {
  return Buffer.concat(await stream.toArray())
}

/** The header of a carousel card. */
const cardHeader = (message: proto.IMessage, card: number): proto.IMessage =>
  fileAbove(message.interactiveMessage?.carouselMessage?.cards?.[card])

/** The file in the header of buttons. */
export const fileAbove = (
  interactive: proto.Message.IInteractiveMessage | null | undefined,
): proto.IMessage => ({
  imageMessage: interactive?.header?.imageMessage ?? null,
  videoMessage: interactive?.header?.videoMessage ?? null,
  documentMessage: interactive?.header?.documentMessage ?? null,
})

interface MediaPart {
  directPath?: string | null
  mediaKey?: Uint8Array | null
  fileSha256?: Uint8Array | null
  mimetype?: string | null
}

export function mediaPart(message: proto.IMessage): { part: MediaPart; type: MediaType } | undefined {
  if (message.imageMessage) return { part: message.imageMessage, type: 'image' }
  if (message.videoMessage) return { part: message.videoMessage, type: 'video' }
  if (message.ptvMessage) return { part: message.ptvMessage, type: 'ptv' }
  if (message.audioMessage) return { part: message.audioMessage, type: 'audio' }
  if (message.documentMessage) return { part: message.documentMessage, type: 'document' }
  if (message.stickerMessage) return { part: message.stickerMessage, type: 'sticker' }
  return message.interactiveMessage ? mediaPart(fileAbove(message.interactiveMessage)) : undefined
}

async function mediaKeys(mediaKey: Uint8Array, type: MediaType): Promise<MediaKeys> {
  const { iv, cipherKey, macKey } = await getMediaKeys(mediaKey, type)
  return { iv: Buffer.from(iv), cipherKey: Buffer.from(cipherKey), macKey: Buffer.from(macKey ?? []) }
}
