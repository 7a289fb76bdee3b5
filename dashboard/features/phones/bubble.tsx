// One message on a phone, with its status and actions.

import { useState } from 'react'
import { chatTexts } from '../../chat/texts/chat-texts.ts'
import { Ticks } from '../../chat/ticks.tsx'
import { useTimes } from '../../chat/times.ts'
import { api } from '../../gateway/api.ts'
import { AreaField } from '../../ui/area-field.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Form } from '../../ui/fields.tsx'
import { useTexts } from '../../ui/language.tsx'
import css from './bubble.module.css'
import glyphCss from './glyph.module.css'
import { Glyph } from './glyph.tsx'
import { ButtonRow, CarouselCards } from './interactive.tsx'
import { MessageBody } from './message-body.tsx'
import { useAct, useNames, type WorldMessage } from './sandbox-queries.ts'
import { phoneTexts } from './texts/phone-texts.ts'

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
  if (!message.visible) return <p className={classNames(css.phoneDay, css.hiddenMessage)}>{t.invisible}</p>
  return (
    <div className={classNames(css.bubbleRow, css[side])} data-author={side} data-message={message.id}>
      <div className={css.bubbleLine}>
        <div className={classNames(css.phoneBubble, css[side])}>
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

const Quote = ({ text }: { text: string | null }) => (
  <blockquote className={css.quote}>{text ?? '…'}</blockquote>
)

function Foot({ message }: { message: WorldMessage }) {
  const t = useTexts(phoneTexts)
  const chat = useTexts(chatTexts)
  const times = useTimes()
  return (
    <span className={css.phoneBubbleFoot}>
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
    <div className={css.bubbleActions}>
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
