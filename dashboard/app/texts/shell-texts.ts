// The dictionary of this part.
import type { Dictionary } from '../../ui/language.tsx'
import { shell as en } from './en.ts'
import { shell as es } from './es.ts'
import { shell as pt } from './pt.ts'

export const shellTexts: Dictionary<typeof en> = { en, pt, es }
