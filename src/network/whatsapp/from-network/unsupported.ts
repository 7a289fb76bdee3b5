// Content that no other file reads: its name and its words, so that nobody has to guess that something came.
import { proto } from 'baileys'
import type { Reading } from './reading.ts'
import { textOf } from './text-of.ts'
import { contentName } from './unwrap.ts'
import { present, textOrNull } from './wire-values.ts'

export function readUnsupported(content: proto.IMessage): Reading {
  const name = contentName(content)
  const value = name === undefined ? null : content[name]
  const part = typeof value === 'object' && value !== null ? value : {}
  return {
    type: 'unsupported',
    text: textOf(content),
    content: {
      contentType: typeName(content, name),
      ...present({ targetMessageId: textOrNull(targetOf(content)) }),
    },
    contextInfo: 'contextInfo' in part ? part.contextInfo : null,
  }
}

/** Encrypted edits and reactions, pins and the like are about another message. */
const targetOf = (content: proto.IMessage): string | null | undefined =>
  (
    content.secretEncryptedMessage?.targetMessageKey ??
    content.encReactionMessage?.targetMessageKey ??
    content.encCommentMessage?.targetMessageKey ??
    content.pinInChatMessage?.key ??
    content.keepInChatMessage?.key
  )?.id

/** Newer clients send what we have no name for: that, too, is a message that came. */
function typeName({ protocolMessage }: proto.IMessage, name: string | undefined): string {
  if (name !== 'protocolMessage') return name ?? 'unknown'
  const type = protocolMessage?.type ?? 0
  return `protocolMessage.${proto.Message.ProtocolMessage.Type[type] ?? type}`
}
