// Translations of README.md: which section of the source each one was made from. `node scripts/translations.ts` shows the sections that
// changed since.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

export const SOURCE = 'README.md'
export const TRANSLATIONS = ['README.pt.md', 'README.es.md']
const MARK = /^<!-- translates "([^"]*)" ([0-9a-f]{12}) -->\n/gm
const BLOCK = /^```\w*\n[\s\S]*?^```$/gm

/** The sections of a document by heading; the text before the first one is "". A line of links to other languages does not count. */
export function sectionsOf(text: string): Map<string, string> {
  const [intro = '', ...others] = text.split(/^(?=## )/m)
  const named = others.map((section): [string, string] => [/^## (.*)$/m.exec(section)?.[1] ?? '', section])
  return new Map([['', intro.replace(/^\[.*\]\(README\..*\n/m, '')], ...named])
}

export const digestOf = (section: string): string =>
  createHash('sha256').update(section.trim()).digest('hex').slice(0, 12)

const blocksIn = (text: string): string[] => text.match(BLOCK) ?? []

/** What is wrong with a translation of this source. */
export function translationFaults(source: string, translation: string): string[] {
  const sections = sectionsOf(source)
  const marks = [...translation.matchAll(MARK)]
  if (marks.length === 0) return ['no section says what it translates']
  return marks.flatMap((mark, index) => {
    const [whole, heading = '', digest] = mark
    const section = sections.get(heading)
    if (section === undefined) return [`"${heading}" is not a section of the source`]
    const text = translation.slice(mark.index + whole.length, marks[index + 1]?.index)
    const isSame = blocksIn(section).join('\n') === blocksIn(text).join('\n')
    const faults: string[] = []
    if (digestOf(section) !== digest)
      faults.push(`"${heading}" has changed: translate it again, and write ${digestOf(section)}`)
    if (!isSame) faults.push(`"${heading}" has other commands than the source`)
    return faults
  })
}

if (import.meta.main) {
  const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
  const faults = TRANSLATIONS.flatMap((path) =>
    translationFaults(read(SOURCE), read(path)).map((fault) => `${path}: ${fault}\n`),
  )
  process.stdout.write(faults.join('') || 'all translations are current\n')
}
