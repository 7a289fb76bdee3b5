// The instances of all accounts: searched, filtered and paged by the server.
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { Link } from 'wouter'
import type { z } from 'zod'
import type { adminListInstances } from '../../../src/contract/admin.ts'
import type { ConnectionState } from '../../../src/contract/instances.ts'
import { accountQuery, allInstancesQuery } from '../../gateway/queries.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { useFormat, useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/page-head.tsx'
import { type Paging, Table } from '../../ui/table.tsx'
import { uiTexts } from '../../ui/texts/ui-texts.ts'
import { InstanceState } from '../instances/instance-state.tsx'
import { instanceTexts } from '../instances/texts/instance-texts.ts'
import { operatorTexts } from './texts/operator-texts.ts'

type OperatorInstance = z.output<(typeof adminListInstances)['answer']>['instances'][number]
type StateFilter = ConnectionState | 'any'

export const addressOfOverview = (accountId: number): string => `/operator?tab=overview&account=${accountId}`

export const addressOfInstances = (accountId: number): string =>
  `/operator?tab=instances&account=${accountId}`

/** Limited to one account if the address names it. */
export function OperatorInstances({ accountId }: { accountId: string | undefined }) {
  const t = useTexts(operatorTexts)
  const ui = useTexts(uiTexts)
  const { states } = useTexts(instanceTexts)
  const [state, setState] = useState<StateFilter>('any')
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const query = useQuery(
    allInstancesQuery({ accountId, state, search: useDeferredValue(search.trim()), page }),
  )
  const isFiltered = state !== 'any' || search.trim() !== ''
  return (
    <>
      {accountId === undefined ? null : <OnlyOf accountId={accountId} />}
      <div className="grid">
        <TextField
          label={ui.search}
          hint={t.searchHint}
          type="search"
          maxLength={100}
          value={search}
          onChange={(text) => {
            setSearch(text)
            setPage(1)
          }}
        />
        <SelectField<StateFilter>
          label={t.state}
          value={state}
          options={[['any', t.anyState] as const, ...(Object.entries(states) as [ConnectionState, string][])]}
          onChange={(next) => {
            setState(next)
            setPage(1)
          }}
        />
      </div>
      <Loaded query={query}>
        {({ instances, hasMore }) =>
          instances.length === 0 && page === 1 ? (
            <EmptyState title={t.noInstances}>
              {isFiltered ? ui.noMatch : accountId === undefined ? t.noInstancesText : t.noneOfAccount}
            </EmptyState>
          ) : (
            <InstanceTable instances={instances} paging={{ page, hasMore, onPage: setPage }} />
          )
        }
      </Loaded>
    </>
  )
}

function OnlyOf({ accountId }: { accountId: string }) {
  const t = useTexts(operatorTexts)
  const name = useQuery(accountQuery(accountId)).data?.account.name
  return (
    <div className="note row apart">
      <span className="wrap">{t.onlyOf(name ?? accountId)}</span>
      <Link href="/operator?tab=instances">{t.ofAll}</Link>
    </div>
  )
}

function InstanceTable({ instances, paging }: { instances: readonly OperatorInstance[]; paging: Paging }) {
  const t = useTexts(operatorTexts)
  const { columns } = useTexts(instanceTexts)
  const format = useFormat()
  return (
    <Table
      label={t.tabs.instances}
      records={instances}
      keyOf={(instance) => instance.id}
      paging={paging}
      columns={[
        {
          title: columns.name,
          cell: ({ displayName, apiInstanceName }) => (
            <div>
              <strong className="wrap">{displayName}</strong>
              <div className="muted mono">{apiInstanceName}</div>
            </div>
          ),
        },
        {
          title: t.account,
          cell: ({ account }) => (
            <Link className="wrap" href={`/operator/accounts/${account.id}`}>
              {account.name}
            </Link>
          ),
        },
        {
          title: columns.state,
          cell: (instance) => <InstanceState instance={instance} />,
        },
        {
          title: columns.number,
          cell: ({ number }) => <span className="number">{number === null ? '–' : `+${number}`}</span>,
        },
        {
          title: t.metrics.queue,
          end: true,
          cell: ({ queued }) => <span className="number">{format.number(queued)}</span>,
        },
      ]}
    />
  )
}
