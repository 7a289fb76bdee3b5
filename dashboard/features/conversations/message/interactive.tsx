// Interactive messages as the recipient sees them, without their actions.

import { classNames } from '../../../ui/class-names.ts'
import type { Message } from '../model/message-fields.ts'
import css from './message-content.module.css'
import { MessageText } from './message-text.tsx'

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
interface Content {
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

export function Interactive({ content }: { content: Message['content'] }) {
  const shown = (content.interactive ?? {}) as Content
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

const Sections = ({ label, sections }: { label: string; sections: NonNullable<Content['sections']> }) => (
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

const Cards = ({ cards }: { cards: NonNullable<Content['cards']> }) => (
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
