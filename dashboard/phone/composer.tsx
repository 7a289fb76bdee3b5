// The line to write in, and the way to what else can be sent; while something is written, the other side sees typing.
import { type RefObject, useRef, useState } from 'react'
import { api } from '../api.ts'
import { useTexts } from '../language.tsx'
import { phoneTexts } from '../texts/phone.ts'
import { useAct, useNames, type WorldMessage } from '../world.ts'
import { AttachSheet, type Quoted, type Sending } from './attach-sheet.tsx'
import { previewOf } from './chat-list.tsx'
import { Glyph } from './glyph.tsx'

/** How often a sign of typing is repeated while it goes on. */
const TYPING_EVERY_MS = 5000

export interface ComposerProps {
  number: string
  chat: string
  /** The message that the next one answers. */
  answered: WorldMessage | undefined
  onAnswered(): void
}

export function Composer({ number, chat, answered, onAnswered }: ComposerProps) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const [text, setText] = useState('')
  const [isAttaching, attach] = useState(false)
  const file = useRef<HTMLInputElement>(null)
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
        className="phone-composer"
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <button type="button" className="glyph-button" aria-label={t.attach} onClick={() => attach(true)}>
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
        <button type="submit" className="glyph-button send" aria-label={t.send} disabled={text.trim() === ''}>
          <Glyph name="send" />
        </button>
      </form>
      <FileInput input={file} number={number} chat={chat} quoted={quoted} onSent={onAnswered} />
      {isAttaching ? (
        <AttachSheet
          number={number}
          chat={chat}
          quoted={quoted}
          onFile={() => file.current?.click()}
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
    <div className="answered">
      <span>
        <strong className="small">{t.replyTo(message.fromMe ? t.you : names(message.from))}</strong>
        <span className="preview">{previewOf(message, t)}</span>
      </span>
      <button type="button" className="glyph-button" aria-label={t.noReply} onClick={onCancel}>
        <Glyph name="close" />
      </button>
    </div>
  )
}

/** Signs are lost without harm; a phone that may not write says so when it writes. */
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

function FileInput({
  input,
  number,
  chat,
  quoted,
  onSent,
}: Sending & { input: RefObject<HTMLInputElement | null> }) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  return (
    <input
      ref={input}
      type="file"
      className="sr-only"
      tabIndex={-1}
      aria-label={t.file}
      onChange={({ target }) => {
        const [file] = target.files ?? []
        target.value = ''
        if (file) act(sendFile(number, chat, file, quoted), onSent)
      }}
    />
  )
}

async function sendFile(number: string, chat: string, file: File, quoted: Quoted): Promise<void> {
  const kind = (['image', 'video', 'audio'] as const).find((type) => file.type.startsWith(`${type}/`))
  const media = {
    type: kind ?? ('document' as const),
    base64: await base64Of(file),
    fileName: file.name,
    ...(file.type === '' ? {} : { mimetype: file.type }),
  }
  await api.sandboxSend({ params: { number }, body: { to: chat, media, ...quoted } })
}

const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => {
      const address = typeof reader.result === 'string' ? reader.result : ''
      resolve(address.replace(/^[^,]*,/, ''))
    })
    reader.addEventListener('error', () => reject(reader.error ?? new Error('the file cannot be read')))
    reader.readAsDataURL(file)
  })
