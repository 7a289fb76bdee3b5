// The list of plans with price and limits.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../gateway/api.ts'
import { plansQuery } from '../../gateway/queries.ts'
import { Button } from '../../ui/button.tsx'
import { useFormat, useTexts } from '../../ui/language.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Loaded } from '../../ui/page-head.tsx'
import { type Paging, Table } from '../../ui/table.tsx'
import { uiTexts } from '../../ui/texts/ui-texts.ts'
import { accountTexts } from '../account/texts/account-texts.ts'
import type { Plan } from './plan-draft.ts'
import { PlanForm } from './plan-form.tsx'
import { RemoveDialog } from './remove-dialog.tsx'
import { operatorTexts } from './texts/operator-texts.ts'

type Requested = { what: 'create' } | { what: 'edit' | 'remove'; plan: Plan }

export function OperatorPlans() {
  const t = useTexts(operatorTexts)
  const [page, setPage] = useState(1)
  const [requested, ask] = useState<Requested>()
  const query = useQuery(plansQuery(page))
  const close = () => ask(undefined)
  return (
    <>
      <div className="row end">
        <Button kind="primary" onClick={() => ask({ what: 'create' })}>
          {t.newPlan}
        </Button>
      </div>
      <Loaded query={query}>
        {({ plans, hasMore }) => (
          <PlanTable plans={plans} paging={{ page, hasMore, onPage: setPage }} ask={ask} />
        )}
      </Loaded>
      {requested?.what === 'create' ? <PlanForm onClose={close} /> : null}
      {requested?.what === 'edit' ? <PlanForm plan={requested.plan} onClose={close} /> : null}
      {requested?.what === 'remove' ? (
        <RemoveDialog
          name={requested.plan.name}
          remove={() => api.adminDeletePlan({ params: { id: String(requested.plan.id) } })}
          onClose={close}
        />
      ) : null}
    </>
  )
}

interface PlanTableProps {
  plans: readonly Plan[]
  paging: Paging
  ask(requested: Requested): void
}

function PlanTable({ plans, paging, ask }: PlanTableProps) {
  const t = useTexts(operatorTexts)
  const ui = useTexts(uiTexts)
  const { intervals, actionsFor } = useTexts(accountTexts)
  const format = useFormat()
  const inWords = (limit: number | 'Unlimited' | null) =>
    limit === null ? t.notMetered : limit === 'Unlimited' ? t.unlimited : format.number(limit)
  return (
    <Table
      label={t.tabs.plans}
      records={plans}
      keyOf={(plan) => plan.id}
      paging={paging}
      columns={[
        { title: t.columns.name, cell: ({ name }) => <strong className="wrap">{name}</strong> },
        {
          title: t.columns.price,
          cell: (plan) => (
            <span className="nowrap">
              {format.money(plan.amount, plan.currency)} {intervals[plan.interval]}
            </span>
          ),
        },
        {
          title: t.columns.limits,
          cell: ({ limits: { users, contacts, instances, messages } }) => (
            <span className="muted small">
              {t.limitLine(inWords(users), inWords(contacts), inWords(instances), inWords(messages))}
            </span>
          ),
        },
        {
          title: ui.actions,
          actions: true,
          cell: (plan) => (
            <Menu
              label={actionsFor(plan.name)}
              items={[
                { title: t.edit, onChoose: () => ask({ what: 'edit', plan }) },
                { title: t.remove, danger: true, onChoose: () => ask({ what: 'remove', plan }) },
              ]}
            />
          ),
        },
      ]}
    />
  )
}
