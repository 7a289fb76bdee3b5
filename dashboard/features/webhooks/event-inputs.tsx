// The fields of a form that say which events a receiver gets: names, instance and filter.
import { EVENT_NAMES } from '../../gateway/live.ts'
import fieldsCss from '../../ui/fields.module.css'
import { useTexts } from '../../ui/language.tsx'
import { faultOf } from '../../ui/refusals/error-text.ts'
import { InstancePicker } from '../instances/instance-picker.tsx'
import css from './event-inputs.module.css'
import { webhookTexts } from './texts/webhook-texts.ts'
import type { EventFields } from './webhook-fields.ts'
import { FilterInputs, fromFaultOf } from './webhook-filter.tsx'

export interface EventInputsProps {
  fields: EventFields
  change(changed: Partial<EventFields>): void
  error: unknown
  missing: { events?: boolean; directions?: boolean }
}

/** What a reader must choose before the form is sent. */
export const missingEvents = ({ isAll, events, directions }: EventFields) => ({
  events: !isAll && events.length === 0,
  directions: directions.length === 0,
})

/** Whether these fields show the error. */
export const isEventFault = (error: unknown): boolean =>
  fromFaultOf(error) !== undefined || faultOf(error, 'instanceName') !== undefined

export function EventInputs({ fields, change, error, missing }: EventInputsProps) {
  const t = useTexts(webhookTexts)
  return (
    <>
      <EventChecks fields={fields} change={change} fault={missing.events ? t.eventsRequired : undefined} />
      <InstancePicker
        label={t.instance}
        hint={t.instanceHint}
        fault={faultOf(error, 'instanceName')}
        value={fields.instanceName}
        all={t.allInstances}
        onChange={(instanceName) => change({ instanceName })}
      />
      <FilterInputs
        fields={fields}
        change={change}
        faults={{
          from: fromFaultOf(error),
          directions: missing.directions ? t.filter.directionsRequired : undefined,
        }}
      />
    </>
  )
}

interface EventChecksProps {
  fields: EventFields
  change(changed: Partial<EventFields>): void
  fault: string | undefined
}

/** All events, including future ones, or a selection by name. */
function EventChecks({ fields: { isAll, events }, change, fault }: EventChecksProps) {
  const t = useTexts(webhookTexts)
  return (
    <fieldset className={fieldsCss.field}>
      <legend>{t.events}</legend>
      <label className={fieldsCss.check}>
        <input
          type="checkbox"
          checked={isAll}
          onChange={({ target }) => change({ isAll: target.checked, events: [] })}
        />
        {t.allEvents}
      </label>
      <div className={css.eventChecks}>
        {EVENT_NAMES.map((name) => (
          <label key={name} className={fieldsCss.check}>
            <input
              type="checkbox"
              checked={isAll || events.includes(name)}
              disabled={isAll}
              onChange={({ target }) =>
                change({
                  events: target.checked ? [...events, name] : events.filter((other) => other !== name),
                })
              }
            />
            <code>{name}</code>
            <span className="muted small">{t.eventNames[name]}</span>
          </label>
        ))}
      </div>
      {fault === undefined ? null : (
        <div className={fieldsCss.fault} role="alert">
          {fault}
        </div>
      )}
    </fieldset>
  )
}
