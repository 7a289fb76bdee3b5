// The dictionary of this part.
import type { Dictionary } from '../../ui/language.tsx'
import { chat as en } from './en.ts'
import { chat as es } from './es.ts'
import { chat as pt } from './pt.ts'

export const chatTexts: Dictionary<typeof en> = { en, pt, es }
