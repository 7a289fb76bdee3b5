// Forwards a message to another chat of the instance, or to a number.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { digitsOf } from '../../../../src/contract/phone-number.ts'
import { Avatar } from '../../../chat/avatar.tsx'
import { api } from '../../../gateway/api.ts'
import { TextField } from '../../../ui/fields.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { ErrorNote } from '../../../ui/page-head.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import { useChatTitle } from '../model/chat-title.ts'
import { rereadChats, useChats, useGroups } from '../model/conversation-queries.ts'
import { actionTexts } from '../texts/action-texts.ts'
import css from './forward-dialog.module.css'
import type { MessageDialogProps } from './requested-dialog.ts'

/** Enough to choose from; the search finds the others by number. */
const MOST_SHOWN = 50

interface Choice {
  jid: string
  title: string
  picture: string | null
}

export function ForwardDialog({ open, shown, onClose }: MessageDialogProps) {
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
