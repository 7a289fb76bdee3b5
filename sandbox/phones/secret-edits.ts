// Edits as current phones send them: encrypted with the secret of the edited message, and bound to its author.
import { randomBytes } from 'node:crypto'
import { proto } from 'baileys'
import { decryptWithAny, encryptWithSecret } from '../../src/network/message-secrets.ts'
import { jidOf } from '../model/address.ts'
import type { Account } from '../model/world.ts'
import type { StoredPhoneMessage } from '../store/messages.ts'

const IV_BYTES = 12
const { MESSAGE_EDIT } = proto.Message.SecretEncryptedMessage.SecretEncType

export function secretOf(message: StoredPhoneMessage): Uint8Array | undefined {
  return proto.Message.decode(message.content).messageContextInfo?.messageSecret ?? undefined
}

/** `edit` is the plain form of the edit. The author of the message is its editor. */
export function encryptEdit(
  target: StoredPhoneMessage,
  author: string,
  edit: proto.IMessage,
  key: proto.IMessageKey,
): proto.IMessage {
  const secret = secretOf(target) ?? new Uint8Array()
  const encIv = randomBytes(IV_BYTES)
  const binding = { use: 'Message Edit', secret, messageId: target.id, author, sender: author } as const
  const encPayload = encryptWithSecret(proto.Message.encode(edit).finish(), encIv, binding)
  return {
    secretEncryptedMessage: { targetMessageKey: key, encPayload, encIv, secretEncType: MESSAGE_EDIT },
    messageContextInfo: { messageSecret: randomBytes(secret.length) },
  }
}

/** The plain form of an encrypted edit; undefined if the phone cannot decrypt it. */
export function decryptEdit(
  target: StoredPhoneMessage,
  author: Account,
  encrypted: proto.Message.ISecretEncryptedMessage,
): proto.IMessage | undefined {
  const secret = secretOf(target)
  if (!secret || encrypted.secretEncType !== MESSAGE_EDIT) return undefined
  const names = [jidOf(author, 'lid'), jidOf(author, 'pn')]
  const plain = decryptWithAny(encrypted, {
    use: 'Message Edit',
    secrets: [secret],
    messageId: target.id,
    authors: names,
    senders: names,
  })
  return plain && proto.Message.decode(plain)
}
