// An album from the network: the message that announces it, and the reference of an image or a video to that message.
import { proto } from 'baileys'
import type { JsonObject } from '../../network/message.ts'
import type { ReadKind } from './reading.ts'
import { countOf, textOrNull } from './wire-values.ts'

/** Longer ids come from no client. */
const MAX_ID = 128

export const readAlbum: ReadKind = ({ albumMessage }) =>
  albumMessage
    ? {
        type: 'album',
        text: null,
        content: {
          images: countOf(albumMessage.expectedImageCount) ?? 0,
          videos: countOf(albumMessage.expectedVideoCount) ?? 0,
        },
        contextInfo: albumMessage.contextInfo,
      }
    : null

/** Empty for a message that belongs to no album. */
export function albumOf({ messageContextInfo }: proto.IMessage): JsonObject {
  const { associationType, parentMessageKey } = messageContextInfo?.messageAssociation ?? {}
  if (associationType !== proto.MessageAssociation.AssociationType.MEDIA_ALBUM) return {}
  const messageId = textOrNull(parentMessageKey?.id)
  return messageId === null || messageId.length > MAX_ID ? {} : { album: { messageId } }
}
