// Saving a contact, changing its name and notes, forgetting it.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { api } from '../api.ts'
import { faultOf, useErrorText } from '../errors.ts'
import { useTexts } from '../language.tsx'
import { contactTexts } from '../texts/contacts.ts'
import { uiTexts } from '../texts/ui.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, TextField } from '../ui/fields.tsx'
import { useToasts } from '../ui/toast.tsx'
import type { Contact } from './contacts.tsx'

interface FormProps {
  instanceName: string
  /** The one to change; without it one is saved. */
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
    <div className="field">
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
