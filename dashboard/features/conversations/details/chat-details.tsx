// The panel of the open chat: contact, assignment, labels, media, groups in common and the block.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { Avatar } from '../../../chat/avatar.tsx'
import { api } from '../../../gateway/api.ts'
import { useCan } from '../../../gateway/sign-in.ts'
import { AreaField } from '../../../ui/area-field.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Checks, Form, SelectField, TextField } from '../../../ui/fields.tsx'
import { useFormat, useTexts } from '../../../ui/language.tsx'
import { ErrorNote, Loaded } from '../../../ui/page-head.tsx'
import { uiTexts } from '../../../ui/texts/ui-texts.ts'
import { useToasts } from '../../../ui/toast.tsx'
import { fileOf, type MessageFile } from '../message/message-file.ts'
import { downloadOf, useFile } from '../message/use-file.ts'
import { addressOfSelection, type OpenChat } from '../model/chat-address.ts'
import { isGroup } from '../model/chat-title.ts'
import { type ListedChat, rereadChats, showChat } from '../model/conversation-queries.ts'
import {
  chatMediaQuery,
  commonGroupsQuery,
  contactQuery,
  personQuery,
  useLabels,
  useUsers,
} from '../model/people-queries.ts'
import { peopleTexts } from '../texts/people-texts.ts'
import css from './chat-details.module.css'

interface ChatDetailsProps {
  open: OpenChat
  chat: ListedChat
  /** The name of the chat. */
  title: string
  onClose(): void
}

export function ChatDetails({ open, chat, title, onClose }: ChatDetailsProps) {
  const t = useTexts(peopleTexts)
  const ui = useTexts(uiTexts)
  const isPerson = !isGroup(open.chat)
  const can = useCan()
  return (
    <Dialog side title={t.detailsOf(title)} onClose={onClose}>
      <div className={css.close}>
        <Button kind="quiet" small aria-label={ui.close} onClick={onClose}>
          ✕
        </Button>
      </div>
      <div className="avatar-row">
        <Avatar id={open.chat} title={title} picture={chat.profilePictureUrl} />
        <div className="wrap">
          <strong>{title}</strong>
          {isPerson ? (
            <div className="muted small number">{chat.phone === null ? t.hidden : `+${chat.phone}`}</div>
          ) : null}
        </div>
      </div>
      {isPerson && can('getPerson') ? <About open={open} /> : null}
      {can('saveContact', 'updateContact', 'getContact') ? (
        <ContactFields open={open} chat={chat} title={title} />
      ) : null}
      {can('assignChat', 'listUsers') ? <Assignment open={open} chat={chat} /> : null}
      {can('labelChat', 'unlabelChat', 'listLabels') ? <LabelChoice open={open} chat={chat} /> : null}
      <ChatMedia open={open} />
      {isPerson && can('listGroups') ? <CommonGroups open={open} onClose={onClose} /> : null}
      {isPerson && can('getPerson', 'blockPerson', 'unblockPerson') ? (
        <Block open={open} title={title} />
      ) : null}
    </Dialog>
  )
}

/** What the person says of themselves, where the network shows it. */
function About({ open }: { open: OpenChat }) {
  const { data } = useQuery(personQuery(open))
  const business = data?.business?.description ?? null
  if (!data || (data.about === null && business === null)) return null
  return (
    <p className="muted small wrap">{[data.about, business].filter((text) => text !== null).join(' · ')}</p>
  )
}

function Assignment({ open, chat }: Pick<ChatDetailsProps, 'open' | 'chat'>) {
  const t = useTexts(peopleTexts)
  const toasts = useToasts()
  const queries = useQueryClient()
  const users = useUsers()
  const assign = useMutation({
    mutationFn: (userId: number | null) =>
      api.assignChat({ body: { instanceName: open.instanceName, chat: open.chat, userId } }),
    onSuccess(answer) {
      showChat(queries, open, answer.chat)
      const user = users.find(({ id }) => id === answer.chat.assignedTo)
      toasts.done(user ? t.assigned(user.name) : t.unassigned)
    },
    onError: toasts.failed,
  })
  if (users.length === 0) return null
  return (
    <SelectField
      label={t.assignedTo}
      value={String(chat.assignedTo ?? '')}
      options={[['', t.noOne] as const, ...users.map(({ id, name }) => [String(id), name] as const)]}
      onChange={(id) => assign.mutate(id === '' ? null : Number(id))}
    />
  )
}

function ChatMedia({ open }: { open: OpenChat }) {
  const t = useTexts(peopleTexts)
  const format = useFormat()
  const query = useQuery(chatMediaQuery(open))
  return (
    <section className="stack close">
      <h3>{t.media}</h3>
      <Loaded query={query}>
        {(messages) => {
          const files = messages.flatMap((message) => {
            const file = fileOf(message)
            return file?.isReadable ? [{ file, label: t.openMedia(format.date(message.createdAt)) }] : []
          })
          if (files.length === 0) return <p className="muted small">{t.noMedia}</p>
          return (
            <ul className={css.media}>
              {files.map(({ file, label }) => (
                <li key={file.messageId}>
                  <MediaTile file={file} label={label} />
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
    </section>
  )
}

function MediaTile({ file, label }: { file: MessageFile; label: string }) {
  const isPicture = file.kind === 'picture'
  const state = useFile(file, isPicture)
  return (
    <a href={downloadOf(file)} target="_blank" rel="noopener" aria-label={label}>
      {state.at === 'ready' ? <img src={state.address} alt="" /> : isPicture ? null : '▶'}
    </a>
  )
}

function CommonGroups({ open, onClose }: { open: OpenChat; onClose(): void }) {
  const t = useTexts(peopleTexts)
  const query = useQuery(commonGroupsQuery(open))
  const { instanceName } = open
  return (
    <section className="stack close">
      <h3>{t.groups}</h3>
      <Loaded query={query}>
        {(groups) =>
          groups.length === 0 ? (
            <p className="muted small">{t.noGroups}</p>
          ) : (
            <ul className={css.groups}>
              {groups.map(({ groupJid, subject }) => (
                <li key={groupJid}>
                  <Link
                    className="wrap"
                    href={addressOfSelection({ instanceName, open: { instanceName, chat: groupJid } })}
                    onClick={onClose}
                  >
                    {subject}
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}

function Block({ open, title }: { open: OpenChat; title: string }) {
  const t = useTexts(peopleTexts)
  const toasts = useToasts()
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const { data, error } = useQuery(personQuery(open))
  const change = useMutation({
    mutationFn: (route: 'blockPerson' | 'unblockPerson') =>
      api[route]({ params: { number: open.chat }, query: { instanceName: open.instanceName } }),
    onSuccess(_answer, route) {
      void queries.invalidateQueries({ queryKey: personQuery(open).queryKey })
      toasts.done(route === 'blockPerson' ? t.blocked : t.unblocked)
      setAsking(false)
    },
  })
  if (error) return <p className="muted small">{t.offline}</p>
  if (!data) return null
  return (
    <div>
      {data.isBlocked ? (
        <Button
          busy={change.isPending}
          onClick={() => change.mutate('unblockPerson', { onError: toasts.failed })}
        >
          {t.unblock}
        </Button>
      ) : (
        <Button kind="danger" onClick={() => setAsking(true)}>
          {t.block}
        </Button>
      )}
      {isAsking ? (
        <ConfirmDialog
          title={t.blockTitle(title)}
          text={t.blockText}
          action={t.block}
          work={{ ...change, mutate: () => change.mutate('blockPerson') }}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </div>
  )
}

// Name and notes of the saved contact. A chat without one gets it with the first save.

interface ContactProps {
  open: OpenChat
  chat: ListedChat
  title: string
}

const MAX_NAME = 256
const MAX_NOTES = 10_000

function ContactFields(props: ContactProps) {
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

// The labels of the open chat, and a new one. They are those of the phone, so that a change needs a connected instance.

const MAX_LABEL_NAME = 100

function LabelChoice({ open, chat }: { open: OpenChat; chat: ListedChat }) {
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
