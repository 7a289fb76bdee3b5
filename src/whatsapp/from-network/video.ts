// A video from the network: a film, a GIF or a video note.
import type { ReadKind } from './reading.ts'
import { mediaFrom } from './received-media.ts'
import { present, textOrNull } from './wire-values.ts'

export const readVideo: ReadKind = ({ videoMessage, ptvMessage }) => {
  const part = videoMessage ?? ptvMessage
  if (!part) return null
  return {
    type: 'video',
    text: textOrNull(part.caption),
    media: mediaFrom('video', part),
    content: present({
      gif: part.gifPlayback || null,
      videoNote: videoMessage ? null : true,
      viewOnce: part.viewOnce || null,
    }),
    contextInfo: part.contextInfo,
  }
}
