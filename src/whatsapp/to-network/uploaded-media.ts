// Media of outgoing messages: which files a message needs, how the library uploads them, and the result.
import type { Readable } from 'node:stream'
import type { AnyMediaMessageContent, proto } from 'baileys'
import type { OutgoingContent } from '../../network/message.ts'
import type { FileOrigin, MediaFacts } from '../../network/network.ts'

export type MediaKind = 'image' | 'video' | 'document' | 'audio' | 'sticker'

export interface MediaRequest {
  kind: MediaKind
  /** For the media source only. Never passed to the library, which opens anything but http as a local file. */
  origin: FileOrigin
}

/** The files of a message, in the order that its conversion expects. */
export function mediaRequests(outgoing: OutgoingContent): MediaRequest[] {
  switch (outgoing.kind) {
    case 'image':
    case 'video':
    case 'document':
    case 'audio':
    case 'sticker':
      return [{ kind: outgoing.kind, origin: originOf(outgoing.content) }]
    case 'button':
    case 'cta': {
      const { header } = outgoing.content.interactive
      return header ? [{ kind: header.type, origin: originOf(header) }] : []
    }
    case 'carousel':
      return outgoing.content.interactive.cards.map(({ header }) => ({
        kind: 'image',
        origin: originOf(header),
      }))
    default:
      return []
  }
}

/** The contract requires exactly one of the two. */
const originOf = ({
  mediaUrl = '',
  mediaId,
}: {
  mediaUrl?: string | undefined
  mediaId?: string | undefined
}) => (mediaId === undefined ? { url: mediaUrl } : { mediaId })

/**
 * The input of `prepareWAMessageMedia` to encrypt and upload a stream. If the thumbnail or the duration is missing, the library
 * writes an unencrypted copy of the file to disk to compute it; an empty value prevents that.
 */
export const uploadInput = (kind: MediaKind, stream: Readable, facts: MediaFacts): AnyMediaMessageContent =>
  INPUTS[kind](stream, facts)

const INPUTS: Record<MediaKind, (stream: Readable, facts: MediaFacts) => AnyMediaMessageContent> = {
  image: (stream, { mimetype }) => ({ image: { stream }, mimetype, jpegThumbnail: '' }),
  video: (stream, { mimetype }) => ({ video: { stream }, mimetype, jpegThumbnail: '' }),
  document: (stream, { mimetype }) => ({ document: { stream }, mimetype }),
  audio: (stream, { mimetype, seconds = 0 }) => ({ audio: { stream }, mimetype, seconds }),
  sticker: (stream, { mimetype }) => ({ sticker: { stream }, mimetype }),
}

/** A file on the network's media servers, encrypted with its own key. */
export interface UploadedMedia extends MediaFacts {
  url: string
  directPath: string
  mediaKey: Uint8Array
  mediaKeyTimestamp: number
  fileSha256: Uint8Array
  fileEncSha256: Uint8Array
  fileLength: number
}

/** Reads the answer of `prepareWAMessageMedia`. */
export function uploadedMedia(prepared: proto.IMessage, facts: MediaFacts): UploadedMedia {
  const part =
    prepared.imageMessage ??
    prepared.videoMessage ??
    prepared.documentMessage ??
    prepared.audioMessage ??
    prepared.stickerMessage
  if (!part?.url || !part.directPath || !part.mediaKey || !part.fileSha256 || !part.fileEncSha256) {
    throw new Error('the upload result is incomplete')
  }
  return {
    ...facts,
    url: part.url,
    directPath: part.directPath,
    mediaKey: part.mediaKey,
    mediaKeyTimestamp: Number(part.mediaKeyTimestamp ?? 0),
    fileSha256: part.fileSha256,
    fileEncSha256: part.fileEncSha256,
    fileLength: Number(part.fileLength ?? 0),
  }
}

/** The fields common to all kinds of media. */
export const fileFields = (media: UploadedMedia) => ({
  url: media.url,
  directPath: media.directPath,
  mediaKey: media.mediaKey,
  mediaKeyTimestamp: media.mediaKeyTimestamp,
  fileSha256: media.fileSha256,
  fileEncSha256: media.fileEncSha256,
  fileLength: media.fileLength,
})

/** The fields of images and videos. */
export const pictureFields = ({
  width,
  height,
  jpegThumbnail,
}: Pick<UploadedMedia, 'width' | 'height' | 'jpegThumbnail'>) => ({
  ...(width !== undefined && height !== undefined && { width, height }),
  ...(jpegThumbnail !== undefined && { jpegThumbnail }),
})

/** An empty caption is omitted. */
export const captionField = (caption: string | undefined) => (caption ? { caption } : {})
