// The last message of a chat in one line, for the list of chats.
import type { z } from 'zod'
import type { Chat } from '../../../../src/contract/contacts.ts'
import type { MessageStatus } from '../../../../src/contract/message-values.ts'
import { lengthOf } from '../model/message-fields.ts'

export interface ChatPreview {
  text: string | null
  /** Of a message that was sent, for its ticks. */
  status: MessageStatus | null
}

type PreviewedChat = Pick<z.output<typeof Chat>, 'lastMessage' | 'lastMessageText' | 'isGroup'>

interface PreviewTexts {
  deleted: string
  /** By the type of the message. */
  previews: { voice: string; other: string; [type: string]: string }
}

/** `nameOf` is the name of a saved contact, by number. */
export function previewOf(
  { lastMessage, lastMessageText, isGroup }: PreviewedChat,
  t: PreviewTexts,
  nameOf: (phone: string) => string | undefined = () => undefined,
): ChatPreview {
  if (!lastMessage) return { text: lastMessageText, status: null }
  const { direction, status, from, deleted } = lastMessage
  const author = isGroup && from ? authorOf(from, nameOf) : null
  const text = contentOf(lastMessage, t)
  return {
    text: author === null ? text : `${author}: ${text}`,
    status: direction === 'outgoing' && !deleted ? status : null,
  }
}

function authorOf(
  { phone, pushName }: { phone: string | null; pushName: string | null },
  nameOf: (phone: string) => string | undefined,
): string | null {
  if (phone === null) return pushName
  return nameOf(phone) ?? pushName ?? `+${phone}`
}

function contentOf(
  { deleted, text, type, voice, seconds }: NonNullable<PreviewedChat['lastMessage']>,
  t: PreviewTexts,
): string {
  if (deleted) return t.deleted
  if (text) return text
  if (voice) return seconds === null ? t.previews.voice : `${t.previews.voice} ${lengthOf(seconds)}`
  return t.previews[type] ?? t.previews.other
}
