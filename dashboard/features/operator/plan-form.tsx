// The form for a new or an existing plan.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Interval, Resource } from '../../../src/contract/account.ts'
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
import {
  bodyOf,
  draftOf,
  FEATURES,
  isAmount,
  isLimit,
  isWhole,
  NEW_PLAN,
  type Plan,
  type PlanDraft,
  RESOURCES,
} from './plan-draft.ts'
import css from './plan-form.module.css'
import { operatorTexts } from './texts/operator-texts.ts'

export function PlanForm({ plan, onClose }: { plan?: Plan; onClose(): void }) {
  const t = useTexts(operatorTexts)
  const ui = useTexts(uiTexts)
  const queries = useQueryClient()
  const [draft, setDraft] = useState(plan ? draftOf(plan) : NEW_PLAN)
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
  return (
    <FormDialog
      title={plan ? t.editTitle(plan.name) : t.newPlan}
      intro={plan ? <p className="muted">{t.editPlanText}</p> : null}
      action={plan ? ui.save : t.create}
      isPending={save.isPending}
      onSubmit={() => (isWhole(draft) ? save.mutate() : undefined)}
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
  draft: PlanDraft
  change(part: Partial<PlanDraft>): void
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
