// How many calls to the system does a message cost? strace counts them, in all threads of the gateway. Messages follow each other one by
// one, and what the gateway does while it is idle is subtracted. strace slows the gateway down, so nothing is timed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { APART_MS, busyAndIdle, withMessagesAlone } from './messages-alone.ts'
import { atMost, report } from './report.ts'
import { onStage, type Stage } from './stage.ts'

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '40' },
    /** Milliseconds between two messages. */
    apart: { type: 'string', default: String(APART_MS) },
    engine: { type: 'string', default: 'sqlite' },
  },
})
const MESSAGES = Number(values.messages)

type Calls = ReadonlyMap<string, number>

/** Of a summary by `strace -c`: share, seconds, time of a call, calls, errors if there are any, and the name. */
const ROW = /^\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+)\s+(?:\d+\s+)?(\w+)$/gm

async function callsDuring(pid: number, file: string, work: () => Promise<void>): Promise<Calls> {
  const strace = spawn('strace', ['-f', '-c', '-o', file, '-p', String(pid)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(strace, 'exit')
  const said = await Promise.race([once(strace.stderr, 'data'), once(strace, 'error')])
  if (!String(said[0]).includes('attached')) throw new Error(`strace cannot count: ${String(said[0])}`)
  strace.stderr.resume()
  await work()
  strace.kill('SIGINT')
  await ended
  const summary = await readFile(file, 'utf8')
  return new Map(
    [...summary.matchAll(ROW)].flatMap(([, calls, name]) =>
      name === 'total' ? [] : [[name ?? '', Number(calls)]],
    ),
  )
}

/** What is shown, by the calls that are added up. */
const SHOWN: readonly { question: string; names?: string[]; wanted?: number }[] = [
  { question: 'writes of pages (pwrite64)', names: ['pwrite64'], wanted: 25 },
  { question: 'waits for the disk (fsync, fdatasync)', names: ['fsync', 'fdatasync'], wanted: 1.2 },
  {
    question: 'waits and wakes of threads (futex, epoll_pwait)',
    names: ['futex', 'epoll_pwait'],
    wanted: 15,
  },
  { question: 'calls to the system' },
]

async function show(stage: Stage, message: string, pid: number, one: () => Promise<void>): Promise<void> {
  const file = join(await stage.directory(), 'summary')
  const { busy, idle } = await busyAndIdle(
    { messages: MESSAGES, apartMs: Number(values.apart) },
    one,
    (work) => callsDuring(pid, file, work),
  )
  const sumOf = (calls: Calls, names: readonly string[]) =>
    names.reduce((sum, name) => sum + (calls.get(name) ?? 0), 0)
  for (const { question, names = [...busy.keys()], wanted } of SHOWN) {
    const value = (sumOf(busy, names) - sumOf(idle, names)) / MESSAGES
    const limit = wanted !== undefined && message === 'received' ? { wanted: atMost(value, wanted) } : {}
    report({
      question: `${values.engine}, one ${message} message at a time: ${question}`,
      value,
      unit: '',
      ...limit,
    })
  }
}

await onStage(values.engine, (stage) =>
  withMessagesAlone(stage, async ({ pid, receive, send }) => {
    await show(stage, 'received', pid, receive)
    await show(stage, 'sent', pid, send)
  }),
)
