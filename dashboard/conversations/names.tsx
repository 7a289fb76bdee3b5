// How a chat and the people in it are called, and the round sign that stands for them.

import { useTexts } from '../language.tsx'
import { conversationTexts } from '../texts/conversations.ts'
import type { Chat } from './reading.ts'

/** The number behind an identifier; undefined for a group and for a person whose number is hidden. */
export const numberOf = (jid: string): string | undefined =>
  jid.endsWith('@s.whatsapp.net') ? jid.split('@')[0] : undefined
export const isGroup = (jid: string): boolean => jid.endsWith('@g.us')

/** Saved or given names first, then the number. */
export function useChatTitle(): (jid: string, chat?: Chat, subject?: string) => string {
  const t = useTexts(conversationTexts)
  return (jid, chat, subject) => {
    const number = chat?.phone ?? numberOf(jid)
    const spoken = number === undefined ? (isGroup(jid) ? jid : t.hiddenNumber) : `+${number}`
    return subject ?? chat?.name ?? chat?.pushName ?? spoken
  }
}

const TONES = 6

function toneOf(text: string): number {
  let sum = 0
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973
  return sum % TONES
}

/** Its colour follows from who it is, so that one is found again at a glance. */
export function Avatar({ id, title }: { id: string; title: string }) {
  const letter = /[\p{L}\p{N}]/u.exec(title)?.[0].toUpperCase() ?? '#'
  return (
    <span className={`avatar tone-${toneOf(id)}`} aria-hidden="true">
      {isGroup(id) ? '⁂' : letter}
    </span>
  )
}
