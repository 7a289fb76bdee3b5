// The texts of this part in every language.
import type { Dictionary } from '../language.tsx'
import { phone as en } from './en/phone.ts'
import { phone as es } from './es/phone.ts'
import { phone as pt } from './pt/phone.ts'

export const phoneTexts: Dictionary<typeof en> = { en, pt, es }
