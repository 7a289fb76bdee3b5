// The dictionary of this part.
import { dictionary } from '../../../../ui/dictionary.ts'
import type { people } from './en.ts'

export const peopleTexts = dictionary<typeof people>({
  en: async () => (await import('./en.ts')).people,
  pt: async () => (await import('./pt.ts')).people,
  es: async () => (await import('./es.ts')).people,
})
