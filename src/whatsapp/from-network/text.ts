// A text from the network.
import type { Reading, ReadKind } from './reading.ts'
import { present, textOrNull } from './wire-values.ts'

export const readText: ReadKind = ({ conversation, extendedTextMessage }): Reading | null => {
  if (!extendedTextMessage) {
    return typeof conversation === 'string' ? { type: 'text', text: textOrNull(conversation) } : null
  }
  const { text, matchedText, title, description, contextInfo } = extendedTextMessage
  const linkPreview = present({
    url: textOrNull(matchedText),
    title: textOrNull(title),
    description: textOrNull(description),
  })
  return {
    type: 'text',
    text: textOrNull(conversation) ?? textOrNull(text),
    content: Object.keys(linkPreview).length > 0 ? { linkPreview } : {},
    contextInfo,
  }
}
