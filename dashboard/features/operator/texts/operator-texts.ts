// The dictionary of this part.
import { dictionary } from '../../../ui/dictionary.ts'
import type { operator } from './en.ts'

export const operatorTexts = dictionary<typeof operator>({
  en: async () => (await import('./en.ts')).operator,
  pt: async () => (await import('./pt.ts')).operator,
  es: async () => (await import('./es.ts')).operator,
})
