/** Which faults are switched on, and the questions that handlers ask about them. */
import type { Connection } from './connection.ts'

/** A code to refuse with, and how often. */
type Rejection = { code: string; left: number }
type Restriction = { until: number }

export type LastingFault = 'reject' | 'refuse' | 'restrict' | 'silent' | 'offline'

/** Faults that last; a disconnect or an unlink is done the moment it is asked for. */
export type Faults = {
  rejected: Map<string, Rejection>
  refused: Map<string, Rejection>
  restricted: Map<string, Restriction>
  silenced: Set<Connection>
  offline: Set<string>
}

export function noFaults(): Faults {
  return {
    rejected: new Map(),
    refused: new Map(),
    restricted: new Map(),
    silenced: new Set(),
    offline: new Set(),
  }
}

/** Whether the account may not write first right now, and until when. A restriction ends by itself. */
export function restrictionOf({ restricted }: Faults, number: string): Restriction | undefined {
  const restriction = restricted.get(number)
  if (restriction && restriction.until * 1000 <= Date.now()) restricted.delete(number)
  return restricted.get(number)
}

/** The error code with which the next message (or login) of this number is refused. */
export function rejectionFor(rejections: Map<string, Rejection>, number: string): string | undefined {
  const rejection = rejections.get(number)
  if (!rejection) return undefined
  rejection.left -= 1
  if (rejection.left <= 0) rejections.delete(number)
  return rejection.code
}
