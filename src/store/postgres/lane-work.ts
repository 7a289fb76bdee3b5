// What moves messages along on PostgreSQL – settling, receipts, claiming – shares a transaction: all three take the same locks,
// and would only wait for each other. What a transaction costs is its trips to the server and its fsync.
import type pg from 'pg'
import type { ClaimedSend, ClaimRequest, SettleRequest } from '../lanes.ts'
import type { Progress } from '../progress.ts'
import { claimSends, DUE_INSTANCES } from './claim-operations.ts'
import { appendEvents } from './event-operations.ts'
import { moveMessages } from './progress-operations.ts'
import { settleSends } from './settle-operations.ts'

type Client = Pick<pg.PoolClient, 'query'>

export type LaneWork =
  | { kind: 'settle'; input: SettleRequest }
  | { kind: 'move'; input: Progress }
  | { kind: 'claim'; input: ClaimRequest }

export interface LaneOutcome {
  /** Whether it was the caller's to settle, or news. */
  done: boolean
  claimed: ClaimedSend[]
}

/** Claims come last, so that they find what was freed just now. */
export async function runLaneWork(client: Client, work: LaneWork[]): Promise<LaneOutcome[]> {
  const settles = inputsOf(work, 'settle')
  const moves = inputsOf(work, 'move')
  const claims = inputsOf(work, 'claim')
  const involved = [...settles, ...moves].map(({ instanceId }) => instanceId)
  const locked = await lockInstances(client, involved, claims[0])
  const { settled, events: settling } = settles.length > 0 ? await settleSends(client, settles) : NOTHING
  const { moved, events: moving } = moves.length > 0 ? await moveMessages(client, moves) : NOTHING
  const claiming = []
  for (const request of claims) claiming.push(await claimSends(client, request, locked))
  await appendEvents(client, [...settling, ...moving, ...claiming.flatMap(({ events }) => events)])
  const done = { settle: settled.values(), move: moved.values() }
  const claimed = claiming.values()
  return work.map(({ kind }) =>
    kind === 'claim'
      ? { done: false, claimed: claimed.next().value?.claimed ?? [] }
      : { done: done[kind].next().value === true, claimed: [] },
  )
}

const NOTHING = { settled: [], moved: [], events: [] }

type Input<K extends LaneWork['kind']> = Extract<LaneWork, { kind: K }>['input']

const inputsOf = <K extends LaneWork['kind']>(work: LaneWork[], kind: K): Input<K>[] =>
  work.flatMap((each) => (each.kind === kind ? [each.input as Input<K>] : []))

/**
 * Instances come before lanes and messages, as when accepting, and all at once in the order of their ids: no two transactions wait
 * for each other. Those with work that is due are among them, so that the count of their lanes in work is exact.
 */
async function lockInstances(
  client: Client,
  involved: number[],
  claim: ClaimRequest | undefined,
): Promise<number[]> {
  const due = claim ? [claim.now, claim.perInstance, claim.limit] : []
  const { rows } = await client.query<{ id: number }>({
    name: claim ? 'lock_due_instances' : 'lock_instances',
    text: claim ? LOCK_DUE : LOCK,
    values: [...due, [...new Set(involved)]],
  })
  return rows.map(({ id }) => id)
}

const LOCK = 'select id from instances where id = any($1::bigint[]) order by id for no key update'
const LOCK_DUE = `select id from instances where id = any($4::bigint[]) or id in (${DUE_INSTANCES})
  order by id for no key update`
