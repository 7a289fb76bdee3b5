// The dictionary of this part.
import { dictionary } from '../../../ui/dictionary.ts'
import type { authorize } from './en.ts'

export const authorizeTexts = dictionary<typeof authorize>({
  en: async () => (await import('./en.ts')).authorize,
  pt: async () => (await import('./pt.ts')).authorize,
  es: async () => (await import('./es.ts')).authorize,
})
