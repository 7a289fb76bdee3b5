// The texts of this part in every language.
import type { Dictionary } from '../language.tsx'
import { instances as en } from './en/instances.ts'
import { instances as es } from './es/instances.ts'
import { instances as pt } from './pt/instances.ts'

export const instanceTexts: Dictionary<typeof en> = { en, pt, es }
