// The dictionary of this part.
import type { Dictionary } from '../../../ui/language.tsx'
import { contacts as en } from './en.ts'
import { contacts as es } from './es.ts'
import { contacts as pt } from './pt.ts'

export const contactTexts: Dictionary<typeof en> = { en, pt, es }
