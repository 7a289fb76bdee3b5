// Phone numbers that are known to be registered: each appears in a message, a chat, a group or a contact. Such evidence
// removes an older answer of the network that the number is not registered.

import type { KnownPerson, NetworkGroup } from '../network/groups.ts'
import { phoneOf } from '../network/jid.ts'
import type { ReceivedMessage } from '../network/message.ts'
import { numberCandidates } from './rules-numbers.ts'

/** Every form in which the numbers may have been looked up, each once. */
export const allNumberForms = (numbers: Iterable<string>): string[] => [
  ...new Set([...numbers].flatMap(numberCandidates)),
]

/** The author is registered, and so is the other person of a chat that the account's own phone has written in. */
export const numbersInMessage = ({ from, chat }: Pick<ReceivedMessage, 'from' | 'chat'>): string[] => [
  ...(from.phone === null ? [] : [from.phone]),
  ...numberOf(chat),
]

export const numbersOfPeople = (people: readonly Pick<KnownPerson, 'phone'>[]): string[] =>
  people.flatMap(({ phone }) => phone ?? [])

export const numbersInGroups = (groups: readonly Pick<NetworkGroup, 'participants'>[]): string[] =>
  groups.flatMap(({ participants }) => numbersOfPeople(participants))

export const numbersOfChats = (chats: readonly { jid: string }[]): string[] =>
  chats.flatMap(({ jid }) => numberOf(jid))

function numberOf(jid: string): string[] {
  const phone = phoneOf(jid)
  return phone === null ? [] : [phone]
}
