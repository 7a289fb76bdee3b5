// Chooses a saved contact to write to. The list is one stop of the Tab key; arrows move in it.

import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { Link } from 'wouter'
import { Avatar } from '../../../chat/avatar.tsx'
import { contactsQuery } from '../../../gateway/queries.ts'
import { TextField } from '../../../ui/fields.tsx'
import { useTexts } from '../../../ui/language.tsx'
import type { OpenChat } from '../model/chat-address.ts'
import { peopleTexts } from '../texts/people-texts.ts'
import css from './contact-picker.module.css'
import { moveInList } from './list-keys.ts'

interface PickerProps {
  instanceName: string
  addressOfChat(open: OpenChat): string
  onChosen(): void
}

export function ContactPicker({ instanceName, addressOfChat, onChosen }: PickerProps) {
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
