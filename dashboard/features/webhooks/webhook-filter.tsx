// The filter of a webhook: the fields of the form, and the filter in words.
import { ApiError } from '../../gateway/api.ts'
import fieldsCss from '../../ui/fields.module.css'
import { Checks, SelectField, TextField } from '../../ui/fields.tsx'
import { useTexts } from '../../ui/language.tsx'
import { webhookTexts } from './texts/webhook-texts.ts'
import type { Webhook } from './webhook.ts'
import type { FilterFields } from './webhook-fields.ts'

/** The message about the list of numbers, or about one of them. */
export const fromFaultOf = (error: unknown): string | undefined =>
  error instanceof ApiError
    ? error.details.find(({ path }) => path.startsWith('filter.from'))?.message
    : undefined

interface FilterInputsProps {
  fields: FilterFields
  change(changed: Partial<FilterFields>): void
  faults: { from: string | undefined; directions: string | undefined }
}

export function FilterInputs({ fields, change, faults }: FilterInputsProps) {
  const t = useTexts(webhookTexts)
  const { chats, directions } = t.filter
  return (
    <>
      <SelectField
        label={chats.label}
        value={fields.chats}
        options={(['all', 'people', 'groups'] as const).map((kind) => [kind, chats[kind]] as const)}
        onChange={(kind) => change({ chats: kind })}
      />
      <TextField
        label={t.filter.from}
        hint={t.filter.fromHint}
        fault={faults.from}
        inputMode="tel"
        value={fields.from}
        onChange={(from) => change({ from })}
      />
      <Checks
        label={directions.label}
        fault={faults.directions}
        options={(['incoming', 'outgoing'] as const).map((each) => [each, directions[each]] as const)}
        chosen={fields.directions}
        onChange={(chosen) => change({ directions: chosen })}
      />
      <label className={fieldsCss.check}>
        <input
          type="checkbox"
          checked={fields.history}
          onChange={({ target }) => change({ history: target.checked })}
        />
        {t.filter.history}
      </label>
    </>
  )
}

/** Only a webhook has batches. */
type Filtered = Pick<Webhook, 'filter' | 'history'> & Partial<Pick<Webhook, 'batch'>>

export function WebhookFilter({ webhook: { filter, history, batch } }: { webhook: Filtered }) {
  const t = useTexts(webhookTexts)
  const [only, ...others] = filter.directions
  const parts = [
    t.filter.chats[filter.chats],
    ...(filter.from ?? []),
    ...(only !== undefined && others.length === 0 ? [t.filter.directions[only]] : []),
    ...(history ? [t.filter.history] : []),
    ...(batch ? [t.batchLabel] : []),
  ]
  return <span>{parts.join(' · ')}</span>
}
