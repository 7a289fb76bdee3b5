// An edit from the network: the new text of an earlier message, in plain form or encrypted with the secret of that message.
import { proto } from 'baileys'
import type { ClaimedTarget } from '../../network/message.ts'
import { openWithSecret } from './originals.ts'
import { markCut, type Reading, type ReadKind } from './reading.ts'
import { claimedTarget } from './target.ts'
import { textOf } from './text-of.ts'
import { unwrap } from './unwrap.ts'

const { MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type
const { SecretEncType } = proto.Message.SecretEncryptedMessage

export const readEdit: ReadKind = ({ protocolMessage }, { resolve }) => {
  if (protocolMessage?.type !== MESSAGE_EDIT) return null
  const target = claimedTarget(protocolMessage.key, resolve, 'senders')
  return target && editReading(target, protocolMessage.editedMessage ?? {})
}

/** Null, also for an edit that cannot be decrypted: it is then reported as unsupported content. */
export const readSecretEdit: ReadKind = ({ secretEncryptedMessage }, facts) => {
  if (secretEncryptedMessage?.secretEncType !== SecretEncType.MESSAGE_EDIT) return null
  const key = secretEncryptedMessage.targetMessageKey
  const target = claimedTarget(key, facts.resolve, 'senders')
  const sealed = { use: 'Message Edit', type: proto.Message, encrypted: secretEncryptedMessage, key } as const
  const opened = openWithSecret<proto.IMessage>(sealed, facts)
  const edited = opened && editedIn(opened.content)
  return target && edited ? markCut(editReading(target, edited), opened) : null
}

/** Clients encrypt the plain form of the edit, or its content alone. The message that it names there proves nothing. */
function editedIn(message: proto.IMessage): proto.IMessage | null {
  const { content } = unwrap(message)
  const { protocolMessage } = content
  if (!protocolMessage) return content
  return protocolMessage.type === MESSAGE_EDIT ? (protocolMessage.editedMessage ?? null) : null
}

function editReading(target: ClaimedTarget, edited: proto.IMessage): Reading {
  const { content } = unwrap(edited)
  return {
    type: 'edit',
    text: textOf(content),
    target,
    content: { targetMessageId: target.messageId },
    contextInfo: content.extendedTextMessage?.contextInfo,
  }
}
