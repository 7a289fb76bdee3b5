// The files of the processes that tests start. A whole run starts hundreds of them, so it bundles them first: a bundle loads in half
// the time. A single test file runs the sources.
import { join } from 'node:path'
import { TEST_PROGRAMS } from '../../scripts/server-bundle.ts'

type Program = 'main' | 'cli' | 'sandbox' | 'failing-server' | 'short-interval-server' | 'short-lease-server'

export function programFile(name: Program): string {
  const { directory, entries } = TEST_PROGRAMS
  const file = process.env.TEST_BUNDLE === 'true' ? join(directory, `${name}.js`) : entries[name]
  return join(import.meta.dirname, '..', '..', file)
}
