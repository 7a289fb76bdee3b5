// The dictionary of this part.
import { dictionary } from '../../../../ui/dictionary.ts'
import type { settings } from './en.ts'

export const settingsTexts = dictionary<typeof settings>({
  en: async () => (await import('./en.ts')).settings,
  pt: async () => (await import('./pt.ts')).settings,
  es: async () => (await import('./es.ts')).settings,
})
