// The operator's plans: price and limits.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import type { Resource } from '../../src/contract/account.ts'
import type { Plan as PlanSchema } from '../../src/contract/admin.ts'
import { api } from '../api.ts'
import { faultOf, useErrorText } from '../errors.ts'
import { useFormat, useTexts } from '../language.tsx'
import { plansQuery } from '../queries.ts'
import { accountTexts } from '../texts/account.ts'
import { operatorTexts } from '../texts/operator.ts'
import { uiTexts } from '../texts/ui.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, TextField } from '../ui/fields.tsx'
import { Menu } from '../ui/menu.tsx'
import { Loaded } from '../ui/page-head.tsx'
import { Table } from '../ui/table.tsx'
import { RemoveDialog } from './remove-dialog.tsx'

type Plan = z.output<typeof PlanSchema>

export function OperatorPlans() {
  const t = useTexts(operatorTexts)
  const ui = useTexts(uiTexts)
  const { intervals, actionsFor } = useTexts(accountTexts)
  const format = useFormat()
  const [page, setPage] = useState(1)
  const [creating, setCreating] = useState(false)
  const [removing, setRemoving] = useState<Plan>()
  const query = useQuery(plansQuery(page))
  const inWords = (limit: number | 'Unlimited' | null) =>
    limit === null ? t.notMetered : limit === 'Unlimited' ? t.unlimited : format.number(limit)
  return (
    <>
      <div className="row end">
        <Button kind="primary" onClick={() => setCreating(true)}>
          {t.newPlan}
        </Button>
      </div>
      <Loaded query={query}>
        {({ plans, hasMore }) => (
          <Table
            label={t.tabs.plans}
            records={plans}
            keyOf={(plan) => plan.id}
            paging={{ page, hasMore, onPage: setPage }}
            columns={[
              { title: t.columns.name, cell: ({ name }) => <strong className="wrap">{name}</strong> },
              {
                title: t.columns.price,
                cell: (plan) => `${format.money(plan.amount, plan.currency)} ${intervals[plan.interval]}`,
              },
              {
                title: t.columns.limits,
                cell: ({ limits }) => (
                  <span className="muted small">
                    {t.limitLine(
                      inWords(limits.users),
                      inWords(limits.contacts),
                      inWords(limits.instances),
                      inWords(limits.messages),
                    )}
                  </span>
                ),
              },
              {
                title: ui.actions,
                end: true,
                cell: (plan) => (
                  <Menu
                    label={actionsFor(plan.name)}
                    items={[{ title: t.remove, danger: true, onChoose: () => setRemoving(plan) }]}
                  />
                ),
              },
            ]}
          />
        )}
      </Loaded>
      {creating ? <CreateDialog onClose={() => setCreating(false)} /> : null}
      {removing ? (
        <RemoveDialog
          name={removing.name}
          remove={() => api.adminDeletePlan({ params: { id: String(removing.id) } })}
          onClose={() => setRemoving(undefined)}
        />
      ) : null}
    </>
  )
}

const RESOURCES: readonly Resource[] = ['users', 'contacts', 'instances', 'messages']
const NO_LIMITS: Record<Resource, string> = { users: '', contacts: '', instances: '', messages: '' }
const isLimit = (text: string): boolean => /^\d{0,9}$/.test(text.trim())
const toLimit = (text: string) => (text.trim() === '' ? ('Unlimited' as const) : Number(text))

function CreateDialog({ onClose }: { onClose(): void }) {
  const t = useTexts(operatorTexts)
  const ui = useTexts(uiTexts)
  const { resources } = useTexts(accountTexts)
  const errorText = useErrorText()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [amount, setAmount] = useState('0')
  const [currency, setCurrency] = useState('usd')
  const [limits, setLimits] = useState(NO_LIMITS)
  const create = useMutation({
    mutationFn: () =>
      api.adminCreatePlan({
        body: {
          name,
          amount: Number(amount),
          currency,
          limits: {
            users: toLimit(limits.users),
            contacts: toLimit(limits.contacts),
            instances: toLimit(limits.instances),
            messages: toLimit(limits.messages),
          },
        },
      }),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: ['operator', 'plans'] })
      onClose()
    },
  })
  const named = (path: string) => faultOf(create.error, path)
  const other =
    create.error && !['name', 'amount', 'currency'].some(named) ? errorText(create.error) : undefined
  return (
    <Dialog title={t.newPlan} onClose={onClose}>
      <Form
        onSubmit={() => {
          if (RESOURCES.every((resource) => isLimit(limits[resource]))) create.mutate()
        }}
      >
        <TextField
          label={t.name}
          fault={named('name') ?? other}
          maxLength={64}
          value={name}
          onChange={setName}
        />
        <TextField
          label={t.amount}
          fault={named('amount')}
          inputMode="numeric"
          value={amount}
          onChange={setAmount}
        />
        <TextField
          label={t.currency}
          fault={named('currency')}
          maxLength={3}
          value={currency}
          onChange={setCurrency}
        />
        {RESOURCES.map((resource) => (
          <TextField
            key={resource}
            label={resources[resource]}
            hint={t.limitHint}
            fault={isLimit(limits[resource]) ? undefined : t.limitFault}
            inputMode="numeric"
            value={limits[resource]}
            onChange={(text) => setLimits({ ...limits, [resource]: text })}
          />
        ))}
        <div className="row end">
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button kind="primary" submit busy={create.isPending}>
            {t.create}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
