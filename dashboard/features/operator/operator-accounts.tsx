// The list of accounts. A new account gets its first key.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { z } from 'zod'
import type { Account as AccountSchema } from '../../../src/contract/admin.ts'
import { api } from '../../gateway/api.ts'
import { accountsQuery, planChoicesQuery } from '../../gateway/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/fields.tsx'
import { useFormat, useTexts } from '../../ui/language.tsx'
import { Menu } from '../../ui/menu.tsx'
import { NameDialog } from '../../ui/name-dialog.tsx'
import { Loaded } from '../../ui/page-head.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { Table } from '../../ui/table.tsx'
import { uiTexts } from '../../ui/texts/ui-texts.ts'
import { accountTexts } from '../account/texts/account-texts.ts'
import { addressOfInstances } from './operator-instances.tsx'
import { RemoveDialog } from './remove-dialog.tsx'
import { SubscriptionDialog } from './subscription-dialog.tsx'
import { operatorTexts } from './texts/operator-texts.ts'

type Account = z.output<typeof AccountSchema>
type Requested = { what: 'create' } | { what: 'subscription' | 'remove'; account: Account }

export function OperatorAccounts() {
  const t = useTexts(operatorTexts)
  const [page, setPage] = useState(1)
  const [requested, ask] = useState<Requested>()
  const query = useQuery(accountsQuery(page))
  const close = () => ask(undefined)
  return (
    <>
      <div className="row end">
        <Button kind="primary" onClick={() => ask({ what: 'create' })}>
          {t.newAccount}
        </Button>
      </div>
      <Loaded query={query}>
        {({ accounts, hasMore }) => (
          <AccountTable accounts={accounts} paging={{ page, hasMore, onPage: setPage }} ask={ask} />
        )}
      </Loaded>
      {requested?.what === 'create' ? <CreateDialog onClose={close} /> : null}
      {requested?.what === 'subscription' ? (
        <SubscriptionDialog account={requested.account} onClose={close} />
      ) : null}
      {requested?.what === 'remove' ? (
        <RemoveDialog
          name={requested.account.name}
          remove={() => api.adminDeleteAccount({ params: { id: String(requested.account.id) } })}
          onClose={close}
        />
      ) : null}
    </>
  )
}

interface AccountTableProps {
  accounts: readonly Account[]
  paging: { page: number; hasMore: boolean; onPage(page: number): void }
  ask(requested: Requested): void
}

function AccountTable({ accounts, paging, ask }: AccountTableProps) {
  const t = useTexts(operatorTexts)
  const ui = useTexts(uiTexts)
  const { statuses, actionsFor } = useTexts(accountTexts)
  const format = useFormat()
  const [, go] = useLocation()
  return (
    <Table
      label={t.tabs.accounts}
      records={accounts}
      keyOf={(account) => account.id}
      paging={paging}
      columns={[
        {
          title: t.columns.name,
          cell: ({ id, name }) => (
            <Link className="name-link" href={`/operator/accounts/${id}`}>
              {name}
            </Link>
          ),
        },
        { title: t.columns.plan, cell: ({ plan }) => plan.name },
        {
          title: t.columns.status,
          cell: ({ subscription: { hasAccess, status } }) => (
            <Badge tone={hasAccess ? 'good' : 'bad'}>{statuses[status]}</Badge>
          ),
        },
        {
          title: t.columns.periodEnd,
          cell: ({ subscription }) => (
            <span className="muted">{format.date(subscription.currentPeriodEnd)}</span>
          ),
        },
        {
          title: t.columns.created,
          cell: (account) => <span className="muted">{format.date(account.createdAt)}</span>,
        },
        {
          title: ui.actions,
          actions: true,
          cell: (account) => (
            <Menu
              label={actionsFor(account.name)}
              items={[
                { title: t.tabs.instances, onChoose: () => go(addressOfInstances(account.id)) },
                { title: t.subscription, onChoose: () => ask({ what: 'subscription', account }) },
                { title: t.remove, danger: true, onChoose: () => ask({ what: 'remove', account }) },
              ]}
            />
          ),
        },
      ]}
    />
  )
}

function CreateDialog({ onClose }: { onClose(): void }) {
  const t = useTexts(operatorTexts)
  const queries = useQueryClient()
  const plans = useQuery(planChoicesQuery).data?.plans ?? []
  const [plan, setPlan] = useState<string>()
  const planId = plan ?? String(plans[0]?.id ?? '')
  const create = useMutation({
    mutationFn: (name: string) => api.adminCreateAccount({ body: { name, planId: Number(planId) } }),
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['operator', 'accounts'] }),
  })
  if (create.data) {
    return (
      <ShownOnce
        title={t.accountKey}
        text={t.accountKeyText}
        label={t.accountKey}
        secret={create.data.key}
        action={t.done}
        onClose={onClose}
      />
    )
  }
  return (
    <NameDialog
      title={t.newAccount}
      label={t.name}
      required={t.nameRequired}
      action={t.create}
      maxLength={128}
      work={create}
      onClose={onClose}
    >
      <SelectField
        label={t.plan}
        value={planId}
        options={plans.map((one) => [String(one.id), one.name] as const)}
        onChange={setPlan}
      />
    </NameDialog>
  )
}
