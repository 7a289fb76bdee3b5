// The content of a message by kind. React escapes texts, so markup stays text.
import type { ReactNode } from 'react'
import type { PixKeyType } from '../../../../src/contract/message-values.ts'
import type { MessageType } from '../../../../src/contract/messages.ts'
import { TIMER_SECONDS } from '../../../../src/contract/values.ts'
import { classNames } from '../../../ui/class-names.ts'
import { useFormat, useTexts } from '../../../ui/language.tsx'
import { type Message, textAt, textsAt } from '../model/message-fields.ts'
import type { ThreadMessage } from '../model/shown-messages.ts'
import { conversationTexts } from '../texts/conversation-texts.ts'
import { Media } from './media.tsx'
import css from './message-content.module.css'
import { GLYPHS, Glyph, MessageText, OuterLink } from './message-parts.tsx'

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
  pix: (shown) => <Pix {...shown} />,
  button_reply: reply,
  list_reply: reply,
  location: (shown) => <Location {...shown} />,
  poll: (shown) => <Poll {...shown} />,
  contact: (shown) => <Contacts {...shown} />,
  event: (shown) => <Event {...shown} />,
  order: (shown) => <Order {...shown} />,
  product: (shown) => <Product {...shown} />,
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

/** The whole key: who approves a send compares it. */
function Pix({ message, text }: ThreadMessage) {
  const t = useTexts(conversationTexts)
  const { content } = message
  const keyType = textAt(content, 'keyType')
  return (
    <>
      <div className={css.interactive}>
        <strong className="wrap">{textAt(content, 'merchantName') ?? t.types.pix}</strong>
        <span>
          {t.types.pix}
          {keyType === null ? null : ` · ${t.choices[keyType as PixKeyType]}`}
        </span>
        <span className="mono wrap">{textAt(content, 'key')}</span>
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
            {message.status !== 'awaiting_approval' && (
              <span className={css.pollVotes}>{t.votes(votes.get(option) ?? 0)}</span>
            )}
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

const ANSWERS = ['going', 'maybe', 'not_going'] as const

function Event({ message, votes }: ThreadMessage) {
  const t = useTexts(conversationTexts)
  const format = useFormat()
  const { content } = message
  const times = ['startsAt', 'endsAt'].map((name) => textAt(content, name)).filter((time) => time !== null)
  const callLink = textAt(content, 'callLink')
  const answers = ANSWERS.filter((answer) => votes.has(answer))
  return (
    <div className={css.place}>
      <Glyph path={GLYPHS.event} />
      <strong className="wrap">{textAt(content, 'name') ?? t.types.event}</strong>
      {content.canceled === true ? <span>{t.eventCancelled}</span> : null}
      <span>{times.map((time) => format.dateTime(time)).join(' – ')}</span>
      <span className="wrap">{textAt(content, 'place')}</span>
      <span className="wrap">{textAt(content, 'description')}</span>
      {callLink === null ? null : <OuterLink address={callLink}>{callLink}</OuterLink>}
      {answers.length === 0 ? null : (
        <span>{answers.map((answer) => t.eventAnswers[answer](votes.get(answer) ?? 0)).join(' · ')}</span>
      )}
    </div>
  )
}

function Order({ message, text }: ThreadMessage) {
  const t = useTexts(conversationTexts)
  const { content } = message
  const orderId = textAt(content, 'orderId')
  const items = content.itemCount
  return (
    <>
      <div className={css.place}>
        <Glyph path={GLYPHS.order} />
        <strong className="wrap">{textAt(content, 'title') ?? t.types.order}</strong>
        {typeof items === 'number' ? <span>{t.items(items)}</span> : null}
        <Price content={content} name="total" />
        {orderId === null ? null : <span className="mono wrap">{orderId}</span>}
      </div>
      {text === null ? null : <MessageText text={text} />}
    </>
  )
}

function Product({ message, text }: ThreadMessage) {
  const t = useTexts(conversationTexts)
  const { content } = message
  const url = textAt(content, 'url')
  const retailerId = textAt(content, 'retailerId')
  return (
    <>
      <div className={css.place}>
        <Glyph path={GLYPHS.product} />
        <strong className="wrap">{textAt(content, 'title') ?? t.types.product}</strong>
        <Price content={content} name={textAt(content, 'salePrice') === null ? 'price' : 'salePrice'} />
        <span className="wrap">{textAt(content, 'description')}</span>
        {retailerId === null ? null : <span className="mono wrap">{retailerId}</span>}
        {url === null ? null : <OuterLink address={url}>{url}</OuterLink>}
      </div>
      {text === null ? null : <MessageText text={text} />}
    </>
  )
}

interface PriceProps {
  content: ThreadMessage['message']['content']
  name: 'total' | 'price' | 'salePrice'
}

function Price({ content, name }: PriceProps) {
  const format = useFormat()
  const amount = textAt(content, name)
  return amount === null ? null : <span>{format.price(amount, textAt(content, 'currency'))}</span>
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

// Interactive messages as the recipient sees them, without their actions.

interface ReplyButton {
  buttonText: { displayText: string }
  buttonId: string
}
interface CtaButton {
  urlButton?: { displayText: string; url: string }
  callButton?: { displayText: string; phoneNumber: string }
  copyButton?: { displayText: string; copyCode: string }
  replyButton?: { displayText: string; buttonId: string }
}
/** The union of all four kinds; each uses a part of it. */
interface InteractiveContent {
  header?: { mediaUrl?: string; mediaId?: string; fileName?: string }
  title?: string
  body?: string
  text?: string
  footer?: string
  footerText?: string
  buttonText?: string
  buttons?: (ReplyButton & CtaButton)[]
  sections?: { title?: string; rows: { rowId: string; title: string; description?: string }[] }[]
  cards?: { header: { mediaUrl: string }; body: string; buttons: ReplyButton[] }[]
}

function Interactive({ content }: { content: Message['content'] }) {
  const shown = (content.interactive ?? {}) as InteractiveContent
  const footer = shown.footer ?? shown.footerText
  return (
    <div className={css.interactive}>
      {shown.header ? (
        <span className={classNames(css.cardPicture, 'wrap')}>
          {shown.header.fileName ?? shown.header.mediaUrl ?? shown.header.mediaId}
        </span>
      ) : null}
      {shown.title === undefined ? null : <strong className="wrap">{shown.title}</strong>}
      <MessageText text={shown.body ?? shown.text ?? ''} />
      {footer === undefined ? null : <span className={classNames(css.bubbleLabel, 'wrap')}>{footer}</span>}
      {shown.buttons ? <Buttons buttons={shown.buttons} /> : null}
      {shown.sections ? <Sections label={shown.buttonText ?? ''} sections={shown.sections} /> : null}
      {shown.cards ? <Cards cards={shown.cards} /> : null}
    </div>
  )
}

function Buttons({ buttons }: { buttons: readonly (Partial<ReplyButton> & CtaButton)[] }) {
  return (
    <ul className={css.taps}>
      {buttons.map((button, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a button is its position
        <li key={index}>
          <span className="wrap">
            {
              (
                button.buttonText ??
                button.urlButton ??
                button.callButton ??
                button.copyButton ??
                button.replyButton
              )?.displayText
            }
          </span>
          <span className={css.tapTarget}>
            {button.urlButton?.url ??
              button.callButton?.phoneNumber ??
              button.copyButton?.copyCode ??
              button.replyButton?.buttonId ??
              button.buttonId}
          </span>
        </li>
      ))}
    </ul>
  )
}

const Sections = ({
  label,
  sections,
}: {
  label: string
  sections: NonNullable<InteractiveContent['sections']>
}) => (
  <details className={css.sections}>
    <summary>{label}</summary>
    {sections.map((section) => (
      <div key={section.rows[0]?.rowId}>
        {section.title === undefined ? null : <span className={css.bubbleLabel}>{section.title}</span>}
        <ul className={css.taps}>
          {section.rows.map((row) => (
            <li key={row.rowId}>
              <span className="wrap">{row.title}</span>
              <span className={css.tapTarget}>{row.rowId}</span>
              {row.description === undefined ? null : <span className={css.tapMore}>{row.description}</span>}
            </li>
          ))}
        </ul>
      </div>
    ))}
  </details>
)

const Cards = ({ cards }: { cards: NonNullable<InteractiveContent['cards']> }) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and so must be reachable by keyboard
  <ul className={css.cards} tabIndex={0}>
    {cards.map((card, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- a card is its position
      <li key={index}>
        <span className={classNames(css.cardPicture, 'wrap')}>{card.header.mediaUrl}</span>
        <MessageText text={card.body} />
        <Buttons buttons={card.buttons} />
      </li>
    ))}
  </ul>
)
