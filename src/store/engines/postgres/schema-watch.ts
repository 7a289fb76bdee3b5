// Watches for migrations that a newer program applies while this one runs. They may be of a kind that this program does not work with.
import type pg from 'pg'
import { realTimers, type Timer, type Timers } from '../../../kernel/async/timers.ts'
import { StoreError } from '../../../kernel/store-error.ts'
import { type Migration, refuseNewerSchema } from '../../migrations.ts'
import { readApplied } from './migrate.ts'

/** Between a migration and the end of the programs that it leaves behind. */
const CHECK_MS = 5000

interface SchemaWatch {
  pool: Pick<pg.Pool, 'query'>
  known: Migration[]
  /** Called once. */
  onOutdated(error: StoreError): void
  timers?: Timers
}

/** Returns a function that ends it. */
export function watchSchema({ pool, known, onOutdated, timers = realTimers }: SchemaWatch): () => void {
  let isOver = false
  let timer: Timer | undefined
  async function check(): Promise<void> {
    // While the database is unavailable there is nothing to find.
    const applied = await readApplied(pool).catch(() => [])
    if (isOver) return
    try {
      refuseNewerSchema(known, applied)
      schedule()
    } catch (error) {
      if (error instanceof StoreError) onOutdated(error)
    }
  }
  function schedule(): void {
    timer = timers.setTimeout(() => void check(), CHECK_MS)
    timer.unref()
  }
  schedule()
  return () => {
    isOver = true
    timers.clearTimeout(timer)
  }
}
