// A paragraph of formatted text inside a bubble.

import { FormattedText } from '../../chat/formatted-text.tsx'
import css from './message-content.module.css'

export const MessageText = ({ text }: { text: string }) => (
  <p className={css.bubbleText} dir="auto">
    <FormattedText text={text} />
  </p>
)
