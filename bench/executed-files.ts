// Loaded before the gateway (`--import`), in each of its threads: says which source files have run since the last question. The profiler
// counts the calls of every function, and a file has run if one of its functions has.
import { Session } from 'node:inspector'
import { setTimeout as pause } from 'node:timers/promises'
import { BroadcastChannel, isMainThread } from 'node:worker_threads'

/** Threads that wait without an event loop, as the watchdog does, never answer. */
const ANSWERED_WITHIN_MS = 300

interface ScriptCoverage {
  url: string
  functions: { ranges: { count: number }[] }[]
}

const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

function takeFiles(): string[] {
  const files: string[] = []
  // In the same thread the answer comes before the call returns.
  session.post('Profiler.takePreciseCoverage', (_error, { result }: { result: ScriptCoverage[] }) => {
    for (const { url, functions } of result)
      if (functions.some(({ ranges }) => ranges.some(({ count }) => count > 0))) files.push(url)
  })
  return files
}

interface Message {
  files?: string[]
}

const channel = new BroadcastChannel('executed files')
channel.unref()

async function answer(): Promise<void> {
  answered = new Set(takeFiles())
  channel.postMessage({})
  await pause(ANSWERED_WITHIN_MS)
  process.send?.([...answered])
}

let answered = new Set<string>()
channel.addEventListener('message', (event) => {
  const { files } = (event as unknown as { data: Message }).data
  if (!isMainThread && files === undefined) channel.postMessage({ files: takeFiles() })
  if (isMainThread) for (const file of files ?? []) answered.add(file)
})
if (isMainThread) {
  process.on('message', (question) => {
    if (question === 'executed files') void answer()
  })
  process.channel?.unref()
}
