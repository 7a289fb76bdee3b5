// The dictionary of this part.
import type { Dictionary } from '../../../ui/language.tsx'
import { events as en } from './en.ts'
import { events as es } from './es.ts'
import { events as pt } from './pt.ts'

export const eventTexts: Dictionary<typeof en> = { en, pt, es }
