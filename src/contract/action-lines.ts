// The parts of a message that a person can press, as lines of text: for those who read a message, or decide about it, without seeing it.
interface Button {
  buttonId?: unknown
  buttonText?: { displayText?: unknown }
  urlButton?: { displayText?: unknown; url?: unknown }
  callButton?: { displayText?: unknown; phoneNumber?: unknown }
  copyButton?: { displayText?: unknown; copyCode?: unknown }
  replyButton?: { displayText?: unknown; buttonId?: unknown }
}
interface Row {
  title?: unknown
  description?: unknown
  rowId?: unknown
}
interface Section {
  title?: unknown
  rows?: readonly Row[]
}
interface Card {
  header?: { mediaUrl?: unknown }
  body?: unknown
  buttons?: readonly Button[]
}
interface Interactive {
  title?: unknown
  footer?: unknown
  footerText?: unknown
  buttonText?: unknown
  buttons?: readonly Button[]
  sections?: readonly Section[]
  cards?: readonly Card[]
}

/** Of stored content, sent or received: title and footer, each button with what it does, each row, and a payment key. */
export function actionLines(content: Record<string, unknown>): string[] {
  const { interactive, merchantName, keyType, key } = content
  if (isText(key)) return lines(['pix', [merchantName, keyType, key].filter(isText).join(': ')])
  if (typeof interactive !== 'object' || interactive === null) return []
  const { title, footer, footerText, buttonText, buttons, sections, cards } = interactive as Interactive
  return [
    ...lines(['title', title]),
    ...(buttons ?? []).flatMap(ofButton),
    ...lines(['menu', buttonText]),
    ...(sections ?? []).flatMap(ofSection),
    ...(cards ?? []).flatMap(ofCard),
    ...lines(['footer', footer ?? footerText]),
  ]
}

type Line = readonly [name: string, value: unknown]
const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const lines = (...given: Line[]): string[] =>
  given.flatMap(([name, value]) => (isText(value) ? [`[${name}] ${value}`] : []))

function ofButton({
  buttonId,
  buttonText,
  urlButton,
  callButton,
  copyButton,
  replyButton,
}: Button): string[] {
  const does = (name: string, label: unknown, value: unknown) => [
    `[${name}] ${[label, value].filter(isText).join(': ')}`,
  ]
  if (urlButton) return does('open', urlButton.displayText, urlButton.url)
  if (callButton) return does('call', callButton.displayText, callButton.phoneNumber)
  if (copyButton) return does('copy', copyButton.displayText, copyButton.copyCode)
  if (replyButton) return does('reply', replyButton.displayText, replyButton.buttonId)
  return does('reply', buttonText?.displayText, buttonId)
}

const ofRow = ({ title, description, rowId }: Row): string =>
  `[row] ${[title, description, rowId].filter(isText).join(': ')}`

const ofSection = ({ title, rows = [] }: Section): string[] =>
  lines(['section', title]).concat(rows.map(ofRow))

const ofCard = ({ header, body, buttons = [] }: Card, index: number): string[] =>
  lines([`card ${index + 1}`, body], ['picture', header?.mediaUrl]).concat(buttons.flatMap(ofButton))
