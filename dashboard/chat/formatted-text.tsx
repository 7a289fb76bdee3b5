// Shows formatted text. React escapes every part, so markup in a message stays text.
import { Fragment, type ReactNode } from 'react'
import { type FormattedPart, parseFormattedText } from './parse-formatted-text.ts'

export const FormattedText = ({ text }: { text: string }): ReactNode => drawn(parseFormattedText(text))

const drawn = (parts: readonly FormattedPart[]): ReactNode =>
  parts.map((part, index) => {
    // oxlint-disable-next-line react/no-array-index-key -- a part has no other identity than its position
    if (typeof part === 'string') return <Fragment key={index}>{part}</Fragment>
    const Style = part.style
    // oxlint-disable-next-line react/no-array-index-key -- a part has no other identity than its position
    return <Style key={index}>{drawn(part.parts)}</Style>
  })
