// What became of each person.

import { Badge, type Tone } from '../../../ui/badge.tsx'
import { useTexts } from '../../../ui/language.tsx'
import css from './groups.module.css'
import type { groups } from './texts/en.ts'
import { groupTexts } from './texts/group-texts.ts'

export interface Outcome {
  number: string | null
  chat: string
  outcome: keyof (typeof groups)['outcomes']
  networkCode: number | null
}

const TONES: Partial<Record<Outcome['outcome'], Tone>> = {
  invited: 'warn',
  already_member: 'warn',
  not_a_member: 'warn',
  no_request: 'warn',
  not_on_network: 'bad',
  refused: 'bad',
}

export function Outcomes({ outcomes }: { outcomes: readonly Outcome[] }) {
  const t = useTexts(groupTexts)
  return (
    <div role="status">
      <ul className={css.outcomes} aria-label={t.outcome}>
        {outcomes.map(({ number, chat, outcome, networkCode }) => (
          <li key={chat}>
            <span className="number">{number === null ? chat : `+${number}`}</span>
            <Badge tone={TONES[outcome] ?? 'good'}>
              {t.outcomes[outcome]}
              {networkCode === null ? '' : ` (${networkCode})`}
            </Badge>
          </li>
        ))}
      </ul>
    </div>
  )
}
