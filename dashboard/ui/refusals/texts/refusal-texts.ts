// The dictionary of this part.
import type { Dictionary } from '../../language.tsx'
import { refusals as en } from './en.ts'
import { refusals as es } from './es.ts'
import { refusals as pt } from './pt.ts'

export const refusalTexts: Dictionary<typeof en> = { en, pt, es }
