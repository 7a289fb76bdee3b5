// Mentions: the people whom a text names as `@` and their number, and how such a text is shown.

/** What a text names a person by: the number, or the digits of the lid. */
export const mentionDigits = (person: string): string => person.split('@')[0] ?? ''

/** The members whom the text names, by number or lid, in the order of the members. */
export function mentionsIn(text: string, people: readonly string[]): string[] {
  const named = new Set([...text.matchAll(/@(\d{5,20})(?!\d)/g)].map(([, digits]) => digits))
  return people.filter((person) => named.has(mentionDigits(person)))
}

/** The text with a mention at this position, between spaces. */
export function withMention(text: string, position: number, number: string): string {
  const [before, after] = [text.slice(0, position), text.slice(position)]
  const gap = before === '' || /\s$/.test(before) ? '' : ' '
  return `${before}${gap}@${number} ${after.trimStart()}`
}

export type MentionPart = string | { mention: string }

/** The parts of a text, with the name of each mentioned person instead of the number. */
export function mentionParts(text: string, names: ReadonlyMap<string, string>): MentionPart[] {
  const parts: MentionPart[] = []
  let end = 0
  for (const { 0: found, 1: digits = '', index } of text.matchAll(/@(\d{5,20})(?!\d)/g)) {
    const name = names.get(digits)
    if (name === undefined) continue
    if (index > end) parts.push(text.slice(end, index))
    parts.push({ mention: name })
    end = index + found.length
  }
  if (end < text.length) parts.push(text.slice(end))
  return parts
}
