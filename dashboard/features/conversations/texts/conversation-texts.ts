// The dictionary of this part.
import { dictionary } from '../../../ui/dictionary.ts'
import type { conversations } from './en.ts'

export const conversationTexts = dictionary<typeof conversations>({
  en: async () => (await import('./en.ts')).conversations,
  pt: async () => (await import('./pt.ts')).conversations,
  es: async () => (await import('./es.ts')).conversations,
})
