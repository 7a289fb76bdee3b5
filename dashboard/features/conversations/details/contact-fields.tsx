// Name and notes of the saved contact. A chat without one gets it with the first save.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../gateway/api.ts'
import { AreaField } from '../../../ui/area-field.tsx'
import { Button } from '../../../ui/button.tsx'
import { Form, TextField } from '../../../ui/fields.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { ErrorNote, Loaded } from '../../../ui/page-head.tsx'
import { uiTexts } from '../../../ui/texts/ui-texts.ts'
import { useToasts } from '../../../ui/toast.tsx'
import type { OpenChat } from '../model/chat-address.ts'
import { type ListedChat, rereadChats } from '../model/conversation-queries.ts'
import { contactQuery } from '../model/people-queries.ts'
import { peopleTexts } from '../texts/people-texts.ts'

interface ContactProps {
  open: OpenChat
  chat: ListedChat
  title: string
}

const MAX_NAME = 256
const MAX_NOTES = 10_000

export function ContactFields(props: ContactProps) {
  const { contactId } = props.chat
  const query = useQuery(contactQuery(contactId))
  if (contactId === null) return <ContactForm key="new" {...props} kept={{ name: '', notes: '' }} />
  return (
    <Loaded query={query}>
      {({ name, notes }) => <ContactForm key={contactId} {...props} kept={{ name, notes: notes ?? '' }} />}
    </Loaded>
  )
}

interface Kept {
  name: string
  notes: string
}

function ContactForm({ open, chat, title, kept }: ContactProps & { kept: Kept }) {
  const t = useTexts(peopleTexts)
  const ui = useTexts(uiTexts)
  const toasts = useToasts()
  const queries = useQueryClient()
  const [name, setName] = useState(kept.name)
  const [notes, setNotes] = useState(kept.notes)
  const save = useMutation({
    mutationFn: () => {
      // Notes alone save the contact under the name that the chat has.
      const fields = { name: name.trim() || title, notes: notes || null }
      return chat.contactId === null
        ? api.saveContact({ body: { instanceName: open.instanceName, chat: open.chat, ...fields } })
        : api.updateContact({ params: { id: String(chat.contactId) }, body: fields })
    },
    onSuccess({ contact }) {
      setName(contact.name)
      queries.setQueryData(contactQuery(contact.id).queryKey, contact)
      void rereadChats(queries, open.instanceName)
      toasts.done(t.saved)
    },
  })
  const isNameless = name.trim() === '' && kept.name !== ''
  const isChanged = name !== kept.name || notes !== kept.notes
  return (
    <Form onSubmit={() => (isNameless ? undefined : save.mutate())}>
      <TextField
        label={t.name}
        placeholder={title}
        maxLength={MAX_NAME}
        fault={isNameless ? t.nameRequired : undefined}
        value={name}
        onChange={setName}
      />
      <AreaField
        label={t.notes}
        placeholder={t.notesHint}
        rows={3}
        maxLength={MAX_NOTES}
        value={notes}
        onChange={setNotes}
      />
      {save.error ? <ErrorNote error={save.error} /> : null}
      {isChanged ? (
        <div>
          <Button kind="primary" small submit busy={save.isPending}>
            {ui.save}
          </Button>
        </div>
      ) : null}
    </Form>
  )
}
