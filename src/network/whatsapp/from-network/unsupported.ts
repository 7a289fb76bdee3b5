// Content of an unsupported kind: reported with its name and text, so that callers know that a message came.
import { proto } from 'baileys'
import type { Reading, ReadingFacts } from './reading.ts'
import { claimedTarget } from './target.ts'
import { textOf } from './text-of.ts'
import { contentName } from './unwrap.ts'
import { present } from './wire-values.ts'

export function readUnsupported(
  content: proto.IMessage,
  { resolve }: Pick<ReadingFacts, 'resolve'>,
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
      ...present({ targetMessageId: target?.messageId }),
    },
    contextInfo: 'contextInfo' in part ? part.contextInfo : null,
  }
}

/** Encrypted edits, reactions and pins refer to another message. */
const targetKeyOf = (content: proto.IMessage): proto.IMessageKey | null | undefined =>
  content.secretEncryptedMessage?.targetMessageKey ??
  content.encReactionMessage?.targetMessageKey ??
  content.encCommentMessage?.targetMessageKey ??
  content.pinInChatMessage?.key ??
  content.keepInChatMessage?.key

/** Newer clients may send content without a known name. */
function typeName({ protocolMessage }: proto.IMessage, name: string | undefined): string {
  if (name !== 'protocolMessage') return name ?? 'unknown'
  const type = protocolMessage?.type ?? 0
  return `protocolMessage.${proto.Message.ProtocolMessage.Type[type] ?? type}`
}
