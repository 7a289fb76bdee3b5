// The dictionary of this part.
import { dictionary } from '../../../ui/dictionary.ts'
import type { phone } from './en.ts'

export const phoneTexts = dictionary<typeof phone>({
  en: async () => (await import('./en.ts')).phone,
  pt: async () => (await import('./pt.ts')).phone,
  es: async () => (await import('./es.ts')).phone,
})
