// A sticker from the network.
import type { ReadKind } from './reading.ts'
import { mediaFrom } from './received-media.ts'

export const readSticker: ReadKind = ({ stickerMessage }) =>
  stickerMessage
    ? {
        type: 'sticker',
        text: null,
        media: mediaFrom('sticker', stickerMessage),
        content: { animated: stickerMessage.isAnimated === true || stickerMessage.isLottie === true },
        contextInfo: stickerMessage.contextInfo,
      }
    : null
