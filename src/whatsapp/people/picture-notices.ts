// Notices of the network that a picture was set or removed. They are read from the stanza: the library's event has no author, and while
// the library buffers events it merges the notice into other news of the same contact.

import type { NetworkEvent } from '../../network/network.ts'
import { type BinaryNode, getBinaryNodeChild, isJidGroup, jidNormalizedUser } from '../library/protocol.ts'
import { toKnownPerson } from './identifiers.ts'

/** How long after the start of a change by this account its notice may arrive. */
const ECHO_MS = 60_000

export type PictureNotice = Extract<NetworkEvent, { kind: 'picture' }>

export interface PictureNotices {
  /** The change in a stanza; undefined: it has none, or it is the notice of a change by this account. */
  read(stanza: BinaryNode): PictureNotice | undefined
  /** This session changes the picture of a group now, and reports it itself. The notice of the network may come before the answer. */
  noteOwn(jid: string): void
  /** The change was refused. */
  forgetOwn(jid: string): void
}

export function createPictureNotices(isMe: (jid: string) => boolean, clock: () => number): PictureNotices {
  const own = new Map<string, number>()
  return {
    read(stanza) {
      const notice = toPictureNotice(stanza)
      if (!notice?.author || !isMe(notice.author.jid)) return notice
      const isEcho = (own.get(notice.jid) ?? 0) > clock()
      own.delete(notice.jid)
      return isEcho ? undefined : notice
    },
    noteOwn: (jid) => void own.set(jid, clock() + ECHO_MS),
    forgetOwn: (jid) => void own.delete(jid),
  }
}

/** The author is reported for a group only. */
function toPictureNotice(stanza: BinaryNode): PictureNotice | undefined {
  const { tag, attrs } = stanza
  if (tag !== 'notification' || attrs.type !== 'picture' || !attrs.from) return undefined
  const set = getBinaryNodeChild(stanza, 'set')
  const author = (set ?? getBinaryNodeChild(stanza, 'delete'))?.attrs.author
  const isGroup = isJidGroup(attrs.from)
  return {
    kind: 'picture',
    jid: jidNormalizedUser(attrs.from),
    change: set ? 'set' : 'removed',
    author: (isGroup && author && toKnownPerson({ id: jidNormalizedUser(author) })) || null,
  }
}
