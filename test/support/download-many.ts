// A process that downloads many files at once and prints the memory it used: `node download-many.ts URL COUNT DIRECTORY`.
import { createOutbound } from '../../src/outbound/client.ts'

const [url = '', count = '', directory = ''] = process.argv.slice(2)
const outbound = createOutbound({
  allowTargets: ['127.0.0.1'],
  extraCa: [],
  directory,
  limits: { keepMs: 0 },
})
const target = (name: string | number) => `${url}/${name}`

const download = async (name: string | number): Promise<number> => {
  const file = await outbound.download({ accountId: 1, url: target(name), kind: 'document' })
  if ('failed' in file) throw new Error(file.message)
  await file.release()
  return file.sizeBytes
}

// What code and connections take is there before the first large file.
await download('small')
const beforeBytes = process.memoryUsage.rss()
const sizes = await Promise.all(Array.from({ length: Number(count) }, (_, index) => download(index)))
const peakBytes = process.resourceUsage().maxRSS * 1024
await outbound.close()
console.log(JSON.stringify({ sizes, addedBytes: peakBytes - beforeBytes }))
