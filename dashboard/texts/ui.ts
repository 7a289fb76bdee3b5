// The texts of this part in every language.
import type { Dictionary } from '../language.tsx'
import { ui as en } from './en/ui.ts'
import { ui as es } from './es/ui.ts'
import { ui as pt } from './pt/ui.ts'

export const uiTexts: Dictionary<typeof en> = { en, pt, es }
