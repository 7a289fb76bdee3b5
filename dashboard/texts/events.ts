// The texts of this part in every language.
import type { Dictionary } from '../language.tsx'
import { events as en } from './en/events.ts'
import { events as es } from './es/events.ts'
import { events as pt } from './pt/events.ts'

export const eventTexts: Dictionary<typeof en> = { en, pt, es }
