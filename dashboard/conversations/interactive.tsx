// Messages with something to tap, drawn as the recipient has them; here nothing happens on a tap.
import type { Message } from './conversation.ts'
import { FormattedText } from './formatted-text.tsx'

interface ReplyButton {
  buttonText: { displayText: string }
  buttonId: string
}
interface CtaButton {
  urlButton?: { displayText: string; url: string }
  callButton?: { displayText: string; phoneNumber: string }
}
/** All four kinds together; each has its own part of it (spec 4.1). */
interface Content {
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
    <div className="interactive">
      {shown.title === undefined ? null : <strong className="wrap">{shown.title}</strong>}
      <FormattedText text={shown.body ?? shown.text ?? ''} />
      {footer === undefined ? null : <span className="bubble-label wrap">{footer}</span>}
      {shown.buttons ? <Buttons buttons={shown.buttons} /> : null}
      {shown.sections ? <Sections label={shown.buttonText ?? ''} sections={shown.sections} /> : null}
      {shown.cards ? <Cards cards={shown.cards} /> : null}
    </div>
  )
}

function Buttons({ buttons }: { buttons: readonly (Partial<ReplyButton> & CtaButton)[] }) {
  return (
    <ul className="taps">
      {buttons.map((button, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a button is its place
        <li key={index}>
          <span className="wrap">
            {button.buttonText?.displayText ??
              button.urlButton?.displayText ??
              button.callButton?.displayText}
          </span>
          <span className="tap-target">
            {button.urlButton?.url ?? button.callButton?.phoneNumber ?? button.buttonId}
          </span>
        </li>
      ))}
    </ul>
  )
}

const Sections = ({ label, sections }: { label: string; sections: NonNullable<Content['sections']> }) => (
  <details className="sections">
    <summary>{label}</summary>
    {sections.map((section) => (
      <div key={section.rows[0]?.rowId}>
        {section.title === undefined ? null : <span className="bubble-label">{section.title}</span>}
        <ul className="taps">
          {section.rows.map((row) => (
            <li key={row.rowId}>
              <span className="wrap">{row.title}</span>
              <span className="tap-target">{row.rowId}</span>
              {row.description === undefined ? null : <span className="tap-more">{row.description}</span>}
            </li>
          ))}
        </ul>
      </div>
    ))}
  </details>
)

const Cards = ({ cards }: { cards: NonNullable<Content['cards']> }) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and so must be reachable by keyboard
  <ul className="cards" tabIndex={0}>
    {cards.map((card, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- a card is its place
      <li key={index}>
        <span className="card-picture wrap">{card.header.mediaUrl}</span>
        <FormattedText text={card.body} />
        <Buttons buttons={card.buttons} />
      </li>
    ))}
  </ul>
)
