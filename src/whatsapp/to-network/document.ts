// A document to the network.
import type { ContentOf } from '../../network/message.ts'
import { type NetworkMessage, networkMessage, onlyMedia, type SendFacts } from './network-message.ts'
import { captionField, fileFields } from './uploaded-media.ts'

/** The caption is a field of the document, as the library sends it, without a wrapper. */
export function documentToNetwork(content: ContentOf<'document'>, facts: SendFacts): NetworkMessage {
  const media = onlyMedia(facts)
  const fileName = content.fileName ?? media.fileName ?? nameInUrl(content.mediaUrl ?? '')
  const documentMessage = {
    ...fileFields(media),
    ...(media.jpegThumbnail !== undefined && { jpegThumbnail: media.jpegThumbnail }),
    mimetype: content.mimetype ?? media.mimetype,
    fileName,
    title: fileName,
    ...captionField(content.message),
  }
  return networkMessage({ documentMessage }, facts)
}

const NAMELESS = 'file'
const LONGEST_NAME = 255

/** The last part of the URL, as a name for people to see. */
function nameInUrl(mediaUrl: string): string {
  const segment = URL.parse(mediaUrl)?.pathname.split('/').at(-1) ?? ''
  return readable(segment).slice(0, LONGEST_NAME) || NAMELESS
}

function readable(segment: string): string {
  try {
    // oxlint-disable-next-line no-control-regex -- control characters and paths have no place in a file name
    return decodeURIComponent(segment).replace(/[\u0000-\u001f\u007f/\\]/g, '')
  } catch {
    return segment
  }
}
