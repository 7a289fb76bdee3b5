// Names of arrivals. They become part of keys in the database, and their parts were chosen by strangers: a part that is long or
// contains other characters is replaced by its hash.
import { createHash } from 'node:crypto'

/** What the network uses in identifiers and message ids. */
const PLAIN = /^[\w.:@+=-]{0,100}$/
const SEPARATOR = '|'
const STANZA_PARTS = 3

export interface StanzaIds {
  from?: string | undefined
  participant?: string | undefined
  id?: string | undefined
}

const plainOrHash = (part: string): string =>
  PLAIN.test(part) ? part : `~${createHash('sha256').update(part).digest('base64url')}`

/** The name of a message as the network delivers it: the same for every delivery. */
export const stanzaName = ({ from = '', participant = '', id = '' }: StanzaIds): string =>
  [from, participant, id].map(plainOrHash).join(SEPARATOR)

/** A part of a message, for example one of its ciphertexts. */
export const arrivalName = (stanza: string, ...parts: (string | number)[]): string =>
  [stanza, ...parts].join(SEPARATOR)

/** The stanza of an arrival, with the identifiers in its name. */
export function stanzaOf(name: string): { stanza: string; chat: string; messageId: string } {
  const parts = name.split(SEPARATOR).slice(0, STANZA_PARTS)
  const [chat = '', , messageId = ''] = parts
  return { stanza: parts.join(SEPARATOR), chat, messageId }
}

/** The longest identifier or id of a message that is stored; those of the network are shorter than half of it. */
const MAX_ID_LENGTH = 200
// oxlint-disable-next-line no-control-regex -- finding them is the purpose
const CONTROL = /[\u0000-\u001f\u007f]/

/** Whether both engines take this identifier or id of a stranger as part of a key. */
export const isStorableId = (text: string): boolean =>
  text.length <= MAX_ID_LENGTH && !CONTROL.test(text) && text.isWellFormed()
