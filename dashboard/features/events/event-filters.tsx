// Filters for events: by instance and by event name.

import type { EventName } from '../../../src/contract/events.ts'
import { EVENT_NAMES, type LiveEvent } from '../../gateway/live.ts'
import fieldsCss from '../../ui/fields.module.css'
import { useTexts } from '../../ui/language.tsx'
import { InstancePicker } from '../instances/instance-picker.tsx'
import { webhookTexts } from '../webhooks/texts/webhook-texts.ts'
import css from './event-filters.module.css'
import { eventTexts } from './texts/event-texts.ts'

export interface EventTailFilter {
  /** Empty for all instances. */
  instanceName: string
  names: readonly EventName[]
}
export const ALL_EVENTS: EventTailFilter = { instanceName: '', names: EVENT_NAMES }

export const fits = (filter: EventTailFilter, { event, instance }: LiveEvent): boolean =>
  filter.names.includes(event) &&
  (filter.instanceName === '' || filter.instanceName === instance.apiInstanceName)

interface Props {
  filter: EventTailFilter
  onChange(filter: EventTailFilter): void
}

export function EventFilters({ filter, onChange }: Props) {
  const t = useTexts(eventTexts)
  const { allInstances, eventNames } = useTexts(webhookTexts)
  const { names, instanceName } = filter
  const change = (next: EventTailFilter) =>
    onChange(next.instanceName === '' && next.names.length === EVENT_NAMES.length ? ALL_EVENTS : next)
  return (
    <div className={css.eventFilters}>
      <InstancePicker
        label={t.instance}
        value={instanceName}
        all={allInstances}
        onChange={(chosen) => change({ ...filter, instanceName: chosen })}
      />
      <fieldset className={fieldsCss.field}>
        <legend>{t.names}</legend>
        <div className={css.toggles}>
          {EVENT_NAMES.map((name) => (
            <label key={name} className={css.toggle} title={eventNames[name]}>
              <input
                type="checkbox"
                checked={names.includes(name)}
                onChange={({ target }) =>
                  change({
                    ...filter,
                    names: EVENT_NAMES.filter((one) => (one === name ? target.checked : names.includes(one))),
                  })
                }
              />
              <code>{name}</code>
            </label>
          ))}
        </div>
      </fieldset>
    </div>
  )
}
