// One message with sender, content, reactions and status.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { memo, Suspense, useState } from 'react'
import { chatTexts } from '../../../chat/texts/chat-texts.ts'
import { Ticks } from '../../../chat/ticks.tsx'
import { useTimes } from '../../../chat/times.ts'
import { api } from '../../../gateway/api.ts'
import type { CallId } from '../../../gateway/permission.ts'
import { useCan } from '../../../gateway/sign-in.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { useFormat, useTexts } from '../../../ui/language.tsx'
import { Popover } from '../../../ui/popover.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import { MessageContent } from '../message/message-content.tsx'
import { useFind, useThread } from '../message/thread-context.ts'
import type { OpenChat } from '../model/chat-address.ts'
import { numberOf } from '../model/chat-title.ts'
import { rereadConversation } from '../model/conversation-queries.ts'
import { choicesFor, isPinned, type MessageChoice } from '../model/message-choices.ts'
import { useExcerpt } from '../model/message-excerpt.ts'
import { type Message, placedAt, type Quote, quoteOf, senderOf } from '../model/message-fields.ts'
import type { ThreadMessage } from '../model/shown-messages.ts'
import { actionTexts } from '../texts/action-texts.ts'
import { conversationTexts } from '../texts/conversation-texts.ts'
import css from './bubble.module.css'

interface BubbleProps {
  shown: ThreadMessage
  open: OpenChat
  /** In a group, if the previous message has a different sender. */
  namesSender: boolean
  /** It follows a message of the same sender. */
  isJoined: boolean
}

/** Memoized, because a long conversation updates often. */
export const Bubble = memo(function Bubble({ shown, open, namesSender, isJoined }: BubbleProps) {
  const t = useTexts(conversationTexts)
  const { nameOf } = useThread()
  const { message } = shown
  const sender = senderOf(message.content)
  const quote = quoteOf(message.content)
  return (
    <article
      className={classNames(
        css.bubble,
        message.direction === 'outgoing' && css.outgoing,
        isJoined && css.joined,
      )}
      data-status={message.status}
      data-message={message.messageId}
      tabIndex={-1}
    >
      {namesSender && sender ? (
        <span className={css.bubbleSender}>
          {nameOf(sender.jid) ??
            sender.pushName ??
            (sender.phone === null ? t.hiddenNumber : `+${sender.phone}`)}
        </span>
      ) : null}
      <Labels shown={shown} />
      {quote && shown.deletedBy === null ? <Quoted quote={quote} /> : null}
      <MessageContent shown={shown} />
      <Foot shown={shown} open={open} />
      <Failure message={message} />
      <FailedChange change={shown.failedChange} />
      <Reactions shown={shown} />
    </article>
  )
}, isSame)

/** Of all messages of the conversation whenever one is new: what is cheap to compare comes first. */
function isSame(before: BubbleProps, now: BubbleProps): boolean {
  const [a, b] = [before.shown, now.shown]
  return (
    before.open === now.open &&
    before.namesSender === now.namesSender &&
    before.isJoined === now.isJoined &&
    a.message === b.message &&
    a.text === b.text &&
    a.isEdited === b.isEdited &&
    a.deletedBy === b.deletedBy &&
    a.ownReaction === b.ownReaction &&
    a.pinnedUntil === b.pinnedUntil &&
    a.failedChange === b.failedChange &&
    isSameCount(a.reactions, b.reactions) &&
    isSameCount([...a.votes], [...b.votes])
  )
}

type Counts = readonly (readonly [string, number])[]
const isSameCount = (one: Counts, other: Counts): boolean =>
  one.length === other.length &&
  one.every(([name, count], index) => other[index]?.[0] === name && other[index]?.[1] === count)

/** What the recipient sees above the message. */
function Labels({ shown }: { shown: ThreadMessage }) {
  const t = useTexts(conversationTexts)
  const { content } = shown.message
  if (shown.deletedBy !== null) return null
  const labels = [
    (content.forwarded === true || content.forwardOf !== undefined) && t.forwarded,
    content.viewOnce === true && t.viewOnce,
  ].filter((label) => label !== false)
  return labels.length === 0 ? null : <span className={css.label}>{labels.join(' · ')}</span>
}

function Quoted({ quote }: { quote: Quote }) {
  const t = useTexts(conversationTexts)
  const { nameOf, show } = useThread()
  const find = useFind()
  const excerpt = useExcerpt()
  const target = find(quote.messageId)
  const number = numberOf(quote.participant ?? '')
  const author =
    target?.message.direction === 'outgoing'
      ? t.you
      : (nameOf(quote.participant ?? '') ?? (number === undefined ? undefined : `+${number}`))
  const text = quote.text ?? (target ? excerpt(target) : '…')
  return (
    <blockquote className={css.quoted}>
      <button type="button" disabled={!target} onClick={() => show(quote.messageId)}>
        {author === undefined ? null : <strong>{author}</strong>}
        <span>{text}</span>
      </button>
    </blockquote>
  )
}

function Foot({ shown, open }: { shown: ThreadMessage; open: OpenChat }) {
  const t = useTexts(conversationTexts)
  const times = useTimes()
  const format = useFormat()
  const { message } = shown
  const at = placedAt(message)
  const isScheduled = message.status === 'scheduled'
  return (
    <div className={css.bubbleFoot}>
      {message.starred ? <Star /> : null}
      {isPinned(shown) ? <span>{t.pinned}</span> : null}
      {shown.isEdited && shown.deletedBy === null ? <span>{t.edited}</span> : null}
      <time dateTime={at}>{isScheduled ? format.dateTime(at) : times.time(at)}</time>
      {message.direction === 'outgoing' ? <Status status={message.status} /> : null}
      {message.status === 'queued' || isScheduled ? <Cancel message={message} open={open} /> : null}
      {shown.deletedBy === null ? (
        <Popover label={t.messageActions} trigger="⋯" className={css.menuButton}>
          {(id) => (
            // Its texts are loaded with the first menu. Without this, the whole conversation would be hidden meanwhile and lose the focus.
            <Suspense fallback={null}>
              <MessageMenu shown={shown} onDone={() => document.getElementById(id)?.hidePopover()} />
            </Suspense>
          )}
        </Popover>
      ) : null}
    </div>
  )
}

function Star() {
  const t = useTexts(conversationTexts)
  return (
    <span>
      <span aria-hidden="true">★</span>
      <span className="sr-only">{t.starred}</span>
    </span>
  )
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

function useReason(): (message: Message) => string | undefined {
  const chat = useTexts(chatTexts)
  return ({ failure }) => {
    if (!failure) return undefined
    const code = failure.code === null ? '' : ` (${chat.networkCode(failure.code)})`
    return chat.failures[failure.reason] + code
  }
}

function Failure({ message }: { message: Message }) {
  const t = useTexts(conversationTexts)
  const reason = useReason()(message)
  return reason === undefined ? null : <p className={css.bubbleFailure}>{t.failed(reason)}</p>
}

function FailedChange({ change }: { change: Message | null }) {
  const t = useTexts(conversationTexts)
  const reasonOf = useReason()
  if (!change) return null
  return <p className={css.bubbleFailure}>{t.changeFailed(reasonOf(change) ?? '–')}</p>
}

function Reactions({ shown: { reactions, ownReaction } }: { shown: ThreadMessage }) {
  if (reactions.length === 0) return null
  return (
    <span className={css.reactions}>
      {reactions.map(([emoji, count]) => (
        <span key={emoji} data-own={emoji === ownReaction || undefined}>
          {emoji}
          {count > 1 ? ` ${count}` : null}
        </span>
      ))}
    </span>
  )
}

function Cancel({ message, open }: { message: Message; open: OpenChat }) {
  const t = useTexts(conversationTexts)
  const toasts = useToasts()
  const queries = useQueryClient()
  const can = useCan()
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
  if (!can('cancelMessage')) return null
  return (
    <Button kind="quiet" small busy={cancel.isPending} onClick={() => cancel.mutate()}>
      {t.cancel}
    </Button>
  )
}

// The menu of a message: quick reactions, and what can be done with it.

const QUICK = ['👍', '❤️', '😂', '😮', '😢', '🙏']

/** Copying needs no call. */
const CALLS: Record<MessageChoice, CallId | undefined> = {
  react: 'reactToMessage',
  reply: 'sendText',
  copy: undefined,
  edit: 'editMessage',
  forward: 'forwardMessage',
  pin: 'pinMessage',
  unpin: 'pinMessage',
  star: 'starMessage',
  unstar: 'starMessage',
  delete: 'deleteMessage',
}

interface MenuProps {
  shown: ThreadMessage
  /** Closes the menu. */
  onDone(): void
}

function MessageMenu({ shown, onDone }: MenuProps) {
  const t = useTexts(actionTexts)
  const { isAdmin, act } = useThread()
  const can = useCan()
  const choices = choicesFor(shown, isAdmin).filter((choice) => {
    const call = CALLS[choice]
    return call === undefined || can(call)
  })
  if (choices.length === 0) return <p className={css.menuEmpty}>{t.noChoice}</p>
  const items = choices.filter((choice): choice is Exclude<MessageChoice, 'react'> => choice !== 'react')
  return (
    <>
      {choices.includes('react') ? <Reacting shown={shown} onDone={onDone} /> : null}
      {items.map((choice) => (
        <button
          key={choice}
          type="button"
          className={css.menuItem}
          data-danger={choice === 'delete' || undefined}
          onClick={() => {
            // Closed first: a dialog that the action opens must give the focus back to the button of the menu.
            onDone()
            act(choice, shown)
          }}
        >
          {t.choices[choice]}
        </button>
      ))}
    </>
  )
}

/** The reader's reaction is pressed; pressing it again withdraws it. */
function Reacting({ shown, onDone }: MenuProps) {
  const t = useTexts(actionTexts)
  const { react } = useThread()
  const [other, setOther] = useState('')
  const own = shown.ownReaction
  const emojis = own === null || QUICK.includes(own) ? QUICK : [own, ...QUICK]
  const choose = (emoji: string) => {
    onDone()
    react(shown, emoji === own ? null : emoji)
  }
  return (
    <div className={css.menuReactions}>
      <fieldset>
        <legend className="sr-only">{t.react}</legend>
        {emojis.map((emoji) => (
          <button key={emoji} type="button" aria-pressed={emoji === own} onClick={() => choose(emoji)}>
            {emoji}
          </button>
        ))}
      </fieldset>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (other.trim() !== '') choose(other.trim())
        }}
      >
        <input
          aria-label={t.otherEmoji}
          placeholder={t.otherEmoji}
          value={other}
          onChange={({ target }) => setOther(target.value)}
        />
        <Button small submit>
          {t.react}
        </Button>
      </form>
    </div>
  )
}
