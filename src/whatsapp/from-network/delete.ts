// A message taken back for everyone, by its author or by an admin of the group.
import { proto } from 'baileys'
import type { ReadKind } from './reading.ts'
import { claimedTarget } from './target.ts'

const { REVOKE } = proto.Message.ProtocolMessage.Type

export const readDelete: ReadKind = ({ protocolMessage }, { resolve }) => {
  // REVOKE is the first enum value, which the wire format may omit.
  if (!protocolMessage || (protocolMessage.type ?? REVOKE) !== REVOKE) return null
  const target = claimedTarget(protocolMessage.key, resolve, 'senders')
  if (!target) return null
  return {
    type: 'delete',
    text: null,
    target,
    content: { targetMessageId: target.messageId, targetAuthor: target.author },
  }
}
