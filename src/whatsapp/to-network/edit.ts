// An edit to the network: the new text of a sent text, or the new caption of a sent file.
import { proto } from 'baileys'
import type { ContentOf } from '../../network/message.ts'
import { decodePayload } from '../sending/payload.ts'
import { keyOf } from './message-key.ts'
import { type NetworkMessage, requireTarget, type SendFacts } from './network-message.ts'
import { innerMessage } from './view-once.ts'

const EDIT_ATTRIBUTE = '1'

export function editToNetwork({ message: text }: ContentOf<'edit'>, facts: SendFacts): NetworkMessage {
  const target = requireTarget(facts)
  const { MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type
  const sent = target.payload ? decodePayload(target.payload).message : {}
  const protocolMessage = {
    key: keyOf(target, facts.chat),
    type: MESSAGE_EDIT,
    editedMessage: edited(sent, text),
    timestampMs: facts.nowMs,
  }
  return {
    // Not encrypted with the secret of the message, because phones read this form of every message (decision 0131).
    message: { editedMessage: { message: { protocolMessage } } },
    additionalNodes: [],
    attributes: { edit: EDIT_ATTRIBUTE },
  }
}

/** A file is named again with its new caption, so that phones which did not get the message can show it. */
function edited(sent: proto.IMessage, text: string): proto.IMessage {
  const { imageMessage, videoMessage, documentMessage } = innerMessage(sent)
  if (imageMessage) return { imageMessage: { ...imageMessage, caption: text } }
  if (videoMessage) return { videoMessage: { ...videoMessage, caption: text } }
  if (documentMessage) return { documentMessage: { ...documentMessage, caption: text } }
  return { conversation: text }
}
