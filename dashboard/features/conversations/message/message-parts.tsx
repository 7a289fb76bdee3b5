// Parts of the contents of messages: formatted text, links, and signs for the kinds.

import type { ReactNode } from 'react'
import type { MessageType } from '../../../../src/contract/messages.ts'
import { FormattedText } from '../../../chat/formatted-text.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { conversationTexts } from '../texts/conversation-texts.ts'
import { mentionParts } from './mentions.ts'
import css from './message-content.module.css'
import { useThread } from './thread-context.ts'

// A paragraph of formatted text inside a bubble, with the names of mentioned people.

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

// A link to an address that another person has sent.

/** Only http and https become links; other schemes stay text. */
export function OuterLink({ address, children }: { address: string; children: ReactNode }) {
  if (!/^https?:\/\//i.test(address)) return <span className={css.fileLink}>{children}</span>
  return (
    <a className={css.fileLink} href={address} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  )
}

// Signs for kinds of messages, drawn in one stroke width.

export const GLYPHS = {
  document: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  image: 'M4 5h16v14H4zM4 16l5-5 5 5 2-2 4 4M15.5 9.5h.01',
  sticker: 'M4 5h16v14H4zM9 10h.01M15 10h.01M8.5 14a5 5 0 0 0 7 0',
  video: 'M4 6h11v12H4zM15 10l5-3v10l-5-3z',
  audio: 'M9 18V6l10-2v12M9 18a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0M19 16a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0',
  location:
    'M12 21s-7-6.5-7-11.5a7 7 0 0 1 14 0C19 14.5 12 21 12 21M12 12a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5',
  contact: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4 21c0-4 4-6 8-6s8 2 8 6',
  order: 'M3 4h3l2.5 11h10L21 7H7M9 20h.01M17 20h.01',
  product: 'M4 12V4h8l8 8-8 8zM8 8h.01',
  event: 'M5 5h14v15H5zM5 10h14M9 3v4M15 3v4',
} as const satisfies Partial<Record<MessageType, string>>
export const glyphOf = (type: MessageType): string => GLYPHS[type as keyof typeof GLYPHS] ?? GLYPHS.document

export const Glyph = ({ path }: { path: string }) => (
  <svg className={css.glyph} viewBox="0 0 24 24" aria-hidden="true">
    <path d={path} />
  </svg>
)
