// The dictionary of this part.
import { dictionary } from '../../../../ui/dictionary.ts'
import type { chatwoot } from './en.ts'

export const chatwootTexts = dictionary<typeof chatwoot>({
  en: async () => (await import('./en.ts')).chatwoot,
  pt: async () => (await import('./pt.ts')).chatwoot,
  es: async () => (await import('./es.ts')).chatwoot,
})
