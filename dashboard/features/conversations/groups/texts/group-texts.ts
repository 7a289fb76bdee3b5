// The dictionary of this part.
import { dictionary } from '../../../../ui/dictionary.ts'
import type { groups } from './en.ts'

export const groupTexts = dictionary<typeof groups>({
  en: async () => (await import('./en.ts')).groups,
  pt: async () => (await import('./pt.ts')).groups,
  es: async () => (await import('./es.ts')).groups,
})
