// The texts of this part in every language.
import type { Dictionary } from '../language.tsx'
import { contacts as en } from './en/contacts.ts'
import { contacts as es } from './es/contacts.ts'
import { contacts as pt } from './pt/contacts.ts'

export const contactTexts: Dictionary<typeof en> = { en, pt, es }
