// The dictionary of this part.
import { dictionary } from '../../../ui/dictionary.ts'
import type { contacts } from './en.ts'

export const contactTexts = dictionary<typeof contacts>({
  en: async () => (await import('./en.ts')).contacts,
  pt: async () => (await import('./pt.ts')).contacts,
  es: async () => (await import('./es.ts')).contacts,
})
