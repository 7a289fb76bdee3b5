/** The type a message stanza names in the clear, so that servers can route without reading. */
import type { proto } from 'baileys'

export function stanzaType(message: proto.IMessage): string {
  if (message.reactionMessage) return 'reaction'
  if (message.pollCreationMessageV3 || message.pollUpdateMessage) return 'poll'
  const media =
    message.imageMessage ?? message.videoMessage ?? message.audioMessage ?? message.documentMessage
  return media || message.contactMessage || message.interactiveResponseMessage ? 'media' : 'text'
}
