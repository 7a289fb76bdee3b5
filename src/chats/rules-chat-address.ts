// The chat that a request names: by number, as a group, or by its network identifier.
import { isGroupJid, isLid, personJid, phoneOf } from '../network/jid.ts'

/** The fields of a request. The contract has checked that exactly one of them is there. */
export interface GivenAddress {
  number?: string | undefined
  groupJid?: string | undefined
  chat?: string | undefined
}

/** The recipient of a message; by its chat only if the number of the person is hidden, and for status posts. */
export type Recipient = { number: string } | { groupJid: string } | { chat: string }

/** Whether a list is restricted to one chat. */
export const hasAddress = ({ number, groupJid, chat }: GivenAddress): boolean =>
  (number ?? groupJid ?? chat) !== undefined

/** The network identifier of the chat. */
export const chatOf = ({ number, groupJid, chat }: GivenAddress): string =>
  chat ?? groupJid ?? personJid(number ?? '')

/** Two requests that name the same chat in different fields have the same recipient, and so the same lane and fingerprint. */
export function recipientOf(given: GivenAddress): Recipient {
  const chat = chatOf(given)
  if (isGroupJid(chat)) return { groupJid: chat }
  const number = phoneOf(chat)
  return number === null ? { chat } : { number }
}

/** The identifier of a person whom a list or a path names: by digits, or by the lid. */
export const jidOfPerson = (name: string): string => (isLid(name) ? name : personJid(name))

/** The same person in the answer about each of a list. */
export const shownName = (name: string): { number: string | null; chat: string } => ({
  number: isLid(name) ? null : name,
  chat: jidOfPerson(name),
})
