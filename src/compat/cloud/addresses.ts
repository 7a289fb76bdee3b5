// Addresses of the dialect: `to` is a number, what webhooks show in its place, or a group. Pure.
import { isGroupJid, isLid, phoneOf } from '../../network/jid.ts'

/** The fields of this API. */
export type Address = { number: string } | { groupJid: string } | { chat: string }

/** Everything else is left to the schema of this API. */
export function addressOf(to: string): Address {
  if (isGroupJid(to)) return { groupJid: to }
  return isLid(to) ? { chat: to } : { number: to }
}

interface Named {
  phone?: string | null | undefined
  number?: string | null | undefined
  jid: string
}

/** The `wa_id` of a person: digits, or the lid of one whose number is hidden. */
export const waIdOf = ({ phone, number, jid }: Named): string => phone ?? number ?? phoneOf(jid) ?? jid
