// The dictionary of this part.
import { dictionary } from '../../ui/dictionary.ts'
import type { chat } from './en.ts'

export const chatTexts = dictionary<typeof chat>({
  en: async () => (await import('./en.ts')).chat,
  pt: async () => (await import('./pt.ts')).chat,
  es: async () => (await import('./es.ts')).chat,
})
