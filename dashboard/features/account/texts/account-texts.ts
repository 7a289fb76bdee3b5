// The dictionary of this part.
import type { Dictionary } from '../../../ui/language.tsx'
import { account as en } from './en.ts'
import { account as es } from './es.ts'
import { account as pt } from './pt.ts'

export const accountTexts: Dictionary<typeof en> = { en, pt, es }
