// The texts of this part in every language.
import type { Dictionary } from '../language.tsx'
import { failures as en } from './en/failures.ts'
import { failures as es } from './es/failures.ts'
import { failures as pt } from './pt/failures.ts'

export const failureTexts: Dictionary<typeof en> = { en, pt, es }
