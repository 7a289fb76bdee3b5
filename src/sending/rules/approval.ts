// The rules for sends that a person has to approve: until when they wait, on which day a send counts, and which text of them can be edited.
import { isStatusJid } from '../../network/jid.ts'
import { firstLink } from '../../rules/link-preview.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** How long a send waits for its approval, counted from the time at which it would have been sent. */
export const APPROVAL_MS = DAY_MS

export const APPROVAL_EXPIRED = 'The send was not approved in time.'

/** A scheduled send can be approved until a day after its time, and no send after its own end. */
export const approvalDeadline = (
  { sendAt, expiresAt }: { sendAt: number | null; expiresAt: number | null },
  now: number,
): number => Math.min(expiresAt ?? Infinity, (sendAt ?? now) + APPROVAL_MS)

/** The day that a send is counted in, by UTC. */
export const dayOf = (now: number): number => now - (now % DAY_MS)

/** Seconds until sends are counted from 0 again. */
export const secondsToNextDay = (now: number): number => Math.ceil((dayOf(now) + DAY_MS - now) / 1000)

/** The field with the text of each kind, and how long the text may be, as when the send is accepted. */
interface TextField {
  /** With a dot before the name of a field inside. */
  field: 'message' | 'pollName' | 'interactive.body' | 'interactive.text'
  minLength: 0 | 1
  maxLength: number
}
const caption: TextField = { field: 'message', minLength: 0, maxLength: 1024 }
const aboveButtons: TextField = { field: 'interactive.body', minLength: 1, maxLength: 1024 }
const TEXT_FIELDS: Readonly<Record<string, TextField>> = {
  text: { field: 'message', minLength: 1, maxLength: 65_536 },
  edit: { field: 'message', minLength: 1, maxLength: 65_536 },
  image: caption,
  video: caption,
  document: caption,
  poll: { field: 'pollName', minLength: 1, maxLength: 1024 },
  button: aboveButtons,
  cta: aboveButtons,
  carousel: aboveButtons,
  list: { field: 'interactive.text', minLength: 1, maxLength: 1024 },
}
const STATUS_TEXT_MAX = 700

interface Send {
  kind: string
  chat: string
  content: Record<string, unknown>
}

/** The text that an approver can edit; null: the send has none. A forwarded message is sent as it was, so that its text cannot change. */
export function editableText({ kind, chat, content }: Send): (TextField & { value: string }) | null {
  const known = Object.hasOwn(TEXT_FIELDS, kind) ? TEXT_FIELDS[kind] : undefined
  if (!known || content.forwardOf !== undefined) return null
  const [outer = '', inner] = known.field.split('.')
  const found = inner === undefined ? content[outer] : (content[outer] as Record<string, unknown>)?.[inner]
  const isStatusText = kind === 'text' && isStatusJid(chat)
  const maxLength = isStatusText ? STATUS_TEXT_MAX : known.maxLength
  return { ...known, maxLength, value: typeof found === 'string' ? found : '' }
}

export interface ContentEdit {
  text: string | null
  content: Record<string, unknown>
}

/** The content with the text of the approver; undefined: nothing is changed. A refusal says what is wrong with the text. */
export function editContent(send: Send, text: string): ContentEdit | { refused: string } | undefined {
  const known = editableText(send)
  if (!known) return { refused: 'this message has no text that can be edited' }
  if (text.length < known.minLength) return { refused: 'must not be empty' }
  if (text.length > known.maxLength) return { refused: `expected at most ${known.maxLength} characters` }
  if (text === known.value) return undefined
  const { content } = send
  const [outer = '', inner] = known.field.split('.')
  const changed = inner === undefined ? text : { ...(content[outer] as object), [inner]: text }
  const { [outer]: _before, ...others } = content
  // A caption that was removed is absent, as in a request without one.
  if (text === '') return { text: null, content: others }
  return { text, content: { ...content, [outer]: changed, ...previewAfter(content, known.value, text) } }
}

/** The approver has seen the preview of the first link. Another link is sent without one, because its page was not seen. */
const previewAfter = (content: Send['content'], before: string, after: string) =>
  content.linkPreview === true && firstLink(before) !== firstLink(after) ? { preview: null } : {}
