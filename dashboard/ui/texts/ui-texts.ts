// The dictionary of this part.
import type { Dictionary } from '../language.tsx'
import { ui as en } from './en.ts'
import { ui as es } from './es.ts'
import { ui as pt } from './pt.ts'

export const uiTexts: Dictionary<typeof en> = { en, pt, es }
