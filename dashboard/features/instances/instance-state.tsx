// The state of an instance as a badge, with the reason beside it.
import type { z } from 'zod'
import type {
  ConnectionState,
  InstanceState as InstanceStateSchema,
} from '../../../src/contract/instances.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { useFormat, useTexts } from '../../ui/language.tsx'
import css from './instance-state.module.css'
import { instanceTexts } from './texts/instance-texts.ts'

type Shown = Pick<z.output<typeof InstanceStateSchema>, 'state' | 'stateReason' | 'stateReasonUntil'>

const TONES: Record<ConnectionState, Tone> = { open: 'good', connecting: 'warn', close: 'plain' }
/** Reasons that need attention but lose no messages. */
const ALARMING: ReadonlySet<string> = new Set([
  'restricted',
  'temporarily_banned',
  'client_outdated',
  'bad_session',
])

export function InstanceState({ instance }: { instance: Shown }) {
  const t = useTexts(instanceTexts)
  const format = useFormat()
  const { state, stateReason: reason, stateReasonUntil: until } = instance
  const words = reason === null ? null : t.reasons[reason]
  return (
    <span className={`row ${css.state}`}>
      <Badge tone={reason !== null && ALARMING.has(reason) ? 'bad' : TONES[state]}>{t.states[state]}</Badge>
      {words === null ? null : (
        <span className="muted small">
          {until === null ? words : t.reasonUntil(words, format.dateTime(until))}
        </span>
      )}
    </span>
  )
}
