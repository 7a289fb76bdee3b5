// The key of a message, as the network names messages that another one refers to.
import type { proto } from 'baileys'
import type { MessageReference } from '../../network/message.ts'

/** `chat` is where the change is sent; a received message is named by the identifiers that it arrived with. */
export const keyOf = (
  { messageId, isOurs, addressedAs }: MessageReference,
  chat: string,
): proto.IMessageKey => ({
  id: messageId,
  fromMe: isOurs,
  remoteJid: isOurs ? chat : addressedAs.chat,
  ...(!isOurs && addressedAs.participant !== null && { participant: addressedAs.participant }),
})
