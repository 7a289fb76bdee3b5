// An album to the network: a message that announces its images and videos, and the reference of each of them to it.
import { proto } from 'baileys'
import type { AlbumMember, ContentOf } from '../../network/message.ts'
import { type NetworkMessage, networkMessage, type SendFacts } from './network-message.ts'

export const albumToNetwork = ({ images, videos }: ContentOf<'album'>, facts: SendFacts): NetworkMessage =>
  networkMessage({ albumMessage: { expectedImageCount: images, expectedVideoCount: videos } }, facts)

export function inAlbum(
  sent: NetworkMessage,
  { album }: AlbumMember,
  { chat }: Pick<SendFacts, 'chat'>,
): NetworkMessage {
  if (!album) return sent
  const { messageContextInfo, ...message } = sent.message
  const messageAssociation = {
    associationType: proto.MessageAssociation.AssociationType.MEDIA_ALBUM,
    parentMessageKey: { remoteJid: chat, fromMe: true, id: album.messageId },
  }
  return {
    ...sent,
    message: { ...message, messageContextInfo: { ...messageContextInfo, messageAssociation } },
  }
}
