// The dictionary of this part.
import { dictionary } from '../../../ui/dictionary.ts'
import type { chatSettings } from './chat-settings/en.ts'

export const chatSettingTexts = dictionary<typeof chatSettings>({
  en: async () => (await import('./chat-settings/en.ts')).chatSettings,
  pt: async () => (await import('./chat-settings/pt.ts')).chatSettings,
  es: async () => (await import('./chat-settings/es.ts')).chatSettings,
})
