// Live sessions over all nodes: a call runs on the node that serves the instance.
import { setTimeout as pause } from 'node:timers/promises'
import { type LiveSessions, NetworkError } from '../network/network.ts'
import { findOwner, type Owner } from '../store/queries/owners.ts'
import type { Store } from '../store/store.ts'
import { SESSION_CALLS, type SessionCall } from './calls.ts'
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
  takingPeer(): Owner | undefined
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
  for (;;) {
    const owner = await findOwner(parts.store.db, instanceId)
    const isMine = owner ? owner.nodeId === nodeId : TAKING.has(method) && (await parts.takeOne(instanceId))
    if (isMine || (!owner && method === 'end')) return (parts.local[method] as Call)(...args)
    if (!owner && !TAKING.has(method))
      throw new NetworkError('unavailable', 'the instance is not connected right now')
    const target = owner ?? parts.takingPeer()
    const answer = target && (await callOwner(parts, target, method, args))
    if (answer) return answer.result
    if (clock() >= giveUpAt)
      throw new NetworkError('unavailable', 'the node that serves the instance does not answer')
    await pauseFor(PAUSE_MS)
  }
}

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

/** Undefined: the call was certainly not carried out, and the instance may have another owner by now. */
async function callOwner(
  { client }: RoutedSessionsParts,
  { nodeId, url }: Owner,
  method: SessionCall,
  args: unknown[],
): Promise<{ result: unknown } | undefined> {
  if (url === null) return undefined
  try {
    const answer = await client.call({ id: nodeId, url }, { call: 'session', method, args })
    if (answer.status === 'misdirected') return undefined
    if (answer.status === 'failed') throw fromWireError(answer.error)
    return { result: answer.result }
  } catch (error) {
    if (!(error instanceof NodeUnreachable)) throw error
    if (error.isSafe) return undefined
    throw new NetworkError('timeout', 'the node that serves the instance did not answer in time', error)
  }
}
