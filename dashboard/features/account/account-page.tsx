// The account page: limits, plan, subscription and API keys.
import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { accountLimits } from '../../../src/contract/account.ts'
import { limitsQuery } from '../../gateway/queries.ts'
import { useAccount, useCan } from '../../gateway/sign-in.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card, Facts } from '../../ui/card.tsx'
import { useFormat, useTexts } from '../../ui/language.tsx'
import { Loaded, PageHead } from '../../ui/page-head.tsx'
import { ApiKeys } from './api-keys.tsx'
import { AuditList } from './audit-list.tsx'
import { ownKeys } from './key-ring.ts'
import { LimitsCard } from './limits-card.tsx'
import { accountTexts } from './texts/account-texts.ts'

type Limits = z.output<(typeof accountLimits)['answer']>

export function AccountPage() {
  const t = useTexts(accountTexts)
  const can = useCan()
  const query = useQuery({ ...limitsQuery, enabled: can('accountLimits') })
  const ring = ownKeys(useAccount().data?.keyId)
  return (
    <>
      <PageHead title={t.title} lead={query.data ? t.lead(query.data.account.teamName) : undefined} />
      {can('accountLimits') ? (
        <Loaded query={query}>
          {(limits) => (
            <div className="grid">
              <LimitsCard limits={limits} />
              <PlanCard limits={limits} />
            </div>
          )}
        </Loaded>
      ) : null}
      {can('listApiKeys', 'createApiKey', 'rotateApiKey', 'revokeApiKey') ? <ApiKeys ring={ring} /> : null}
      {can('listAudit') ? <AuditList /> : null}
    </>
  )
}

function PlanCard({ limits: { plan, subscription, features } }: { limits: Limits }) {
  const t = useTexts(accountTexts)
  const format = useFormat()
  const names = (Object.keys(features) as (keyof typeof features)[]).filter((name) => features[name])
  const dates = [
    [t.periodEnd, subscription.currentPeriodEnd],
    [t.trialEnd, subscription.trialEndsAt],
    [t.expires, subscription.expiresAt],
  ] as const
  return (
    <Card title={t.plan}>
      {subscription.hasAccess ? null : <div className="note warn">{t.noAccess}</div>}
      <Facts
        facts={[
          [t.planName, plan.name],
          [t.price, `${format.money(plan.amount, plan.currency)} ${t.intervals[plan.interval]}`],
          [
            t.status,
            <Badge key="status" tone={subscription.hasAccess ? 'good' : 'bad'}>
              {t.statuses[subscription.status]}
            </Badge>,
          ],
          ...dates
            .filter(([, date]) => date !== null)
            .map(([name, date]) => [name, format.date(date)] as const),
          [
            t.features,
            names.length === 0 ? t.noFeatures : names.map((name) => t.featureNames[name]).join(', '),
          ],
        ]}
      />
    </Card>
  )
}
