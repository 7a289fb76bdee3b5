// What a process of a bench needs and costs: loaded into it in front of its own code, it answers over the channel to its parent.
import { setTimeout as pause } from 'node:timers/promises'

export interface Usage {
  rssBytes: number
  heapBytes: number
  /** Of all threads since the process began. */
  cpuMs: number
}

/** Memory goes back to the system some time after a collection: several, and the least that was seen. */
const COLLECTIONS = 6
const COLLECTION_PAUSE_MS = 250

async function collected(): Promise<Usage> {
  const seen: NodeJS.MemoryUsage[] = []
  for (let round = 0; round < COLLECTIONS; round += 1) {
    globalThis.gc?.()
    await pause(COLLECTION_PAUSE_MS)
    seen.push(process.memoryUsage())
  }
  return {
    rssBytes: Math.min(...seen.map(({ rss }) => rss)),
    heapBytes: Math.min(...seen.map(({ heapUsed }) => heapUsed)),
    cpuMs: cpuMs(),
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The longest that the event loop was held since it was last asked. */
export interface Stall {
  wallMs: number
  /** CPU of the loop's own thread: on a busy machine the wall clock also counts what other processes took. */
  cpuMs: number
}

const TICK_MS = 5
let watching: NodeJS.Timeout | undefined
let longest: Stall = { wallMs: 0, cpuMs: 0 }

function watchLoop(): void {
  const now = () => {
    const { user, system } = process.threadCpuUsage()
    return { wall: performance.now(), cpu: (user + system) / 1000 }
  }
  let last = now()
  watching = setInterval(() => {
    const next = now()
    longest = {
      wallMs: Math.max(longest.wallMs, next.wall - last.wall),
      cpuMs: Math.max(longest.cpuMs, next.cpu - last.cpu),
    }
    last = next
  }, TICK_MS).unref()
}

function takeStall(): Stall {
  if (!watching) watchLoop()
  const stall = longest
  longest = { wallMs: 0, cpuMs: 0 }
  return stall
}

process.on('message', (message: unknown) => {
  if (message === 'stall') process.send?.({ stall: takeStall() })
  if (message === 'collected') void collected().then((usage) => process.send?.({ usage }))
  if (message === 'cpu')
    process.send?.({ usage: { rssBytes: 0, heapBytes: 0, cpuMs: cpuMs() } satisfies Usage })
})
// A bench that is cut off leaves no process behind.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
// The channel alone must not keep the process alive.
process.channel?.unref()
