// The dictionary of this part.
import { dictionary } from '../../../../ui/dictionary.ts'
import type { destinations } from './en.ts'

export const destinationTexts = dictionary<typeof destinations>({
  en: async () => (await import('./en.ts')).destinations,
  pt: async () => (await import('./pt.ts')).destinations,
  es: async () => (await import('./es.ts')).destinations,
})
