// A message taken back for everyone, to the network.
import { proto } from 'baileys'
import type { ContentOf } from '../../network/message.ts'
import { keyOf } from './message-key.ts'
import { type NetworkMessage, requireTarget, type SendFacts } from './network-message.ts'

const BY_AUTHOR = '7'
const BY_ADMIN = '8'

export function deleteToNetwork(_content: ContentOf<'delete'>, facts: SendFacts): NetworkMessage {
  const target = requireTarget(facts)
  const { REVOKE } = proto.Message.ProtocolMessage.Type
  return {
    message: { protocolMessage: { key: keyOf(target, facts.chat), type: REVOKE } },
    additionalNodes: [],
    attributes: { edit: target.isOurs ? BY_AUTHOR : BY_ADMIN },
  }
}
