// The dictionary of this part.
import { dictionary } from '../../../../ui/dictionary.ts'
import type { actions } from './en.ts'

export const actionTexts = dictionary<typeof actions>({
  en: async () => (await import('./en.ts')).actions,
  pt: async () => (await import('./pt.ts')).actions,
  es: async () => (await import('./es.ts')).actions,
})
