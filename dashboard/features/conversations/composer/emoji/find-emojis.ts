// The emojis with their names, and how they are found by words.
import { EMOJIS } from './emojis.ts'

export type EmojiCategory = keyof typeof EMOJIS
export const EMOJI_CATEGORIES = Object.keys(EMOJIS) as EmojiCategory[]

export interface NamedEmoji {
  emoji: string
  name: string
  /** The name and further words, without accents and in lower case. */
  words: readonly string[]
}

/** More would not be looked through. */
const MOST_FOUND = 96

const folded = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
const wordsOf = (text: string): string[] =>
  folded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

export function namedEmojis(
  names: Readonly<Record<EmojiCategory, string>>,
): ReadonlyMap<EmojiCategory, readonly NamedEmoji[]> {
  return new Map(
    EMOJI_CATEGORIES.map((category) => {
      const described = names[category].split('|')
      const emojis = EMOJIS[category].split(' ').map((emoji, index) => {
        const text = described[index] ?? ''
        return { emoji, name: text.split(',')[0] ?? emoji, words: wordsOf(text) }
      })
      return [category, emojis]
    }),
  )
}

/** Those of which every given word begins a word. Names come before further words: a name is the beginning of the list. */
export function findEmojis(all: Iterable<readonly NamedEmoji[]>, query: string): NamedEmoji[] {
  const wanted = wordsOf(query)
  if (wanted.length === 0) return []
  return [...all]
    .flat()
    .flatMap((one) => {
      const ranks = wanted.map((part) => one.words.findIndex((word) => word.startsWith(part)))
      return ranks.includes(-1) ? [] : [{ one, rank: Math.max(...ranks) }]
    })
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, MOST_FOUND)
    .map(({ one }) => one)
}

/** The emojis that were chosen last, newest first. */
export const withRecent = (recent: readonly string[], emoji: string, most = 24): string[] =>
  [emoji, ...recent.filter((one) => one !== emoji)].slice(0, most)
