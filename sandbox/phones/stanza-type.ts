// The unencrypted type of a message stanza.
import { normalizeMessageContent, type proto } from 'baileys'

const MEDIA = [
  'imageMessage',
  'videoMessage',
  'ptvMessage',
  'audioMessage',
  'documentMessage',
  'stickerMessage',
  'contactMessage',
  'groupInviteMessage',
  'interactiveResponseMessage',
] as const

export function stanzaType(sent: proto.IMessage): string {
  const message = normalizeMessageContent(sent) ?? sent
  if (message.reactionMessage) return 'reaction'
  if (message.pollCreationMessageV3 || message.pollUpdateMessage) return 'poll'
  if (message.eventMessage) return 'event'
  return MEDIA.some((part) => message[part]) ? 'media' : 'text'
}
