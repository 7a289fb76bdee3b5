// The grammar of formatted text in messages: *bold*, _italic_, ~struck~, `code` and ```a block of code```.

/** The style of a part, named after the HTML element that shows it. */
export type TextStyle = 'strong' | 'em' | 's' | 'code'

/** Plain text, or a styled part. Styles nest, except inside code. */
export type FormattedPart = string | { style: TextStyle; parts: readonly FormattedPart[] }

const STYLES: Record<string, TextStyle> = { '*': 'strong', _: 'em', '~': 's', '`': 'code' }

// A mark opens and closes at the edge of a word, encloses no white space at its ends, and stays on one line.
const MARKED =
  /```(?<block>[\s\S]+?)```|(?<![\p{L}\p{N}])(?<mark>[*_~`])(?!\s)(?<inner>(?:(?!\k<mark>)[^\n])+)(?<!\s)\k<mark>(?![\p{L}\p{N}])/gu

export function parseFormattedText(text: string): FormattedPart[] {
  const parts: FormattedPart[] = []
  let end = 0
  for (const match of text.matchAll(MARKED)) {
    if (match.index > end) parts.push(text.slice(end, match.index))
    parts.push(styledPart(match.groups ?? {}))
    end = match.index + match[0].length
  }
  if (end < text.length) parts.push(text.slice(end))
  return parts
}

function styledPart({ block, mark = '`', inner = '' }: Record<string, string | undefined>): FormattedPart {
  const style = STYLES[mark] ?? 'code'
  if (block !== undefined) return { style: 'code', parts: [block] }
  return { style, parts: style === 'code' ? [inner] : parseFormattedText(inner) }
}
