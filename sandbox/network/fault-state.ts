// The faults that are switched on, and the lookups that handlers make.
import type { LinkingVariant } from '../../src/contract/sandbox-linking.ts'
import type { Connection } from './connection.ts'

/** The code to refuse with, and how many more times. */
interface Rejection {
  code: string
  left: number
  untilMs?: number | undefined
}
interface Restriction {
  until: number
}

export type LastingFault = 'reject' | 'refuse' | 'restrict' | 'silent' | 'offline' | 'linking'

/** Faults that last. A disconnect or an unlink takes effect once and leaves no state. */
export interface Faults {
  rejected: Map<string, Rejection>
  refused: Map<string, Rejection>
  restricted: Map<string, Restriction>
  silenced: Set<Connection>
  offline: Set<string>
  /** What goes wrong with the next links of a number. */
  linking: Map<string, Set<LinkingVariant>>
  /** Answers to the next handshakes, in place of the proper ones. */
  hellos: Buffer[]
}

export function noFaults(): Faults {
  return {
    rejected: new Map(),
    refused: new Map(),
    restricted: new Map(),
    silenced: new Set(),
    offline: new Set(),
    linking: new Map(),
    hellos: [],
  }
}

/** The restriction of an account, if it has not expired. */
export function restrictionOf({ restricted }: Faults, number: string): Restriction | undefined {
  const restriction = restricted.get(number)
  if (restriction && restriction.until * 1000 <= Date.now()) restricted.delete(number)
  return restricted.get(number)
}

/** The error code for the next message (or login) of this number. Each call uses up one rejection. */
export function rejectionFor(rejections: Map<string, Rejection>, number: string): string | undefined {
  const rejection = rejections.get(number)
  if (!rejection) return undefined
  rejection.left -= 1
  if (rejection.left <= 0) rejections.delete(number)
  return rejection.code
}

/** Whether this happens to the link of this number now. It happens once. */
export function takeLinkingFault({ linking }: Faults, number: string, variant: LinkingVariant): boolean {
  const variants = linking.get(number)
  const isTaken = variants?.delete(variant) === true
  if (variants?.size === 0) linking.delete(number)
  return isTaken
}

/** The attributes of the failure for the next login of this number. A refusal with an end time expires. */
export function refusalFor({ refused }: Faults, number: string): Record<string, string> | undefined {
  const untilMs = refused.get(number)?.untilMs
  if (untilMs !== undefined && untilMs <= Date.now()) refused.delete(number)
  const reason = rejectionFor(refused, number)
  if (reason === undefined) return undefined
  if (reason !== TEMPORARY_BAN || untilMs === undefined) return { reason }
  return { reason, code: TOO_MANY_PEOPLE, expire: String(Math.ceil((untilMs - Date.now()) / 1000)) }
}

const TEMPORARY_BAN = '402'
/** The network's code for an account that wrote to too many strangers. */
const TOO_MANY_PEOPLE = '101'
