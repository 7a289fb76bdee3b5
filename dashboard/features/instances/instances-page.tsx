// All instances of the account with their live state.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { z } from 'zod'
import type { Instance as InstanceSchema } from '../../../src/contract/instances.ts'
import { Avatar } from '../../chat/avatar.tsx'
import { api } from '../../gateway/api.ts'
import { instancesQuery } from '../../gateway/queries.ts'
import { useCan } from '../../gateway/sign-in.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { TextField } from '../../ui/fields.tsx'
import { useFormat, useTexts } from '../../ui/language.tsx'
import { Menu } from '../../ui/menu.tsx'
import { NameDialog } from '../../ui/name-dialog.tsx'
import { Loaded, PageHead } from '../../ui/page-head.tsx'
import { type Paging, Table } from '../../ui/table.tsx'
import { uiTexts } from '../../ui/texts/ui-texts.ts'
import { DeleteDialog, LogoutDialog } from './instance-dialogs.tsx'
import { InstanceState } from './instance-state.tsx'
import { instanceTexts } from './texts/instance-texts.ts'

type Instance = z.output<typeof InstanceSchema>

export function InstancesPage() {
  const t = useTexts(instanceTexts)
  const query = useQuery(instancesQuery)
  const can = useCan()
  const [creating, setCreating] = useState(false)
  const isEmpty = query.data?.instances.length === 0
  const create = can('createInstance') ? (
    <Button kind="primary" onClick={() => setCreating(true)}>
      {t.create}
    </Button>
  ) : undefined
  return (
    <>
      <PageHead title={t.title} lead={t.lead} actions={isEmpty ? undefined : create} />
      <Loaded query={query}>
        {({ instances }) =>
          instances.length === 0 ? (
            <EmptyState
              icon="instances"
              title={t.empty}
              action={
                <>
                  {create}
                  {create ? <ButtonLink href="/">{t.firstRun}</ButtonLink> : null}
                </>
              }
            >
              {t.emptyText}
            </EmptyState>
          ) : (
            <InstanceList instances={instances} />
          )
        }
      </Loaded>
      {creating ? <CreateDialog onClose={() => setCreating(false)} /> : null}
    </>
  )
}

/** The API returns all instances at once, so the page searches and pages them itself. */
const PAGE_SIZE = 50

function InstanceList({ instances }: { instances: readonly Instance[] }) {
  const t = useTexts(instanceTexts)
  const ui = useTexts(uiTexts)
  const [search, setSearch] = useState('')
  const [wantedPage, setPage] = useState(1)
  const wanted = search.trim().toLowerCase()
  const found = instances.filter((instance) =>
    [instance.displayName, instance.apiInstanceName, instance.number ?? '', instance.profileName ?? ''].some(
      (text) => text.toLowerCase().includes(wanted),
    ),
  )
  // If instances were deleted, the last existing page is shown.
  const page = Math.max(1, Math.min(wantedPage, Math.ceil(found.length / PAGE_SIZE)))
  return (
    <>
      {instances.length > PAGE_SIZE ? (
        <TextField
          label={ui.search}
          hint={t.found(found.length)}
          type="search"
          value={search}
          onChange={(text) => {
            setSearch(text)
            setPage(1)
          }}
        />
      ) : null}
      {found.length === 0 ? (
        <p className="muted">{ui.noMatch}</p>
      ) : (
        <InstanceTable
          instances={found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)}
          paging={{ page, hasMore: page * PAGE_SIZE < found.length, onPage: setPage }}
        />
      )}
    </>
  )
}

function InstanceTable({ instances, paging }: { instances: readonly Instance[]; paging: Paging }) {
  const t = useTexts(instanceTexts)
  const ui = useTexts(uiTexts)
  const format = useFormat()
  const can = useCan()
  const [requested, ask] = useState<{ what: 'logout' | 'delete'; instance: Instance }>()
  const close = () => ask(undefined)
  return (
    <>
      <Table
        label={t.title}
        records={instances}
        keyOf={(instance) => instance.id}
        paging={paging}
        columns={[
          {
            title: t.columns.name,
            cell: (instance) => (
              <div className="avatar-row">
                <Avatar
                  id={instance.apiInstanceName}
                  title={instance.displayName}
                  picture={can('profilePicture') ? instance.profilePictureUrl : null}
                />
                <div>
                  <Link
                    className="name-link"
                    href={`/instances/${encodeURIComponent(instance.apiInstanceName)}`}
                  >
                    {instance.displayName}
                  </Link>
                  <div className="muted mono">{instance.apiInstanceName}</div>
                </div>
              </div>
            ),
          },
          {
            title: t.columns.state,
            cell: (instance) => <InstanceState instance={instance} />,
          },
          {
            title: t.columns.number,
            cell: ({ number }) => <span className="number">{number === null ? '–' : `+${number}`}</span>,
          },
          {
            title: t.columns.changed,
            cell: (instance) => (
              <span className="muted small nowrap">{format.dateTime(instance.updatedAt)}</span>
            ),
          },
          {
            title: ui.actions,
            actions: true,
            cell: (instance) =>
              can('logoutInstance', 'deleteInstance') ? (
                <Menu
                  label={t.open(instance.displayName)}
                  items={[
                    { title: t.logout, onChoose: () => ask({ what: 'logout', instance }) },
                    { title: t.remove, danger: true, onChoose: () => ask({ what: 'delete', instance }) },
                  ]}
                />
              ) : null,
          },
        ]}
      />
      {requested?.what === 'logout' ? <LogoutDialog instance={requested.instance} onClose={close} /> : null}
      {requested?.what === 'delete' ? <DeleteDialog instance={requested.instance} onClose={close} /> : null}
    </>
  )
}

function CreateDialog({ onClose }: { onClose(): void }) {
  const t = useTexts(instanceTexts)
  const queries = useQueryClient()
  const [, go] = useLocation()
  const create = useMutation({
    mutationFn: (instanceName: string) => api.createInstance({ body: { instanceName } }),
    onSuccess({ instance }) {
      void queries.invalidateQueries({ queryKey: ['instances'] })
      void queries.invalidateQueries({ queryKey: ['limits'] })
      go(`/instances/${encodeURIComponent(instance.apiInstanceName)}`)
    },
  })
  return (
    <NameDialog
      title={t.createTitle}
      label={t.name}
      hint={t.nameHint}
      required={t.nameRequired}
      action={t.createSubmit}
      maxLength={64}
      work={create}
      field="instanceName"
      onClose={onClose}
    />
  )
}
