// A text from the network.
import type { Reading, ReadKind } from './reading.ts'
import { present, textOrNull } from './wire-values.ts'

export const readText: ReadKind = ({ conversation, extendedTextMessage }): Reading | null => {
  if (conversation) return { type: 'text', text: conversation }
  if (!extendedTextMessage) return null
  const { text, matchedText, title, description, contextInfo } = extendedTextMessage
  const linkPreview = present({
    url: textOrNull(matchedText),
    title: textOrNull(title),
    description: textOrNull(description),
  })
  return {
    type: 'text',
    text: textOrNull(text),
    content: Object.keys(linkPreview).length > 0 ? { linkPreview } : {},
    contextInfo,
  }
}
