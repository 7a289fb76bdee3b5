// Which events are shown: of one instance, by their names.
import type { EventName } from '../../src/contract/events.ts'
import { useTexts } from '../language.tsx'
import { EVENT_NAMES, type LiveEvent } from '../live.ts'
import { eventTexts } from '../texts/events.ts'
import { webhookTexts } from '../texts/webhooks.ts'
import { InstancePicker } from '../ui/instance-picker.tsx'

export interface EventFilter {
  /** Empty: all of them. */
  instanceName: string
  names: readonly EventName[]
}
export const ALL_EVENTS: EventFilter = { instanceName: '', names: EVENT_NAMES }

export const fits = (filter: EventFilter, { event, instance }: LiveEvent): boolean =>
  filter.names.includes(event) &&
  (filter.instanceName === '' || filter.instanceName === instance.apiInstanceName)

interface Props {
  filter: EventFilter
  onChange(filter: EventFilter): void
}

export function EventFilters({ filter, onChange }: Props) {
  const t = useTexts(eventTexts)
  const { allInstances, eventNames } = useTexts(webhookTexts)
  const { names, instanceName } = filter
  const change = (next: EventFilter) =>
    onChange(next.instanceName === '' && next.names.length === EVENT_NAMES.length ? ALL_EVENTS : next)
  return (
    <div className="event-filters">
      <InstancePicker
        label={t.instance}
        value={instanceName}
        all={allInstances}
        onChange={(chosen) => change({ ...filter, instanceName: chosen })}
      />
      <fieldset className="field">
        <legend>{t.names}</legend>
        <div className="toggles">
          {EVENT_NAMES.map((name) => (
            <label key={name} className="toggle" title={eventNames[name]}>
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
