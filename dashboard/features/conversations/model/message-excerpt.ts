// A message in a few words, for the places that refer to it.
import { useTexts } from '../../../ui/language.tsx'
import { conversationTexts } from '../texts/conversation-texts.ts'
import { textAt } from './message-fields.ts'
import type { ThreadMessage } from './shown-messages.ts'

const MOST_CHARACTERS = 120

export function useExcerpt(): (shown: ThreadMessage) => string {
  const t = useTexts(conversationTexts)
  return ({ message: { content, type }, text, deletedBy }) => {
    if (deletedBy !== null) return t.deleted
    const interactive = content.interactive as { body?: string; text?: string } | undefined
    const written = text ?? textAt(content, 'pollName') ?? interactive?.body ?? interactive?.text
    return written ? cut(written) : (t.types[type as keyof typeof t.types] ?? t.unsupported)
  }
}

/** With a mark where more follows: a part must not look like the whole. */
const cut = (text: string): string =>
  text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS).toWellFormed().trimEnd()}…` : text
