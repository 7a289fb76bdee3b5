// The dictionary of this part.
import { dictionary } from '../../../ui/dictionary.ts'
import type { webhooks } from './en.ts'

export const webhookTexts = dictionary<typeof webhooks>({
  en: async () => (await import('./en.ts')).webhooks,
  pt: async () => (await import('./pt.ts')).webhooks,
  es: async () => (await import('./es.ts')).webhooks,
})
