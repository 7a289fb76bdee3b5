// A paragraph of formatted text inside a bubble, with the names of mentioned people.

import { FormattedText } from '../../../chat/formatted-text.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { conversationTexts } from '../texts/conversation-texts.ts'
import { mentionParts } from './mentions.ts'
import css from './message-content.module.css'
import { useThread } from './thread-context.ts'

interface MessageTextProps {
  text: string
  /** Numbers or jids of the mentioned people, or `all`. */
  mentions?: readonly string[]
}

export const MessageText = ({ text, mentions }: MessageTextProps) => (
  <p className={css.bubbleText} dir="auto">
    {mentions?.length ? <Mentioning text={text} mentions={mentions} /> : <FormattedText text={text} />}
  </p>
)

/** The network may name people in the text by an identifier other than their number; those are listed after it. */
function Mentioning({ text, mentions }: Required<MessageTextProps>) {
  const t = useTexts(conversationTexts)
  const { nameOf } = useThread()
  const names = new Map(
    mentions.map((who) => {
      const digits = who.split('@')[0] ?? who
      return [digits, who === 'all' ? t.everyone : (nameOf(who) ?? `+${digits}`)] as const
    }),
  )
  const parts = mentionParts(text, names)
  const shown = new Set(parts.map((part) => (typeof part === 'string' ? '' : part.mention)))
  const others = [...names.values()].filter((name) => !shown.has(name))
  return (
    <>
      {parts.map((part, index) =>
        typeof part === 'string' ? (
          // oxlint-disable-next-line react/no-array-index-key -- a part has no other identity than its position
          <FormattedText key={index} text={part} />
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- a part has no other identity than its position
          <Mention key={index} name={part.mention} />
        ),
      )}
      {others.map((name) => (
        <span key={name}>
          {' '}
          <Mention name={name} />
        </span>
      ))}
    </>
  )
}

const Mention = ({ name }: { name: string }) => <span className={css.mention}>@{name}</span>
