// The dictionary of this part.
import { dictionary } from '../dictionary.ts'
import type { ui } from './en.ts'

export const uiTexts = dictionary<typeof ui>({
  en: async () => (await import('./en.ts')).ui,
  pt: async () => (await import('./pt.ts')).ui,
  es: async () => (await import('./es.ts')).ui,
})
