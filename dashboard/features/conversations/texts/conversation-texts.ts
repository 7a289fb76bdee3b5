// The dictionary of this part.
import type { Dictionary } from '../../../ui/language.tsx'
import { conversations as en } from './en.ts'
import { conversations as es } from './es.ts'
import { conversations as pt } from './pt.ts'

export const conversationTexts: Dictionary<typeof en> = { en, pt, es }
