// What a live check has found out. The types admit no text of a message, no name, no number and no id, so that a report is safe to
// publish.
import type { ConnectionState, StateReason } from '../../../contract/instances.ts'

export const PLATFORMS = ['android', 'ios', 'web'] as const
export type Platform = (typeof PLATFORMS)[number]

/** How a client of the network shows a message. */
export const SHOWN = ['renders', 'differs', 'nothing', 'skip'] as const
export type Shown = (typeof SHOWN)[number]

export type Section = 'sending' | 'changes' | 'receiving' | 'people' | 'connection'

export interface Check {
  section: Section
  name: string
  outcome: 'ok' | 'failed' | 'skipped'
  /** A reason of the API, and the code of the network if there is one. */
  reason?: string | undefined
  code?: number | null | undefined
  /** How long the step took. */
  durationMs?: number | undefined
  /** From the acceptance of a message. */
  sentMs?: number | undefined
  deliveredMs?: number | undefined
  shown?: Partial<Record<Platform, Shown>> | undefined
}

export interface SeenState {
  state: ConnectionState
  reason: StateReason | null
  /** Since the first state. */
  afterMs: number
}

export interface ServerFacts {
  version: string
  network: string
  library: string
  client: string
}

export interface Findings {
  startedAt: Date
  server: ServerFacts | undefined
  paired: 'qr' | 'code' | undefined
  platforms: Platform[]
  checks: Check[]
  states: SeenState[]
  /** Connections that were closed during the check, by the code of the network. */
  closes: Record<string, number>
  isInterrupted: boolean
}

export const newFindings = (startedAt: Date): Findings => ({
  startedAt,
  server: undefined,
  paired: undefined,
  platforms: [],
  checks: [],
  states: [],
  closes: {},
  isInterrupted: false,
})

/** A skipped check is not a problem, but it proves nothing. */
export const hasProblem = ({ outcome, shown = {} }: Check): boolean =>
  outcome === 'failed' || Object.values(shown).some((word) => word === 'differs' || word === 'nothing')
