// The processes of a bench: started, measured, and stopped whether the bench succeeds or not.
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const TICK_MS = 10
/** A process that has not ended by then is killed. */
const STOP_MS = 30_000

/** CPU time that a process has used, all its threads together. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

/** Resident memory of a process, in megabytes. */
export function rssMb(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  if (kilobytes === undefined) throw new Error(`process ${pid} has no memory: it has ended`)
  return (Number(kilobytes) * 1024) / 1e6
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

export class Processes {
  #children = new Set<ChildProcess>()

  /** A process of the bench itself, with a channel to it. */
  fork(file: string, args: string[] = []): ChildProcess {
    const child = fork(join(import.meta.dirname, file), args, {
      env: { PATH: process.env.PATH },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    return this.#add(child)
  }

  /** A program of Node. Its output is in `stdout`; errors appear on the console. A module loaded before it can use the channel. */
  run(args: string[], environment: Record<string, string>): ChildProcess {
    const child = spawn(process.execPath, args, {
      cwd: join(import.meta.dirname, '..'),
      env: { PATH: process.env.PATH, ...environment },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    return this.#add(child)
  }

  async stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.#children.delete(child)
    if (hasEnded(child)) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await Promise.race([exited, pause(STOP_MS, undefined, { ref: false })])
    if (hasEnded(child)) return
    child.kill('SIGKILL')
    await exited
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.#children].map((child) => this.stop(child, 'SIGKILL')))
  }

  #add(child: ChildProcess): ChildProcess {
    this.#children.add(child)
    return child
  }
}
