// The texts of this part in every language.
import type { Dictionary } from '../language.tsx'
import { conversations as en } from './en/conversations.ts'
import { conversations as es } from './es/conversations.ts'
import { conversations as pt } from './pt/conversations.ts'

export const conversationTexts: Dictionary<typeof en> = { en, pt, es }
