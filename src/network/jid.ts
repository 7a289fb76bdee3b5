// Identifiers (jids) of people and groups, as the messaging network writes them.
import { STATUS_CHAT } from '../contract/message-values.ts'

const PERSON = /^(\d+)@s\.whatsapp\.net$/

/** A person by number or by lid, without a device. */
export const PERSON_JID = /^\d+@(?:lid|s\.whatsapp\.net)$/
/** Matches the jids of groups in SQL. */
export const GROUP_JID_PATTERN = '%@g.us'

export const personJid = (phone: string): string => `${phone}@s.whatsapp.net`

export const lidJid = (lid: string): string => `${lid}@lid`

export const isGroupJid = (jid: string): boolean => jid.endsWith('@g.us')

/** A channel, whose posts everyone can follow. */
export const isChannelJid = (jid: string): boolean => jid.endsWith('@newsletter')

export const isStatusJid = (jid: string): boolean => jid === STATUS_CHAT

/** Whether the jid is a hidden identifier, which does not contain the phone number. */
export const isLid = (jid: string): boolean => jid.endsWith('@lid')

/** Null for groups and for people who are known by their lid only. */
export const phoneOf = (jid: string): string | null => PERSON.exec(jid)?.[1] ?? null

/** Whether the jid contains the phone number. */
export const isPersonJid = (jid: string): boolean => jid.endsWith('@s.whatsapp.net')

/** The part before the server. */
export const userOf = (jid: string): string => jid.split('@')[0] ?? ''

/** Without a device, and with the server of today: old clients write `@c.us` for a person. Other texts stay as they are. */
export const normalJid = (text: string): string =>
  text.replace(/:\d+@/, '@').replace(/@c\.us$/, '@s.whatsapp.net')
