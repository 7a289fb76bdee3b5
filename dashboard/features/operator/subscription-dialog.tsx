// Changes the plan, the status and the dates of an account's subscription.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import type { SubscriptionStatus } from '../../../src/contract/account.ts'
import type { Account as AccountSchema } from '../../../src/contract/admin.ts'
import { api } from '../../gateway/api.ts'
import { planChoicesQuery } from '../../gateway/queries.ts'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useTexts } from '../../ui/language.tsx'
import { ErrorNote } from '../../ui/page-head.tsx'
import { uiTexts } from '../../ui/texts/ui-texts.ts'
import { useToasts } from '../../ui/toast.tsx'
import { accountTexts } from '../account/texts/account-texts.ts'
import { operatorTexts } from './texts/operator-texts.ts'

type Account = z.output<typeof AccountSchema>
const DATES = ['currentPeriodEnd', 'trialEndsAt', 'expiresAt'] as const
type DateName = (typeof DATES)[number]
type Dates = Record<DateName, string>

export function SubscriptionDialog({ account, onClose }: { account: Account; onClose(): void }) {
  const t = useTexts(operatorTexts)
  const ui = useTexts(uiTexts)
  const { statuses, ...words } = useTexts(accountTexts)
  const [status, setStatus] = useState<SubscriptionStatus>(account.subscription.status)
  const [plan, setPlan] = useState(String(account.plan.id))
  const before = datesOf(account)
  const [dates, setDates] = useState(before)
  const change = useChange(account, onClose)
  const titles: Dates = {
    currentPeriodEnd: words.periodEnd,
    trialEndsAt: words.trialEnd,
    expiresAt: words.expires,
  }
  return (
    <FormDialog
      title={t.subscriptionTitle(account.name)}
      action={ui.save}
      isPending={change.isPending}
      onSubmit={() => change.mutate({ status, planId: Number(plan), ...changedDates(before, dates) })}
      onClose={onClose}
    >
      <SelectField<SubscriptionStatus>
        label={t.status}
        value={status}
        options={Object.entries(statuses) as [SubscriptionStatus, string][]}
        onChange={setStatus}
      />
      <PlanField account={account} value={plan} onChange={setPlan} />
      {DATES.map((name) => (
        <TextField
          key={name}
          label={titles[name]}
          type="date"
          value={dates[name]}
          onChange={(date) => setDates({ ...dates, [name]: date })}
        />
      ))}
      <p className="muted small">{t.datesHint}</p>
      {change.error ? <ErrorNote error={change.error} /> : null}
    </FormDialog>
  )
}

function useChange(account: Account, onDone: () => void) {
  const t = useTexts(operatorTexts)
  const toasts = useToasts()
  const queries = useQueryClient()
  type Body = Parameters<typeof api.adminUpdateSubscription>[0]['body']
  return useMutation({
    mutationFn: (body: Body) => api.adminUpdateSubscription({ params: { id: String(account.id) }, body }),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: ['operator', 'accounts'] })
      toasts.done(t.changed)
      onDone()
    },
  })
}

interface PlanFieldProps {
  account: Account
  value: string
  onChange(planId: string): void
}

function PlanField({ account: { plan }, value, onChange }: PlanFieldProps) {
  const t = useTexts(operatorTexts)
  const plans = useQuery(planChoicesQuery).data?.plans ?? []
  const isListed = plans.some(({ id }) => id === plan.id)
  return (
    <SelectField
      label={t.plan}
      value={value}
      options={[...(isListed ? [] : [plan]), ...plans].map(({ id, name }) => [String(id), name] as const)}
      onChange={onChange}
    />
  )
}

/** A date in the reader's time zone; empty for none. */
const datesOf = ({ subscription }: Account): Dates => ({
  currentPeriodEnd: toDay(subscription.currentPeriodEnd),
  trialEndsAt: toDay(subscription.trialEndsAt),
  expiresAt: toDay(subscription.expiresAt),
})

function toDay(iso: string | null): string {
  if (iso === null) return ''
  const date = new Date(iso)
  const pad = (value: number, digits: number) => String(value).padStart(digits, '0')
  return `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1, 2)}-${pad(date.getDate(), 2)}`
}

/** Sends only changed dates, as midnight of that day. Unchanged dates keep their time. */
const changedDates = (before: Dates, after: Dates): Partial<Record<DateName, string | null>> =>
  Object.fromEntries(
    DATES.filter((name) => before[name] !== after[name]).map((name) => [
      name,
      after[name] === '' ? null : new Date(`${after[name]}T00:00`).toISOString(),
    ]),
  )
