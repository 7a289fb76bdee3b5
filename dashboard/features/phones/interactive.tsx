// Interactive parts of a message: reply buttons, links, calls, lists and carousels.

import { useState } from 'react'
import { FormattedText } from '../../chat/formatted-text.tsx'
import { addressOf, api } from '../../gateway/api.ts'
import { Button } from '../../ui/button.tsx'
import { useTexts } from '../../ui/language.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { Glyph } from './glyph.tsx'
import css from './interactive.module.css'
import { useAct, type WorldMessage } from './sandbox-queries.ts'
import { Sheet } from './sheet.tsx'
import { phoneTexts } from './texts/phone-texts.ts'

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
    <div className={css.tapButtons}>
      {buttons.map((button, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a button is its position
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
        className={css.tapButton}
        href={url}
        target="_blank"
        rel="noopener noreferrer"
        aria-label={t.opensUrl(text, url)}
      >
        <Glyph name="open" /> {text}
      </a>
    )
  }
  const copy = () => act(navigator.clipboard.writeText(id), () => toasts.done(t.copied(id)))
  const taps: Record<TapButton['type'], (() => void) | undefined> = {
    reply: () => act(api.sandboxTap({ params: { number }, body: { messageId, buttonId: id } })),
    call: () => toasts.done(t.calls(phoneNumber)),
    copy,
    pix: copy,
    url: undefined,
    other: undefined,
  }
  const glyphs = {
    reply: 'reply',
    call: 'call',
    copy: 'copy',
    pix: 'copy',
    url: 'open',
    other: 'more',
  } as const
  return (
    <button type="button" className={css.tapButton} disabled={taps[type] === undefined} onClick={taps[type]}>
      <Glyph name={glyphs[type]} /> {type === 'pix' ? `PIX · ${text} · ${id}` : text}
    </button>
  )
}

function ListButton({ number, message, list }: Props & { list: Interactive }) {
  const t = useTexts(phoneTexts)
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={css.tapButtons}>
      <button type="button" className={css.tapButton} aria-haspopup="dialog" onClick={() => setOpen(true)}>
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
        <fieldset key={section.title} className={css.listSection}>
          <legend>{section.title}</legend>
          {section.rows.map((row) => (
            <label key={row.rowId} className={css.listRow}>
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
    // It scrolls sideways, so it must be focusable.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <ul className={css.phoneCards} aria-label={t.cards} tabIndex={0}>
      {cards.map((card, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a card is its position
        <li key={index} className={css.swipeCard}>
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
          <div className={css.swipeWords}>
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
