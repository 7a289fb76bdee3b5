// The envelope of a received message: author, chat and time.
import type { WAMessageKey } from 'baileys'
import { textOrNull, type WireNumber } from './wire-values.ts'

export interface Envelope {
  id: string
  /** The chat as the network addressed it: by phone number or by hidden identifier. */
  chat: string
  /** The other identifier of the chat, if the network gave it. */
  chatAlt: string | null
  /** The author, in groups and broadcasts. */
  participant: string | null
  participantAlt: string | null
  fromMe: boolean
  pushName: string | null
  /** In seconds. */
  timestamp: WireNumber
}

interface Info {
  key?: WAMessageKey | null
  messageTimestamp?: WireNumber
  pushName?: string | null
  participant?: string | null
}

/** From the library's form of a live, a missed or a history message. */
export const envelopeOf = ({ key, messageTimestamp, pushName, participant }: Info): Envelope => ({
  id: key?.id ?? '',
  chat: key?.remoteJid ?? '',
  chatAlt: textOrNull(key?.remoteJidAlt),
  participant: textOrNull(key?.participant) ?? textOrNull(participant),
  participantAlt: textOrNull(key?.participantAlt),
  fromMe: key?.fromMe === true,
  pushName: textOrNull(pushName),
  timestamp: messageTimestamp,
})
