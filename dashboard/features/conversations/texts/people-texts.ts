// The dictionary of this part.
import { dictionary } from '../../../ui/dictionary.ts'
import type { people } from './people/en.ts'

export const peopleTexts = dictionary<typeof people>({
  en: async () => (await import('./people/en.ts')).people,
  pt: async () => (await import('./people/pt.ts')).people,
  es: async () => (await import('./people/es.ts')).people,
})
