// The form for a new or an existing plan.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import type { Interval, Resource } from '../../../src/contract/account.ts'
import type { Plan as PlanSchema } from '../../../src/contract/admin.ts'
import { api } from '../../gateway/api.ts'
import { classNames } from '../../ui/class-names.ts'
import fieldsCss from '../../ui/fields.module.css'
import { Checks, SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useTexts } from '../../ui/language.tsx'
import { ErrorNote } from '../../ui/page-head.tsx'
import { faultOf, useErrorText } from '../../ui/refusals/error-text.ts'
import { uiTexts } from '../../ui/texts/ui-texts.ts'
import { accountTexts } from '../account/texts/account-texts.ts'
import css from './plan-form.module.css'
import { operatorTexts } from './texts/operator-texts.ts'

export type Plan = z.output<typeof PlanSchema>
type Feature = keyof Plan['features']

const RESOURCES: readonly Resource[] = ['users', 'contacts', 'instances', 'messages']
const FEATURES: readonly Feature[] = ['ai', 'flowBuilder', 'campaigns', 'templates', 'voiceCalls']

/** The values of the fields as text. */
interface Draft extends Record<Resource, string> {
  name: string
  amount: string
  currency: string
  interval: Interval
  /** Whether messages are metered, with or without a limit. */
  metered: boolean
  requestsPerSecond: string
  features: Feature[]
}

const NEW: Draft = {
  name: '',
  amount: '0',
  currency: 'usd',
  interval: 'month',
  users: '',
  contacts: '',
  instances: '',
  messages: '',
  metered: true,
  requestsPerSecond: '',
  features: [],
}

function draftOf({ limits, features, requestsPerSecond, ...plan }: Plan): Draft {
  const text = (limit: number | 'Unlimited' | null) => (typeof limit === 'number' ? String(limit) : '')
  return {
    name: plan.name,
    amount: String(plan.amount),
    currency: plan.currency,
    interval: plan.interval,
    users: text(limits.users),
    contacts: text(limits.contacts),
    instances: text(limits.instances),
    messages: text(limits.messages),
    metered: limits.messages !== null,
    requestsPerSecond: text(requestsPerSecond),
    features: FEATURES.filter((name) => features[name]),
  }
}

const isLimit = (text: string): boolean => /^\d{0,9}$/.test(text.trim())
const toLimit = (text: string) => (text.trim() === '' ? ('Unlimited' as const) : Number(text))
const isAmount = (text: string): boolean => /^\d{1,12}$/.test(text.trim())

const bodyOf = (draft: Draft) => ({
  name: draft.name,
  amount: Number(draft.amount),
  currency: draft.currency.toLowerCase(),
  interval: draft.interval,
  limits: {
    users: toLimit(draft.users),
    contacts: toLimit(draft.contacts),
    instances: toLimit(draft.instances),
    messages: draft.metered ? toLimit(draft.messages) : null,
  },
  features: {
    ai: draft.features.includes('ai'),
    flowBuilder: draft.features.includes('flowBuilder'),
    campaigns: draft.features.includes('campaigns'),
    templates: draft.features.includes('templates'),
    voiceCalls: draft.features.includes('voiceCalls'),
  },
  requestsPerSecond: draft.requestsPerSecond.trim() === '' ? null : Number(draft.requestsPerSecond),
})

export function PlanForm({ plan, onClose }: { plan?: Plan; onClose(): void }) {
  const t = useTexts(operatorTexts)
  const ui = useTexts(uiTexts)
  const queries = useQueryClient()
  const [draft, setDraft] = useState(plan ? draftOf(plan) : NEW)
  const save = useMutation({
    mutationFn: () =>
      plan
        ? api.adminUpdatePlan({ params: { id: String(plan.id) }, body: bodyOf(draft) })
        : api.adminCreatePlan({ body: bodyOf(draft) }),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: ['operator'] })
      onClose()
    },
  })
  const limits = [...RESOURCES, 'requestsPerSecond'] as const
  const isWhole = isAmount(draft.amount) && limits.every((name) => isLimit(draft[name]))
  return (
    <FormDialog
      title={plan ? t.editTitle(plan.name) : t.newPlan}
      intro={plan ? <p className="muted">{t.editPlanText}</p> : null}
      action={plan ? ui.save : t.create}
      isPending={save.isPending}
      onSubmit={() => (isWhole ? save.mutate() : undefined)}
      onClose={onClose}
    >
      <PlanFields
        draft={draft}
        change={(part) => setDraft({ ...draft, ...part })}
        faultIn={(path) => faultOf(save.error, path)}
      />
      {save.error ? <Refused error={save.error} /> : null}
    </FormDialog>
  )
}

/** Errors that a field shows are not repeated here. */
function Refused({ error }: { error: Error }) {
  const errorText = useErrorText()
  const isBeside = ['name', 'amount', 'currency'].some((path) => faultOf(error, path))
  return isBeside ? <p className="sr-only">{errorText(error)}</p> : <ErrorNote error={error} />
}

interface FieldsProps {
  draft: Draft
  change(part: Partial<Draft>): void
  faultIn(path: string): string | undefined
}

function PlanFields({ draft, change, faultIn }: FieldsProps) {
  const t = useTexts(operatorTexts)
  const { intervals } = useTexts(accountTexts)
  return (
    <>
      <TextField
        label={t.name}
        fault={faultIn('name')}
        maxLength={64}
        value={draft.name}
        onChange={(name) => change({ name })}
      />
      <div className={css.fieldRow}>
        <TextField
          label={t.amount}
          hint={t.amountHint}
          fault={isAmount(draft.amount) ? faultIn('amount') : t.amountFault}
          inputMode="numeric"
          value={draft.amount}
          onChange={(amount) => change({ amount })}
        />
        <TextField
          label={t.currency}
          fault={faultIn('currency')}
          maxLength={3}
          value={draft.currency}
          onChange={(currency) => change({ currency })}
        />
        <SelectField<Interval>
          label={t.interval}
          value={draft.interval}
          options={Object.entries(intervals) as [Interval, string][]}
          onChange={(interval) => change({ interval })}
        />
      </div>
      <LimitFields draft={draft} change={change} />
    </>
  )
}

function LimitFields({ draft, change }: Omit<FieldsProps, 'faultIn'>) {
  const t = useTexts(operatorTexts)
  const { resources, featureNames, features } = useTexts(accountTexts)
  const limit = (name: Resource | 'requestsPerSecond', label: string, hint: string) => (
    <TextField
      key={name}
      label={label}
      hint={hint}
      fault={isLimit(draft[name]) ? undefined : t.limitFault}
      inputMode="numeric"
      disabled={name === 'messages' && !draft.metered}
      value={draft[name]}
      onChange={(text) => change({ [name]: text })}
    />
  )
  return (
    <>
      <div className={classNames(css.fieldRow, css.pairs)}>
        {RESOURCES.map((resource) => limit(resource, resources[resource], t.limitHint))}
      </div>
      <label className={fieldsCss.check}>
        <input
          type="checkbox"
          checked={draft.metered}
          onChange={({ target }) => change({ metered: target.checked })}
        />
        {t.metered}
      </label>
      {limit('requestsPerSecond', t.requestsPerSecond, t.requestsPerSecondHint)}
      <Checks
        label={features}
        options={FEATURES.map((name) => [name, featureNames[name]] as const)}
        chosen={draft.features}
        onChange={(chosen) => change({ features: chosen })}
      />
    </>
  )
}
