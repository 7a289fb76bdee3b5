// The dictionary of the names of emojis: large, so it is loaded with the picker.
import { dictionary } from '../../../../../ui/dictionary.ts'
import type { emojiNames } from './en.ts'

export const emojiTexts = dictionary<typeof emojiNames>({
  en: async () => (await import('./en.ts')).emojiNames,
  pt: async () => (await import('./pt.ts')).emojiNames,
  es: async () => (await import('./es.ts')).emojiNames,
})
