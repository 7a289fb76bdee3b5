// A gateway in the process of the test, for flows that show what it does and not what its process does. It starts in a tenth of the time
// of a process.
import { pino } from 'pino'
import type { ReplacedParts } from '../../src/app/replaced-parts.ts'
import { startApp } from '../../src/app/start.ts'
import { readSettings } from '../../src/config.ts'
import type { StoreLocation } from './engines.ts'
import type { LinkedGateway } from './linked.ts'
import { environmentOf } from './process.ts'

export interface StartedHere extends LinkedGateway {
  /** The lines of its log so far; none without LOG_LEVEL. */
  log(): string
  stop(): Promise<void>
}

export async function startHere(
  storeLocation: StoreLocation,
  key: string,
  more: Record<string, string> = {},
  parts: ReplacedParts = {},
): Promise<StartedHere> {
  const settings = readSettings({ ...environmentOf(storeLocation), API_KEY: key, ...more })
  const lines: string[] = []
  const level = more['LOG_LEVEL'] ?? 'silent'
  const logger = pino({ level, base: null }, { write: (line) => void lines.push(line) })
  const { url, stop } = await startApp(settings, logger, parts)
  return { url, key, log: () => lines.join(''), stop }
}
