// Reads the stalls of the gateway's event loop, and of an idle process beside it for comparison.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { LoopReport } from '../../support/loop-watch.ts'

const IDLE_PROCESS = fileURLToPath(new URL('../../support/idle-process.ts', import.meta.url))
/** A loop that has not answered by then stands still. */
const ANSWER_MS = 60_000

export interface Stalls {
  gateway: LoopReport
  idle: LoopReport
}

export interface StallWatch {
  /** The longest stalls since the last call. Rejects if the gateway does not answer. */
  read(gateway: ChildProcess): Promise<Stalls>
  end(): void
}

export function openStallWatch(): StallWatch {
  // Without the options of this process: those of the test runner would make it another one.
  const idle = fork(IDLE_PROCESS, { execArgv: [] })
  const readNow = async (gateway: ChildProcess): Promise<Stalls> => {
    const [ofGateway, ofIdle] = await Promise.all([reportOf(gateway), reportOf(idle)])
    return { gateway: ofGateway, idle: ofIdle }
  }
  let previous: Promise<unknown> = Promise.resolve()
  return {
    // One at a time: a report has no id, so one answer would settle two questions, and the stall in the other would be missed.
    read(gateway) {
      const report = previous.then(() => readNow(gateway))
      previous = report.catch(() => undefined)
      return report
    },
    end: () => idle.kill('SIGKILL'),
  }
}

async function reportOf(child: ChildProcess): Promise<LoopReport> {
  const signal = AbortSignal.timeout(ANSWER_MS)
  const answer = once(child, 'message', { signal })
  child.send('loop')
  const [report] = (await answer) as [LoopReport]
  return report
}
