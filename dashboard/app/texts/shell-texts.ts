// The dictionary of this part.
import { dictionary } from '../../ui/dictionary.ts'
import type { shell } from './en.ts'

export const shellTexts = dictionary<typeof shell>({
  en: async () => (await import('./en.ts')).shell,
  pt: async () => (await import('./pt.ts')).shell,
  es: async () => (await import('./es.ts')).shell,
})
