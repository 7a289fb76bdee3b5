// Text as a phone writes it: *bold*, _italic_, ~struck~ and ```fixed```. Whatever else it holds stays text.
import { Fragment, type ReactNode } from 'react'

const MARKED =
  /(```[\s\S]+?```|(?<![\p{L}\p{N}])(?:\*[^\s*](?:[^*\n]*[^\s*])?\*|_[^\s_](?:[^_\n]*[^\s_])?_|~[^\s~](?:[^~\n]*[^\s~])?~)(?![\p{L}\p{N}]))/u

export function FormattedText({ text }: { text: string }): ReactNode {
  return text.split(MARKED).map((part, index) => {
    // oxlint-disable-next-line react/no-array-index-key -- a part is its place
    if (index % 2 === 0) return <Fragment key={index}>{part}</Fragment>
    // oxlint-disable-next-line react/no-array-index-key -- a part is its place
    return <Marked key={index} part={part} />
  })
}

function Marked({ part }: { part: string }) {
  if (part.startsWith('```')) return <code>{part.slice(3, -3)}</code>
  const inner = <FormattedText text={part.slice(1, -1)} />
  if (part.startsWith('*')) return <strong>{inner}</strong>
  return part.startsWith('_') ? <em>{inner}</em> : <s>{inner}</s>
}
