// Addresses of the dialect: a number may be digits, a jid, or the jid of a group.
import { isGroupJid, isLid, isPersonJid, normalJid, userOf } from '../../network/jid.ts'

/** The fields of this API. */
export type Address = { number: string } | { groupJid: string } | { chat: string }

/** A device (`:12`) and the old server of people (`@c.us`) are dropped. Everything else is left to the schema of this API. */
export function addressOf(given: string): Address {
  const jid = normalJid(given)
  if (isGroupJid(jid)) return { groupJid: jid }
  if (isLid(jid)) return { chat: jid }
  return { number: isPersonJid(jid) ? userOf(jid) : given }
}

/** The same where this API takes people only: digits, or the lid. */
export const personOf = (given: string): string => {
  const address = addressOf(given)
  if ('number' in address) return address.number
  return 'chat' in address ? address.chat : address.groupJid
}
