// An image from the network.
import type { ReadKind } from './reading.ts'
import { mediaFrom } from './received-media.ts'
import { present, textOrNull } from './wire-values.ts'

export const readImage: ReadKind = ({ imageMessage }) =>
  imageMessage
    ? {
        type: 'image',
        text: textOrNull(imageMessage.caption),
        media: mediaFrom('image', imageMessage),
        content: present({ viewOnce: imageMessage.viewOnce || null }),
        contextInfo: imageMessage.contextInfo,
      }
    : null
