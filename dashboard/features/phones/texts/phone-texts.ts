// The dictionary of this part.
import type { Dictionary } from '../../../ui/language.tsx'
import { phone as en } from './en.ts'
import { phone as es } from './es.ts'
import { phone as pt } from './pt.ts'

export const phoneTexts: Dictionary<typeof en> = { en, pt, es }
