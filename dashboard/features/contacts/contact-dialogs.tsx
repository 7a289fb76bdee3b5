// Dialogs to save, edit and delete a contact.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { api } from '../../gateway/api.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import fieldsCss from '../../ui/fields.module.css'
import { Form, TextField } from '../../ui/fields.tsx'
import { useTexts } from '../../ui/language.tsx'
import { faultOf, useErrorText } from '../../ui/refusals/error-text.ts'
import { uiTexts } from '../../ui/texts/ui-texts.ts'
import { useToasts } from '../../ui/toast.tsx'
import type { Contact } from './contact.ts'
import { contactTexts } from './texts/contact-texts.ts'

interface FormProps {
  instanceName: string
  /** The contact to edit; undefined to save a new one. */
  contact?: Contact
  onClose(): void
}

export function ContactForm({ instanceName, contact, onClose }: FormProps) {
  const t = useTexts(contactTexts)
  const ui = useTexts(uiTexts)
  const errorText = useErrorText()
  const toasts = useToasts()
  const queries = useQueryClient()
  const [name, setName] = useState(contact?.name ?? '')
  const [phone, setPhone] = useState('')
  const [notes, setNotes] = useState(contact?.notes ?? '')
  const [tried, setTried] = useState(false)
  const save = useMutation({
    mutationFn: () =>
      contact
        ? api.updateContact({ params: { id: String(contact.id) }, body: { name, notes: notes || null } })
        : api.saveContact({ body: { instanceName, phone, name, notes: notes || null } }),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: ['contacts'] })
      toasts.done(t.saved)
      onClose()
    },
  })
  const noName = name.trim() === ''
  const noPhone = !contact && phone.trim() === ''
  const phoneFault = faultOf(save.error, 'phone')
  const nameFault =
    faultOf(save.error, 'name') ?? (save.error && !phoneFault ? errorText(save.error) : undefined)
  return (
    <Dialog title={contact ? t.editTitle(contact.name) : t.create} onClose={onClose}>
      <Form
        onSubmit={() => {
          setTried(true)
          if (!noName && !noPhone) save.mutate()
        }}
      >
        <TextField
          label={t.name}
          fault={tried && noName ? t.nameRequired : nameFault}
          maxLength={256}
          value={name}
          onChange={setName}
        />
        {contact ? null : (
          <TextField
            label={t.phone}
            hint={t.phoneHint}
            fault={tried && noPhone ? t.phoneRequired : phoneFault}
            inputMode="tel"
            value={phone}
            onChange={setPhone}
          />
        )}
        <Notes value={notes} onChange={setNotes} />
        <div className="row end">
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button kind="primary" submit busy={save.isPending}>
            {ui.save}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

function Notes({ value, onChange }: { value: string; onChange(text: string): void }) {
  const t = useTexts(contactTexts)
  const id = useId()
  return (
    <div className={fieldsCss.field}>
      <label htmlFor={id}>{t.notes}</label>
      <textarea
        id={id}
        rows={3}
        maxLength={10_000}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  )
}

export function RemoveContact({ contact, onClose }: { contact: Contact; onClose(): void }) {
  const t = useTexts(contactTexts)
  const toasts = useToasts()
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => api.deleteContact({ params: { id: String(contact.id) } }),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: ['contacts'] })
      void queries.invalidateQueries({ queryKey: ['limits'] })
      toasts.done(t.removed)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={t.removeTitle(contact.name)}
      text={t.removeText}
      action={t.remove}
      work={remove}
      onClose={onClose}
    />
  )
}
