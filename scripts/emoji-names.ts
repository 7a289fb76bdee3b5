// Writes the emojis of the picker and their names in three languages, from the annotations of Unicode CLDR as the package
// emojibase-data has them. It takes the directory of that package: npm pack emojibase-data@17.0.0 && tar xzf emojibase-data-17.0.0.tgz
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const TARGET = join(import.meta.dirname, '..', 'dashboard', 'features', 'conversations', 'composer', 'emoji')
/** Later ones are still missing on many devices. */
const NEWEST_VERSION = 15
const MOST_KEYWORDS = 6
/** The groups of the data by number; the second one has parts of emojis, which are not shown alone. */
const GROUPS: Record<number, string> = {
  0: 'smileys',
  1: 'people',
  3: 'nature',
  4: 'food',
  5: 'travel',
  6: 'activities',
  7: 'objects',
  8: 'symbols',
  9: 'flags',
}

interface Emoji {
  emoji: string
  hexcode: string
  label: string
  tags?: string[]
  group?: number
  order: number
  version: number
}

const [directory] = process.argv.slice(2)
if (directory === undefined) throw new Error('the directory of the package is missing')

const read = (language: string): Emoji[] =>
  JSON.parse(readFileSync(join(directory, language, 'data.json'), 'utf8')) as Emoji[]
const inGroup = (emojis: readonly Emoji[], group: number): Emoji[] =>
  emojis
    .filter((one) => one.group === group && one.version <= NEWEST_VERSION)
    .toSorted((a, b) => a.order - b.order)

/** The name, then words that it does not contain. */
function described({ label, tags = [] }: Emoji): string {
  const words = tags.filter((tag) => !label.includes(tag)).slice(0, MOST_KEYWORDS)
  return [label, ...words].map((part) => part.replaceAll(/[|,]/g, ' ')).join(',')
}

const quoted = (text: string): string => (text.includes("'") ? JSON.stringify(text) : `'${text}'`)
const table = (emojis: readonly Emoji[], separator: string, draw: (one: Emoji) => string): string =>
  Object.entries(GROUPS)
    .map(([group, name]) => {
      const line = inGroup(emojis, Number(group)).map(draw).join(separator)
      return `  ${name}:\n    ${quoted(line)},`
    })
    .join('\n')

const SOURCE = '// Made by scripts/emoji-names.ts from the annotations of Unicode CLDR (Unicode License v3).'
const common = read('en')
writeFileSync(
  join(TARGET, 'emojis.ts'),
  `// The emojis of the picker by category, in the order of Unicode.\n${SOURCE}\nexport const EMOJIS = {\n${table(common, ' ', ({ emoji }) => emoji)}\n}\n`,
)
for (const language of ['en', 'pt', 'es']) {
  const byCode = new Map(read(language).map((one) => [one.hexcode, one]))
  const names = table(common, '|', (one) => described(byCode.get(one.hexcode) ?? one))
  writeFileSync(
    join(TARGET, 'texts', `${language}.ts`),
    `// The names of the emojis, in their order: each with further words to find it by.\n${SOURCE}\nexport const emojiNames = {\n${names}\n}\n`,
  )
}
