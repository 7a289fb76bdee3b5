// Audio from the network: a voice message or a file to play.
import type { ReadKind } from './reading.ts'
import { mediaFrom } from './received-media.ts'
import { present } from './wire-values.ts'

export const readAudio: ReadKind = ({ audioMessage }) =>
  audioMessage
    ? {
        type: 'audio',
        text: null,
        media: mediaFrom('audio', audioMessage),
        content: {
          voice: audioMessage.ptt === true,
          ...present({ viewOnce: audioMessage.viewOnce || null }),
        },
        contextInfo: audioMessage.contextInfo,
      }
    : null
