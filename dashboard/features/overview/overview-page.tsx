// The overview of the account: what happened over a day, a week or a month.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { StatisticsRange } from '../../../src/contract/values.ts'
import { limitsQuery, statisticsQuery } from '../../gateway/queries.ts'
import { useCan } from '../../gateway/sign-in.ts'
import { useTexts } from '../../ui/language.tsx'
import { Loaded, PageHead } from '../../ui/page-head.tsx'
import { LimitsCard } from '../account/limits-card.tsx'
import { InstancePicker } from '../instances/instance-picker.tsx'
import { webhookTexts } from '../webhooks/texts/webhook-texts.ts'
import css from './overview.module.css'
import { RangeChoice } from './range-choice.tsx'
import { StatisticsView } from './statistics-view.tsx'
import { overviewTexts } from './texts/overview-texts.ts'
import { WebhooksCard } from './webhooks-card.tsx'

export function OverviewPage() {
  const t = useTexts(overviewTexts)
  const { allInstances } = useTexts(webhookTexts)
  const [range, setRange] = useState<StatisticsRange>('day')
  const [instanceName, setInstanceName] = useState('')
  const query = useQuery(statisticsQuery(range, instanceName))
  const can = useCan()
  const limits = useQuery({ ...limitsQuery, enabled: can('accountLimits') })
  return (
    <>
      <PageHead title={t.title} lead={t.lead} />
      <div className={css.choices}>
        <RangeChoice range={range} onChange={setRange} />
        {can('listInstances') ? (
          <InstancePicker
            label={t.instance}
            value={instanceName}
            all={allInstances}
            onChange={setInstanceName}
            bare
          />
        ) : null}
      </div>
      <Loaded query={query}>
        {(statistics) => (
          <StatisticsView statistics={statistics} range={range}>
            {limits.data ? <LimitsCard limits={limits.data} /> : null}
            {can('listWebhooks', 'listDestinations') ? <WebhooksCard counts={statistics.webhooks} /> : null}
          </StatisticsView>
        )}
      </Loaded>
    </>
  )
}
