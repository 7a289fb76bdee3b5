// Checks the clock: it must not be before known past events, must agree with the database's clock, and must not jump.

import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Maintenance } from '../../../app/maintenance.ts'
import { wallClock } from '../../../kernel/async/clock.ts'
import { programPath } from '../../../kernel/process/program-files.ts'
import { type Finding, ok, warning, wrong } from './finding.ts'

/** Leases, expiries and signatures tolerate this offset, and NTP stays far below it. */
const MAX_OFFSET_MS = 5000
/** Allowed drift between wall clock and monotonic clock during the checks. */
const MAX_JUMP_MS = 250
/** Below this the difference is the time that the question takes. */
const NOTED_OFFSET_MS = 1000
const HOUR_MS = 3_600_000
const REMEDY = 'set the clock of this machine, and keep it correct with NTP'

export interface ClockSample {
  wallMs: number
  monotonicMs: number
}

export const sampleClock = (): ClockSample => ({ wallMs: wallClock(), monotonicMs: performance.now() })

export function checkSteadiness(before: ClockSample, after: ClockSample): Finding {
  const jumpMs = Math.round(after.wallMs - before.wallMs - (after.monotonicMs - before.monotonicMs))
  return Math.abs(jumpMs) > MAX_JUMP_MS
    ? warning('clock', `jumped by ${jumpMs} ms during the checks`, REMEDY)
    : ok('clock', 'runs steadily')
}

/** `events` are known to have happened, so a correct clock shows a later time. */
export function checkNotBehind(nowMs: number, events: readonly { what: string; atMs: number }[]): Finding {
  const latest = events.toSorted((a, b) => b.atMs - a.atMs)[0]
  const time = new Date(nowMs).toISOString()
  if (latest === undefined || nowMs >= latest.atMs - MAX_OFFSET_MS) return ok('clock', `shows ${time}`)
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
    ...applied.map((atMs) => ({ what: 'the last migration of the database', atMs })),
    ...(await migrationFiles(maintenance.engine)),
    ...(await changelogDate()),
  ]
}

async function migrationFiles(engine: Maintenance['engine']) {
  const folder = programPath('migrations', engine)
  const files = await readdir(folder)
  return Promise.all(
    files.map(async (file) => ({
      what: `the time the file ${file} was written`,
      atMs: (await stat(join(folder, file))).mtimeMs,
    })),
  )
}

/** The newest date in the changelog, if there is one. */
async function changelogDate() {
  const text = await readFile(programPath('CHANGELOG.md'), 'utf8').catch(() => '')
  const days = text.match(/\b20\d\d-[01]\d-[0-3]\d\b/g) ?? []
  const newest = days.toSorted().at(-1)
  return newest === undefined ? [] : [{ what: 'the newest entry of the changelog', atMs: Date.parse(newest) }]
}

/** Compares with the database's clock, corrected by half the round trip. */
export async function checkAgainstDatabase(maintenance: Maintenance): Promise<Finding[]> {
  if (maintenance.engine === 'sqlite') return []
  const startedMs = wallClock()
  let databaseMs: number
  try {
    databaseMs = await maintenance.now()
  } catch {
    // The store check reports a database that does not answer.
    return []
  }
  const offsetMs = Math.round(databaseMs - (startedMs + wallClock()) / 2)
  return [checkOffset(offsetMs)]
}

/** How far the database's clock is ahead. */
export function checkOffset(offsetMs: number): Finding {
  const differenceMs = Math.abs(offsetMs)
  const todo = 'set both clocks, and keep them correct with NTP'
  if (differenceMs >= HOUR_MS) {
    const hours = Math.round(differenceMs / HOUR_MS)
    const found = `is about ${hours} ${hours === 1 ? 'hour' : 'hours'} ${offsetMs > 0 ? 'behind' : 'ahead of'} the database's clock`
    return wrong('clock', found, `${todo}; a whole number of hours suggests a wrong time zone`)
  }
  const found = `differs from the database's clock by ${differenceMs} ms`
  if (differenceMs > MAX_OFFSET_MS) return wrong('clock', found, todo)
  return differenceMs > NOTED_OFFSET_MS ? warning('clock', found, todo) : ok('clock', found)
}
