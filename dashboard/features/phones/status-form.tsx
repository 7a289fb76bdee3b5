// A new status post: a text on a colour, or a photo or video.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../gateway/api.ts'
import { AreaField } from '../../ui/area-field.tsx'
import { Button } from '../../ui/button.tsx'
import { Checks, Form, LabeledField, TextField } from '../../ui/fields.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { base64Of } from './base64.ts'
import phoneCss from './phone.module.css'
import { phonesQuery, useAct } from './sandbox-queries.ts'
import { Sheet } from './sheet.tsx'
import { phoneTexts } from './texts/phone-texts.ts'

interface FormProps {
  number: string
  /** The people who get the post. */
  to: string[]
  onPosted(): void
}

/** A load test has thousands of phones, so the list is limited. */
const MOST_SHOWN = 50

export function StatusForm({ number, onClose }: { number: string; onClose(): void }) {
  const t = useTexts(phoneTexts)
  const phones = useQuery(phonesQuery).data?.phones ?? []
  const others = phones.filter((phone) => phone.number !== number).slice(0, MOST_SHOWN)
  const [left, setLeft] = useState<readonly string[]>([])
  const to = others.map((phone) => phone.number).filter((other) => !left.includes(other))
  const form = { number, to, onPosted: onClose }
  return (
    <Sheet title={t.status.new} onClose={onClose}>
      <Tabs
        label={t.status.new}
        tabs={[
          { id: 'text', title: t.status.text, content: () => <TextPost {...form} /> },
          { id: 'file', title: t.status.file, content: () => <FilePost {...form} /> },
        ]}
      />
      <Checks
        label={t.status.to}
        options={others.map((phone) => [phone.number, phone.name] as const)}
        chosen={to}
        onChange={(chosen) =>
          setLeft(others.map((phone) => phone.number).filter((other) => !chosen.includes(other)))
        }
      />
    </Sheet>
  )
}

function TextPost({ number, to, onPosted }: FormProps) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const [text, setText] = useState('')
  const [backgroundColor, setColor] = useState('#1f6f54')
  const body = { text: text.trim(), backgroundColor, to }
  return (
    <Form onSubmit={() => act(api.sandboxPostStatus({ params: { number }, body }), onPosted)}>
      <AreaField label={t.status.text} value={text} maxLength={700} onChange={setText} />
      <TextField type="color" label={t.status.color} value={backgroundColor} onChange={setColor} />
      <Button kind="primary" submit disabled={text.trim() === '' || to.length === 0}>
        {t.status.post}
      </Button>
    </Form>
  )
}

function FilePost({ number, to, onPosted }: FormProps) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const [file, setFile] = useState<File>()
  const [caption, setCaption] = useState('')
  const post = async (chosen: File) => {
    const media = {
      type: chosen.type.startsWith('video/') ? ('video' as const) : ('image' as const),
      mimetype: chosen.type,
      base64: await base64Of(chosen),
      ...(caption.trim() === '' ? {} : { caption: caption.trim() }),
    }
    await api.sandboxPostStatus({ params: { number }, body: { media, to } })
  }
  return (
    <Form
      onSubmit={() => {
        if (file) act(post(file), onPosted)
      }}
    >
      <LabeledField label={t.status.file}>
        {(ids) => (
          <input
            {...ids}
            type="file"
            accept="image/*,video/*"
            className={phoneCss.fileInput}
            onChange={({ target }) => setFile(target.files?.[0])}
          />
        )}
      </LabeledField>
      <TextField label={t.attachment.caption} value={caption} maxLength={1024} onChange={setCaption} />
      <Button kind="primary" submit disabled={!file || to.length === 0}>
        {t.status.post}
      </Button>
    </Form>
  )
}
