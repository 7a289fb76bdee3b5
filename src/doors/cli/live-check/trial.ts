// What the steps of a live check share: the clients, the interview, and what is found. The private part never reaches the report.
import { setTimeout as pause } from 'node:timers/promises'
import { type Client, ClientError } from '../../../contract/client.ts'
import type { Check, Findings, Section } from './findings.ts'
import type { Interview } from './interview.ts'
import type { ServerMetrics } from './server-facts.ts'

export interface Trial {
  account: Client
  /** Without a key. */
  system: Client
  interview: Interview
  findings: Findings
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
  private: {
    /** The API name of the instance of this check, while it exists. */
    instanceName: string | undefined
    recipient: string
    /** Sent messages by the name of their check. */
    messageIds: Map<string, string>
    lastMetrics: ServerMetrics | undefined
  }
}

const POLL_MS = 500

/** The instance of the check. Steps that need one run after the pairing. */
export function instanceOf({ private: { instanceName } }: Trial): string {
  if (instanceName === undefined) throw new Error('the instance does not exist yet')
  return instanceName
}

/** Polls until `read` returns something; undefined if that takes too long. A server that restarts is waited for. */
export async function until<T>(
  { signal }: Pick<Trial, 'signal'>,
  limitMs: number,
  read: () => Promise<T | undefined>,
): Promise<T | undefined> {
  for (const startedAt = performance.now(); performance.now() - startedAt < limitMs; ) {
    const found = await read().catch((error: unknown) => {
      if (!isOutage(error)) throw error
      return undefined
    })
    if (found !== undefined) return found
    await pause(POLL_MS, undefined, { signal })
  }
  return undefined
}

/** No answer, and the answers of a gateway that starts or does not reach the network. */
const OUTAGES: ReadonlySet<number> = new Set([0, 503, 504])
const isOutage = (error: unknown): boolean => error instanceof ClientError && OUTAGES.has(error.status)

/** Runs a check and records how long it took. A refusal of the gateway is a finding, not an end of the trial. */
export async function record(
  { findings, interview, signal }: Trial,
  section: Section,
  name: string,
  run: () => Promise<Omit<Check, 'section' | 'name' | 'durationMs'>>,
): Promise<Check> {
  const startedAt = performance.now()
  const result = await run().catch((error: unknown) => {
    if (signal.aborted || !(error instanceof ClientError)) throw error
    interview.say(`  refused: ${error.message} (${error.reason})`)
    return { outcome: 'failed', reason: error.reason } as const
  })
  const check = { section, name, durationMs: performance.now() - startedAt, ...result }
  findings.checks.push(check)
  return check
}
