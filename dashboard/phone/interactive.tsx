// What can be tapped below a message: reply buttons, links and calls, the sheet of a list, and the cards of a carousel.
import { useState } from 'react'
import { addressOf, api } from '../api.ts'
import { useTexts } from '../language.tsx'
import { phoneTexts } from '../texts/phone.ts'
import { Button } from '../ui/button.tsx'
import { useToasts } from '../ui/toast.tsx'
import { useAct, type WorldMessage } from '../world.ts'
import { FormattedText } from './formatted-text.tsx'
import { Glyph } from './glyph.tsx'
import { Sheet } from './sheet.tsx'

interface Props {
  number: string
  message: WorldMessage
}
type Interactive = NonNullable<WorldMessage['interactive']>
type TapButton = NonNullable<Interactive['buttons']>[number]

export function ButtonRow({ number, message }: Props) {
  const { interactive } = message
  if (!interactive) return null
  if (interactive.type === 'list') return <ListButton number={number} message={message} list={interactive} />
  if (!interactive.buttons?.length) return null
  return <TapButtons number={number} messageId={message.id} buttons={interactive.buttons} />
}

function TapButtons({
  number,
  messageId,
  buttons,
}: {
  number: string
  messageId: string
  buttons: TapButton[]
}) {
  return (
    <div className="tap-buttons">
      {buttons.map((button, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a button is its place
        <OneButton key={index} number={number} messageId={messageId} button={button} />
      ))}
    </div>
  )
}

function OneButton({ number, messageId, button }: { number: string; messageId: string; button: TapButton }) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const toasts = useToasts()
  const { type, text, id = '', url = '', phoneNumber = '' } = button
  if (type === 'url' && /^https?:\/\//i.test(url)) {
    return (
      <a
        className="tap-button"
        href={url}
        target="_blank"
        rel="noopener noreferrer"
        aria-label={t.opensUrl(text, url)}
      >
        <Glyph name="open" /> {text}
      </a>
    )
  }
  const taps: Record<TapButton['type'], (() => void) | undefined> = {
    reply: () => act(api.sandboxTap({ params: { number }, body: { messageId, buttonId: id } })),
    call: () => toasts.done(t.calls(phoneNumber)),
    copy: () => act(navigator.clipboard.writeText(id), () => toasts.done(t.copied(id))),
    url: undefined,
    other: undefined,
  }
  const glyphs = { reply: 'reply', call: 'call', copy: 'copy', url: 'open', other: 'more' } as const
  return (
    <button type="button" className="tap-button" disabled={taps[type] === undefined} onClick={taps[type]}>
      <Glyph name={glyphs[type]} /> {text}
    </button>
  )
}

function ListButton({ number, message, list }: Props & { list: Interactive }) {
  const t = useTexts(phoneTexts)
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="tap-buttons">
      <button type="button" className="tap-button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Glyph name="list" /> {list.buttonText || t.openList}
      </button>
      {isOpen ? (
        <ListSheet number={number} messageId={message.id} list={list} onClose={() => setOpen(false)} />
      ) : null}
    </div>
  )
}

interface ListSheetProps {
  number: string
  messageId: string
  list: Interactive
  onClose(): void
}

function ListSheet({ number, messageId, list, onClose }: ListSheetProps) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const [chosen, choose] = useState<string>()
  return (
    <Sheet title={list.buttonText || t.openList} onClose={onClose}>
      {list.sections?.map((section) => (
        <fieldset key={section.title} className="list-section">
          <legend>{section.title}</legend>
          {section.rows.map((row) => (
            <label key={row.rowId} className="list-row">
              <span>
                <strong>{row.title}</strong>
                {row.description ? <small>{row.description}</small> : null}
              </span>
              <input
                type="radio"
                name={`row-${number}-${messageId}`}
                checked={chosen === row.rowId}
                onChange={() => choose(row.rowId)}
              />
            </label>
          ))}
        </fieldset>
      ))}
      <Button
        kind="primary"
        disabled={chosen === undefined}
        onClick={() => {
          if (chosen === undefined) return
          act(api.sandboxTap({ params: { number }, body: { messageId, rowId: chosen } }), onClose)
        }}
      >
        {t.sendChoice}
      </Button>
    </Sheet>
  )
}

export function CarouselCards({ number, message }: Props) {
  const t = useTexts(phoneTexts)
  const cards = message.interactive?.cards
  if (!cards) return null
  return (
    // It scrolls sideways, and so must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <ul className="phone-cards" aria-label={t.cards} tabIndex={0}>
      {cards.map((card, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a card is its place
        <li key={index} className="swipe-card">
          {card.hasImage ? (
            <img
              src={addressOf('sandboxGetMedia', {
                params: { number, id: message.id },
                query: { card: index },
              })}
              alt={card.title ?? t.card(index + 1, cards.length)}
              loading="lazy"
            />
          ) : null}
          <div className="swipe-words">
            {card.title ? <strong>{card.title}</strong> : null}
            {card.body ? <FormattedText text={card.body} /> : null}
            {card.footer ? <small>{card.footer}</small> : null}
          </div>
          <TapButtons number={number} messageId={message.id} buttons={card.buttons} />
        </li>
      ))}
    </ul>
  )
}
