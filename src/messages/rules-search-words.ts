// The words by which messages are found. Both engines index exactly these words, so that a search finds the same messages on both
// (decision 0164).

/** Only the beginning of a long text is searchable. */
const MOST_CHARACTERS = 20_000
const MOST_WORDS = 1000
const LONGEST_WORD = 64
/** Words of a search beyond these are ignored. */
const MOST_TERMS = 12
/** Shorter words of a search mean the whole word: as the beginning of one they would match most messages. */
const SHORTEST_PREFIX = 3

/** Scripts that are written without spaces: each character is a word. */
const SINGLE = String.raw`\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}`
const WORDS = new RegExp(String.raw`(?=[\p{L}\p{N}])[${SINGLE}]|(?:(?![${SINGLE}])[\p{L}\p{N}\p{M}])+`, 'gu')
const ACCENTS = /[\u0300-\u036f]/g
/** Letters that have no decomposition. */
const PLAIN: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}
const NOT_PLAIN = /[ßæœøłđðþı]/g

/** Lower case, without accents. */
const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .toLowerCase()
    .replace(ACCENTS, '')
    .replace(NOT_PLAIN, (letter) => PLAIN[letter] ?? letter)

const allWords = (text: string): string[] =>
  (folded(text.slice(0, MOST_CHARACTERS)).match(WORDS) ?? []).map((word) => word.slice(0, LONGEST_WORD))

/** The words of a text, each once. */
export const wordsOf = (text: string): string[] => [...new Set(allWords(text))].slice(0, MOST_WORDS)

export interface SearchTerm {
  word: string
  /** Longer words that begin with it match as well. */
  isPrefix: boolean
}

/** What a message must contain to be found, all of it. Quotes, operators and other signs only separate words. */
export const searchTerms = (search: string): SearchTerm[] =>
  [...new Set(allWords(search))]
    .slice(0, MOST_TERMS)
    .map((word) => ({ word, isPrefix: Array.from(word).length >= SHORTEST_PREFIX }))

/** Not a letter: no word of a message begins with it. */
const MARK = '¤'

/** Indexed with the words, so that a search reads only what belongs to an account or an instance. */
export const accountMark = (accountId: number): string => `${MARK}a${accountId}`
export const instanceMark = (instanceId: number): string => `${MARK}i${instanceId}`
/** In place of the words of a deleted message. */
export const DELETED_MARK = `${MARK}x`

interface SearchedMessage {
  account_id: number
  instance_id: number
  content: string
}

/** All that is indexed for a message. `text` replaces that of the content; null: the message was deleted. */
export function indexedWords(message: SearchedMessage, text?: string | null): string[] {
  const marks = [accountMark(message.account_id), instanceMark(message.instance_id)]
  if (text === null) return [...marks, DELETED_MARK]
  const words = wordsOf(searchableText(message.content, text))
  return words.length === 0 && text === undefined ? [] : [...marks, ...words]
}

interface SearchedContent {
  text?: unknown
  message?: unknown
  pollName?: unknown
  options?: unknown
  fileName?: unknown
  name?: unknown
  title?: unknown
  address?: unknown
  media?: { fileName?: unknown } | null
  interactive?: Record<string, unknown>
  contacts?: unknown
}

/** Text or caption, name of the file, question and answers of a poll, place, order or product, contacts, and the text above buttons. */
function searchableText(content: string, text: string | undefined): string {
  const fields = JSON.parse(content) as SearchedContent
  const { media, interactive, contacts, options } = fields
  const names = Array.isArray(contacts) ? contacts.map((each: { name?: unknown } | null) => each?.name) : []
  const answers = Array.isArray(options) ? options : []
  const parts = [
    ...(text === undefined ? [fields.text, fields.message] : [text]),
    fields.pollName,
    fields.name,
    fields.title,
    fields.address,
    fields.fileName,
    media?.fileName,
    interactive?.title,
    interactive?.body,
    interactive?.text,
    interactive?.footer,
    ...names,
    ...answers,
  ]
  return parts.filter((part) => typeof part === 'string').join('\n')
}
