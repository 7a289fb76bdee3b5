// The samples of docs/event-samples.md, made by a gateway with simulated phones: `npm run docs:events` writes them.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventSamples } from '../test/support/event-samples.ts'
import { startServer } from '../test/support/process.ts'
import { newKey } from '../test/support/started.ts'

const DOCUMENT = new URL('../docs/event-samples.md', import.meta.url)
const START = '<!-- samples: made by scripts/event-samples.ts -->'

/** The document with these samples. */
export function withEventSamples(text: string, samples: string): string {
  const start = text.indexOf(START)
  if (start < 0) throw new Error(`docs/event-samples.md has no place for the samples: ${START}`)
  return `${text.slice(0, start + START.length)}\n\n${samples}\n`
}

async function write(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'switchboard-samples-'))
  const key = newKey()
  const server = await startServer({ PORT: '0', DATA_DIR: directory, API_KEY: key, RATE_LIMIT: '0' })
  try {
    const samples = await eventSamples({ url: server.url, key })
    await writeFile(DOCUMENT, withEventSamples(await readFile(DOCUMENT, 'utf8'), samples))
  } finally {
    await server.stop()
    await rm(directory, { recursive: true })
  }
}

if (import.meta.main) await write()
