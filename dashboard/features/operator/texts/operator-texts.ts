// The dictionary of this part.
import type { Dictionary } from '../../../ui/language.tsx'
import { operator as en } from './en.ts'
import { operator as es } from './es.ts'
import { operator as pt } from './pt.ts'

export const operatorTexts: Dictionary<typeof en> = { en, pt, es }
