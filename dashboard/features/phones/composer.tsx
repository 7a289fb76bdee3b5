// The text field of a phone, with attachments. The other side sees a typing indicator.

import { useRef, useState } from 'react'
import { api } from '../../gateway/api.ts'
import { classNames } from '../../ui/class-names.ts'
import { useTexts } from '../../ui/language.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { previewOf } from './chat-list.tsx'
import css from './composer.module.css'
import glyphCss from './glyph.module.css'
import { Glyph } from './glyph.tsx'
import phoneCss from './phone.module.css'
import { useAct, useNames, type WorldMessage } from './sandbox-queries.ts'
import { phoneTexts } from './texts/phone-texts.ts'

const AttachSheet = onDemand(async () => (await import('./attach-sheet.tsx')).AttachSheet)

/** How often the typing indicator is repeated while the person types. */
const TYPING_EVERY_MS = 5000

interface ComposerProps {
  number: string
  chat: string
  /** The message that the next one replies to. */
  answered: WorldMessage | undefined
  onAnswered(): void
}

export function Composer({ number, chat, answered, onAnswered }: ComposerProps) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const [text, setText] = useState('')
  const [isAttaching, attach] = useState(false)
  const typing = useTypingSigns(number, chat)
  const quoted = answered ? { quoted: answered.id } : {}
  function send() {
    if (text.trim() === '') return
    typing.stop()
    act(api.sandboxSend({ params: { number }, body: { to: chat, text, ...quoted } }), onAnswered)
    setText('')
  }
  return (
    <div className="composer-area">
      {answered ? <Answered message={answered} onCancel={onAnswered} /> : null}
      <form
        className={css.phoneComposer}
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <button
          type="button"
          className={glyphCss.glyphButton}
          aria-label={t.attach}
          onClick={() => attach(true)}
        >
          <Glyph name="plus" />
        </button>
        <input
          aria-label={t.message}
          placeholder={t.message}
          value={text}
          autoComplete="off"
          onChange={(event) => {
            setText(event.target.value)
            typing.go()
          }}
          onBlur={typing.stop}
        />
        <button
          type="submit"
          className={classNames(glyphCss.glyphButton, css.send)}
          aria-label={t.send}
          disabled={text.trim() === ''}
        >
          <Glyph name="send" />
        </button>
      </form>
      {isAttaching ? (
        <AttachSheet
          number={number}
          chat={chat}
          quoted={quoted}
          onClose={() => attach(false)}
          onSent={onAnswered}
        />
      ) : null}
    </div>
  )
}

function Answered({ message, onCancel }: { message: WorldMessage; onCancel(): void }) {
  const t = useTexts(phoneTexts)
  const names = useNames()
  return (
    <div className={css.answered}>
      <span>
        <strong className="small">{t.replyTo(message.fromMe ? t.you : names(message.from))}</strong>
        <span className={phoneCss.preview}>{previewOf(message, t)}</span>
      </span>
      <button type="button" className={glyphCss.glyphButton} aria-label={t.noReply} onClick={onCancel}>
        <Glyph name="close" />
      </button>
    </div>
  )
}

/** A lost typing indicator does no harm; sending reports real errors. */
function useTypingSigns(number: string, chat: string) {
  const saidAt = useRef(0)
  const say = (state: 'typing' | 'paused') =>
    api.sandboxType({ params: { number }, body: { chat, state } }).catch(() => undefined)
  return {
    go() {
      if (Date.now() - saidAt.current < TYPING_EVERY_MS) return
      saidAt.current = Date.now()
      void say('typing')
    },
    stop() {
      if (saidAt.current === 0) return
      saidAt.current = 0
      void say('paused')
    },
  }
}
