// The unencrypted type of a message stanza.
import type { proto } from 'baileys'

export function stanzaType(message: proto.IMessage): string {
  if (message.reactionMessage) return 'reaction'
  if (message.pollCreationMessageV3 || message.pollUpdateMessage) return 'poll'
  const media =
    message.imageMessage ?? message.videoMessage ?? message.audioMessage ?? message.documentMessage
  return media || message.contactMessage || message.interactiveResponseMessage ? 'media' : 'text'
}
