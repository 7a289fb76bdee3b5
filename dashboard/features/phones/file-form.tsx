// Sends a file from a phone: as what the reader chooses, with a caption, or to be viewed once.

import { useState } from 'react'
import { api } from '../../gateway/api.ts'
import { Button } from '../../ui/button.tsx'
import fieldsCss from '../../ui/fields.module.css'
import { Form, LabeledField, SelectField, TextField } from '../../ui/fields.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Glyph } from './glyph.tsx'
import phoneCss from './phone.module.css'
import { useAct } from './sandbox-queries.ts'
import { phoneTexts } from './texts/phone-texts.ts'

export interface PhoneSending {
  number: string
  chat: string
  quoted: { quoted?: string }
  onSent(): void
}

/** The forms that a file can take, by the kind of the file. The first is preselected. */
const FORMS = {
  image: ['image', 'sticker', 'document'],
  video: ['video', 'videoNote', 'document'],
  audio: ['audio', 'voice', 'document'],
  other: ['document'],
} as const
type FileForms = (typeof FORMS)[keyof typeof FORMS]
type FileFormName = FileForms[number]

const QUERIES = {
  image: { type: 'image' },
  sticker: { type: 'sticker' },
  video: { type: 'video' },
  videoNote: { type: 'video', videoNote: 'true' },
  audio: { type: 'audio' },
  voice: { type: 'audio', voiceNote: 'true' },
  document: { type: 'document' },
} as const satisfies Record<FileFormName, object>
const WITH_CAPTION: ReadonlySet<FileFormName> = new Set(['image', 'video', 'document'])
const WITH_VIEW_ONCE: ReadonlySet<FileFormName> = new Set(['image', 'video', 'voice'])

const formsOf = (file: File | undefined): FileForms => {
  const kind = (['image', 'video', 'audio'] as const).find((type) => file?.type.startsWith(`${type}/`))
  return FORMS[kind ?? 'other']
}

export function FileForm({ number, chat, quoted, onSent }: PhoneSending) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const [file, setFile] = useState<File>()
  const [form, setForm] = useState<FileFormName>('document')
  const [caption, setCaption] = useState('')
  const [viewOnce, setViewOnce] = useState(false)
  const names = { ...t.kinds, videoNote: t.attachment.videoNote }
  const mayHaveCaption = WITH_CAPTION.has(form)
  const mayBeOnce = WITH_VIEW_ONCE.has(form)
  // The browser streams the file, so a large one is never in memory.
  const send = (bytes: File) =>
    api.sandboxSendMedia({
      params: { number },
      query: {
        to: chat,
        ...QUERIES[form],
        ...(form === 'document' ? { fileName: bytes.name } : {}),
        ...(mayHaveCaption && caption.trim() !== '' ? { caption: caption.trim() } : {}),
        ...(mayBeOnce && viewOnce ? { viewOnce: 'true' as const } : {}),
        ...quoted,
      },
      file: { bytes },
    })
  const choose = (chosen: File | undefined) => {
    setFile(chosen)
    setForm(formsOf(chosen)[0])
  }
  const chooseForm = (chosen: FileFormName) => {
    setForm(chosen)
    // The other side sees that a voice message is on its way. A lost sign does no harm.
    const state = chosen === 'voice' ? 'recording' : 'paused'
    void api.sandboxType({ params: { number }, body: { chat, state } }).catch(() => undefined)
  }
  return (
    <Form
      onSubmit={() => {
        if (file) act(send(file), onSent)
      }}
    >
      <FileChoice label={t.attachment.choose} onChoose={choose} />
      {file ? (
        <SelectField
          label={t.attachment.as}
          value={form}
          options={formsOf(file).map((name) => [name, names[name]] as const)}
          onChange={chooseForm}
        />
      ) : null}
      {file && mayHaveCaption ? (
        <TextField label={t.attachment.caption} value={caption} maxLength={1024} onChange={setCaption} />
      ) : null}
      {file && mayBeOnce ? (
        <label className={fieldsCss.check}>
          <input type="checkbox" checked={viewOnce} onChange={({ target }) => setViewOnce(target.checked)} />
          {t.act.viewOnce}
        </label>
      ) : null}
      <Button kind="primary" submit disabled={!file}>
        <Glyph name="file" /> {t.attachment.send}
      </Button>
    </Form>
  )
}

const FileChoice = ({ label, onChoose }: { label: string; onChoose(file: File | undefined): void }) => (
  <LabeledField label={label}>
    {(ids) => (
      <input
        {...ids}
        type="file"
        className={phoneCss.fileInput}
        onChange={({ target }) => onChoose(target.files?.[0])}
      />
    )}
  </LabeledField>
)
