// How much memory an upload of 100 MB takes: `POST /media` on a server with SQLite, beside the size of the file.
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { temporaryDirectory } from '../test/support/engines.ts'
import { newKey, startWithKey } from '../test/support/started.ts'
import { rssMb } from './processes.ts'

const MB = 1024 * 1024
const FILE_MB = 100
const WARM_UPS = 2
const SAMPLE_MS = 20

/** The file is never in the memory of this process, either. */
const fileOf = (megabytes: number): ReadableStream<Uint8Array> => {
  let left = megabytes
  return new ReadableStream({
    pull(controller) {
      if (left === 0) return controller.close()
      left -= 1
      controller.enqueue(new Uint8Array(MB))
    },
  })
}

async function upload(url: string, key: string, megabytes: number): Promise<void> {
  const answer = await fetch(`${url}/api/v1/media`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/octet-stream' },
    body: fileOf(megabytes),
    duplex: 'half',
  })
  assert.equal(answer.status, 200, await answer.text())
}

const directory = await temporaryDirectory()
const server = await startWithKey(
  { directory, databaseUrl: undefined, dispose: async () => undefined },
  newKey(),
  // As `npm start` runs it.
  { NODE_OPTIONS: '--max-semi-space-size=4', MALLOC_ARENA_MAX: '2' },
)
try {
  const pid = server.child.pid as number
  for (let count = 0; count < WARM_UPS; count += 1) await upload(server.url, server.key, 10)
  const before = rssMb(pid)
  let highest = before
  const sampling = setInterval(() => void (highest = Math.max(highest, rssMb(pid))), SAMPLE_MS)
  const startedAt = performance.now()
  await upload(server.url, server.key, FILE_MB)
  const seconds = (performance.now() - startedAt) / 1000
  clearInterval(sampling)
  const added = highest - before
  console.log(`upload of ${FILE_MB} MB: ${added.toFixed(1)} MB of memory added, ${seconds.toFixed(1)} s`)
  assert.ok(added < 20, 'an upload is not held in memory')
} finally {
  await server.stop('SIGKILL')
  await rm(directory, { recursive: true, force: true })
}
