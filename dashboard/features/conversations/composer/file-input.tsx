// A file to send: its URL, or a file of this device, which is uploaded at once and shows its progress.

import { createContext, useCallback, useContext, useEffect, useRef, useState } from 'react'
import { MEDIA_LIMIT_BYTES } from '../../../../src/contract/media-limits.ts'
import { addressOf } from '../../../gateway/api.ts'
import { upload } from '../../../gateway/upload.ts'
import { Button } from '../../../ui/button.tsx'
import fieldsCss from '../../../ui/fields.module.css'
import { TextField } from '../../../ui/fields.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { useErrorText } from '../../../ui/refusals/error-text.ts'
import { useSize } from '../message/use-file.ts'
import { conversationTexts } from '../texts/conversation-texts.ts'
import css from './file-input.module.css'
import { type FormDraft, isUploaded } from './send-body.ts'
import { type FileField, type SentAs, sentAs } from './send-forms.ts'

/** What the file inputs of a form share with it. */
export interface FormFiles {
  /** A file that was dropped or pasted. */
  offered: File | undefined
  onTaken(): void
  /** Called when an upload starts; returns what to call when it has ended. */
  onUpload(): () => void
}
const ignore = () => undefined
export const FormFilesContext = createContext<FormFiles>({
  offered: undefined,
  onTaken: ignore,
  onUpload: () => ignore,
})

/** Only the file of the message itself takes an offered file, not one of several cards. */
const TAKES_OFFERED = 'mediaUrl'

interface FileInputProps {
  field: FileField
  /** Its path in the body. */
  at: string
  draft: FormDraft
  onChange(draft: FormDraft): void
  fault: string | undefined
}

export function FileInput({ field, at, draft, onChange, fault }: FileInputProps) {
  const t = useTexts(conversationTexts)
  const chooser = useRef<HTMLInputElement>(null)
  const keep = (uploaded: FormDraft) => onChange({ ...draft, ...uploaded })
  const { state, start, cancel, forget } = useUpload(field, keep)
  const { offered, onTaken, onUpload } = useContext(FormFilesContext)
  const isRunning = state.share !== undefined
  useEffect(() => (isRunning ? onUpload() : undefined), [isRunning, onUpload])
  useEffect(() => {
    if (!offered || at !== TAKES_OFFERED) return
    onTaken()
    start(offered)
  }, [offered, onTaken, at, start])
  const url = textIn(draft, field.path)
  const message = state.error ?? (fault !== undefined && url === '' ? t.missing : fault)
  if (state.share !== undefined) return <Progress name={state.name} share={state.share} onCancel={cancel} />
  if (isUploaded(field, draft)) {
    const name = textIn(draft, nameKey(field))
    return (
      <Uploaded
        label={t.fields[field.label]}
        name={name}
        fault={fault}
        onRemove={() => keep(noFile(field))}
      />
    )
  }
  return (
    <div className={css.source}>
      <TextField
        label={t.fields[field.label]}
        inputMode="url"
        value={url}
        onChange={(next) => {
          forget()
          onChange({ ...draft, [field.path]: next })
        }}
        fault={message}
      />
      <Button onClick={() => chooser.current?.click()}>{t.chooseFile}</Button>
      {/* Opened by the button above, which has the focus and the name. */}
      <input
        ref={chooser}
        type="file"
        hidden
        aria-label={t.chooseFile}
        accept={field.accept}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          target.value = ''
          if (file) start(file)
        }}
      />
    </div>
  )
}

/** Where the draft keeps the name of the uploaded file; it is not part of the body. */
const nameKey = ({ id }: FileField): string => `${id} name`
const textIn = (draft: FormDraft, path: string): string => {
  const value = draft[path]
  return typeof value === 'string' ? value : ''
}
const noFile = (field: FileField): FormDraft => ({ [field.id]: '', [nameKey(field)]: '' })

interface UploadState {
  name: string
  /** Undefined: no upload is running. */
  share: number | undefined
  error: string | undefined
}
const IDLE: UploadState = { name: '', share: undefined, error: undefined }

function useUpload(field: FileField, onDone: (uploaded: FormDraft) => void) {
  const t = useTexts(conversationTexts)
  const errorText = useErrorText()
  const size = useSize()
  const [state, setState] = useState<UploadState>(IDLE)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  async function send(file: File): Promise<void> {
    if (file.size > MEDIA_LIMIT_BYTES.document)
      return setState({ ...IDLE, error: t.fileTooLarge(file.name, size(MEDIA_LIMIT_BYTES.document) ?? '') })
    if (file.size === 0) return setState({ ...IDLE, error: t.fileEmpty(file.name) })
    running.current?.abort()
    const control = new AbortController()
    running.current = control
    const onProgress = (share: number) => setState({ name: file.name, share, error: undefined })
    onProgress(0)
    try {
      const address = addressOf('uploadMedia', { query: { fileName: file.name.replaceAll(/[/\\]/g, '_') } })
      const answer = await upload(address, file, { onProgress, signal: control.signal })
      setState(IDLE)
      latest.current.onDone(draftOf(field, file, (answer as { mediaId: string }).mediaId))
    } catch (error) {
      if (!control.signal.aborted) setState({ ...IDLE, error: errorText(error) })
    }
  }
  // An upload ends many renders after it began: the latest draft is the one to change.
  const latest = useRef({ send, onDone })
  useEffect(() => {
    latest.current = { send, onDone }
  })
  const start = useCallback((file: File) => void latest.current.send(file), [])
  return {
    state,
    start,
    forget: () => setState(IDLE),
    cancel() {
      running.current?.abort()
      setState(IDLE)
    },
  }
}

function typeFor({ typePath, types }: FileField, type: SentAs): FormDraft {
  return typePath === undefined || types?.includes(type) === false ? {} : { [typePath]: type }
}

function draftOf(field: FileField, file: File, mediaId: string): FormDraft {
  return {
    [field.path]: '',
    [field.id]: mediaId,
    [nameKey(field)]: file.name,
    ...typeFor(field, sentAs(file)),
    ...(field.namePath === undefined ? {} : { [field.namePath]: file.name }),
  }
}

function Progress({ name, share, onCancel }: { name: string; share: number; onCancel(): void }) {
  const t = useTexts(conversationTexts)
  return (
    <div className={css.upload}>
      <span className="cut">{name}</span>
      <progress max={1} value={share} aria-label={t.uploading(name)} />
      <Button small onClick={onCancel}>
        {t.cancel}
      </Button>
    </div>
  )
}

function Uploaded(props: { label: string; name: string; fault: string | undefined; onRemove(): void }) {
  const t = useTexts(conversationTexts)
  return (
    <div className={fieldsCss.field}>
      <div className={css.upload} role="status">
        <span className="cut">{props.name}</span>
        <Button small aria-label={t.takeOut(props.name)} onClick={props.onRemove}>
          ✕
        </Button>
      </div>
      {props.fault === undefined ? null : (
        <div className={fieldsCss.fault} role="alert">
          {props.fault}
        </div>
      )}
    </div>
  )
}
