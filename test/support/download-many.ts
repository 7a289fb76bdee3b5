// A process that downloads many files at once and prints the memory it held:
// `node --expose-gc download-many.ts URL COUNT DIRECTORY`.
import { setTimeout as pause } from 'node:timers/promises'
import { createOutbound } from '../../src/kernel/outbound/client.ts'

const [url = '', count = '', directory = ''] = process.argv.slice(2)
const outbound = createOutbound({
  allowTargets: ['127.0.0.1'],
  extraCa: [],
  directory,
  limits: { keepMs: 0 },
})
const SAMPLE_MS = 20
const target = (name: string | number) => `${url}/${name}`

const download = async (name: string | number): Promise<number> => {
  const file = await outbound.download({ accountId: 1, url: target(name), kind: 'document' })
  if ('failed' in file) throw new Error(file.message)
  await file.release()
  return file.sizeBytes
}

/** Memory in use. Garbage does not count: how much of it piles up depends on how often the collector gets to run. */
function heldBytes(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

// What code and connections take is there before the first large file.
await download('small')
const beforeBytes = heldBytes()
let peakBytes = beforeBytes
let samples = 0
async function sampleUntil(finished: Promise<unknown>): Promise<void> {
  const done = finished.then(() => true)
  while (!(await Promise.race([done, pause(SAMPLE_MS, false)]))) {
    peakBytes = Math.max(peakBytes, heldBytes())
    samples += 1
  }
}
const downloads = Promise.all(Array.from({ length: Number(count) }, (_, index) => download(index)))
await sampleUntil(downloads)
const sizes = await downloads
await outbound.close()
console.log(JSON.stringify({ sizes, samples, addedBytes: peakBytes - beforeBytes }))
