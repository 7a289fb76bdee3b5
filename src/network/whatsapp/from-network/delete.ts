// A message taken back for everyone, by its author or by an admin of the group.
import { proto } from 'baileys'
import { resolveJid } from './people.ts'
import type { ReadKind } from './reading.ts'

const { REVOKE } = proto.Message.ProtocolMessage.Type

export const readDelete: ReadKind = ({ protocolMessage }, { resolve }) => {
  // On the wire the first of the types may be left out.
  if (!protocolMessage || (protocolMessage.type ?? REVOKE) !== REVOKE) return null
  const { id, participant } = protocolMessage.key ?? {}
  if (!id) return null
  return {
    type: 'delete',
    text: null,
    content: { targetMessageId: id, targetAuthor: participant ? resolveJid(participant, resolve) : null },
  }
}
