// The texts of this part in every language.
import type { Dictionary } from '../language.tsx'
import { operator as en } from './en/operator.ts'
import { operator as es } from './es/operator.ts'
import { operator as pt } from './pt/operator.ts'

export const operatorTexts: Dictionary<typeof en> = { en, pt, es }
