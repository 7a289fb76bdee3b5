// One message with sender, content, reactions and status.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { memo } from 'react'
import { chatTexts } from '../../chat/texts/chat-texts.ts'
import { Ticks } from '../../chat/ticks.tsx'
import { useTimes } from '../../chat/times.ts'
import { api } from '../../gateway/api.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { useTexts } from '../../ui/language.tsx'
import { useToasts } from '../../ui/toast.tsx'
import css from './bubble.module.css'
import type { OpenChat } from './chat-address.ts'
import { type Message, type ShownMessage, senderOf } from './conversation.ts'
import { rereadConversation } from './conversation-queries.ts'
import { MessageContent } from './message-content.tsx'
import { conversationTexts } from './texts/conversation-texts.ts'

interface BubbleProps {
  shown: ShownMessage
  open: OpenChat
  /** In a group, if the previous message has a different sender. */
  namesSender: boolean
}

/** Memoized, because a long conversation updates often. */
export const Bubble = memo(function Bubble({ shown, open, namesSender }: BubbleProps) {
  const t = useTexts(conversationTexts)
  const times = useTimes()
  const { message } = shown
  const sender = senderOf(message.content)
  return (
    <article
      className={classNames(css.bubble, message.direction === 'outgoing' && css.outgoing)}
      data-status={message.status}
    >
      {namesSender && sender ? (
        <span className={css.bubbleSender}>
          {sender.pushName ?? (sender.phone === null ? t.hiddenNumber : `+${sender.phone}`)}
        </span>
      ) : null}
      <Quoted message={message} />
      <MessageContent shown={shown} />
      <div className={css.bubbleFoot}>
        {shown.isEdited ? <span>{t.edited}</span> : null}
        <time dateTime={message.createdAt}>{times.time(message.createdAt)}</time>
        {message.direction === 'outgoing' ? <Status status={message.status} /> : null}
        {message.status === 'queued' ? <Cancel message={message} open={open} /> : null}
      </div>
      <Failure message={message} />
      {shown.reactions.length > 0 ? (
        <span className={css.reactions}>
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
  return <blockquote className={css.quoted}>{quoted.text ?? '…'}</blockquote>
}

const STATUS_TONES: Partial<Record<Message['status'], string | undefined>> = {
  read: css.read,
  played: css.read,
  failed: css.failed,
}

function Status({ status }: { status: Message['status'] }) {
  const t = useTexts(chatTexts)
  return (
    <span className={classNames(css.status, STATUS_TONES[status])}>
      {t.statuses[status]}
      <Ticks status={status} />
    </span>
  )
}

function Failure({ message: { failure } }: { message: Message }) {
  const t = useTexts(conversationTexts)
  const chat = useTexts(chatTexts)
  if (!failure) return null
  const code = failure.code === null ? '' : ` (${chat.networkCode(failure.code)})`
  return (
    <p className={css.bubbleFailure}>
      {t.failed(chat.failures[failure.reason])}
      {code}
    </p>
  )
}

function Cancel({ message, open }: { message: Message; open: OpenChat }) {
  const t = useTexts(conversationTexts)
  const toasts = useToasts()
  const queries = useQueryClient()
  const cancel = useMutation({
    mutationFn: () =>
      api.cancelMessage({
        params: { messageId: message.messageId },
        query: { instanceName: open.instanceName },
      }),
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
