// Files that are sent together with a text: which calls send them.
import type { SendRecipient, SendRequest } from './send-body.ts'
import type { SentAs } from './send-forms.ts'

/** A file that was uploaded. */
export interface ReadyFile {
  mediaId: string
  type: SentAs
  fileName: string
}

/** An album of the API has up to 30 files; an album has at least two. */
const MOST_IN_ALBUM = 30

export interface FilesToSend {
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
