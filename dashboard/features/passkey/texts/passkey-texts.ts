// The dictionary of this part.
import { dictionary } from '../../../ui/dictionary.ts'
import type { passkey } from './en.ts'

export const passkeyTexts = dictionary<typeof passkey>({
  en: async () => (await import('./en.ts')).passkey,
  pt: async () => (await import('./pt.ts')).passkey,
  es: async () => (await import('./es.ts')).passkey,
})
