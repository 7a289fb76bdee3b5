// The texts of this part in every language.
import type { Dictionary } from '../language.tsx'
import { refusals as en } from './en/refusals.ts'
import { refusals as es } from './es/refusals.ts'
import { refusals as pt } from './pt/refusals.ts'

export const refusalTexts: Dictionary<typeof en> = { en, pt, es }
