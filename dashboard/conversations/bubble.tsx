// One message: who wrote it, what it says, what was said about it, and how far it got.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { memo } from 'react'
import { api } from '../api.ts'
import { useTexts } from '../language.tsx'
import { conversationTexts } from '../texts/conversations.ts'
import { failureTexts } from '../texts/failures.ts'
import { Button } from '../ui/button.tsx'
import { useToasts } from '../ui/toast.tsx'
import { type Message, type ShownMessage, senderOf } from './conversation.ts'
import { MessageContent } from './message-content.tsx'
import type { OpenChat } from './place.ts'
import { rereadConversation } from './reading.ts'
import { useTimes } from './times.ts'

interface BubbleProps {
  shown: ShownMessage
  open: OpenChat
  /** In a group, where it is not clear from the message before. */
  namesSender: boolean
}

/** Drawn anew only when something about this message changed: a long conversation gets news all the time. */
export const Bubble = memo(function Bubble({ shown, open, namesSender }: BubbleProps) {
  const t = useTexts(conversationTexts)
  const times = useTimes()
  const { message } = shown
  const sender = senderOf(message.content)
  return (
    <article className={`bubble ${message.direction}`} data-status={message.status}>
      {namesSender && sender ? (
        <span className="bubble-sender">
          {sender.pushName ?? (sender.phone === null ? t.hiddenNumber : `+${sender.phone}`)}
        </span>
      ) : null}
      <Quoted message={message} />
      <MessageContent shown={shown} />
      <div className="bubble-foot">
        {shown.isEdited ? <span>{t.edited}</span> : null}
        <time dateTime={message.createdAt}>{times.time(message.createdAt)}</time>
        {message.direction === 'outgoing' ? <Status status={message.status} /> : null}
        {message.status === 'queued' ? <Cancel message={message} open={open} /> : null}
      </div>
      <Failure message={message} />
      {shown.reactions.length > 0 ? (
        <span className="reactions">
          {shown.reactions.map(([emoji, count]) => (
            <span key={emoji}>
              {emoji}
              {count > 1 ? ` ${count}` : null}
            </span>
          ))}
        </span>
      ) : null}
    </article>
  )
}, isSame)

function isSame(before: BubbleProps, now: BubbleProps): boolean {
  const notes = ({ reactions, votes }: ShownMessage) => JSON.stringify([reactions, [...votes]])
  const [a, b] = [before.shown, now.shown]
  return (
    before.open === now.open &&
    before.namesSender === now.namesSender &&
    a.message === b.message &&
    a.text === b.text &&
    a.isEdited === b.isEdited &&
    a.isDeleted === b.isDeleted &&
    notes(a) === notes(b)
  )
}

function Quoted({ message }: { message: Message }) {
  const quoted = message.content.quoted as
    | { text: string | null; participant: string | null }
    | null
    | undefined
  if (!quoted) return null
  return <blockquote className="quoted">{quoted.text ?? '…'}</blockquote>
}

const CLOCK = 'M8 4.5V8l2.5 1.5'
const ONE_TICK = 'M3.5 8.5 6.5 11.5 12.5 4.5'
const TWO_TICKS = 'M1 8.5 4 11.5 10 4.5M7.5 10.8l.7.7L14.5 4.5'
const MARKS: Record<Message['status'], string> = {
  queued: CLOCK,
  sending: CLOCK,
  sent: ONE_TICK,
  delivered: TWO_TICKS,
  read: TWO_TICKS,
  played: TWO_TICKS,
  failed: 'M8 4v5M8 11.5v.5',
}

/** The word says it; the mark is for those who look for it there. */
function Status({ status }: { status: Message['status'] }) {
  const t = useTexts(conversationTexts)
  const isRound = MARKS[status] === CLOCK || status === 'failed'
  return (
    <span className={`status ${status}`}>
      {t.statuses[status]}
      <svg viewBox="0 0 16 16" aria-hidden="true">
        {isRound ? <circle cx="8" cy="8" r="6" /> : null}
        <path d={MARKS[status]} />
      </svg>
    </span>
  )
}

function Failure({ message: { failure } }: { message: Message }) {
  const t = useTexts(conversationTexts)
  const f = useTexts(failureTexts)
  if (!failure) return null
  const code = failure.code === null ? '' : ` (${f.networkCode(failure.code)})`
  return (
    <p className="bubble-failure">
      {t.failed(f.reasons[failure.reason])}
      {code}
    </p>
  )
}

function Cancel({ message, open }: { message: Message; open: OpenChat }) {
  const t = useTexts(conversationTexts)
  const toasts = useToasts()
  const queries = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => api.cancelMessage({ params: { messageId: message.messageId } }),
    onSuccess: () => toasts.done(t.cancelled),
    onError: toasts.failed,
    onSettled: () => rereadConversation(queries, open),
  })
  return (
    <Button kind="quiet" small busy={cancel.isPending} onClick={() => cancel.mutate()}>
      {t.cancel}
    </Button>
  )
}
