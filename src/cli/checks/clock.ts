// Whether the clock can be right: not before what is known to have happened, together with the database's, and steady.
import { readdir, readFile, stat } from 'node:fs/promises'
import type { Maintenance } from '../../maintenance.ts'
import { type Finding, ok, warning, wrong } from './finding.ts'

/** Leases, expiries and signatures bear less than this, and NTP keeps far below it. */
const APART_MS = 5000
/** Wall clock and monotonic clock may drift by this much while the doctor works, and not more. */
const JUMP_MS = 250
const REMEDY = 'set the clock of this machine, and keep it right with NTP'

export interface ClockSample {
  wallMs: number
  steadyMs: number
}

export const sampleClock = (): ClockSample => ({ wallMs: Date.now(), steadyMs: performance.now() })

export function checkSteadiness(before: ClockSample, after: ClockSample): Finding {
  const jumpMs = Math.round(after.wallMs - before.wallMs - (after.steadyMs - before.steadyMs))
  return Math.abs(jumpMs) > JUMP_MS
    ? warning('clock', `the clock jumped by ${jumpMs} ms during this check`, REMEDY)
    : ok('clock', 'runs steadily')
}

/** `events` are moments that lie in the past of any right clock. */
export function checkNotBehind(nowMs: number, events: readonly { what: string; atMs: number }[]): Finding {
  const latest = events.toSorted((a, b) => b.atMs - a.atMs)[0]
  const time = new Date(nowMs).toISOString()
  if (latest === undefined || nowMs >= latest.atMs - APART_MS) return ok('clock', `shows ${time}`)
  return wrong(
    'clock',
    `shows ${time}, before ${latest.what} (${new Date(latest.atMs).toISOString()})`,
    REMEDY,
  )
}

export async function pastEvents(maintenance: Maintenance): Promise<{ what: string; atMs: number }[]> {
  const schema = await maintenance.schema().catch(() => undefined)
  const applied = schema?.applied.map(({ appliedAt }) => appliedAt) ?? []
  return [
    ...applied.map((atMs) => ({ what: 'the last migration of the data', atMs })),
    ...(await migrationFiles(maintenance.engine)),
    ...(await changelogDate()),
  ]
}

async function migrationFiles(engine: Maintenance['engine']) {
  const folder = new URL(`../../../migrations/${engine}/`, import.meta.url)
  const files = await readdir(folder)
  return Promise.all(
    files.map(async (file) => ({
      what: `the file ${file} was written`,
      atMs: (await stat(new URL(file, folder))).mtimeMs,
    })),
  )
}

/** The newest day that the changelog names; a build without one says nothing about time. */
async function changelogDate() {
  const text = await readFile(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8').catch(() => '')
  const days = text.match(/\b20\d\d-[01]\d-[0-3]\d\b/g) ?? []
  const newest = days.toSorted().at(-1)
  return newest === undefined ? [] : [{ what: 'the newest entry of the changelog', atMs: Date.parse(newest) }]
}

/** Compares with the database's clock, half the round trip taken off. */
export async function checkAgainstDatabase(maintenance: Maintenance): Promise<Finding[]> {
  if (maintenance.engine === 'sqlite') return []
  const startedMs = Date.now()
  let databaseMs: number
  try {
    databaseMs = await maintenance.now()
  } catch {
    // That it does not answer is the store's finding.
    return []
  }
  const apartMs = Math.round(databaseMs - (startedMs + Date.now()) / 2)
  return [
    Math.abs(apartMs) > APART_MS
      ? wrong(
          'clock',
          `the database's clock is ${apartMs} ms away from this one`,
          'set both clocks, and keep them right with NTP',
        )
      : ok('clock', `the database's clock is ${Math.abs(apartMs)} ms away`),
  ]
}
