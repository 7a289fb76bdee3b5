// The dictionary of this part.
import type { Dictionary } from '../../../ui/language.tsx'
import { instances as en } from './en.ts'
import { instances as es } from './es.ts'
import { instances as pt } from './pt.ts'

export const instanceTexts: Dictionary<typeof en> = { en, pt, es }
