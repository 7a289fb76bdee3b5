// The messages that a search in the list of chats finds, each with a link to its place in its chat.
import { useState } from 'react'
import { Link } from 'wouter'
import { useTimes } from '../../../chat/times.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { useTexts } from '../../../ui/language.tsx'
import { ErrorNote } from '../../../ui/page-head.tsx'
import type { OpenChat } from '../model/chat-address.ts'
import { useExcerpt } from '../model/message-excerpt.ts'
import { keyOf, type Message, placedAt, senderOf, textOf } from '../model/message-fields.ts'
import { conversationTexts } from '../texts/conversation-texts.ts'
import css from './found-messages.module.css'
import { useFoundMessages } from './search-queries.ts'

interface FoundProps {
  /** Undefined: of all instances. */
  instanceName: string | undefined
  search: string
  titleOf(chat: OpenChat): string
  addressOfChat(open: OpenChat, messageId: string): string
}

export function FoundMessages({ instanceName, search, titleOf, addressOfChat }: FoundProps) {
  const t = useTexts(conversationTexts)
  const [pages, setPages] = useState(1)
  const { data, error } = useFoundMessages(instanceName, search, pages)
  if (error) return <ErrorNote error={error} />
  if (data === undefined) return null
  return (
    <section aria-label={t.foundMessages}>
      <h2 className={css.heading}>{t.foundMessages}</h2>
      {data.messages.length === 0 ? (
        <p className={classNames(css.note, 'muted')}>{t.noFound}</p>
      ) : (
        <ul className={css.list}>
          {data.messages.map((message) => (
            <Found
              key={`${message.instanceName} ${keyOf(message)}`}
              message={message}
              title={titleOf(message)}
              address={addressOfChat(message, message.messageId)}
            />
          ))}
        </ul>
      )}
      {data.hasMore ? (
        <div className={css.note}>
          <Button small onClick={() => setPages(pages + 1)}>
            {t.moreFound}
          </Button>
        </div>
      ) : null}
    </section>
  )
}

function Found({ message, title, address }: { message: Message; title: string; address: string }) {
  const t = useTexts(conversationTexts)
  const times = useTimes()
  const excerpt = useExcerpt()
  const at = placedAt(message)
  const author = message.direction === 'outgoing' ? t.you : senderOf(message.content)?.pushName
  const text = textOf(message.content)
  const shown = { message, text, deletedBy: null } as Parameters<typeof excerpt>[0]
  return (
    <li>
      <Link href={address}>
        <span className={css.title}>{title}</span>
        <time dateTime={at}>{times.short(at)}</time>
        <span className={css.text}>
          {author ? `${author}: ` : null}
          {excerpt(shown)}
        </span>
      </Link>
    </li>
  )
}
