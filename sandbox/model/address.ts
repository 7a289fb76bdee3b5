// Addresses: a person is known by phone number (`pn`) and by a hidden id (`lid`). Both forms can name a device.
import { createHash } from 'node:crypto'
import { jidDecode, jidEncode } from 'baileys'

export type Addressing = 'pn' | 'lid'
export interface Person {
  number: string
  lid: string
}

export function pnJid(person: Person): string {
  return jidEncode(person.number, 's.whatsapp.net')
}

/** Undefined: the person hides the number. Attributes that are undefined are left out of a stanza. */
export function shownPn(person: Person & { hidesNumber?: boolean | undefined }): string | undefined {
  return person.hidesNumber ? undefined : pnJid(person)
}

export function lidJid(person: Person): string {
  return jidEncode(person.lid, 'lid')
}

export function jidOf(person: Person, addressing: Addressing, device = 0): string {
  return addressing === 'lid'
    ? jidEncode(person.lid, 'lid', device)
    : jidEncode(person.number, 's.whatsapp.net', device)
}

/** Device 0 is the phone itself; higher numbers are linked devices. */
export function deviceOf(jid: string): number {
  return jidDecode(jid)?.device ?? 0
}

export function addressingOf(jid: string): Addressing {
  return jidDecode(jid)?.server === 'lid' ? 'lid' : 'pn'
}

export function isGroupJid(jid: string): boolean {
  return jid.endsWith('@g.us')
}

/** The address of status posts, which everyone in the author's audience gets. */
export const STATUS_JID = 'status@broadcast'

/** Whether stanzas of this chat name the author as a participant, because the chat itself is not a person. */
export function isSharedJid(jid: string): boolean {
  return isGroupJid(jid) || jid === STATUS_JID
}

export function deviceKey(number: string, device: number): string {
  return `${number}:${device}`
}

/** A hidden id of 15 digits, derived from the number so that it is the same after a restart and in tests. */
export function lidForNumber(number: string): string {
  const digest = createHash('sha256').update(`lid ${number}`).digest()
  const span = 900_000_000_000_000n
  return (100_000_000_000_000n + (digest.readBigUInt64BE(0) % span)).toString()
}

/** A digit of mobile numbers that is left out or added, as the network does it: what is before it, and what follows. */
const EXTRA_DIGITS = [
  // Brazil: mobile numbers of eight digits began with 6 to 9. Landlines have one spelling.
  { digit: '9', pattern: /^(55[1-9][1-9])(9?)([6-9]\d{7})$/ },
  { digit: '1', pattern: /^(52)(1?)([2-9]\d{9})$/ },
  { digit: '9', pattern: /^(54)(9?)((?:11|[23]\d)\d{8})$/ },
]

/**
 * The spellings of a number. Brazil's ninth digit was added later, Mexico's 1 was dropped, and Argentina's 9 is written only from abroad, so
 * address books contain both forms. The network answers with the form that is registered.
 */
export function spellingsOf(number: string): string[] {
  for (const { digit, pattern } of EXTRA_DIGITS) {
    const match = pattern.exec(number)
    if (match) return [number, `${match[1]}${match[2] ? '' : digit}${match[3]}`]
  }
  return [number]
}
