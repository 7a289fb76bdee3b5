// An edit from the network: the new text of an earlier message.
import { proto } from 'baileys'
import type { ReadKind } from './reading.ts'
import { claimedTarget } from './target.ts'
import { textOf } from './text-of.ts'
import { unwrap } from './unwrap.ts'

export const readEdit: ReadKind = ({ protocolMessage }, { resolve }) => {
  if (protocolMessage?.type !== proto.Message.ProtocolMessage.Type.MESSAGE_EDIT) return null
  const target = claimedTarget(protocolMessage.key, resolve, 'senders')
  if (!target) return null
  const { content } = unwrap(protocolMessage.editedMessage ?? {})
  return {
    type: 'edit',
    text: textOf(content),
    target,
    content: { targetMessageId: target.messageId },
    contextInfo: content.extendedTextMessage?.contextInfo,
  }
}
