// One message on a phone: who, what, when and its ticks; and what a person can do with it.
import { useMemo, useState } from 'react'
import { api } from '../api.ts'
import { useLocale, useTexts } from '../language.tsx'
import { phoneTexts } from '../texts/phone.ts'
import { AreaField } from '../ui/area-field.tsx'
import { Button } from '../ui/button.tsx'
import { Form } from '../ui/fields.tsx'
import { useAct, useNames, type WorldMessage } from '../world.ts'
import { Glyph, Ticks } from './glyph.tsx'
import { ButtonRow, CarouselCards } from './interactive.tsx'
import { MessageBody } from './message-body.tsx'

const EMOJI = ['👍', '❤️', '😂', '😮', '🙏']

export interface BubbleProps {
  number: string
  message: WorldMessage
  showsAuthor: boolean
  onAnswer(): void
}

export function Bubble({ number, message, showsAuthor, onAnswer }: BubbleProps) {
  const t = useTexts(phoneTexts)
  const names = useNames()
  const [open, setOpen] = useState<'actions' | 'edit'>()
  const side = message.fromMe ? 'mine' : 'theirs'
  if (!message.visible) return <p className="phone-day hidden-message">{t.invisible}</p>
  return (
    <div className={`bubble-row ${side}`} data-message={message.id}>
      <div className="bubble-line">
        <div className={`phone-bubble ${side} kind-${message.deleted ? 'deleted' : message.kind}`}>
          {showsAuthor ? <div className="author">{names(message.from)}</div> : null}
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
            className="glyph-button bubble-more"
            aria-label={t.actions}
            aria-expanded={open !== undefined}
            onClick={() => setOpen(open === undefined ? 'actions' : undefined)}
          >
            <Glyph name="more" />
          </button>
        )}
      </div>
      <Reactions message={message} />
      {message.deleted ? null : <ButtonRow number={number} message={message} />}
      {message.deleted ? null : <CarouselCards number={number} message={message} />}
      {open === 'actions' ? (
        <Actions
          number={number}
          message={message}
          onAnswer={onAnswer}
          onEdit={() => setOpen('edit')}
          onDone={() => setOpen(undefined)}
        />
      ) : null}
      {open === 'edit' ? (
        <EditForm number={number} message={message} onDone={() => setOpen(undefined)} />
      ) : null}
    </div>
  )
}

const Quote = ({ text }: { text: string | null }) => <blockquote className="quote">{text ?? '…'}</blockquote>

function Foot({ message }: { message: WorldMessage }) {
  const t = useTexts(phoneTexts)
  const locale = useLocale()
  const time = useMemo(() => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }), [locale])
  return (
    <span className="phone-bubble-foot">
      {message.edited ? `${t.edited} ` : null}
      <time>{time.format(message.timestamp * 1000)}</time>
      {message.fromMe && message.status !== 'received' ? (
        <Ticks status={message.status} label={t.ticks[message.status]} />
      ) : null}
    </span>
  )
}

function Reactions({ message }: { message: WorldMessage }) {
  const names = useNames()
  const reactions = Object.entries(message.reactions ?? {})
  if (reactions.length === 0) return null
  return (
    <ul className="phone-reactions">
      {reactions.map(([who, emoji]) => (
        <li key={who} title={names(who)}>
          {emoji}
          <span className="sr-only"> {names(who)}</span>
        </li>
      ))}
    </ul>
  )
}

function Actions({
  number,
  message,
  onAnswer,
  onEdit,
  onDone,
}: Omit<BubbleProps, 'showsAuthor'> & { onEdit(): void; onDone(): void }) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const own = message.reactions?.[number]
  const params = { number }
  const react = (emoji: string) =>
    act(api.sandboxReact({ params, body: { messageId: message.id, emoji } }), onDone)
  return (
    <div className="bubble-actions">
      {EMOJI.map((emoji) => (
        <button
          key={emoji}
          type="button"
          aria-label={own === emoji ? t.unreact : t.react(emoji)}
          aria-pressed={own === emoji}
          onClick={() => react(own === emoji ? '' : emoji)}
        >
          {emoji}
        </button>
      ))}
      <button
        type="button"
        onClick={() => {
          onAnswer()
          onDone()
        }}
      >
        <Glyph name="reply" /> {t.reply}
      </button>
      {message.fromMe && message.kind === 'text' ? (
        <button type="button" onClick={onEdit}>
          <Glyph name="pen" /> {t.edit}
        </button>
      ) : null}
      {message.fromMe ? (
        <button
          type="button"
          onClick={() => act(api.sandboxRemove({ params, body: { messageId: message.id } }), onDone)}
        >
          <Glyph name="none" /> {t.remove}
        </button>
      ) : null}
    </div>
  )
}

function EditForm({ number, message, onDone }: Pick<BubbleProps, 'number' | 'message'> & { onDone(): void }) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const [text, setText] = useState(message.text ?? '')
  const body = { messageId: message.id, text }
  return (
    <Form onSubmit={() => act(api.sandboxEdit({ params: { number }, body }), onDone)}>
      <AreaField label={t.newText} bare value={text} onChange={setText} />
      <div className="row end">
        <Button small onClick={onDone}>
          {t.cancel}
        </Button>
        <Button small kind="primary" submit disabled={text.trim() === '' || text === message.text}>
          {t.edit}
        </Button>
      </div>
    </Form>
  )
}
