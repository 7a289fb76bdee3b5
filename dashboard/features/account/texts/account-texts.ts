// The dictionary of this part.
import { dictionary } from '../../../ui/dictionary.ts'
import type { account } from './en.ts'

export const accountTexts = dictionary<typeof account>({
  en: async () => (await import('./en.ts')).account,
  pt: async () => (await import('./pt.ts')).account,
  es: async () => (await import('./es.ts')).account,
})
