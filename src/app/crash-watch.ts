// Which arrivals this process handles, for the next one; and which an earlier process handled when it died.
import { join } from 'node:path'
import { createMutex } from '../async/mutex.ts'
import { type CrashMarks, openCrashMarks, readCrashMarks } from '../process/crash-marks.ts'
import { type CrashWatch, readMark } from '../sessions/arrival-guard.ts'
import { recordDeaths } from '../store/queries/set-aside.ts'
import type { Store } from '../store/store.ts'

const MARKS_FILE = 'arrivals-in-progress'

interface CrashWatchDeps {
  store: Pick<Store, 'db'>
  clock: () => number
  logger: { warn(fields: object, message: string): void }
}

interface OpenCrashWatch extends CrashWatch {
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
  const file = join(directory, MARKS_FILE)
  const { run, marks } = readCrashMarks(file)
  const deaths = marks.flatMap((mark) => readMark(mark) ?? [])
  if (deaths.length > 0) {
    logger.warn(
      { arrivals: deaths.length },
      'the last process ended while it handled messages; a message that this happens to twice is set aside',
    )
    await recordDeaths(store.db, run, deaths, clock())
  }
  return { marks: openCrashMarks(file), suspects: createMutex() }
}
