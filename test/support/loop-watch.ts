// Measures how long the event loop of this process stands still. The CPU time of the thread tells work of the loop from waiting for a
// processor on a busy machine.

export interface LoopStall {
  /** The longest time between two turns of the loop. */
  wallMs: number
  /** The most CPU time of this thread between two turns. */
  cpuMs: number
}

export interface LoopReport extends LoopStall {
  rssBytes: number
}

const TICK_MS = 10

/** Returns the longest stall since the last call. */
export function watchLoop(): () => LoopStall {
  const now = () => {
    const { user, system } = process.threadCpuUsage()
    return { wallMs: performance.now(), cpuMs: (user + system) / 1000 }
  }
  let last = now()
  let worst = { wallMs: 0, cpuMs: 0 }
  const tick = () => {
    const current = now()
    worst = {
      wallMs: Math.max(worst.wallMs, current.wallMs - last.wallMs - TICK_MS),
      cpuMs: Math.max(worst.cpuMs, current.cpuMs - last.cpuMs),
    }
    last = current
  }
  setInterval(tick, TICK_MS).unref()
  return () => {
    tick()
    const taken = worst
    worst = { wallMs: 0, cpuMs: 0 }
    return taken
  }
}

/** Answers each message of the parent process with a report. */
export function reportLoop(): void {
  const take = watchLoop()
  process.on('message', () => process.send?.({ ...take(), rssBytes: process.memoryUsage.rss() }))
  process.on('disconnect', () => process.exit(1))
  process.channel?.unref()
}
