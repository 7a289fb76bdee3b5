// The saved contacts of an instance. The server searches and pages them.

import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { Avatar } from '../../chat/avatar.tsx'
import { contactsQuery, instancesQuery } from '../../gateway/queries.ts'
import { useCan } from '../../gateway/sign-in.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyPage, EmptyState } from '../../ui/empty-state.tsx'
import fieldsCss from '../../ui/fields.module.css'
import { TextField } from '../../ui/fields.tsx'
import { useFormat, useTexts } from '../../ui/language.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Loaded, PageHead } from '../../ui/page-head.tsx'
import { Table } from '../../ui/table.tsx'
import { uiTexts } from '../../ui/texts/ui-texts.ts'
import { InstancePicker } from '../instances/instance-picker.tsx'
import type { Contact } from './contact.ts'
import { ContactForm, RemoveContact } from './contact-dialogs.tsx'
import { contactTexts } from './texts/contact-texts.ts'

type Requested = { what: 'create' } | { what: 'edit' | 'remove'; contact: Contact }

export function ContactsPage() {
  const t = useTexts(contactTexts)
  const instances = useQuery(instancesQuery)
  return (
    <Loaded query={instances}>
      {({ instances: [first] }) =>
        first === undefined ? (
          <EmptyPage
            title={t.title}
            lead={t.lead}
            icon="contacts"
            reason={t.noInstance}
            text={t.noInstanceText}
            link={{ href: '/instances', text: t.toInstances }}
          />
        ) : (
          <ContactsOf first={first.apiInstanceName} />
        )
      }
    </Loaded>
  )
}

function ContactsOf({ first }: { first: string }) {
  const t = useTexts(contactTexts)
  const [instanceName, setInstanceName] = useState(first)
  const can = useCan()
  const [requested, ask] = useState<Requested>()
  const close = () => ask(undefined)
  return (
    <>
      <PageHead
        title={t.title}
        lead={t.lead}
        actions={
          can('saveContact') ? (
            <Button kind="primary" onClick={() => ask({ what: 'create' })}>
              {t.create}
            </Button>
          ) : undefined
        }
      />
      <ContactList
        key={instanceName}
        instanceName={instanceName}
        picker={<InstancePicker label={t.instance} value={instanceName} onChange={setInstanceName} />}
        ask={ask}
      />
      {requested?.what === 'create' ? <ContactForm instanceName={instanceName} onClose={close} /> : null}
      {requested?.what === 'edit' ? (
        <ContactForm instanceName={instanceName} contact={requested.contact} onClose={close} />
      ) : null}
      {requested?.what === 'remove' ? <RemoveContact contact={requested.contact} onClose={close} /> : null}
    </>
  )
}

interface ListProps {
  instanceName: string
  picker: React.ReactNode
  ask(requested: Requested): void
}

function ContactList({ instanceName, picker, ask }: ListProps) {
  const t = useTexts(contactTexts)
  const format = useFormat()
  const can = useCan()
  const [search, setSearch] = useState('')
  const [includeGroups, setIncludeGroups] = useState(false)
  const [page, setPage] = useState(1)
  const query = useQuery(
    contactsQuery({ instanceName, search: useDeferredValue(search.trim()), includeGroups, page }),
  )
  return (
    <>
      <div className="grid">
        {picker}
        <TextField
          label={t.search}
          hint={t.searchHint}
          type="search"
          maxLength={256}
          value={search}
          onChange={(text) => {
            setSearch(text)
            setPage(1)
          }}
        />
      </div>
      <div className="row apart">
        <label className={fieldsCss.check}>
          <input
            type="checkbox"
            checked={includeGroups}
            onChange={({ target }) => {
              setIncludeGroups(target.checked)
              setPage(1)
            }}
          />
          {t.includeGroups}
        </label>
        <span className="muted small number" role="status">
          {query.data ? t.total(format.number(query.data.total)) : null}
        </span>
      </div>
      <Loaded query={query}>
        {({ contacts, hasMore }) =>
          contacts.length === 0 && page === 1 ? (
            <EmptyState
              icon="contacts"
              title={search === '' ? t.empty : t.noMatch}
              action={
                search === '' ? (
                  can('saveContact') && <Button onClick={() => ask({ what: 'create' })}>{t.saveFirst}</Button>
                ) : (
                  <Button onClick={() => setSearch('')}>{t.clearSearch}</Button>
                )
              }
            >
              {search === '' ? t.emptyText : t.noMatchText}
            </EmptyState>
          ) : (
            <ContactTable contacts={contacts} ask={ask} paging={{ page, hasMore, onPage: setPage }} />
          )
        }
      </Loaded>
    </>
  )
}

interface TableProps {
  contacts: readonly Contact[]
  ask(requested: Requested): void
  paging: { page: number; hasMore: boolean; onPage(page: number): void }
}

function ContactTable({ contacts, ask, paging }: TableProps) {
  const t = useTexts(contactTexts)
  const ui = useTexts(uiTexts)
  const format = useFormat()
  const can = useCan()
  return (
    <Table
      label={t.title}
      records={contacts}
      keyOf={(contact) => contact.id}
      paging={paging}
      columns={[
        {
          title: t.columns.name,
          cell: (contact) => (
            <span className="avatar-row">
              <Avatar id={contact.remoteJid} title={contact.name} picture={contact.profilePictureUrl} />
              <strong className="wrap">{contact.name}</strong>
              {contact.isGroup ? <Badge>{t.group}</Badge> : null}
            </span>
          ),
        },
        {
          title: t.columns.phone,
          cell: ({ phone, remoteJid }) => (
            <span className="number nowrap">{phone === null ? remoteJid : `+${phone}`}</span>
          ),
        },
        {
          title: t.columns.notes,
          cell: ({ notes }) => <span className="muted small wrap">{notes ?? '–'}</span>,
        },
        {
          title: t.columns.lastMessage,
          cell: ({ chat }) => (
            <span className="muted small nowrap">{format.dateTime(chat.lastMessageTimestamp)}</span>
          ),
        },
        {
          title: ui.actions,
          actions: true,
          cell: (contact) =>
            can('updateContact', 'deleteContact') ? (
              <Menu
                label={t.actionsFor(contact.name)}
                items={[
                  { title: t.edit, onChoose: () => ask({ what: 'edit', contact }) },
                  { title: t.remove, danger: true, onChoose: () => ask({ what: 'remove', contact }) },
                ]}
              />
            ) : null,
        },
      ]}
    />
  )
}
