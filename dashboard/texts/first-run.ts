// The texts of this part in every language.
import type { Dictionary } from '../language.tsx'
import { firstRun as en } from './en/first-run.ts'
import { firstRun as es } from './es/first-run.ts'
import { firstRun as pt } from './pt/first-run.ts'

export const firstRunTexts: Dictionary<typeof en> = { en, pt, es }
