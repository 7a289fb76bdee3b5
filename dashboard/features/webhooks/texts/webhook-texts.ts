// The dictionary of this part.
import type { Dictionary } from '../../../ui/language.tsx'
import { webhooks as en } from './en.ts'
import { webhooks as es } from './es.ts'
import { webhooks as pt } from './pt.ts'

export const webhookTexts: Dictionary<typeof en> = { en, pt, es }
