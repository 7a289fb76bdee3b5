// The overview of all accounts together, or of one, for the operator.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { StatisticsRange } from '../../../src/contract/values.ts'
import { operatorStatisticsQuery } from '../../gateway/queries.ts'
import { Loaded } from '../../ui/page-head.tsx'
import css from './overview.module.css'
import { RangeChoice } from './range-choice.tsx'
import { StatisticsView } from './statistics-view.tsx'

/** `accountId` undefined: all accounts. */
export function OperatorOverview({ accountId }: { accountId?: string | undefined }) {
  const [range, setRange] = useState<StatisticsRange>('day')
  const query = useQuery(operatorStatisticsQuery(range, accountId))
  return (
    <>
      <div className={css.choices}>
        <RangeChoice range={range} onChange={setRange} />
      </div>
      <Loaded query={query}>
        {(statistics) => <StatisticsView statistics={statistics} range={range} />}
      </Loaded>
    </>
  )
}
