// The content of a message by kind. React escapes texts, so markup stays text.

import { type ReactNode, useState } from 'react'
import { TIMER_SECONDS } from '../../../src/contract/group-values.ts'
import type { MessageType } from '../../../src/contract/messages.ts'
import { addressOf } from '../../gateway/api.ts'
import { useFormat, useTexts } from '../../ui/language.tsx'
import { useSize } from './file-size.ts'
import { Interactive } from './interactive.tsx'
import css from './message-content.module.css'
import { textAt, textsAt } from './message-fields.ts'
import { MessageText } from './message-text.tsx'
import type { ThreadMessage } from './shown-messages.ts'
import { conversationTexts } from './texts/conversation-texts.ts'

type Kind = (shown: ThreadMessage) => ReactNode

const text: Kind = ({ text, message }) =>
  text === null ? null : <MessageText text={text} mentions={textsAt(message.content, 'mentions')} />
const media: Kind = (shown) => <Media {...shown} />
const interactive: Kind = ({ message }) => <Interactive content={message.content} />
const reply: Kind = (shown) => <Reply {...shown} />

const KINDS: Partial<Record<MessageType, Kind>> = {
  text,
  image: media,
  video: media,
  document: media,
  audio: media,
  sticker: media,
  button: interactive,
  list: interactive,
  cta: interactive,
  carousel: interactive,
  button_reply: reply,
  list_reply: reply,
  location: (shown) => <Location {...shown} />,
  poll: (shown) => <Poll {...shown} />,
  contact: (shown) => <Contacts {...shown} />,
  event: (shown) => <Event {...shown} />,
  disappearing: (shown) => <Disappearing {...shown} />,
  view_once_unavailable: () => <ViewOnceUnavailable />,
  undecryptable: () => <Undecryptable />,
}

export function MessageContent({ shown }: { shown: ThreadMessage }) {
  const t = useTexts(conversationTexts)
  if (shown.deletedBy !== null)
    return <p className={css.bubbleNote}>{shown.deletedBy === 'admin' ? t.deletedByAdmin : t.deleted}</p>
  const draw = KINDS[shown.message.type]
  return draw ? draw(shown) : <p className={css.bubbleNote}>{t.unsupported}</p>
}

function Reply({ text, message }: ThreadMessage) {
  const t = useTexts(conversationTexts)
  return (
    <>
      <span className={css.bubbleLabel}>{t.tapped}</span>
      <MessageText text={text ?? textAt(message.content, 'interactiveReplyId') ?? '–'} />
    </>
  )
}

/** Describes a received file. A sent file has only the URL that was given. */
interface Descriptor {
  mimetype?: string
  fileName?: string | null
  sizeBytes?: number | null
  seconds?: number | null
}
const PICTURES: ReadonlySet<string> = new Set(['image', 'sticker'])

function Media({ message, text }: ThreadMessage) {
  const t = useTexts(conversationTexts)
  const size = useSize()
  const { content, type } = message
  const received = content.media as Descriptor | null | undefined
  const sentFrom = textAt(content, 'mediaUrl')
  const file = received
    ? addressOf('getMessageMedia', {
        params: { messageId: message.messageId },
        query: { instanceName: message.instanceName },
      })
    : null
  const name = received?.fileName ?? textAt(content, 'fileName') ?? t.types[type as keyof typeof t.types]
  const facts = [
    received?.mimetype ?? textAt(content, 'mimetype'),
    size(received?.sizeBytes),
    received?.seconds ? `${Math.round(received.seconds)} s` : null,
  ]
  return (
    <>
      {file !== null && PICTURES.has(type) ? <Picture address={file} /> : null}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- what people record comes without captions */}
      {file !== null && type === 'audio' ? <audio controls preload="none" src={file} /> : null}
      <div className={css.file}>
        <Glyph path={glyphOf(type)} />
        <span className={css.fileName}>{name}</span>
        <span className={css.fileFacts}>{facts.filter((fact) => fact).join(' · ')}</span>
        {file === null ? null : (
          <a className={css.fileLink} href={file} download={received?.fileName ?? ''}>
            {t.download}
          </a>
        )}
        {sentFrom === null ? null : <OuterLink address={sentFrom}>{sentFrom}</OuterLink>}
      </div>
      {text === null || text === '' ? null : (
        <MessageText text={text} mentions={textsAt(content, 'mentions')} />
      )}
    </>
  )
}
const GLYPHS = {
  document: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  image: 'M4 5h16v14H4zM4 16l5-5 5 5 2-2 4 4M15.5 9.5h.01',
  sticker: 'M4 5h16v14H4zM9 10h.01M15 10h.01M8.5 14a5 5 0 0 0 7 0',
  video: 'M4 6h11v12H4zM15 10l5-3v10l-5-3z',
  audio: 'M9 18V6l10-2v12M9 18a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0M19 16a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0',
  location:
    'M12 21s-7-6.5-7-11.5a7 7 0 0 1 14 0C19 14.5 12 21 12 21M12 12a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5',
  contact: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4 21c0-4 4-6 8-6s8 2 8 6',
  event: 'M5 5h14v15H5zM5 10h14M9 3v4M15 3v4',
} as const satisfies Partial<Record<MessageType, string>>
const glyphOf = (type: MessageType): string => GLYPHS[type as keyof typeof GLYPHS] ?? GLYPHS.document

const Glyph = ({ path }: { path: string }) => (
  <svg className={css.glyph} viewBox="0 0 24 24" aria-hidden="true">
    <path d={path} />
  </svg>
)

/** Hidden if the file is no longer available; its description stays. */
function Picture({ address }: { address: string }) {
  const t = useTexts(conversationTexts)
  const [isGone, setGone] = useState(false)
  if (isGone) return null
  return (
    <img
      className={css.picture}
      src={address}
      alt={t.imageAlt}
      loading="lazy"
      onError={() => setGone(true)}
    />
  )
}

/** Only http and https become links; other schemes stay text. */
function OuterLink({ address, children }: { address: string; children: ReactNode }) {
  if (!/^https?:\/\//i.test(address)) return <span className={css.fileLink}>{children}</span>
  return (
    <a className={css.fileLink} href={address} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  )
}

function Location({ message, text }: ThreadMessage) {
  const t = useTexts(conversationTexts)
  const { content } = message
  const coordinates = `${Number(content.latitude)},${Number(content.longitude)}`
  return (
    <>
      <div className={css.place}>
        <Glyph path={GLYPHS.location} />
        <strong>{textAt(content, 'name') ?? (content.live === true ? t.live : t.types.location)}</strong>
        <span>{textAt(content, 'address')}</span>
        <span className="mono">{coordinates.replace(',', ', ')}</span>
        <OuterLink
          address={`https://www.openstreetmap.org/?mlat=${coordinates.replace(',', '&mlon=')}#map=16/${coordinates.replace(',', '/')}`}
        >
          {t.openMap}
        </OuterLink>
      </div>
      {text === null ? null : <MessageText text={text} />}
    </>
  )
}

function Poll({ message, votes }: ThreadMessage) {
  const t = useTexts(conversationTexts)
  const { content } = message
  return (
    <div className={css.poll}>
      <strong className="wrap">{textAt(content, 'pollName')}</strong>
      <span className={css.bubbleLabel}>{t.choose(Number(content.selectableCount ?? 1))}</span>
      <ul>
        {textsAt(content, 'options').map((option) => (
          <li key={option}>
            <span className="wrap">{option}</span>
            <span className={css.pollVotes}>{t.votes(votes.get(option) ?? 0)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** A received card has several numbers; one that was sent has the fields of the request. */
interface ContactCard {
  name: string | null
  organization?: string | null
  organisation?: string
  phones?: { number: string; phone: string | null }[]
  phone?: string
}

const organisationOf = ({ organisation, organization = null }: ContactCard): string | null =>
  organisation ?? organization
const numbersOf = ({ phones = [], phone }: ContactCard): string[] =>
  phone === undefined ? phones.map(({ number }) => number) : [phone]

function Contacts({ message }: ThreadMessage) {
  const t = useTexts(conversationTexts)
  const cards = (message.content.contacts ?? []) as unknown as ContactCard[]
  return cards.map((card, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- two cards may say the same
    <div className={css.place} key={index}>
      <Glyph path={GLYPHS.contact} />
      <strong>{card.name ?? t.types.contact}</strong>
      {organisationOf(card) === null ? null : <span>{organisationOf(card)}</span>}
      <span className="mono">{numbersOf(card).join(', ')}</span>
    </div>
  ))
}

function Event({ message }: ThreadMessage) {
  const t = useTexts(conversationTexts)
  const format = useFormat()
  const { content } = message
  const times = ['startsAt', 'endsAt'].map((name) => textAt(content, name)).filter((time) => time !== null)
  const callLink = textAt(content, 'callLink')
  return (
    <div className={css.place}>
      <Glyph path={GLYPHS.event} />
      <strong className="wrap">{textAt(content, 'name') ?? t.types.event}</strong>
      {content.canceled === true ? <span>{t.eventCancelled}</span> : null}
      <span>{times.map((time) => format.dateTime(time)).join(' – ')}</span>
      <span className="wrap">{textAt(content, 'place')}</span>
      <span className="wrap">{textAt(content, 'description')}</span>
      {callLink === null ? null : <OuterLink address={callLink}>{callLink}</OuterLink>}
    </div>
  )
}

function ViewOnceUnavailable() {
  const t = useTexts(conversationTexts)
  return <p className={css.bubbleNote}>{t.viewOnceUnavailable}</p>
}

/** Its content may still come. */
function Undecryptable() {
  const t = useTexts(conversationTexts)
  return <p className={css.bubbleNote}>{t.undecryptable}</p>
}

/** A change of the timer of disappearing messages. */
function Disappearing({ message }: ThreadMessage) {
  const t = useTexts(conversationTexts)
  const days = Math.round(Number(message.content.seconds ?? 0) / TIMER_SECONDS.day)
  return <p className={css.bubbleNote}>{days > 0 ? t.timerSet(days) : t.timerOff}</p>
}
