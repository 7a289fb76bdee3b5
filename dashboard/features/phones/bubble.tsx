// One message on a phone, with its status and actions.

import { useState } from 'react'
import { chatTexts } from '../../chat/texts/chat-texts.ts'
import { Ticks } from '../../chat/ticks.tsx'
import { useTimes } from '../../chat/times.ts'
import { classNames } from '../../ui/class-names.ts'
import { useTexts } from '../../ui/language.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import css from './bubble.module.css'
import glyphCss from './glyph.module.css'
import { Glyph } from './glyph.tsx'
import { MessageBody } from './message-body.tsx'
import { useNames, type WorldMessage } from './sandbox-queries.ts'
import { phoneTexts } from './texts/phone-texts.ts'
import { isPinnedNow, useTimers } from './timers.ts'

const ButtonRow = onDemand(async () => (await import('./interactive.tsx')).ButtonRow)
const CarouselCards = onDemand(async () => (await import('./interactive.tsx')).CarouselCards)
const MessageActions = onDemand(async () => (await import('./message-actions.tsx')).MessageActions)

export interface BubbleProps {
  number: string
  message: WorldMessage
  showsAuthor: boolean
  /** Whether the phone is an admin of the group. */
  isAdmin: boolean
  onAnswer(): void
}

export function Bubble({ number, message, showsAuthor, isAdmin, onAnswer }: BubbleProps) {
  const t = useTexts(phoneTexts)
  const names = useNames()
  const [isOpen, setOpen] = useState(false)
  const side = message.fromMe ? 'mine' : 'theirs'
  const interactive = !message.deleted && message.interactive
  if (!message.visible) return <p className={classNames(css.phoneDay, css.hiddenMessage)}>{t.invisible}</p>
  if (message.kind === 'disappearing') return <TimerNotice seconds={message.seconds ?? 0} />
  return (
    <div className={classNames(css.bubbleRow, css[side])} data-author={side} data-message={message.id}>
      <div className={css.bubbleLine}>
        <div className={classNames(css.phoneBubble, css[side])}>
          {message.forwarded && !message.deleted ? (
            <div className={css.forwarded}>
              <Glyph name="forward" /> {t.act.forwarded}
            </div>
          ) : null}
          {showsAuthor ? <div className={css.author}>{names(message.from)}</div> : null}
          {message.quoted ? <Quote text={message.quoted.text} /> : null}
          {message.deleted ? (
            <em className="muted">{t.deleted}</em>
          ) : (
            <MessageBody number={number} message={message} />
          )}
          <Foot message={message} />
        </div>
        {message.deleted ? null : (
          <button
            type="button"
            className={classNames(glyphCss.glyphButton, css.bubbleMore)}
            aria-label={t.actions}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <Glyph name="more" />
          </button>
        )}
      </div>
      <Reactions message={message} />
      {interactive ? <ButtonRow number={number} message={message} /> : null}
      {interactive ? <CarouselCards number={number} message={message} /> : null}
      {isOpen ? (
        <MessageActions
          number={number}
          message={message}
          isAdmin={isAdmin}
          onAnswer={onAnswer}
          onDone={() => setOpen(false)}
        />
      ) : null}
    </div>
  )
}

/** A line in the chat about a changed timer. */
function TimerNotice({ seconds }: { seconds: number }) {
  const t = useTexts(phoneTexts)
  const { nameOf } = useTimers()
  return (
    <p className={css.phoneDay}>
      {seconds === 0 ? t.timers.stopped : t.timers.changed(nameOf(seconds) ?? `${seconds} s`)}
    </p>
  )
}

const Quote = ({ text }: { text: string | null }) => (
  <blockquote className={css.quote}>{text ?? '…'}</blockquote>
)

function Foot({ message }: { message: WorldMessage }) {
  const t = useTexts(phoneTexts)
  const chat = useTexts(chatTexts)
  const times = useTimes()
  return (
    <span className={css.phoneBubbleFoot}>
      {isPinnedNow(message) ? <Glyph name="tack" label={t.act.pinned} /> : null}
      {message.starred ? <Glyph name="star" label={t.act.starred} /> : null}
      {message.expiresAfterSeconds ? <Glyph name="clock" label={t.act.expires} /> : null}
      {message.edited ? `${t.edited} ` : null}
      <time>{times.time(message.timestamp * 1000)}</time>
      {message.fromMe && message.status !== 'received' ? (
        <Ticks status={message.status} label={chat.statuses[message.status]} />
      ) : null}
    </span>
  )
}

function Reactions({ message }: { message: WorldMessage }) {
  const names = useNames()
  const reactions = Object.entries(message.reactions ?? {})
  if (reactions.length === 0) return null
  return (
    <ul className={css.phoneReactions}>
      {reactions.map(([who, emoji]) => (
        <li key={who} title={names(who)}>
          {emoji}
          <span className="sr-only"> {names(who)}</span>
        </li>
      ))}
    </ul>
  )
}
