// Builds the request body, and the equivalent curl command, from the draft of a form, and the calls that send files with a text.
import type { RouteId } from '../../../../src/contract/routes.ts'
import { type Field, type ListField, optionsOf, type SendForm, type SentAs } from './send-forms.ts'

/** The values of a form by field path. Each entry of a list is a draft. */
export interface FormDraft {
  [path: string]: string | FormDraft[]
}

/** An empty draft, with the minimum number of entries in each list. */
export function emptyDraft(fields: readonly Field[], position = 0): FormDraft {
  const draft: FormDraft = {}
  for (const field of fields) {
    if (field.input === 'fixed') continue
    if (field.input === 'choice') draft[field.path] = field.choices[0] ?? ''
    else if (field.input === 'list') {
      draft[field.path] = Array.from({ length: field.min }, (_, index) => emptyDraft(field.fields, index))
    } else if (field.input === 'flag' || field.input === 'file') draft[field.path] = ''
    else {
      const { initial = '', suggestion } = field
      draft[field.path] = suggestion === undefined ? initial : `${suggestion}-${position + 1}`
    }
  }
  return draft
}

/** Suggested values are unique among the existing entries. */
export function newEntry(field: ListField, entries: readonly FormDraft[]): FormDraft {
  for (let position = entries.length; ; position += 1) {
    const entry = emptyDraft(field.fields, position)
    const isTaken = field.fields.some(
      (part) =>
        part.input !== 'fixed' &&
        'suggestion' in part &&
        part.suggestion !== undefined &&
        entries.some((other) => other[part.path] === entry[part.path]),
    )
    if (!isTaken) return entry
  }
}

export const isRequested = (field: Field, draft: FormDraft): boolean =>
  field.only === undefined || field.only.slice(1).some((choice) => choice === draft[field.only?.[0] ?? ''])

type Json = Record<string, unknown>

export interface SendRecipient {
  instanceName: string
  /** Empty for a status. */
  to: { chat: string } | { groupJid: string } | { chat?: never; groupJid?: never }
}

/** What a message refers to. */
export interface References {
  quotedMessageId?: string
  mentions?: readonly string[]
}

/** The request body. Empty optional fields are omitted; empty required fields stay, so that the API reports them. */
export function bodyOf(
  form: SendForm,
  draft: FormDraft,
  { instanceName, to }: SendRecipient,
  delay: string,
  references: References = {},
): Json {
  const fields = [...form.fields, ...optionsOf(form)]
  const body: Json = { instanceName, ...to, ...partOf(fields, draft, 0), ...references }
  return delay.trim() === '' ? body : { ...body, delay: numberOf(delay) }
}

function partOf(fields: readonly Field[], draft: FormDraft, position: number): Json {
  const part: Json = {}
  for (const field of fields) {
    if (!isRequested(field, draft)) continue
    const path = field.input === 'file' && isUploaded(field, draft) ? field.id : field.path
    const value = valueOf(field, draft[path], position)
    if (value !== undefined) put(part, path.split('.'), value)
  }
  return part
}

export const isUploaded = ({ id }: { id: string }, draft: FormDraft): boolean =>
  draft[id] !== undefined && draft[id] !== ''

function valueOf(field: Field, filled: string | FormDraft[] | undefined, position: number): unknown {
  if (field.input === 'fixed') return typeof field.value === 'object' ? position : field.value
  if (field.input === 'list') {
    const entries = Array.isArray(filled) ? filled : []
    return entries.map((entry, index) => entryOf(field, entry, index))
  }
  const text = typeof filled === 'string' ? filled : ''
  if (field.input === 'choice') return field.local || text === field.omitted ? undefined : text
  if (field.input === 'flag') return text === '' ? undefined : true
  if (field.input === 'file') return text
  if (text.trim() === '') return field.required && field.input !== 'number' ? '' : undefined
  if (field.input === 'moment') return momentOf(text)
  return field.input === 'number' ? numberOf(text) : text
}

/** The input has the time of the reader's clock; the API takes it in UTC. */
function momentOf(text: string): string {
  const moment = new Date(text)
  return Number.isNaN(moment.getTime()) ? text : moment.toISOString()
}

/** An entry with a single value becomes that value. */
function entryOf(field: ListField, entry: FormDraft, index: number): unknown {
  const [only] = field.fields
  if (only?.path === '') return valueOf(only, entry[''], index)
  return partOf(field.fields, entry, index)
}

/** Text that is not a number is sent unchanged, so that the API rejects it. */
function numberOf(text: string): number | string {
  const value = Number(text.trim().replace(',', '.'))
  return Number.isFinite(value) ? value : text
}

function put(part: Json, [first = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) part[first] = value
  else put((part[first] ??= {}) as Json, rest, value)
}

/** The path of a field in error details, such as `interactive.buttons.0.buttonId`. */
export const joinPath = (...parts: (string | number)[]): string =>
  parts.filter((part) => part !== '').join('.')

/** The request as a shell command. In single quotes only the quote itself needs escaping. */
export function curlOf(origin: string, path: string, body: unknown): string {
  const quoted = JSON.stringify(body, undefined, 2).replaceAll("'", String.raw`'\''`)
  return [
    `curl -X POST '${origin}/api/v1${path}' \\`,
    '  -H "Authorization: Bearer $API_KEY" \\',
    "  -H 'Content-Type: application/json' \\",
    `  -d '${quoted}'`,
  ].join('\n')
}

/** All paths that have a field, to find errors that belong to none. */
export function pathsOf(fields: readonly Field[], draft: FormDraft, at = ''): Set<string> {
  const paths = new Set<string>()
  for (const field of fields) {
    if (field.input === 'fixed' || !isRequested(field, draft)) continue
    const path = joinPath(at, field.path)
    paths.add(path)
    if (field.input === 'file') paths.add(joinPath(at, field.id))
    const entries = draft[field.path]
    if (field.input !== 'list' || !Array.isArray(entries)) continue
    for (const [index, entry] of entries.entries()) {
      for (const inner of pathsOf(field.fields, entry, joinPath(path, index))) paths.add(inner)
    }
  }
  return paths
}

// One call that sends a message, with what the page shows of it until the gateway has taken it.

export interface SendRequest {
  instanceName: string
  chat: string
  route: RouteId
  /** Relative to the base URL, for the view of the API request. */
  path: string
  body: Record<string, unknown>
  /** The text or the caption; empty if it has none. */
  text: string
}

// Files that are sent together with a text: which calls send them.

/** A file that was uploaded. */
export interface ReadyFile {
  mediaId: string
  type: SentAs
  fileName: string
}

/** An album of the API has up to 30 files; an album has at least two. */
const MOST_IN_ALBUM = 30

interface FilesToSend {
  /** The chat that shows them. */
  chat: string
  files: readonly ReadyFile[]
  caption: string
  recipient: SendRecipient
  /** Fields that every send takes, such as `quotedMessageId` and `sendAt`. */
  common: Readonly<Record<string, unknown>>
  /** Typing delay in milliseconds; albums have none. */
  delay?: unknown
}

const isShownTogether = ({ type }: ReadyFile): boolean => type === 'image' || type === 'video'

/** Pictures and videos next to each other become albums. */
function grouped(files: readonly ReadyFile[]): ReadyFile[][] {
  const groups: ReadyFile[][] = []
  for (const file of files) {
    const last = groups.at(-1)
    const fits =
      last?.[0] !== undefined &&
      isShownTogether(last[0]) &&
      isShownTogether(file) &&
      last.length < MOST_IN_ALBUM
    if (fits) last.push(file)
    else groups.push([file])
  }
  return groups
}

/**
 * The calls in their order. The caption belongs to the first file that can have one; a text of its own is sent if there is none. A
 * reply quotes with the first call only.
 */
export function requestsFor({ chat, files, caption, recipient, common, delay }: FilesToSend): SendRequest[] {
  const { instanceName, to } = recipient
  const { quotedMessageId, mentions, ...everywhere } = common
  const captioned = caption === '' ? undefined : files.find(({ type }) => type !== 'audio')
  const extra = (isFirst: boolean, hasCaption: boolean) => ({
    ...everywhere,
    ...(isFirst && quotedMessageId !== undefined && { quotedMessageId }),
    ...(hasCaption && mentions !== undefined && { mentions }),
  })
  const messageOf = (file: ReadyFile) => (file === captioned ? { message: caption } : {})
  const requests = grouped(files).map((group, index): SendRequest => {
    const hasCaption = captioned !== undefined && group.includes(captioned)
    const shared = { instanceName, ...to, ...extra(index === 0, hasCaption) }
    const text = hasCaption ? caption : group.map(({ fileName }) => fileName).join(', ')
    const [first] = group
    if (group.length > 1 || !first) {
      const albumFiles = group.map((file) => ({ ...file, ...messageOf(file) }))
      const body = { ...shared, files: albumFiles }
      return { instanceName, chat, route: 'sendAlbum', path: '/send/album', body, text }
    }
    const body = { ...shared, ...first, ...messageOf(first), ...(delay !== undefined && { delay }) }
    return { instanceName, chat, route: 'sendMedia', path: '/send/media', body, text }
  })
  if (caption === '' || captioned) return requests
  const body = { instanceName, ...to, ...extra(false, true), type: 'text', message: caption }
  return [...requests, { instanceName, chat, route: 'sendText', path: '/send/text', body, text: caption }]
}
