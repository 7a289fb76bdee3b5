// Dialogs to save, edit and delete a contact.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../gateway/api.ts'
import { AreaField } from '../../ui/area-field.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
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
    <FormDialog
      title={contact ? t.editTitle(contact.name) : t.create}
      action={ui.save}
      isPending={save.isPending}
      onSubmit={() => {
        setTried(true)
        if (!noName && !noPhone) save.mutate()
      }}
      onClose={onClose}
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
      <AreaField label={t.notes} rows={3} maxLength={10_000} value={notes} onChange={setNotes} />
    </FormDialog>
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
