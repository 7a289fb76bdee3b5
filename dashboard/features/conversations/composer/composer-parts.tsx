// The parts of the composer around its fields.
import { useState } from 'react'
import { ApiError } from '../../../gateway/api.ts'
import buttonCss from '../../../ui/button.module.css'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { TextField } from '../../../ui/fields.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { onDemand } from '../../../ui/on-demand.tsx'
import { ErrorNote } from '../../../ui/page-head.tsx'
import { Popover } from '../../../ui/popover.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { uiTexts } from '../../../ui/texts/ui-texts.ts'
import { useToasts } from '../../../ui/toast.tsx'
import { Glyph, glyphOf } from '../message/message-parts.tsx'
import { useExcerpt } from '../model/message-excerpt.ts'
import type { ThreadMessage } from '../model/shown-messages.ts'
import { conversationTexts } from '../texts/conversation-texts.ts'
import css from './composer.module.css'
import type { Attachment, Attachments } from './composer-files.ts'
import { FormFields } from './form-fields.tsx'
import { curlOf, type FormDraft } from './send-body.ts'
import { type Field, type SendForm, type SendKind, sentAs } from './send-forms.ts'

interface KindChoiceProps {
  kinds: readonly SendKind[]
  kind: SendKind
  onChange(kind: SendKind): void
  /** The reader has chosen files to send. */
  onFiles(files: readonly File[]): void
  /** Whether the parts for developers are shown. */
  developer: { isOn: boolean; set(isOn: boolean): void }
}

/** The browser's chooser, for several files. */
function chooseFiles(onFiles: (files: readonly File[]) => void): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = true
  input.addEventListener('change', () => onFiles([...(input.files ?? [])]), { once: true })
  input.click()
}

/** Files, the other kinds of messages and the switch for developers, behind one button. */
export function KindChoice({ kinds, kind, onChange, onFiles, developer }: KindChoiceProps) {
  const t = useTexts(conversationTexts)
  if (kinds.length === 1) return null
  return (
    <Popover
      label={t.kind}
      trigger="+"
      className={classNames(buttonCss.button, buttonCss.quiet, css.plus)}
      atLeft
    >
      {(id) => (
        <div className={css.kinds}>
          <button
            type="button"
            className={css.wholeRow}
            onClick={() => {
              document.getElementById(id)?.hidePopover()
              chooseFiles(onFiles)
            }}
          >
            {t.photosAndFiles}
          </button>
          {kinds.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === kind}
              onClick={() => {
                document.getElementById(id)?.hidePopover()
                onChange(one)
              }}
            >
              {t.kinds[one]}
            </button>
          ))}
          <button
            type="button"
            className={css.developerRow}
            aria-pressed={developer.isOn}
            onClick={() => {
              document.getElementById(id)?.hidePopover()
              developer.set(!developer.isOn)
            }}
          >
            {t.developer}
            <span className="muted small">{t.developerHint}</span>
          </button>
        </div>
      )}
    </Popover>
  )
}

/** What a form with several fields is for, and the way back to a text. */
export function KindBar({ title, onBack }: { title: string; onBack(): void }) {
  const t = useTexts(conversationTexts)
  return (
    <div className={css.kindBar}>
      <strong>{title}</strong>
      <Button kind="quiet" small aria-label={t.backToText} onClick={onBack}>
        ✕
      </Button>
    </div>
  )
}

export function MicrophoneButton({ onClick }: { onClick(): void }) {
  const t = useTexts(conversationTexts)
  return (
    <button
      type="button"
      className={classNames(buttonCss.button, buttonCss.quiet, css.microphone)}
      aria-label={t.recordVoice}
      title={t.recordVoice}
      onClick={onClick}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M12 15a3.5 3.5 0 0 0 3.5-3.5v-5a3.5 3.5 0 0 0-7 0v5A3.5 3.5 0 0 0 12 15M5.5 11a6.5 6.5 0 0 0 13 0M12 17.5V21" />
      </svg>
    </button>
  )
}

/** On a narrow screen, in place of the word. */
export const SendGlyph = () => (
  <svg className={css.sendGlyph} viewBox="0 0 24 24" aria-hidden="true">
    <path d="M4 12 20 4.5l-5 15-3.5-6z" />
  </svg>
)

/** Shows what developers need, where there is no choice of kinds. */
export function DeveloperSwitch({ isOn, onChange }: { isOn: boolean; onChange(isOn: boolean): void }) {
  const t = useTexts(conversationTexts)
  return (
    <button
      type="button"
      className={classNames(buttonCss.button, buttonCss.quiet, css.developer)}
      aria-pressed={isOn}
      aria-label={t.developer}
      title={`${t.developer}: ${t.developerHint}`}
      onClick={() => onChange(!isOn)}
    >
      {'{ }'}
    </button>
  )
}

/** The message that is being replied to. */
export function ReplyBar({ reply, onCancel }: { reply: ThreadMessage; onCancel(): void }) {
  const t = useTexts(conversationTexts)
  const excerpt = useExcerpt()
  return (
    <div className={css.replyBar}>
      <span className="cut">
        <strong>{t.replyTo}</strong> {excerpt(reply)}
      </span>
      <Button kind="quiet" small aria-label={t.noReply} onClick={onCancel}>
        ✕
      </Button>
    </div>
  )
}

export function MentionsAll({ onRemove }: { onRemove(): void }) {
  const t = useTexts(conversationTexts)
  return (
    <div className={css.chip}>
      {t.mentionsAll}
      <Button kind="quiet" small aria-label={t.takeOut(t.everyone)} onClick={onRemove}>
        ✕
      </Button>
    </div>
  )
}

interface OptionsProps {
  fields: readonly Field[]
  draft: FormDraft
  onChange(draft: FormDraft): void
  faultAt(path: string): string | undefined
}

interface DelayProps {
  form: SendForm
  value: string
  onChange(value: string): void
  fault: string | undefined
}

/** How long the recipient sees typing; a status has no such time. */
export function Delay({ form, value, onChange, fault }: DelayProps) {
  const t = useTexts(conversationTexts)
  if (form.usualDelay === undefined) return null
  return (
    <TextField
      label={t.delay}
      placeholder={t.delays[form.usualDelay]}
      inputMode="numeric"
      value={value}
      onChange={onChange}
      fault={fault}
    />
  )
}

/** Open if the reader opened it, and if one of its fields has an error. */
export function Options({ fields, draft, onChange, faultAt }: OptionsProps) {
  const t = useTexts(conversationTexts)
  const [isOpen, setOpen] = useState(false)
  const hasFault = fields.some(({ path }) => faultAt(path) !== undefined)
  return (
    <details
      className={css.options}
      open={isOpen || hasFault}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{t.options}</summary>
      <div>
        <FormFields fields={fields} draft={draft} at="" onChange={onChange} faultAt={faultAt} />
      </div>
    </details>
  )
}

/** Errors that belong to no field of the form. */
export function OtherFaults({ error, known }: { error: unknown; known: ReadonlySet<string> }) {
  if (!error) return null
  const details = error instanceof ApiError ? error.details : []
  const homeless = details.filter(({ path }) => path !== 'delay' && !known.has(path))
  if (details.length > 0 && homeless.length === 0) return null
  if (homeless.length === 0) return <ErrorNote error={error} />
  return (
    <div className="note bad" role="alert">
      {homeless.map(({ path, message }) => (
        <div key={path}>
          <code>{path}</code> {message}
        </div>
      ))}
    </div>
  )
}

// The files that go with the next message, above the text.

export function AttachmentTray({ attachments }: { attachments: Attachments }) {
  const t = useTexts(conversationTexts)
  const { list, remove } = attachments
  if (list.length === 0) return null
  const ready = list.filter(({ mediaId }) => mediaId !== undefined)
  return (
    <>
      <ul className={css.tray} aria-label={t.chosenFiles}>
        {list.map((one) => (
          <Chosen key={one.id} attachment={one} onRemove={() => remove(one.id)} />
        ))}
      </ul>
      <p className="sr-only" role="status">
        {ready.length === 0 ? '' : t.filesReady(ready.map(({ file }) => file.name).join(', '))}
      </p>
    </>
  )
}

function Chosen({ attachment, onRemove }: { attachment: Attachment; onRemove(): void }) {
  const t = useTexts(conversationTexts)
  const { file, preview, share, mediaId, error } = attachment
  const isRunning = mediaId === undefined && error === undefined
  return (
    <li className={css.chosen} data-bad={error === undefined ? undefined : true}>
      {preview === undefined ? (
        <span className={css.chosenSign}>
          <Glyph path={glyphOf(sentAs(file))} />
        </span>
      ) : (
        <img src={preview} alt="" />
      )}
      <span className={css.chosenName} title={file.name}>
        {file.name}
      </span>
      {isRunning ? <progress max={1} value={share} aria-label={t.uploading(file.name)} /> : null}
      {error === undefined ? null : <span role="alert">{error}</span>}
      <Button kind="quiet" small aria-label={t.takeOut(file.name)} onClick={onRemove}>
        ✕
      </Button>
    </li>
  )
}

// The button that opens the emojis, to insert one into the text. They are loaded when it is first used.

const EmojiPanel = onDemand(async () => (await import('./emoji/emoji-panel.tsx')).EmojiPanel)

export function EmojiPicker({ onChoose }: { onChoose(emoji: string): void }) {
  const t = useTexts(conversationTexts)
  return (
    <Popover
      label={t.emoji}
      trigger="☺"
      className={classNames(buttonCss.button, buttonCss.quiet, css.emojiTrigger)}
      atLeft
    >
      {(id) => (
        <div className={css.emojiPanel}>
          <EmojiPanel
            onChoose={(emoji) => {
              document.getElementById(id)?.hidePopover()
              onChoose(emoji)
            }}
          />
        </div>
      )}
    </Popover>
  )
}

// The API request of a form, live: JSON body and curl command, each with a copy button.

const REQUEST_KEPT_AS = 'switchboard.request-shown'

export function RequestView({ path, body }: { path: string; body: unknown }) {
  const t = useTexts(conversationTexts)
  // Closed by default on narrow screens.
  const [isOpen, setOpen] = useState(
    () =>
      (localStorage.getItem(REQUEST_KEPT_AS) ?? String(matchMedia('(min-width: 1100px)').matches)) === 'true',
  )
  return (
    <details
      className={css.request}
      open={isOpen}
      onToggle={({ currentTarget }) => {
        localStorage.setItem(REQUEST_KEPT_AS, String(currentTarget.open))
        setOpen(currentTarget.open)
      }}
    >
      <summary>{t.asRequest}</summary>
      <Tabs
        label={t.asRequest}
        tabs={[
          {
            id: 'json',
            title: t.body,
            content: () => <Copied label={t.body} text={JSON.stringify(body, undefined, 2)} />,
          },
          {
            id: 'curl',
            title: t.curl,
            content: () => <Copied label={t.curl} text={curlOf(location.origin, path, body)} />,
          },
        ]}
      />
    </details>
  )
}

function Copied({ label, text }: { label: string; text: string }) {
  const ui = useTexts(uiTexts)
  const toasts = useToasts()
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      toasts.done(ui.copied)
    } catch (error) {
      toasts.failed(error)
    }
  }
  return (
    <div className={css.requestText}>
      <Button small aria-label={`${ui.copy}: ${label}`} onClick={() => void copy()}>
        {ui.copy}
      </Button>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and so must be reachable by keyboard */}
      <pre tabIndex={0} aria-label={label}>
        {text}
      </pre>
    </div>
  )
}
