// The dictionary of this part.
import { dictionary } from '../../../ui/dictionary.ts'
import type { events } from './en.ts'

export const eventTexts = dictionary<typeof events>({
  en: async () => (await import('./en.ts')).events,
  pt: async () => (await import('./pt.ts')).events,
  es: async () => (await import('./es.ts')).events,
})
