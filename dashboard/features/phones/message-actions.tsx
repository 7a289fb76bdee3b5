// What a person can do with one message on a phone.

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PIN_SECONDS } from '../../../src/contract/message-values.ts'
import { Avatar } from '../../chat/avatar.tsx'
import { api } from '../../gateway/api.ts'
import { AreaField } from '../../ui/area-field.tsx'
import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/fields.tsx'
import { useTexts } from '../../ui/language.tsx'
import css from './bubble.module.css'
import { Glyph, type GlyphName } from './glyph.tsx'
import phoneCss from './phone.module.css'
import { chatsQuery, phonesQuery, useAct, type WorldMessage } from './sandbox-queries.ts'
import { Sheet } from './sheet.tsx'
import { phoneTexts } from './texts/phone-texts.ts'
import { isPinnedNow } from './timers.ts'

const EMOJI = ['👍', '❤️', '😂', '😮', '🙏']

export interface MessageActionsProps {
  number: string
  message: WorldMessage
  /** Admins of a group delete the messages of others for everyone. */
  isAdmin: boolean
  onAnswer(): void
  onDone(): void
}

type Step = 'edit' | 'forward' | 'pin'

export function MessageActions(props: MessageActionsProps) {
  const [step, setStep] = useState<Step>()
  const { number, message, onDone } = props
  if (step === 'edit') return <EditForm number={number} message={message} onDone={onDone} />
  return (
    <>
      <div className={css.bubbleActions}>
        <Reactions {...props} />
        <OwnActions {...props} onStep={setStep} />
      </div>
      {step === 'forward' ? <ForwardSheet number={number} message={message} onDone={onDone} /> : null}
      {step === 'pin' ? <PinSheet number={number} message={message} onDone={onDone} /> : null}
    </>
  )
}

function Reactions({ number, message, onDone }: MessageActionsProps) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const own = message.reactions?.[number]
  const react = (emoji: string) =>
    act(api.sandboxReact({ params: { number }, body: { messageId: message.id, emoji } }), onDone)
  return EMOJI.map((emoji) => (
    <button
      key={emoji}
      type="button"
      aria-label={own === emoji ? t.unreact : t.react(emoji)}
      aria-pressed={own === emoji}
      onClick={() => react(own === emoji ? '' : emoji)}
    >
      {emoji}
    </button>
  ))
}

interface Action {
  title: string
  glyph: GlyphName
  /** Left out if false. */
  isOffered?: boolean
  onChoose(): void
}

function OwnActions({
  number,
  message,
  isAdmin,
  onAnswer,
  onDone,
  onStep,
}: MessageActionsProps & { onStep(step: Step): void }) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const params = { number }
  const messageId = message.id
  const isPinned = isPinnedNow(message)
  const star = { messageId, starred: !message.starred }
  const actions: Action[] = [
    {
      title: t.reply,
      glyph: 'reply',
      onChoose() {
        onAnswer()
        onDone()
      },
    },
    {
      title: t.act.forward,
      glyph: 'forward',
      isOffered: !message.viewOnce,
      onChoose: () => onStep('forward'),
    },
    {
      title: isPinned ? t.act.unpin : t.act.pin,
      glyph: 'tack',
      onChoose: () =>
        isPinned
          ? act(api.sandboxPin({ params, body: { messageId, seconds: null } }), onDone)
          : onStep('pin'),
    },
    {
      title: message.starred ? t.act.unstar : t.act.star,
      glyph: 'star',
      onChoose: () => act(api.sandboxStar({ params, body: star }), onDone),
    },
    {
      title: t.edit,
      glyph: 'pen',
      isOffered: message.fromMe && message.kind === 'text',
      onChoose: () => onStep('edit'),
    },
    {
      title: t.remove,
      glyph: 'none',
      isOffered: message.fromMe || isAdmin,
      onChoose: () => act(api.sandboxRemove({ params, body: { messageId } }), onDone),
    },
    {
      title: t.act.removeForMe,
      glyph: 'bin',
      onChoose: () => act(api.sandboxDeleteForMe({ params, body: { messageId } }), onDone),
    },
  ]
  return actions.map(({ title, glyph, isOffered, onChoose }) =>
    isOffered === false ? null : (
      <button key={title} type="button" onClick={onChoose}>
        <Glyph name={glyph} /> {title}
      </button>
    ),
  )
}

interface StepProps {
  number: string
  message: WorldMessage
  onDone(): void
}

function EditForm({ number, message, onDone }: StepProps) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const [text, setText] = useState(message.text ?? '')
  const body = { messageId: message.id, text }
  return (
    <Form onSubmit={() => act(api.sandboxEdit({ params: { number }, body }), onDone)}>
      <AreaField label={t.newText} bare value={text} onChange={setText} />
      <div className="row end">
        <Button small onClick={onDone}>
          {t.cancel}
        </Button>
        <Button small kind="primary" submit disabled={text.trim() === '' || text === message.text}>
          {t.edit}
        </Button>
      </div>
    </Form>
  )
}

/** A load test has thousands of phones, so the list is limited. */
const MOST_SHOWN = 50

function ForwardSheet({ number, message, onDone }: StepProps) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const chats = useInfiniteQuery(chatsQuery(number)).data?.pages.flatMap((page) => page.chats) ?? []
  const phones = useQuery(phonesQuery).data?.phones ?? []
  const known = new Set([number, ...chats.map(({ chat }) => chat)])
  const targets = [
    ...chats.map(({ chat, name }) => ({ chat, name })),
    ...phones.filter((phone) => !known.has(phone.number)).map(({ number: chat, name }) => ({ chat, name })),
  ]
  return (
    <Sheet title={t.act.forwardTo} onClose={onDone}>
      <ul className={phoneCss.people}>
        {targets.slice(0, MOST_SHOWN).map(({ chat, name }) => (
          <li key={chat}>
            <button
              type="button"
              className={phoneCss.chatRow}
              onClick={() =>
                act(
                  api.sandboxForward({ params: { number }, body: { messageId: message.id, to: chat } }),
                  onDone,
                )
              }
            >
              <Avatar id={chat} title={name} />
              <strong className="cut">{name}</strong>
            </button>
          </li>
        ))}
      </ul>
    </Sheet>
  )
}

function PinSheet({ number, message, onDone }: StepProps) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const times = [
    [PIN_SECONDS.day, t.timers.hours24],
    [PIN_SECONDS.week, t.timers.days7],
    [PIN_SECONDS.month, t.timers.days30],
  ] as const
  return (
    <Sheet title={t.act.pinFor} onClose={onDone}>
      {times.map(([seconds, title]) => (
        <Button
          key={seconds}
          onClick={() =>
            act(api.sandboxPin({ params: { number }, body: { messageId: message.id, seconds } }), onDone)
          }
        >
          {title}
        </Button>
      ))}
    </Sheet>
  )
}
