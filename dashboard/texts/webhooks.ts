// The texts of this part in every language.
import type { Dictionary } from '../language.tsx'
import { webhooks as en } from './en/webhooks.ts'
import { webhooks as es } from './es/webhooks.ts'
import { webhooks as pt } from './pt/webhooks.ts'

export const webhookTexts: Dictionary<typeof en> = { en, pt, es }
