// The Grafana dashboard and the alert rules use only metrics and labels that the server has, and every alert leads to a section of the
// documents.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { engines, type StoreLocation } from '../support/engines.ts'
import { until } from '../support/linked.ts'
import { namesIn, type UsedMetric } from '../support/promql.ts'
import { newKey, type Started, startWithKey } from '../support/started.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const RULES = 'deploy/monitoring/alerts.yaml'
const DASHBOARD = 'deploy/monitoring/grafana-dashboard.json'

/** Labels that Prometheus adds to every sample of a target. */
const TARGET_LABELS = ['instance', 'job']
/** What Prometheus itself records about a target. */
const OWN_METRICS = new Set(['up'])

interface Alert {
  alert: string
  expr: string
  severity?: string
  summary?: string
  description?: string
  runbook?: string
}

/** Reads the form that the file has: each field of an alert on one line. */
function alertsIn(text: string): Alert[] {
  const blocks = text.split(/^ +- (?=alert: )/m).slice(1)
  return blocks.map((block) => {
    const fields = [...block.matchAll(/^ *(alert|expr|severity|summary|description|runbook): (.+)$/gm)].map(
      ([, name = '', value = '']) => [name, unquoted(value)],
    )
    return Object.fromEntries(fields) as Alert
  })
}

const unquoted = (value: string): string => /^'(.*)'$/.exec(value)?.[1]?.replaceAll("''", "'") ?? value

interface Panel {
  type: string
  title: string
  description?: string
  gridPos: { h: number; w: number; x: number; y: number }
  targets?: { expr: string; legendFormat: string }[]
}

const alerts = alertsIn(read(RULES))
const panels = (JSON.parse(read(DASHBOARD)) as { panels: Panel[] }).panels
const charts = panels.filter(({ type }) => type !== 'row')

/** Labels in a legend or in a text of an alert. */
const legendLabels = (text: string): string[] =>
  [...text.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g)].map(([, name = '']) => name)

const expressions = [
  ...alerts.map(({ alert, expr, summary = '', description = '' }) => ({
    where: alert,
    expr,
    legends: [...summary.matchAll(/\$labels\.(\w+)/g), ...description.matchAll(/\$labels\.(\w+)/g)].map(
      ([, name = '']) => name,
    ),
  })),
  ...charts.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({ where: title, expr, legends: legendLabels(legendFormat) })),
  ),
]

/** Label names by sample, and the names of metrics that have no sample yet. */
function exposed(text: string): { samples: Map<string, Set<string>>; declared: Set<string> } {
  const samples = new Map<string, Set<string>>()
  for (const [, name = '', labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const known = samples.get(name) ?? new Set()
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label)
    samples.set(name, known)
  }
  return { samples, declared: new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name)) }
}

function faultsOf({ samples, declared }: ReturnType<typeof exposed>, used: (typeof expressions)[number]) {
  const { metrics, grouping } = namesIn(used.expr)
  const own = metrics.filter(({ name }) => !OWN_METRICS.has(name))
  const labelsOf = ({ name }: UsedMetric) => [...(samples.get(name) ?? []), ...TARGET_LABELS]
  const known = new Set([...TARGET_LABELS, ...own.flatMap(labelsOf)])
  return [
    ...(metrics.length === 0 ? ['no metric'] : []),
    ...own.filter(({ name }) => !samples.has(name) && !declared.has(name)).map(({ name }) => name),
    ...own.flatMap((metric) =>
      metric.labels
        .filter((label) => !labelsOf(metric).includes(label))
        .map((label) => `${metric.name}{${label}}`),
    ),
    ...[...grouping, ...used.legends].filter((label) => !known.has(label)).map((label) => `by ${label}`),
  ].map((fault) => `${used.where}: ${fault}`)
}

// The metrics of nodes exist only on PostgreSQL.
const postgres = engines.find(({ name }) => name === 'postgres')

describe('the files of deploy/monitoring', { skip: postgres ? false : 'no PostgreSQL server' }, () => {
  let storeLocation: StoreLocation
  let server: Started
  let metrics: ReturnType<typeof exposed>
  before(async () => {
    storeLocation = await (postgres ?? assert.fail()).createLocation()
    server = await startWithKey(storeLocation, newKey())
    // Requests are measured when they are answered: a later scrape shows the first.
    metrics = exposed(await scraped('switchboard_http_request_seconds_count{'))
  })
  after(async () => {
    await server.stop()
    await storeLocation.dispose()
  })

  test('use metrics and labels that the server has', () => {
    assert.ok(alerts.length > 15 && charts.length > 25, 'the files were read')
    assert.deepEqual(
      expressions.flatMap((used) => faultsOf(metrics, used)),
      [],
    )
  })

  test('the check finds a metric, a label, a grouping and a legend that do not exist', () => {
    for (const [expr, legends, fault] of [
      ['rate(switchboard_nothing_total[5m])', [], 'switchboard_nothing_total'],
      ['switchboard_ready{part="store"} == 0', [], 'switchboard_ready{part}'],
      ['sum by (kind) (switchboard_instances)', [], 'by kind'],
      ['switchboard_queue_depth', ['state'], 'by state'],
    ] as const)
      assert.deepEqual(faultsOf(metrics, { where: 'planted', expr, legends: [...legends] }), [
        `planted: ${fault}`,
      ])
    for (const expr of ['sum(rate(up[5m])', 'summ(up)', 'up{job=}', 'up ~ 3'])
      assert.throws(() => namesIn(expr), expr)
  })

  /** The metrics, once a line begins with this. */
  const scraped = (start: string): Promise<string> =>
    until(start, async () => {
      const text = await (await fetch(`${server.url}/metrics`)).text()
      return text.includes(`\n${start}`) ? text : undefined
    })

  test('the metrics that the alerts are about have their values', async () => {
    await scraped('switchboard_ready{check="cluster"} 1')
    const text = await scraped('switchboard_ready{check="store"} 1')
    assert.match(text, /^switchboard_instances\{state="open",reason="none"\} 0$/m)
    assert.match(text, /^switchboard_queue_oldest_seconds 0$/m)
    assert.match(text, /^switchboard_disk_free_bytes [1-9]\d*$/m)
    assert.match(text, /^switchboard_webhook_attempt_seconds_count\{outcome="dead"\} 0$/m)
  })
})

describe('the alerts', () => {
  const headings = [...read('docs/monitoring.md').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title)
  const anchors = new Set(
    headings.map((title) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )

  test('have unique names', () => assert.equal(new Set(alerts.map(({ alert }) => alert)).size, alerts.length))

  for (const { alert, severity, summary, description, runbook = '' } of alerts)
    test(`${alert} has a summary, a description, a severity, and a runbook that exists`, () => {
      assert.ok(summary && description)
      assert.ok(['critical', 'warning', 'info'].includes(severity ?? ''), severity)
      const [file, anchor = ''] = runbook.split('#')
      assert.equal(file, 'docs/monitoring.md')
      assert.ok(anchors.has(anchor), runbook)
    })

  test('every field of the file is read', () => {
    const text = read(RULES)
    for (const field of ['alert', 'expr', 'severity', 'summary', 'description', 'runbook'] as const) {
      const written = [...text.matchAll(new RegExp(`^ *(?:- )?${field}:`, 'gm'))].length
      assert.equal(alerts.filter((alert) => alert[field]).length, written, field)
    }
  })

  const promtool = spawnSync('promtool', ['--version'])
  const skip = promtool.error ? 'promtool is not installed' : false
  test('are accepted by promtool, where it is installed', { skip }, () => {
    const { status, stderr } = spawnSync('promtool', ['check', 'rules', join(ROOT, RULES)], {
      encoding: 'utf8',
    })
    assert.equal(status, 0, stderr)
  })
})

describe('the dashboard', () => {
  test('each chart has a title, a description and an expression', () => {
    for (const { title, description, targets } of charts)
      assert.ok(title && description && targets && targets.length > 0, title)
  })

  test('panels do not overlap', () => {
    const cells = new Set<string>()
    for (const { title, gridPos } of panels)
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          assert.ok(x < 24 && !cells.has(`${x} ${y}`), title)
          cells.add(`${x} ${y}`)
        }
  })
})
