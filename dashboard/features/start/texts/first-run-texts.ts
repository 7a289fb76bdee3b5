// The dictionary of this part.
import { dictionary } from '../../../ui/dictionary.ts'
import type { firstRun } from './en.ts'

export const firstRunTexts = dictionary<typeof firstRun>({
  en: async () => (await import('./en.ts')).firstRun,
  pt: async () => (await import('./pt.ts')).firstRun,
  es: async () => (await import('./es.ts')).firstRun,
})
