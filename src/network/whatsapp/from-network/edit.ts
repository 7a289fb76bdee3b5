// An edit from the network: the new words of a message that was sent before.
import { proto } from 'baileys'
import type { ReadKind } from './reading.ts'
import { textOf } from './text-of.ts'
import { unwrap } from './unwrap.ts'

export const readEdit: ReadKind = ({ protocolMessage }) => {
  if (protocolMessage?.type !== proto.Message.ProtocolMessage.Type.MESSAGE_EDIT) return null
  const targetMessageId = protocolMessage.key?.id
  if (!targetMessageId) return null
  const { content } = unwrap(protocolMessage.editedMessage ?? {})
  return {
    type: 'edit',
    text: textOf(content),
    content: { targetMessageId },
    contextInfo: content.extendedTextMessage?.contextInfo,
  }
}
