// A sticker to the network.
import type { ContentOf } from '../../network/message.ts'
import { type NetworkMessage, networkMessage, onlyMedia, type SendFacts } from './network-message.ts'
import { fileFields, pictureFields } from './uploaded-media.ts'

export function stickerToNetwork(_content: ContentOf<'sticker'>, facts: SendFacts): NetworkMessage {
  const media = onlyMedia(facts)
  const { width, height } = media
  const stickerMessage = {
    ...fileFields(media),
    ...pictureFields({ width, height }),
    mimetype: media.mimetype,
    isAnimated: media.isAnimated === true,
  }
  return networkMessage({ stickerMessage }, facts)
}
