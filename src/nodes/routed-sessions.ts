// Live sessions over all nodes: a call runs on the node that serves the instance.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { findOwner, type InstanceOwner } from '../instances/owner-queries.ts'
import { type LiveSessions, NetworkError } from '../network/network.ts'
import type { Store } from '../store/store.ts'
import { REPETITION, SESSION_CALLS, type SessionCall } from './calls.ts'
import { type NodeClient, NodeUnreachable } from './node-client.ts'
import { fromWireError } from './wire.ts'

/** How long a call waits for an instance whose node is unreachable or changing. */
const WAIT_MS = 5000
const PAUSE_MS = 250

export interface RoutedSessionsParts {
  store: Pick<Store, 'db'>
  nodeId: number
  /** The sessions of this node. */
  local: LiveSessions
  /** Takes an instance that no node serves. False: another node serves it. */
  takeOne(instanceId: number): Promise<boolean>
  /** A node that takes instances, for a node that drains; undefined: there is none. */
  targetNode(): InstanceOwner | undefined
  client: Pick<NodeClient, 'call'>
  clock: () => number
  pauseFor?: (ms: number) => Promise<unknown>
}

/** These start a session where there is none: the node that is asked then takes the instance. The others need an open session. */
const TAKING: ReadonlySet<SessionCall> = new Set(['start', 'pair', 'qr', 'restart', 'logOut'])

type Call = (...args: unknown[]) => Promise<unknown>

/** Also those of a node that works alone: it takes the instance of a call, so that the instance has an owner. */
export function routeSessions(parts: RoutedSessionsParts): LiveSessions {
  const { local } = parts
  const routed = Object.fromEntries(
    SESSION_CALLS.map((method) => [method, (...args: unknown[]) => route(parts, method, args)]),
  ) as unknown as Pick<LiveSessions, SessionCall>
  return {
    ...local,
    ...routed,
    // The store part of a log-out and of a deletion has committed: the node that serves the instance finishes them in any case.
    logOut: (instanceId) => routed.logOut(instanceId).catch(unlessUnreachable),
    end: (instanceId) => routed.end(instanceId).catch(() => undefined),
  }
}

function unlessUnreachable(error: unknown): boolean {
  if (error instanceof NetworkError && error.kind === 'unavailable') return false
  throw error
}

async function route(parts: RoutedSessionsParts, method: SessionCall, args: unknown[]): Promise<unknown> {
  const [instanceId] = args as [number]
  const { nodeId, clock, pauseFor = pause } = parts
  const giveUpAt = clock() + WAIT_MS
  const attempt: Attempt = { method, args, id: REPETITION[method] === 'once' ? randomUUID() : undefined }
  for (;;) {
    const owner = await findOwner(parts.store.db, instanceId)
    // Only the node that got the call knows whether it was carried out.
    if (attempt.calledNode !== undefined && owner?.nodeId !== attempt.calledNode) throw unknownOutcome()
    const isMine = owner ? owner.nodeId === nodeId : TAKING.has(method) && (await parts.takeOne(instanceId))
    if (isMine || (!owner && method === 'end')) return (parts.local[method] as Call)(...args)
    if (!owner && !TAKING.has(method))
      throw new NetworkError('unavailable', 'the instance is not connected right now')
    const target = owner ?? parts.targetNode()
    const answer = target && (await callOwner(parts, target, attempt))
    if (answer) return answer.result
    if (clock() >= giveUpAt) {
      if (attempt.calledNode !== undefined) throw unknownOutcome()
      throw new NetworkError('unavailable', 'the node that serves the instance does not answer')
    }
    await pauseFor(PAUSE_MS)
  }
}

/** One call on its way to the node that serves the instance. */
interface Attempt {
  method: SessionCall
  args: unknown[]
  /** Undefined: the call may be repeated. */
  id: string | undefined
  /** The node that has perhaps carried out a call that must not be repeated elsewhere. */
  calledNode?: number | undefined
}

const unknownOutcome = (cause?: unknown): NetworkError =>
  new NetworkError('outcome_unknown', 'the node that serves the instance was lost during the call', cause)

/** Answers a call of another node. Undefined: this node does not serve the instance. */
export async function callLocalSession(
  { store, nodeId, local, takeOne }: Pick<RoutedSessionsParts, 'store' | 'nodeId' | 'local' | 'takeOne'>,
  method: SessionCall,
  args: unknown[],
): Promise<{ result: unknown } | undefined> {
  const [instanceId] = args as [number]
  const isMine = TAKING.has(method)
    ? await takeOne(instanceId)
    : (await findOwner(store.db, instanceId))?.nodeId === nodeId
  return isMine ? { result: await (local[method] as Call)(...args) } : undefined
}

/** Undefined: there is no answer, and the call may be tried again. The instance may have another owner by now. */
async function callOwner(
  { client }: RoutedSessionsParts,
  { nodeId, url }: InstanceOwner,
  attempt: Attempt,
): Promise<{ result: unknown } | undefined> {
  if (url === null) return undefined
  const { method, args, id } = attempt
  const call = { call: 'session' as const, method, args: givenOf(args), ...(id === undefined ? {} : { id }) }
  try {
    const answer = await client.call({ id: nodeId, url }, call)
    if (answer.status === 'failed') throw fromWireError(answer.error)
    if (answer.status === 'done') return { result: answer.result }
    // Had the node carried out the call before, it would have answered with the result.
    attempt.calledNode = undefined
  } catch (error) {
    if (!(error instanceof NodeUnreachable)) throw error
    if (error.carriedOut === 'late') throw id === undefined ? tooLate(error) : unknownOutcome(error)
    if (error.carriedOut === 'perhaps' && id !== undefined) attempt.calledNode = nodeId
  }
  return undefined
}

/** An argument that was not given would arrive as null: pairing without a number would request a code for none. */
const givenOf = (args: unknown[]): unknown[] =>
  args.slice(0, args.findLastIndex((arg) => arg !== undefined) + 1)

const tooLate = (cause: unknown): NetworkError =>
  new NetworkError('timeout', 'the node that serves the instance did not answer in time', cause)
