// Filters for events: by instance, by event name, and by a text that the event contains.

import type { EventName } from '../../../src/contract/events.ts'
import { EVENT_NAMES, type LiveEvent } from '../../gateway/live.ts'
import buttonCss from '../../ui/button.module.css'
import { Button } from '../../ui/button.tsx'
import fieldsCss from '../../ui/fields.module.css'
import { TextField } from '../../ui/fields.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Popover } from '../../ui/popover.tsx'
import { InstancePicker } from '../instances/instance-picker.tsx'
import { webhookTexts } from '../webhooks/texts/webhook-texts.ts'
import css from './event-filters.module.css'
import { eventTexts } from './texts/event-texts.ts'

export interface EventTailFilter {
  /** Empty for all instances. */
  instanceName: string
  names: readonly EventName[]
  /** Empty for all events. */
  text: string
}
export const ALL_EVENTS: EventTailFilter = { instanceName: '', names: EVENT_NAMES, text: '' }

export const fits = (filter: EventTailFilter, { event, instance }: LiveEvent): boolean =>
  filter.names.includes(event) &&
  (filter.instanceName === '' || filter.instanceName === instance.apiInstanceName)

/** Events whose body contains the text, in any case of its letters. The log itself cannot be searched. */
export function withText(events: readonly LiveEvent[], text: string): readonly LiveEvent[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return events
  return events.filter((event) => JSON.stringify(event).toLowerCase().includes(wanted))
}

interface Props {
  filter: EventTailFilter
  onChange(filter: EventTailFilter): void
}

export function EventFilters({ filter, onChange }: Props) {
  const t = useTexts(eventTexts)
  const { allInstances } = useTexts(webhookTexts)
  const { names, instanceName, text } = filter
  const change = (part: Partial<EventTailFilter>) => {
    const next = { ...filter, ...part }
    const isAll = next.instanceName === '' && next.names.length === EVENT_NAMES.length && next.text === ''
    onChange(isAll ? ALL_EVENTS : next)
  }
  return (
    <div className={css.eventFilters}>
      <TextField
        type="search"
        label={t.text}
        value={text}
        maxLength={200}
        onChange={(next) => change({ text: next })}
      />
      <InstancePicker
        label={t.instance}
        value={instanceName}
        all={allInstances}
        onChange={(chosen) => change({ instanceName: chosen })}
      />
      <NameMenu names={names} onChange={(next) => change({ names: next })} />
    </div>
  )
}

interface NameMenuProps {
  names: readonly EventName[]
  onChange(names: readonly EventName[]): void
}

function NameMenu({ names, onChange }: NameMenuProps) {
  const t = useTexts(eventTexts)
  const { eventNames } = useTexts(webhookTexts)
  const isAll = names.length === EVENT_NAMES.length
  const shown = isAll ? t.allNames : t.someNames(names.length, EVENT_NAMES.length)
  return (
    <div className={fieldsCss.field}>
      <span aria-hidden="true">{t.names}</span>
      <Popover label={`${t.names}: ${shown}`} trigger={shown} className={buttonCss.button}>
        {() => (
          <fieldset className={css.names}>
            <legend className="sr-only">{t.names}</legend>
            <Button small kind="quiet" onClick={() => onChange(isAll ? [] : EVENT_NAMES)}>
              {isAll ? t.chooseNone : t.chooseAll}
            </Button>
            {EVENT_NAMES.map((name) => (
              <label key={name} title={eventNames[name]}>
                <input
                  type="checkbox"
                  checked={names.includes(name)}
                  onChange={({ target }) =>
                    onChange(
                      EVENT_NAMES.filter((one) => (one === name ? target.checked : names.includes(one))),
                    )
                  }
                />
                <code>{name}</code>
              </label>
            ))}
          </fieldset>
        )}
      </Popover>
    </div>
  )
}
