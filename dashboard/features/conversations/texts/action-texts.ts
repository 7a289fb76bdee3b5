// The dictionary of this part.
import { dictionary } from '../../../ui/dictionary.ts'
import type { actions } from './actions/en.ts'

export const actionTexts = dictionary<typeof actions>({
  en: async () => (await import('./actions/en.ts')).actions,
  pt: async () => (await import('./actions/pt.ts')).actions,
  es: async () => (await import('./actions/es.ts')).actions,
})
