// An image to the network.
import type { ContentOf } from '../../network/message.ts'
import { type NetworkMessage, networkMessage, onlyMedia, type SendFacts } from './network-message.ts'
import { captionField, fileFields, pictureFields } from './uploaded-media.ts'

export function imageToNetwork(content: ContentOf<'image'>, facts: SendFacts): NetworkMessage {
  const media = onlyMedia(facts)
  const imageMessage = {
    ...fileFields(media),
    ...pictureFields(media),
    mimetype: content.mimetype ?? media.mimetype,
    ...captionField(content.message),
  }
  return networkMessage({ imageMessage }, facts)
}
