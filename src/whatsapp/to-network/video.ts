// A video to the network.
import type { ContentOf } from '../../network/message.ts'
import { type NetworkMessage, networkMessage, onlyMedia, type SendFacts } from './network-message.ts'
import { captionField, fileFields, pictureFields } from './uploaded-media.ts'

export function videoToNetwork(content: ContentOf<'video'>, facts: SendFacts): NetworkMessage {
  const media = onlyMedia(facts)
  const videoMessage = {
    ...fileFields(media),
    ...pictureFields(media),
    mimetype: content.mimetype ?? media.mimetype,
    ...(media.seconds !== undefined && { seconds: Math.round(media.seconds) }),
    ...captionField(content.message),
  }
  return networkMessage({ videoMessage }, facts)
}
