// The matching rule of the palette: which chats, pages and actions fit the typed words, best first.

export interface Candidate {
  title: string
  /** Further words by which it is found, such as a number or an instance. */
  detail: string
}

/** Enough for one look; more letters find the others. */
const MOST_SHOWN = 12

/** Case and accents do not matter. */
const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

const AT_START = 3
const AT_WORD = 2
const INSIDE = 1
const IN_DETAIL = 0

/** How well one word fits; undefined: not at all. */
function scoreOf(word: string, title: string, detail: string): number | undefined {
  if (title.startsWith(word)) return AT_START
  const at = title.indexOf(word)
  if (at < 0) return detail.includes(word) ? IN_DETAIL : undefined
  return /[^\p{L}\p{N}]/u.test(title[at - 1] ?? '') ? AT_WORD : INSIDE
}

/** Those that contain every word. Equal ones keep their order, and so do all of them for an empty field. */
export function matching<C extends Candidate>(typed: string, candidates: readonly C[]): C[] {
  const words = plain(typed).split(/\s+/).filter(Boolean)
  const scored = candidates.flatMap((candidate) => {
    const [title, detail] = [plain(candidate.title), plain(candidate.detail)]
    const scores = words.map((word) => scoreOf(word, title, detail))
    if (scores.includes(undefined)) return []
    return [{ candidate, score: scores.reduce<number>((sum, score) => sum + (score ?? 0), 0) }]
  })
  return scored
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MOST_SHOWN)
    .map(({ candidate }) => candidate)
}
