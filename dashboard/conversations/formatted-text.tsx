// Text as people on the network write it: *bold*, _italic_, ~struck~ and `code`. Everything else is shown as it is.
import type { ReactNode } from 'react'

const MARKED = /(?<![\p{L}\p{N}])([*_~`])(?=\S)([^\n]*?\S)\1(?![\p{L}\p{N}])/gu

const drawn = (mark: string, text: string, key: number): ReactNode => {
  if (mark === '*') return <strong key={key}>{text}</strong>
  if (mark === '_') return <em key={key}>{text}</em>
  if (mark === '~') return <s key={key}>{text}</s>
  return <code key={key}>{text}</code>
}

export function FormattedText({ text }: { text: string }) {
  const parts: ReactNode[] = []
  let end = 0
  for (const match of text.matchAll(MARKED)) {
    const [whole, mark = '', inner = ''] = match
    parts.push(text.slice(end, match.index), drawn(mark, inner, match.index))
    end = match.index + whole.length
  }
  parts.push(text.slice(end))
  return (
    <p className="bubble-text" dir="auto">
      {parts}
    </p>
  )
}
