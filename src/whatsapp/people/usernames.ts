// Usernames: the name that a person has chosen instead of showing the number. It belongs to the lid.
import { type BinaryNode, getBinaryNodeChild } from '../library/protocol.ts'

/** Letters, digits, dots, hyphens and underscores, at most 60 of them. Anything else that a stanza contains is ignored. */
const USERNAME = /^[\p{L}\p{N}._-]{1,60}$/u

export function readUsername(text: unknown): string | null {
  const plain = text instanceof Uint8Array ? Buffer.from(text).toString() : text
  return typeof plain === 'string' && USERNAME.test(plain) ? plain : null
}

/** The field of a person, if the network has said a username. */
export function namedBy(text: unknown): { username?: string } {
  const username = readUsername(text)
  return username === null ? {} : { username }
}

export interface StanzaUsernames {
  /** Of the author, unless it is this account. */
  author: string | null
  /** Of the chat, for a message of this account from another device. */
  chat: string | null
}

/** The attributes that name the recipient are only of messages that this account has sent. */
export const usernamesIn = (attrs: Record<string, string>, fromMe: boolean): StanzaUsernames => ({
  author: fromMe ? null : readUsername(attrs.participant_username),
  chat: fromMe ? readUsername(attrs.peer_recipient_username ?? attrs.recipient_username) : null,
})

/** The library reads the answer only if its content is text, and the network sends bytes. */
export const usernameQuery = (jid: string, sid: string): BinaryNode => ({
  tag: 'iq',
  attrs: { to: 's.whatsapp.net', type: 'get', xmlns: 'usync' },
  content: [
    {
      tag: 'usync',
      attrs: { sid, mode: 'query', last: 'true', index: '0', context: 'interactive' },
      content: [
        { tag: 'query', attrs: {}, content: [{ tag: 'username', attrs: {} }] },
        { tag: 'list', attrs: {}, content: [{ tag: 'user', attrs: { jid } }] },
      ],
    },
  ],
})

export function usernameInAnswer(answer: BinaryNode): string | null {
  const list = getBinaryNodeChild(getBinaryNodeChild(answer, 'usync'), 'list')
  return readUsername(getBinaryNodeChild(getBinaryNodeChild(list, 'user'), 'username')?.content)
}
