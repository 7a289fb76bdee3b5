// How much of each limit of the plan is used.
import type { z } from 'zod'
import type { accountLimits, Resource, ResourceLimit } from '../../../src/contract/account.ts'
import { Bar } from '../../ui/bar.tsx'
import { Card } from '../../ui/card.tsx'
import { useFormat, useTexts } from '../../ui/language.tsx'
import { accountTexts } from './texts/account-texts.ts'

type Limits = z.output<(typeof accountLimits)['answer']>

export function LimitsCard({ limits: { limits } }: { limits: Limits }) {
  const t = useTexts(accountTexts)
  return (
    <Card title={t.limits}>
      {(Object.keys(limits) as Resource[]).map((resource) => (
        <LimitLine key={resource} name={t.resources[resource]} limit={limits[resource]} />
      ))}
    </Card>
  )
}

function LimitLine({ name, limit }: { name: string; limit: z.output<typeof ResourceLimit> | null }) {
  const t = useTexts(accountTexts)
  const format = useFormat()
  const most = limit === null || limit.limit === 'Unlimited' ? null : limit.limit
  const used = limit === null ? '' : format.number(limit.used)
  const words =
    limit === null ? t.notMetered : most === null ? t.unlimited(used) : t.usage(used, format.number(most))
  return (
    <div className="stack close">
      <div className="row apart">
        <span>{name}</span>
        <span className="muted number">{words}</span>
      </div>
      <Bar label={`${name}: ${words}`} used={limit?.used ?? 0} limit={most} />
    </div>
  )
}
