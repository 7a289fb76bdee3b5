// The dictionary of this part.
import type { Dictionary } from '../../../ui/language.tsx'
import { firstRun as en } from './en.ts'
import { firstRun as es } from './es.ts'
import { firstRun as pt } from './pt.ts'

export const firstRunTexts: Dictionary<typeof en> = { en, pt, es }
