// The settings of one chat on a phone: they concern only the phone and its linked devices, except the timer.

import { useState } from 'react'
import { api } from '../../gateway/api.ts'
import { Button } from '../../ui/button.tsx'
import fieldsCss from '../../ui/fields.module.css'
import { SelectField } from '../../ui/fields.tsx'
import { useFormat, useTexts } from '../../ui/language.tsx'
import { useAct, type WorldChat } from './sandbox-queries.ts'
import { SwitchRow } from './switch-row.tsx'
import { phoneTexts } from './texts/phone-texts.ts'
import { isMutedNow, useTimers } from './timers.ts'

export interface ChatOptionsProps {
  number: string
  chat: string
  /** Undefined before the first message of the chat. */
  row: WorldChat | undefined
  /** Whether the phone may change the timer: in a locked group only admins. */
  maySetTimer?: boolean
  onClose(): void
  /** After the chat was deleted. */
  onLeft(): void
}

export function ChatOptions(props: ChatOptionsProps) {
  const { number, chat, row, maySetTimer = true } = props
  const t = useTexts(phoneTexts)
  const act = useAct()
  const timers = useTimers()
  const params = { number }
  const change = (field: { archived: boolean } | { pinned: boolean }) =>
    act(api.sandboxChangeChat({ params, body: { chat, ...field } }))
  return (
    <>
      <SwitchRow title={t.chat.pin} on={row?.pinned ?? false} onChange={(pinned) => change({ pinned })} />
      <SwitchRow
        title={t.chat.archive}
        on={row?.archived ?? false}
        onChange={(archived) => change({ archived })}
      />
      <MuteField number={number} chat={chat} mutedUntil={row?.mutedUntil ?? null} />
      {maySetTimer ? (
        <SelectField
          label={t.chat.disappearing}
          value={String(row?.disappearingSeconds ?? 0)}
          options={timers.options}
          onChange={(value) => {
            act(api.sandboxSetDisappearing({ params, body: { chat, seconds: Number(value) } }))
          }}
        />
      ) : null}
      <Removals {...props} />
    </>
  )
}

const HOUR_MS = 3_600_000
/** The network has no word for "always": a time far away stands for it. */
const ALWAYS_MS = Date.UTC(9999, 0)

function MuteField({
  number,
  chat,
  mutedUntil,
}: {
  number: string
  chat: string
  mutedUntil: number | null
}) {
  const t = useTexts(phoneTexts)
  const format = useFormat()
  const act = useAct()
  const isMuted = isMutedNow(mutedUntil)
  const ends: Record<string, () => number | null> = {
    off: () => null,
    hours8: () => Date.now() + 8 * HOUR_MS,
    days7: () => Date.now() + 7 * 24 * HOUR_MS,
    always: () => ALWAYS_MS,
  }
  const current = !isMuted ? 'off' : mutedUntil >= ALWAYS_MS ? 'always' : 'until'
  const options: [string, string][] = [
    ['off', t.timers.off],
    ...(current === 'until'
      ? [
          ['until', t.timers.until(format.dateTime(new Date(mutedUntil ?? 0).toISOString()))] as [
            string,
            string,
          ],
        ]
      : []),
    ['hours8', t.timers.hours8],
    ['days7', t.timers.days7],
    ['always', t.timers.always],
  ]
  return (
    <SelectField
      label={t.chat.mute}
      value={current}
      options={options}
      onChange={(value) => {
        const end = ends[value]
        if (end) act(api.sandboxChangeChat({ params: { number }, body: { chat, mutedUntil: end() } }))
      }}
    />
  )
}

function Removals({ number, chat, row, onClose, onLeft }: ChatOptionsProps) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const [keepStarred, setKeepStarred] = useState(true)
  const params = { number }
  if (!row) return null
  const leave = () => {
    onClose()
    onLeft()
  }
  return (
    <>
      <div className="row">
        <Button
          small
          onClick={() => act(api.sandboxChangeChat({ params, body: { chat, unread: true } }), leave)}
        >
          {t.chat.markUnread}
        </Button>
        <Button
          small
          onClick={() => act(api.sandboxClearChat({ params, body: { chat, keepStarred } }), onClose)}
        >
          {t.chat.clear}
        </Button>
        <Button
          small
          kind="danger"
          onClick={() => act(api.sandboxDeleteChat({ params, query: { chat } }), leave)}
        >
          {t.chat.remove}
        </Button>
      </div>
      <label className={fieldsCss.check}>
        <input
          type="checkbox"
          checked={keepStarred}
          onChange={({ target }) => setKeepStarred(target.checked)}
        />
        {t.chat.keepStarred}
      </label>
    </>
  )
}
