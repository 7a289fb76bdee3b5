// The pinned messages of a chat, above its messages.

import { useTexts } from '../../../ui/language.tsx'
import { useThread } from '../message/thread-context.ts'
import { isPinned } from '../model/message-choices.ts'
import { useExcerpt } from '../model/message-excerpt.ts'
import { keyOf } from '../model/message-fields.ts'
import type { ThreadMessage } from '../model/shown-messages.ts'
import { conversationTexts } from '../texts/conversation-texts.ts'
import css from './pinned-messages.module.css'

/** As on phones. */
const MOST = 3

export function PinnedMessages({ shown }: { shown: readonly ThreadMessage[] }) {
  const t = useTexts(conversationTexts)
  const { show } = useThread()
  const excerpt = useExcerpt()
  const pinned = shown.filter((one) => one.deletedBy === null && isPinned(one)).slice(-MOST)
  if (pinned.length === 0) return null
  return (
    <ul className={css.pins} aria-label={t.pinnedMessages}>
      {pinned.map((one) => (
        <li key={keyOf(one.message)}>
          <button type="button" onClick={() => show(one.message.messageId)}>
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d="M8 3h8M9 3v6l-3 4h12l-3-4V3M12 13v8" />
            </svg>
            {excerpt(one)}
          </button>
        </li>
      ))}
    </ul>
  )
}
