// The texts of this part in every language.
import type { Dictionary } from '../language.tsx'
import { account as en } from './en/account.ts'
import { account as es } from './es/account.ts'
import { account as pt } from './pt/account.ts'

export const accountTexts: Dictionary<typeof en> = { en, pt, es }
