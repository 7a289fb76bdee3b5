// Audio to the network: a voice message where the file can be one, a file to play otherwise.
import type { ContentOf } from '../../network/message.ts'
import { type NetworkMessage, networkMessage, onlyMedia, type SendFacts } from './network-message.ts'
import { fileFields } from './uploaded-media.ts'

/** Phones play a voice message only with exactly this type. */
const VOICE = 'audio/ogg; codecs=opus'

export function audioToNetwork(content: ContentOf<'audio'>, facts: SendFacts): NetworkMessage {
  const media = onlyMedia(facts)
  const isVoice = mayBeVoice(content.mimetype ?? media.mimetype, media.mimetype)
  const audioMessage = {
    ...fileFields(media),
    mimetype: isVoice ? VOICE : (content.mimetype ?? media.mimetype),
    ptt: isVoice,
    ...(media.seconds !== undefined && { seconds: Math.round(media.seconds) }),
    ...(isVoice && media.waveform !== undefined && { waveform: media.waveform }),
  }
  return networkMessage({ audioMessage }, facts)
}

/** Ogg may contain other codecs: then the detected type decides. */
function mayBeVoice(mimetype: string, found: string): boolean {
  return isOpus(mimetype) || (baseType(mimetype) === 'audio/ogg' && isOpus(found))
}

const isOpus = (mimetype: string): boolean =>
  baseType(mimetype) === 'audio/opus' ||
  (baseType(mimetype) === 'audio/ogg' && /;\s*codecs="?opus"?\s*(;|$)/i.test(mimetype))

const baseType = (mimetype: string): string => (mimetype.split(';')[0] ?? '').trim().toLowerCase()
