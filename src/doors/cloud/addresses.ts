// Addresses of the dialect: a number (`wa_id`), the id of a person whose number may be hidden (`user_id`), or a group. Pure.
import { isGroupJid, isLid, lidJid, phoneOf, userOf } from '../../network/jid.ts'

/** The fields of this API. */
export type CloudAddress = { number: string } | { groupJid: string } | { chat: string }

/** Clients check the form of such ids: two letters, a point, letters and digits. `XX` stands for no country. */
const USER_ID = /^XX\.(\d{5,20})$/

export const userIdOf = (lid: string): string => `XX.${userOf(lid)}`

/** Everything else is left to the schema of this API. */
export function addressOf(to: string): CloudAddress {
  const lid = USER_ID.exec(to)?.[1]
  if (lid !== undefined) return { chat: lidJid(lid) }
  if (isGroupJid(to)) return { groupJid: to }
  return isLid(to) ? { chat: to } : { number: to }
}

interface Named {
  phone?: string | null | undefined
  number?: string | null | undefined
  lid?: string | null | undefined
  jid: string
}

export interface CloudIds {
  /** Digits; absent: the number is hidden. */
  waId?: string
  /** Absent: the network has not told it. */
  userId?: string
}

export function idsOf({ phone, number, lid, jid }: Named): CloudIds {
  const waId = phone ?? number ?? phoneOf(jid)
  const hidden = lid ?? (isLid(jid) ? jid : null)
  return { ...(waId && { waId }), ...(hidden && { userId: userIdOf(hidden) }) }
}

/** Of a jid in a place that has room for one id. */
export const oneIdOf = (jid: string): string => phoneOf(jid) ?? (isLid(jid) ? userIdOf(jid) : jid)
