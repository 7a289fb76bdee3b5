// The state of an instance as a badge, with the reason beside it.
import type { ConnectionState, StateReason } from '../../src/contract/instances.ts'
import { useTexts } from '../language.tsx'
import { instanceTexts } from '../texts/instances.ts'
import { Badge, type Tone } from './badge.tsx'

const TONES: Record<ConnectionState, Tone> = { open: 'good', connecting: 'warn', close: 'plain' }

export function InstanceState({ state, reason }: { state: ConnectionState; reason: StateReason | null }) {
  const t = useTexts(instanceTexts)
  return (
    <span className="row nowrap">
      <Badge tone={reason === 'restricted' ? 'bad' : TONES[state]}>{t.states[state]}</Badge>
      {reason === null ? null : <span className="muted small">{t.reasons[reason]}</span>}
    </span>
  )
}
