// The charts of statistics, the same for an account and for the operator.
import { type ReactNode, useMemo } from 'react'
import type { z } from 'zod'
import type { adminGetStatistics } from '../../../src/contract/statistics.ts'
import type { StatisticsRange } from '../../../src/contract/values.ts'
import { chatTexts } from '../../chat/texts/chat-texts.ts'
import { Card } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { ColumnChart } from '../../ui/column-chart.tsx'
import figuresCss from '../../ui/figures.module.css'
import { useFormat, useLocale, useTexts } from '../../ui/language.tsx'
import { LineChart } from '../../ui/line-chart.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { instanceTexts } from '../instances/texts/instance-texts.ts'
import css from './overview.module.css'
import { ReasonsCard } from './reasons-card.tsx'
import { overviewTexts } from './texts/overview-texts.ts'

type Statistics = z.output<(typeof adminGetStatistics)['answer']>
type Step = Statistics['steps'][number]

const MESSAGES = [
  ['sent', 'first'],
  ['received', 'second'],
  ['failed', 'bad'],
] as const
const DELIVERIES = [
  ['delivered', 'first'],
  ['retried', 'second'],
  ['dead', 'bad'],
] as const

interface Props {
  statistics: Statistics
  range: StatisticsRange
  /** Further cards. */
  children?: ReactNode
}

export function StatisticsView({ statistics, range, children }: Props) {
  const t = useTexts(overviewTexts)
  const { failures } = useTexts(chatTexts)
  const { reasons } = useTexts(instanceTexts)
  const named = (names: Record<string, string>) => (reason: string) => names[reason] ?? reason
  return (
    <>
      <Totals totals={statistics.totals} />
      <div className={classNames('grid', css.cards)}>
        <CountChart
          {...{ statistics, range }}
          kinds={MESSAGES}
          title={t.messages}
          describe={t.messagesChart}
        />
        <CountChart
          {...{ statistics, range }}
          kinds={DELIVERIES}
          title={t.deliveries}
          describe={t.deliveriesChart}
        />
        <TimesChart {...{ statistics, range }} />
        <SessionsChart {...{ statistics, range }} />
        <ReasonsCard
          title={t.failures}
          none={t.noFailures}
          counts={statistics.failures}
          nameOf={named(failures)}
        />
        <ReasonsCard
          title={t.deliveryFailures}
          none={t.noDeliveryFailures}
          counts={statistics.deliveryFailures}
          nameOf={(status) => (status === 'none' ? t.noAnswer : t.status(status))}
        />
        <ReasonsCard
          title={t.disconnections}
          none={t.noDisconnections}
          counts={statistics.disconnections}
          nameOf={named({ ...reasons, none: t.withoutReason })}
        />
        {children}
      </div>
    </>
  )
}

function Totals({ totals }: { totals: Statistics['totals'] }) {
  const t = useTexts(overviewTexts)
  const format = useFormat()
  const figures = (['sent', 'received', 'failed', 'canceled', 'delivered'] as const).map(
    (kind) => [t.kinds[kind], format.number(totals[kind])] as const,
  )
  const duration = useDuration()
  const median = totals.deliveryMs === null ? '–' : duration(totals.deliveryMs.median)
  return (
    <dl className={css.totals}>
      {[...figures, [t.deliveryTime, median] as const].map(([name, value]) => (
        <div key={name} className={figuresCss.figure}>
          <dt className="muted">{name}</dt>
          <dd>
            <strong>{value}</strong>
          </dd>
        </div>
      ))}
    </dl>
  )
}

type ChartProps = Pick<Props, 'statistics' | 'range'>
type CountKind = 'sent' | 'received' | 'failed' | 'delivered' | 'retried' | 'dead'

interface CountChartProps extends ChartProps {
  kinds: readonly (readonly [CountKind, 'first' | 'second' | 'bad'])[]
  title: string
  /** With the total of each kind. */
  describe(first: string, second: string, third: string): string
}

function CountChart({ statistics: { steps, totals }, range, kinds, title, describe }: CountChartProps) {
  const t = useTexts(overviewTexts)
  const format = useFormat()
  const times = useStepTimes(range)
  const [first = '', second = '', third = ''] = kinds.map(([kind]) => format.number(totals[kind]))
  const columns = kinds.map(([kind]) => ({
    title: t.kinds[kind],
    end: true,
    cell: (step: Step) => format.number(step[kind]),
  }))
  return (
    <ChartCard title={title} steps={steps} range={range} columns={columns}>
      <ColumnChart
        label={describe(first, second, third)}
        formatted={format.number}
        series={kinds.map(([kind, tone]) => ({
          title: t.kinds[kind],
          tone,
          values: steps.map((step) => step[kind]),
        }))}
        marks={times.marks(steps)}
        describe={(index) =>
          [
            times.of(steps[index]),
            ...kinds.map(([kind]) => `${t.kinds[kind]} ${format.number(steps[index]?.[kind] ?? 0)}`),
          ].join(' · ')
        }
      />
    </ChartCard>
  )
}

function TimesChart({ statistics: { steps, totals }, range }: ChartProps) {
  const t = useTexts(overviewTexts)
  const times = useStepTimes(range)
  const duration = useDuration()
  const shown = (value: number | undefined) => (value === undefined ? '–' : duration(value))
  const lines = (
    [
      ['median', 'first'],
      ['p95', 'second'],
    ] as const
  ).map(([kind, tone]) => ({
    title: t[kind],
    tone,
    values: steps.map(({ deliveryMs }) => deliveryMs?.[kind] ?? null),
    total: shown(totals.deliveryMs?.[kind]),
  }))
  const columns = (['median', 'p95'] as const).map((kind) => ({
    title: t[kind],
    end: true,
    cell: ({ deliveryMs }: Step) => shown(deliveryMs?.[kind]),
  }))
  return (
    <ChartCard title={t.times} steps={steps} range={range} columns={columns}>
      <LineChart
        label={t.timesChart(shown(totals.deliveryMs?.median), shown(totals.deliveryMs?.p95))}
        lines={lines}
        marks={times.marks(steps)}
        formatted={duration}
        describe={(index) =>
          [
            times.of(steps[index]),
            `${t.median} ${shown(steps[index]?.deliveryMs?.median)}`,
            `${t.p95} ${shown(steps[index]?.deliveryMs?.p95)}`,
          ].join(' · ')
        }
      />
    </ChartCard>
  )
}

/** Nothing is shown where sessions are not part of the statistics. */
function SessionsChart({ statistics: { steps }, range }: ChartProps) {
  const t = useTexts(overviewTexts)
  const format = useFormat()
  const times = useStepTimes(range)
  const last = steps.findLast(({ sessions }) => sessions !== null)?.sessions
  if (!last) return null
  const shown = (value: number | undefined) => (value === undefined ? '–' : format.decimal(value))
  const lines = (
    [
      ['all', 'second'],
      ['open', 'first'],
    ] as const
  ).map(([kind, tone]) => ({
    title: t.sessionKinds[kind],
    tone,
    values: steps.map(({ sessions }) => sessions?.[kind] ?? null),
    total: shown(last[kind]),
  }))
  const columns = (['open', 'all'] as const).map((kind) => ({
    title: t.sessionKinds[kind],
    end: true,
    cell: ({ sessions }: Step) => shown(sessions?.[kind]),
  }))
  return (
    <ChartCard title={t.sessions} steps={steps} range={range} columns={columns}>
      <LineChart
        label={t.sessionsChart(shown(last.open), shown(last.all))}
        lines={lines}
        marks={times.marks(steps)}
        formatted={format.decimal}
        describe={(index) =>
          [
            times.of(steps[index]),
            `${t.sessionKinds.open} ${shown(steps[index]?.sessions?.open)}`,
            `${t.sessionKinds.all} ${shown(steps[index]?.sessions?.all)}`,
          ].join(' · ')
        }
      />
    </ChartCard>
  )
}

interface ChartCardProps {
  title: string
  steps: readonly Step[]
  range: StatisticsRange
  /** Of the table that has the same figures. */
  columns: readonly Column<Step>[]
  children: ReactNode
}

function ChartCard({ title, steps, range, columns, children }: ChartCardProps) {
  const t = useTexts(overviewTexts)
  const times = useStepTimes(range)
  return (
    <Card title={title}>
      {children}
      <details className={css.asTable}>
        <summary>{t.asTable(title)}</summary>
        <div>
          <Table
            label={title}
            records={steps.toReversed()}
            keyOf={({ start }) => start}
            columns={[{ title: t.time, cell: times.of }, ...columns]}
          />
        </div>
      </details>
    </Card>
  )
}

/** How the time of a step is shown. */
function useStepTimes(range: StatisticsRange) {
  const locale = useLocale()
  const t = useTexts(overviewTexts)
  return useMemo(() => {
    const hour = { hour: 'numeric', minute: '2-digit' } as const
    const day = { month: 'short', day: 'numeric' } as const
    const full = new Intl.DateTimeFormat(locale, range === 'month' ? day : { ...day, ...hour })
    const brief = new Intl.DateTimeFormat(locale, range === 'day' ? hour : day)
    return {
      of: (step: Step | undefined) => (step ? full.format(new Date(step.start)) : ''),
      marks(steps: readonly Step[]): [string, string, string] {
        const at = (index: number) => brief.format(new Date(steps[index]?.start ?? 0))
        return [at(0), at(Math.floor(steps.length / 2)), t.now]
      },
    }
  }, [locale, range, t])
}

/** Milliseconds in the unit that fits. */
function useDuration(): (ms: number) => string {
  const format = useFormat()
  return (ms) => {
    if (ms < 1000) return `${format.number(Math.round(ms))} ms`
    if (ms < 60_000) return `${format.decimal(ms / 1000)} s`
    return `${format.decimal(ms / 60_000)} min`
  }
}
