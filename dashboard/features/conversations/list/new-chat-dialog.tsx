// Starts a chat with a saved contact, or with a new number after checking that it is on the network.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { Avatar } from '../../../chat/avatar.tsx'
import { api } from '../../../gateway/api.ts'
import { contactsQuery } from '../../../gateway/queries.ts'
import { SelectField, TextField } from '../../../ui/fields.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { useFieldFault } from '../../../ui/refusals/error-text.ts'
import type { OpenChat } from '../model/chat-address.ts'
import type { ListedInstance } from '../model/conversation-queries.ts'
import { conversationTexts } from '../texts/conversation-texts.ts'
import { peopleTexts } from '../texts/people-texts.ts'
import { moveInList } from './chat-list.tsx'
import css from './new-chat-dialog.module.css'

interface NewChatProps {
  instances: readonly ListedInstance[]
  addressOfChat(open: OpenChat): string
  onClose(): void
}

export function NewChat({ instances, addressOfChat, onClose }: NewChatProps) {
  const t = useTexts(conversationTexts)
  const fieldFault = useFieldFault()
  const [, go] = useLocation()
  const [instanceName, setInstanceName] = useState(instances[0]?.apiInstanceName ?? '')
  const [number, setNumber] = useState('')
  const check = useMutation({ mutationFn: () => api.checkNumber({ query: { instanceName, number } }) })
  const found = check.data?.data
  const change = (set: (value: string) => void) => (value: string) => {
    check.reset()
    set(value)
  }
  const openChat = () => {
    if (!found?.exists) return check.mutate()
    onClose()
    go(addressOfChat({ instanceName, chat: found.jid }))
  }
  return (
    <FormDialog
      title={t.newChatTitle}
      action={found?.exists ? t.start : t.check}
      isPending={check.isPending}
      isBlocked={found?.exists === false}
      onSubmit={openChat}
      onClose={onClose}
    >
      {instances.length > 1 ? (
        <SelectField
          label={t.instance}
          value={instanceName}
          options={instances.map((one) => [one.apiInstanceName, one.displayName] as const)}
          onChange={change(setInstanceName)}
        />
      ) : null}
      <ContactPicker
        key={instanceName}
        instanceName={instanceName}
        addressOfChat={addressOfChat}
        onChosen={onClose}
      />
      <TextField
        label={t.newChatNumber}
        hint={t.newChatHint}
        inputMode="tel"
        value={number}
        onChange={change(setNumber)}
        fault={fieldFault(check.error, 'number')}
      />
      <div role="status">
        {found ? (
          <div className={`note ${found.exists ? 'good' : 'warn'}`}>
            {found.exists ? t.exists(found.number) : t.existsNot(found.number)}
          </div>
        ) : null}
      </div>
    </FormDialog>
  )
}

// Chooses a saved contact to write to. The list is one stop of the Tab key; arrows move in it.

interface PickerProps {
  instanceName: string
  addressOfChat(open: OpenChat): string
  onChosen(): void
}

function ContactPicker({ instanceName, addressOfChat, onChosen }: PickerProps) {
  const t = useTexts(peopleTexts)
  const [search, setSearch] = useState('')
  const { data } = useQuery(
    contactsQuery({ instanceName, search: useDeferredValue(search.trim()), includeGroups: false, page: 1 }),
  )
  if (!data || (data.total === 0 && search === '')) return null
  return (
    <div className={css.picker}>
      <TextField
        label={t.searchContacts}
        type="search"
        maxLength={256}
        value={search}
        onChange={setSearch}
        onKeyDown={(event) => {
          const first = event.currentTarget
            .closest('dialog')
            ?.querySelector<HTMLElement>(`.${css.contacts} a`)
          // Enter would submit the form of the number.
          if (event.key === 'Enter') event.preventDefault()
          if (event.key === 'Enter') first?.click()
          if (event.key === 'ArrowDown') first?.focus()
        }}
      />
      {data.contacts.length === 0 ? <p className="muted small">{t.noContacts}</p> : null}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows move between its links */}
      <ul className={css.contacts} aria-label={t.contacts} onKeyDown={moveInList}>
        {data.contacts.map(({ id, name, remoteJid, phone, profilePictureUrl }, index) => (
          <li key={id}>
            <Link
              href={addressOfChat({ instanceName, chat: remoteJid })}
              tabIndex={index === 0 ? 0 : -1}
              onClick={onChosen}
            >
              <Avatar id={remoteJid} title={name} picture={profilePictureUrl} />
              <span className="cut">{name}</span>
              <span className="muted small number">{phone === null ? '' : `+${phone}`}</span>
            </Link>
          </li>
        ))}
      </ul>
      <p className="muted small">{t.orNumber}</p>
    </div>
  )
}
