// The dictionary of this part.
import { dictionary } from '../../../ui/dictionary.ts'
import type { instances } from './en.ts'

export const instanceTexts = dictionary<typeof instances>({
  en: async () => (await import('./en.ts')).instances,
  pt: async () => (await import('./pt.ts')).instances,
  es: async () => (await import('./es.ts')).instances,
})
