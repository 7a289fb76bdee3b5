// The connection pools of the outbound client: one per origin, kept between requests even when connecting failed.
import { type Dispatcher, errors, Pool } from 'undici'
import { createBoundedMap } from '../async/bounded-map.ts'
import { ignoreErrors } from '../async/ignore-errors.ts'

export interface Pools {
  request(origin: string, options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData>
  /** Number of pools, including those still closing. */
  count(): number
  /** Aborts running requests; later requests are rejected. */
  destroy(): Promise<void>
}

export interface PoolLimits {
  /** A pool without requests is closed after this time. Must be longer than the keep-alive time of a connection. */
  idleMs: number
  /** Above this number the least recently used pool is closed. */
  maxPools: number
}

interface Kept {
  pool: Pool
  idle: NodeJS.Timeout
}

/**
 * undici's `Agent` drops an origin's pool after every failed connection and creates a new one for the next request. A pool
 * takes 20 KB; with unreachable receivers this caused most of the garbage collection (decision 0084).
 */
export function createPools(options: Pool.Options, { idleMs, maxPools }: PoolLimits): Pools {
  const kept = createBoundedMap<string, Kept>(maxPools, { onEvict: close })
  const closing = new Set<Pool>()
  let isDestroyed = false

  /** Running requests finish first. */
  function close(origin: string, { pool, idle }: Kept): void {
    clearTimeout(idle)
    kept.delete(origin)
    closing.add(pool)
    const onClosed = () => void closing.delete(pool)
    pool.close().then(onClosed, onClosed)
  }
  function make(origin: string): Kept {
    const made: Kept = {
      pool: new Pool(origin, options),
      idle: setTimeout(() => close(origin, made), idleMs).unref(),
    }
    return made
  }
  function poolOf(origin: string): Pool {
    const found = kept.get(origin) ?? make(origin)
    found.idle.refresh()
    kept.set(origin, found)
    return found.pool
  }

  return {
    async request(origin, request) {
      if (isDestroyed) throw new errors.ClientDestroyedError()
      const response = await poolOf(origin).request(request)
      // A body that is left before its end fails.
      ignoreErrors(response.body)
      return response
    },
    count: () => kept.size + closing.size,
    async destroy() {
      isDestroyed = true
      const all = [...kept.values()].map(({ pool }) => pool).concat(...closing)
      for (const { idle } of kept.values()) clearTimeout(idle)
      kept.clear()
      await Promise.all(all.map((pool) => pool.destroy()))
    },
  }
}
