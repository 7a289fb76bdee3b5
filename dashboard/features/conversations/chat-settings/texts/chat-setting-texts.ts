// The dictionary of this part.
import { dictionary } from '../../../../ui/dictionary.ts'
import type { chatSettings } from './en.ts'

export const chatSettingTexts = dictionary<typeof chatSettings>({
  en: async () => (await import('./en.ts')).chatSettings,
  pt: async () => (await import('./pt.ts')).chatSettings,
  es: async () => (await import('./es.ts')).chatSettings,
})
