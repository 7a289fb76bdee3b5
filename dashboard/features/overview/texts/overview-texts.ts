// The dictionary of this part.
import { dictionary } from '../../../ui/dictionary.ts'
import type { overview } from './en.ts'

export const overviewTexts = dictionary<typeof overview>({
  en: async () => (await import('./en.ts')).overview,
  pt: async () => (await import('./pt.ts')).overview,
  es: async () => (await import('./es.ts')).overview,
})
