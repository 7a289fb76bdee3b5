// The dialogs that change a message: edit, forward, pin and delete.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { PIN_SECONDS } from '../../../../src/contract/message-values.ts'
import { digitsOf } from '../../../../src/contract/phone-number.ts'
import { Avatar } from '../../../chat/avatar.tsx'
import { api } from '../../../gateway/api.ts'
import { AreaField } from '../../../ui/area-field.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { SelectField, TextField } from '../../../ui/fields.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { ErrorNote } from '../../../ui/page-head.tsx'
import { useFieldFault } from '../../../ui/refusals/error-text.ts'
import { uiTexts } from '../../../ui/texts/ui-texts.ts'
import { useToasts } from '../../../ui/toast.tsx'
import type { OpenChat } from '../model/chat-address.ts'
import { useChatTitle } from '../model/chat-title.ts'
import { rereadChats, rereadConversation, useChats, useGroups } from '../model/conversation-queries.ts'
import type { ThreadMessage } from '../model/shown-messages.ts'
import { actionTexts } from '../texts/action-texts.ts'
import css from './message-dialogs.module.css'

// What the dialogs that change a message take.

export type RequestedDialog = 'edit' | 'forward' | 'pin' | 'delete'

interface MessageDialogProps {
  open: OpenChat
  shown: ThreadMessage
  onClose(): void
}

const DIALOGS = { edit: EditDialog, forward: ForwardDialog, pin: PinDialog, delete: DeleteDialog }

export function MessageDialog({ dialog, ...props }: MessageDialogProps & { dialog: RequestedDialog }) {
  const Chosen = DIALOGS[dialog]
  return <Chosen {...props} />
}

/** A change of the message, after which the dialog closes. */
function useChange<T>({ open, onClose }: MessageDialogProps, change: (value: T) => Promise<unknown>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess() {
      onClose()
      void rereadConversation(queries, open)
    },
  })
}

function EditDialog(props: MessageDialogProps) {
  const t = useTexts(actionTexts)
  const ui = useTexts(uiTexts)
  const fieldFault = useFieldFault()
  const { shown, open, onClose } = props
  const [message, setMessage] = useState(shown.text ?? '')
  const edit = useChange(props, () =>
    api.editMessage({
      params: { messageId: shown.message.messageId },
      body: { instanceName: open.instanceName, message },
    }),
  )
  return (
    <FormDialog
      title={t.editTitle}
      action={ui.save}
      isPending={edit.isPending}
      isBlocked={message.trim() === '' || message === shown.text}
      onSubmit={() => edit.mutate(undefined)}
      onClose={onClose}
    >
      <AreaField
        label={t.editText}
        rows={4}
        value={message}
        onChange={setMessage}
        fault={fieldFault(edit.error, 'message')}
      />
    </FormDialog>
  )
}

type PinFor = keyof typeof PIN_SECONDS

function PinDialog(props: MessageDialogProps) {
  const t = useTexts(actionTexts)
  const { shown, open, onClose } = props
  const [duration, setDuration] = useState<PinFor>('week')
  const pin = useChange(props, (seconds: (typeof PIN_SECONDS)[PinFor]) =>
    api.pinMessage({
      params: { messageId: shown.message.messageId },
      body: { instanceName: open.instanceName, seconds },
    }),
  )
  return (
    <FormDialog
      title={t.pinTitle}
      intro={<p>{t.pinText}</p>}
      action={t.choices.pin}
      isPending={pin.isPending}
      onSubmit={() => pin.mutate(PIN_SECONDS[duration])}
      onClose={onClose}
    >
      <SelectField<PinFor>
        label={t.pinFor}
        value={duration}
        options={(Object.keys(PIN_SECONDS) as PinFor[]).map((one): [PinFor, string] => [
          one,
          t.durations[one],
        ])}
        onChange={setDuration}
      />
      {pin.error ? <ErrorNote error={pin.error} /> : null}
    </FormDialog>
  )
}

function DeleteDialog(props: MessageDialogProps) {
  const t = useTexts(actionTexts)
  const { shown, open, onClose } = props
  const remove = useChange(props, () =>
    api.deleteMessage({
      params: { messageId: shown.message.messageId },
      query: { instanceName: open.instanceName },
    }),
  )
  return (
    <ConfirmDialog
      title={t.deleteTitle}
      text={t.deleteText}
      action={t.choices.delete}
      work={{ ...remove, mutate: () => remove.mutate(undefined) }}
      onClose={onClose}
    />
  )
}

// Forwards a message to another chat of the instance, or to a number.

/** Enough to choose from; the search finds the others by number. */
const MOST_SHOWN = 50

interface Choice {
  jid: string
  title: string
  picture: string | null
}

function ForwardDialog({ open, shown, onClose }: MessageDialogProps) {
  const t = useTexts(actionTexts)
  const toasts = useToasts()
  const queries = useQueryClient()
  const [search, setSearch] = useState('')
  const [chosen, choose] = useState<string>()
  const choices = useChoices(open.instanceName, search)
  const forward = useMutation({
    mutationFn: (jid: string) =>
      api.forwardMessage({
        params: { messageId: shown.message.messageId },
        body: {
          instanceName: open.instanceName,
          chat: jid,
        },
      }),
    onSuccess() {
      toasts.done(t.forwarded)
      onClose()
      void rereadChats(queries, open.instanceName)
    },
  })
  const target = choices.find(({ jid }) => jid === chosen)
  return (
    <FormDialog
      title={t.forwardTitle}
      action={t.choices.forward}
      isPending={forward.isPending}
      isBlocked={!target}
      onSubmit={() => {
        if (target) forward.mutate(target.jid)
      }}
      onClose={onClose}
    >
      <TextField
        label={t.forwardTo}
        hint={t.forwardHint}
        type="search"
        value={search}
        onChange={(text) => {
          forward.reset()
          setSearch(text)
        }}
      />
      <fieldset className={css.choices}>
        <legend className="sr-only">{t.forwardTo}</legend>
        {choices.map((choice) => (
          <label key={choice.jid}>
            <input
              type="radio"
              name="choice"
              checked={choice.jid === chosen}
              onChange={() => choose(choice.jid)}
            />
            <Avatar id={choice.jid} title={choice.title} picture={choice.picture} />
            <span className="wrap">{choice.title}</span>
          </label>
        ))}
        {choices.length === 0 ? <p className="muted">{t.noPlace}</p> : null}
      </fieldset>
      {forward.error ? <ErrorNote error={forward.error} /> : null}
    </FormDialog>
  )
}

/** Chats and groups that match, and the number that was typed. */
function useChoices(instanceName: string, search: string): Choice[] {
  const titleOf = useChatTitle()
  const names = useMemo(() => [instanceName], [instanceName])
  const { read } = useChats(names, 1)
  const { groups } = useGroups(names)
  const needle = search.trim().toLowerCase()
  const all = new Map<string, Choice>()
  for (const { group } of groups)
    all.set(group.groupJid, { jid: group.groupJid, title: group.subject, picture: group.profilePictureUrl })
  for (const chat of read.flatMap(({ chats }) => chats)) {
    const { remoteJid: jid } = chat
    if (all.has(jid)) continue
    all.set(jid, { jid, title: titleOf(jid, chat), picture: chat.profilePictureUrl })
  }
  const found = [...all.values()].filter(
    ({ jid, title }) => needle === '' || title.toLowerCase().includes(needle) || jid.includes(needle),
  )
  const number = digitsOf(search)
  const typed = number === undefined ? undefined : `${number}@s.whatsapp.net`
  const isNew = typed !== undefined && !all.has(typed)
  return [...(isNew ? [{ jid: typed, title: `+${number}`, picture: null }] : []), ...found].slice(
    0,
    MOST_SHOWN,
  )
}
