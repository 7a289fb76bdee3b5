// The activity of an instance: messages per hour, queue length and last failure.

import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { instanceActivity } from '../../../src/contract/instances.ts'
import { chatTexts } from '../../chat/texts/chat-texts.ts'
import { activityQuery } from '../../gateway/queries.ts'
import { Card } from '../../ui/card.tsx'
import { ColumnChart } from '../../ui/column-chart.tsx'
import figuresCss from '../../ui/figures.module.css'
import { useFormat, useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/page-head.tsx'
import { instanceTexts } from './texts/instance-texts.ts'

type Activity = z.output<(typeof instanceActivity)['answer']>
const KINDS = [
  ['sent', 'first'],
  ['received', 'second'],
  ['failed', 'bad'],
] as const

export function InstanceActivity({ instanceName }: { instanceName: string }) {
  const t = useTexts(instanceTexts)
  const format = useFormat()
  const query = useQuery(activityQuery(instanceName))
  return (
    <Card title={t.activity}>
      <Loaded query={query}>
        {(activity) => (
          <>
            <div className={figuresCss.figures}>
              <div className={figuresCss.figure}>
                <span className="muted">{t.today}</span>
                <strong>{shownTotal(activity, format.number)}</strong>
              </div>
              <div className={figuresCss.figure}>
                <span className="muted">{t.queue}</span>
                <strong>{format.number(activity.queued)}</strong>
              </div>
            </div>
            <Chart activity={activity} />
            <LastFailure failure={activity.lastFailure} />
          </>
        )}
      </Loaded>
    </Card>
  )
}

const totalOf = ({ hours }: Activity): number =>
  hours.reduce((sum, { sent, received, failed }) => sum + sent + received + failed, 0)
/** A plus marks counts that are incomplete. */
const shownTotal = (activity: Activity, number: (value: number) => string): string =>
  `${number(totalOf(activity))}${activity.isPartial ? '+' : ''}`

function Chart({ activity }: { activity: Activity }) {
  const t = useTexts(instanceTexts)
  const format = useFormat()
  const { hours } = activity
  const timeOf = (index: number) => format.hour(hours[index]?.hour ?? '')
  return (
    <ColumnChart
      label={t.chart(totalOf(activity))}
      formatted={format.number}
      series={KINDS.map(([kind, tone]) => ({
        title: t.kinds[kind],
        tone,
        values: hours.map((hour) => hour[kind]),
      }))}
      marks={[timeOf(0), timeOf(hours.length / 2), t.now]}
      describe={(index) =>
        [timeOf(index), ...KINDS.map(([kind]) => `${t.kinds[kind]} ${hours[index]?.[kind] ?? 0}`)].join(' · ')
      }
    />
  )
}

function LastFailure({ failure }: { failure: Activity['lastFailure'] }) {
  const t = useTexts(instanceTexts)
  const f = useTexts(chatTexts)
  const format = useFormat()
  if (failure === null) return <p className="muted small">{t.noFailure}</p>
  const reason = (f.failures as Record<string, string>)[failure.reason] ?? failure.error
  return (
    <div className="note bad">
      <strong>{t.lastError}</strong> <span className="small nowrap">{format.dateTime(failure.failedAt)}</span>
      <p>
        {reason}
        {failure.code === null ? '' : ` (${f.networkCode(failure.code)})`}
      </p>
    </div>
  )
}
