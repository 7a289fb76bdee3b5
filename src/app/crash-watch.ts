// Which arrivals this process handles, for the next one; and which an earlier process handled when it died.
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CrashMarks, openCrashMarks, readCrashMarks } from '../kernel/process/crash-marks.ts'
import { type CrashWatch, createArrivalTurns, readMark, weighed } from '../receiving/arrival-guard.ts'
import { recordDeaths } from '../receiving/set-aside-queries.ts'
import type { Store } from '../store/store.ts'

const MARKS_FILE = 'arrivals-in-progress'
/** Left behind by a process that ended through its own fault: its event loop stood still, or nothing caught an error. */
export const STANDSTILL_FILE = 'event-loop-stands-still'

interface CrashWatchDeps {
  store: Pick<Store, 'db'>
  clock: () => number
  logger: { warn(fields: object, message: string): void }
}

export interface OpenCrashWatch extends CrashWatch {
  marks: CrashMarks
}

/**
 * The deaths are in the database before any session connects: on several nodes, the one that serves the instance by then finds them
 * there. The file is begun anew only after that; a death that is recorded twice counts once.
 */
export async function openCrashWatch(
  directory: string,
  { store, clock, logger }: CrashWatchDeps,
): Promise<OpenCrashWatch> {
  const [file, standstillFile] = [join(directory, MARKS_FILE), join(directory, STANDSTILL_FILE)]
  const { run, marks } = readCrashMarks(file)
  const inWork = marks.flatMap((mark) => readMark(mark) ?? [])
  if (inWork.length > 0) {
    const cause = existsSync(standstillFile) ? 'own' : 'unknown'
    const deaths = weighed(inWork, cause)
    logger.warn(
      { arrivals: deaths.length },
      'the last process ended while it handled messages; each is tried again last and alone, and set aside if it ends the process then',
    )
    await recordDeaths(store.db, run, deaths, clock())
  }
  rmSync(standstillFile, { force: true })
  process.on('uncaughtExceptionMonitor', () => {
    try {
      writeFileSync(standstillFile, '', { mode: 0o600 })
    } catch {
      // The next process counts the death as one of unknown cause.
    }
  })
  return { marks: openCrashMarks(file), turns: createArrivalTurns() }
}
