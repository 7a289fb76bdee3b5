// Content of an unsupported kind: reported with its name and text, so that callers know that a message came.
import { proto } from 'baileys'
import type { FindOriginal, Reading, ReadingFacts } from './reading.ts'
import { claimedTarget } from './target.ts'
import { textOf } from './text-of.ts'
import { contentName } from './unwrap.ts'
import { present } from './wire-values.ts'

export function readUnsupported(
  content: proto.IMessage,
  { resolve, findOriginal }: Pick<ReadingFacts, 'resolve' | 'findOriginal'>,
): Reading {
  const name = contentName(content)
  const value = name === undefined ? null : content[name]
  const part = typeof value === 'object' && value !== null ? value : {}
  const target = claimedTarget(targetKeyOf(content), resolve, 'senders')
  return {
    type: 'unsupported',
    text: textOf(content),
    target,
    content: {
      contentType: typeName(content, name),
      ...present({ targetMessageId: target?.messageId, problem: problemOf(content, findOriginal) }),
    },
    contextInfo: 'contextInfo' in part ? part.contextInfo : null,
  }
}

/** Encrypted edits, reactions and pins refer to another message. */
const targetKeyOf = (content: proto.IMessage): proto.IMessageKey | null | undefined =>
  content.secretEncryptedMessage?.targetMessageKey ??
  content.encReactionMessage?.targetMessageKey ??
  content.encCommentMessage?.targetMessageKey ??
  content.encEventResponseMessage?.eventCreationMessageKey ??
  content.pinInChatMessage?.key ??
  content.keepInChatMessage?.key

/** Why content that is encrypted with the secret of another message was not read. */
function problemOf(content: proto.IMessage, findOriginal: FindOriginal): string | null {
  const isEncrypted = SECRET_CONTENT.some((name) => content[name])
  if (!isEncrypted) return null
  const original = findOriginal(targetKeyOf(content)?.id ?? '')
  if (!original) return 'original_not_known'
  return original.secrets.length === 0 ? 'secret_not_known' : 'not_readable'
}

const SECRET_CONTENT = [
  'secretEncryptedMessage',
  'encReactionMessage',
  'encCommentMessage',
  'encEventResponseMessage',
] as const satisfies (keyof proto.IMessage)[]

const { SecretEncType } = proto.Message.SecretEncryptedMessage
/** Newer kinds, which the library does not name. */
const NEWER_SECRET_TYPES = new Map([
  [3, 'MESSAGE_SCHEDULE'],
  [4, 'POLL_EDIT'],
  [5, 'POLL_ADD_OPTION'],
])

/** Newer clients may send content without a known name. */
function typeName(
  { protocolMessage, secretEncryptedMessage }: proto.IMessage,
  name: string | undefined,
): string {
  if (name === 'secretEncryptedMessage') {
    const type: number = secretEncryptedMessage?.secretEncType ?? 0
    return `${name}.${SecretEncType[type] ?? NEWER_SECRET_TYPES.get(type) ?? type}`
  }
  if (name !== 'protocolMessage') return name ?? 'unknown'
  const type = protocolMessage?.type ?? 0
  return `protocolMessage.${proto.Message.ProtocolMessage.Type[type] ?? type}`
}
