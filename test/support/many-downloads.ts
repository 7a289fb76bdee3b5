// Promise F3: a process that downloads 20 large files at once holds at most 150 MB of them.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { temporaryDirectory } from './engines.ts'
import { startWebHost } from './web-host.ts'

const MB = 1024 * 1024
const FILES = 20
const MOST_BYTES = 150 * MB

export async function checkManyDownloads(megabytes: number): Promise<void> {
  assert.ok(FILES * megabytes * MB > 3 * MOST_BYTES, 'a process that keeps whole files would fail')
  const source = await startSource(megabytes)
  const directory = await temporaryDirectory()
  const script = join(import.meta.dirname, 'download-many.ts')
  const child = spawn(process.execPath, ['--expose-gc', script, source.url, String(FILES), directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
  await source.close()
  await rm(directory, { recursive: true })
  const { sizes, samples, addedBytes } = JSON.parse(output)
  assert.deepEqual(
    sizes,
    Array.from({ length: FILES }, () => megabytes * MB),
  )
  assert.ok(samples >= 10, `only ${samples} samples`)
  const summary = `${FILES} downloads of ${megabytes} MB at once added ${Math.round(addedBytes / MB)} MB in ${samples} samples`
  assert.ok(addedBytes <= MOST_BYTES, summary)
  console.log(summary)
}

const startSource = (megabytes: number) => {
  const megabyte = Buffer.alloc(MB)
  return startWebHost((request, response) => {
    let left = request.url === '/small' ? 1 : megabytes
    response.setHeader('content-length', String(left * MB))
    const send = (): void => {
      while (left > 0) {
        left -= 1
        if (!response.write(megabyte)) return void response.once('drain', send)
      }
      response.end()
    }
    send()
  })
}
