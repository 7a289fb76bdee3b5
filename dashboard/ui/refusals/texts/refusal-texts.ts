// The dictionary of this part.
import { dictionary } from '../../dictionary.ts'
import type { refusals } from './en.ts'

export const refusalTexts = dictionary<typeof refusals>({
  en: async () => (await import('./en.ts')).refusals,
  pt: async () => (await import('./pt.ts')).refusals,
  es: async () => (await import('./es.ts')).refusals,
})
