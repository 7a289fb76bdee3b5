// The texts of this part in every language.
import type { Dictionary } from '../language.tsx'
import { shell as en } from './en/shell.ts'
import { shell as es } from './es/shell.ts'
import { shell as pt } from './pt/shell.ts'

export const shellTexts: Dictionary<typeof en> = { en, pt, es }
