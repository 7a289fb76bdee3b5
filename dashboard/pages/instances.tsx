// All instances of the account, with their state as it changes.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { z } from 'zod'
import type { Instance as InstanceSchema } from '../../src/contract/instances.ts'
import { api } from '../api.ts'
import { useFormat, useTexts } from '../language.tsx'
import { instancesQuery } from '../queries.ts'
import { firstRunTexts } from '../texts/first-run.ts'
import { instanceTexts } from '../texts/instances.ts'
import { uiTexts } from '../texts/ui.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { TextField } from '../ui/fields.tsx'
import { InstanceState } from '../ui/instance-state.tsx'
import { Menu } from '../ui/menu.tsx'
import { NameDialog } from '../ui/name-dialog.tsx'
import { Loaded, PageHead } from '../ui/page-head.tsx'
import { type Paging, Table } from '../ui/table.tsx'
import { DeleteDialog, LogoutDialog } from './instance-dialogs.tsx'

type Instance = z.output<typeof InstanceSchema>

export function InstancesPage() {
  const t = useTexts(instanceTexts)
  const firstRun = useTexts(firstRunTexts)
  const query = useQuery(instancesQuery)
  const [creating, setCreating] = useState(false)
  const create = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      {t.create}
    </Button>
  )
  return (
    <>
      <PageHead title={t.title} lead={t.lead} actions={create} />
      <Loaded query={query}>
        {({ instances }) =>
          instances.length === 0 ? (
            <EmptyState title={t.empty} action={<Link href="/">{firstRun.link}</Link>}>
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

/** The API lists all of them at once; what is shown is searched and paged here. */
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
  // Instances may have gone since: the last page that there is, then.
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
  const [asked, ask] = useState<{ what: 'logout' | 'delete'; instance: Instance }>()
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
              <div>
                <Link
                  className="name-link"
                  href={`/instances/${encodeURIComponent(instance.apiInstanceName)}`}
                >
                  {instance.displayName}
                </Link>
                <div className="muted mono">{instance.apiInstanceName}</div>
              </div>
            ),
          },
          {
            title: t.columns.state,
            cell: (instance) => <InstanceState state={instance.state} reason={instance.stateReason} />,
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
            end: true,
            cell: (instance) => (
              <Menu
                label={t.open(instance.displayName)}
                items={[
                  { title: t.logout, onChoose: () => ask({ what: 'logout', instance }) },
                  { title: t.remove, danger: true, onChoose: () => ask({ what: 'delete', instance }) },
                ]}
              />
            ),
          },
        ]}
      />
      {asked?.what === 'logout' ? <LogoutDialog instance={asked.instance} onClose={close} /> : null}
      {asked?.what === 'delete' ? <DeleteDialog instance={asked.instance} onClose={close} /> : null}
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
