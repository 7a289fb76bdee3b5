// The labels of the open chat, and a new one. They are those of the phone, so that a change needs a connected instance.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../gateway/api.ts'
import { useCan } from '../../../gateway/sign-in.ts'
import { Button } from '../../../ui/button.tsx'
import { Checks, Form, TextField } from '../../../ui/fields.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import type { OpenChat } from '../model/chat-address.ts'
import { type ListedChat, showChat } from '../model/conversation-queries.ts'
import { useLabels } from '../model/people-queries.ts'
import { peopleTexts } from '../texts/people-texts.ts'

const MAX_LABEL_NAME = 100

export function LabelChoice({ open, chat }: { open: OpenChat; chat: ListedChat }) {
  const t = useTexts(peopleTexts)
  const toasts = useToasts()
  const queries = useQueryClient()
  const { instanceName } = open
  const labels = useLabels([instanceName]).flatMap((read) => read.labels)
  const mayCreate = useCan()('createLabel')
  const [name, setName] = useState('')
  const give = useMutation({
    mutationFn: ({ labelId, isGiven }: { labelId: string; isGiven: boolean }) => {
      const target = { instanceName, chat: open.chat }
      return isGiven
        ? api.labelChat({ params: { labelId }, body: target })
        : api.unlabelChat({ params: { labelId }, query: target })
    },
    onSuccess: (answer) => showChat(queries, open, answer.chat),
    onError: toasts.failed,
  })
  const create = useMutation({
    async mutationFn() {
      const { label } = await api.createLabel({ body: { instanceName, name: name.trim() } })
      return api.labelChat({ params: { labelId: label.id }, body: { instanceName, chat: open.chat } })
    },
    onSuccess(answer) {
      setName('')
      showChat(queries, open, answer.chat)
      void queries.invalidateQueries({ queryKey: ['labels', instanceName] })
    },
    onError: toasts.failed,
  })
  const chosen = chat.labels.map(({ id }) => id)
  const change = (next: string[]) => {
    const labelId = labels.find(({ id }) => next.includes(id) !== chosen.includes(id))?.id
    if (labelId !== undefined) give.mutate({ labelId, isGiven: next.includes(labelId) })
  }
  return (
    <section className="stack close">
      {labels.length === 0 ? (
        <>
          <h3>{t.labels}</h3>
          <p className="muted small">{t.noLabels}</p>
        </>
      ) : (
        <Checks
          label={t.labels}
          options={labels.map((label) => [label.id, label.name] as const)}
          chosen={chosen}
          onChange={change}
        />
      )}
      {mayCreate ? (
        <Form onSubmit={() => (name.trim() === '' ? undefined : create.mutate())}>
          <TextField
            bare
            label={t.newLabel}
            placeholder={t.newLabel}
            maxLength={MAX_LABEL_NAME}
            value={name}
            onChange={setName}
          />
          {name.trim() === '' ? null : (
            <div>
              <Button small submit busy={create.isPending}>
                {t.addLabel}
              </Button>
            </div>
          )}
        </Form>
      ) : null}
    </section>
  )
}
