// The outbox against a model: sends are accepted, claimed, settled, cancelled and interrupted by crashes in any order, with a
// clock that jumps. Every message ends once, each chat keeps its order, and no status goes back.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import type { MessageStatus } from '../../src/contract/sending.ts'
import { freeSendLanes } from '../../src/instances/instance-queries.ts'
import { cancelMessage, findMessage } from '../../src/messages/message-queries.ts'
import { isForward } from '../../src/messages/rules-status.ts'
import type { ClaimedSend } from '../../src/sending/outbox.ts'
import type { SendOutcome } from '../../src/sending/rules-settle-send.ts'
import { makeTenant, NOON, queuedCount, type Tenant } from '../../src/store/conformance/tenant.ts'
import type { Store } from '../../src/store/store.ts'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import type { StoreLocation } from '../support/engines.ts'
import { openStore } from '../support/open-store.ts'

/** Each test run draws other sequences, so their number adds up. `npm run test:long` draws more; `MODEL_RUNS=10000` searches longer at once. */
const RUNS = { sqlite: Number(process.env.MODEL_RUNS ?? 400), postgres: 100 }
const CHATS = ['a', 'b', 'c']
const PER_INSTANCE = 2
const RUN_LENGTH = 3
const LOCK_MS = 1000

type Step =
  | { do: 'accept'; chat: string }
  | { do: 'claim' }
  /** Settles the next message of a run. `ends`: the owner releases the lane although the run has more messages. */
  | { do: 'settle'; which: number; outcome: 'sent' | 'failed' | 'retry'; ends: boolean }
  | { do: 'renew'; which: number }
  | { do: 'cancel'; which: number }
  | { do: 'crash' }
  | { do: 'clock'; byMs: number }

const which = fc.nat({ max: 1000 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('accept'), chat: fc.constantFrom(...CHATS) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('claim') }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('settle'),
      which,
      outcome: fc.constantFrom('sent', 'failed', 'retry'),
      ends: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('renew'), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel'), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash') }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('clock'), byMs: fc.integer({ min: -3000, max: 3000 }) }),
  },
)

interface ModelMessage {
  id: string
  chat: string
  status: 'queued' | 'sending' | 'sent' | 'failed'
}

interface ModelLane {
  messages: ModelMessage[]
  /** Null: at rest. */
  dueAt: number | null
  lock: { fence: number; until: number } | null
}

const waiting = ({ messages }: ModelLane): ModelMessage[] =>
  messages.filter(({ status }) => status === 'queued' || status === 'sending')

/** The messages that are claimed together. A retried message is claimed alone. */
function firstOf(lane: ModelLane): ModelMessage[] {
  const [head, ...others] = waiting(lane).slice(0, RUN_LENGTH)
  if (!head) return []
  return head.status === 'queued' ? [head, ...others] : [head]
}

class Run {
  now = NOON
  lanes = new Map(CHATS.map((chat): [string, ModelLane] => [chat, { messages: [], dueAt: null, lock: null }]))
  /** Runs that are not settled yet, including those whose lock was lost in a crash or has expired. */
  runs: ClaimedSend[][] = []
  sent: ModelMessage[] = []
  readonly store: Store
  readonly tenant: Tenant
  constructor(store: Store, tenant: Tenant) {
    this.store = store
    this.tenant = tenant
  }

  lane = (chat: string): ModelLane => this.lanes.get(chat) as ModelLane
  all = (): ModelMessage[] => [...this.lanes.values()].flatMap(({ messages }) => messages)

  async take(order: Step): Promise<void> {
    if (order.do === 'clock') this.now += order.byMs
    else if (order.do === 'accept') await this.accept(order.chat)
    else if (order.do === 'claim') await this.claim()
    else if (order.do === 'crash') await this.crash()
    else if (order.do === 'renew') await this.renew(order.which)
    else if (order.do === 'cancel') await this.cancel(order.which)
    else await this.settle(order)
  }

  async accept(chat: string): Promise<void> {
    const send = this.tenant.send({ chat, createdAt: this.now })
    assert.deepEqual(await this.store.acceptSend(send), { outcome: 'accepted' })
    const lane = this.lane(chat)
    lane.dueAt ??= this.now
    lane.messages.push({ id: send.messageId, chat, status: 'queued' })
  }

  /** The lanes that are due and not locked, longest due first, up to the limit of the instance. */
  next(): [chat: string, lane: ModelLane][] {
    const { now } = this
    // An instance with nothing queued is skipped.
    if ([...this.lanes.values()].every((lane) => waiting(lane).length === 0)) return []
    const locked = [...this.lanes.values()].filter(({ lock }) => lock !== null && lock.until > now).length
    return [...this.lanes]
      .filter(([, { lock, dueAt }]) => dueAt !== null && dueAt <= now && (lock === null || lock.until <= now))
      .sort(([a, one], [b, other]) => (one.dueAt ?? 0) - (other.dueAt ?? 0) || (a < b ? -1 : 1))
      .slice(0, Math.max(0, PER_INSTANCE - locked))
  }

  async claim(): Promise<void> {
    const { now } = this
    const expected = this.next().flatMap(([, lane]) => {
      const run = firstOf(lane)
      // Every message of the lane was cancelled: the claim sets it to rest.
      if (run.length === 0) lane.dueAt = null
      return run.length > 0 ? [{ lane, run }] : []
    })
    const limits = { limit: 100, perInstance: PER_INSTANCE, runLength: RUN_LENGTH }
    const request = { owner: 'model', now, lockMs: LOCK_MS, ...limits }
    const claimed = await this.store.claimSends(request)
    assert.deepEqual(
      claimed.map(({ messageId }) => messageId),
      expected.flatMap(({ run }) => run.map(({ id }) => id)),
      'the first messages of each lane that is due and not locked',
    )
    for (const { lane, run } of expected) {
      const claims = claimed.splice(0, run.length)
      lane.lock = { fence: (claims[0] as ClaimedSend).fence, until: now + LOCK_MS }
      for (const message of run) message.status = 'sending'
      this.runs.push(claims)
    }
  }

  async settle({
    which: index,
    outcome: kind,
    ends,
  }: Omit<Extract<Step, { do: 'settle' }>, 'do'>): Promise<void> {
    const run = this.runs[index % Math.max(1, this.runs.length)]
    const claim = run?.shift()
    if (!run || !claim) return
    const release = ends || kind === 'retry' || run.length === 0
    if (release) this.runs.splice(this.runs.indexOf(run), 1)
    const lane = this.lane(claim.chat)
    const owns = lane.lock?.fence === claim.fence
    const outcomes: Record<typeof kind, SendOutcome> = {
      sent: { kind: 'sent', chat: claim.chat, text: null },
      failed: { kind: 'failed', reason: 'rejected_by_network', error: 'No.', code: 400 },
      retry: { kind: 'retry', at: this.now + 500 },
    }
    const outcome = outcomes[kind]
    assert.equal(await this.store.settleSend({ ...claim, now: this.now, outcome, release }), owns)
    if (!owns) return
    const message = lane.messages.find(({ id }) => id === claim.messageId)
    if (kind !== 'retry' && message) message.status = kind
    if (kind === 'sent' && message) this.sent.push(message)
    if (!release) return
    lane.lock = null
    const dueAt = kind === 'retry' ? this.now + 500 : this.now
    lane.dueAt = waiting(lane).length > 0 ? dueAt : null
  }

  /** Extends the lock of a run. One that was lost in a crash or taken by another claim stays lost. */
  async renew(index: number): Promise<void> {
    const [claim] = this.runs[index % Math.max(1, this.runs.length)] ?? []
    if (!claim) return
    const lane = this.lane(claim.chat)
    const owns = lane.lock?.fence === claim.fence
    const lockedUntil = this.now + LOCK_MS
    assert.equal(await this.store.renewClaim({ ...claim, lockedUntil }), owns)
    if (lane.lock && owns) lane.lock.until = lockedUntil
  }

  async cancel(index: number): Promise<void> {
    const all = this.all()
    const message = all[index % Math.max(1, all.length)]
    if (!message) return
    const { store, tenant, now } = this
    const canceled = await store
      .transaction(async (tx) => {
        const row = await findMessage(tx, tenant.accountId, message.id)
        const event = row?.status === 'queued' ? await cancelMessage(tx, row, 'Cancelled.', now) : undefined
        if (!event) throw new Error('not queued')
        await store.appendEvents(tx, [event])
        return true
      })
      .catch(() => false)
    assert.equal(canceled, message.status === 'queued', 'only what is queued can be cancelled')
    if (canceled) message.status = 'failed'
  }

  /** The process ends, and the next one releases all lanes. Settlements of the old claims may still arrive. */
  async crash(): Promise<void> {
    await freeSendLanes(this.store, [this.tenant.instanceId])
    for (const lane of this.lanes.values()) lane.lock = null
  }

  /** Sends everything that still waits. Every message has then reached its end. */
  async drain(): Promise<void> {
    await this.crash()
    this.runs = []
    for (
      let round = 0;
      this.all().some(({ status }) => status === 'queued' || status === 'sending');
      round += 1
    ) {
      assert.ok(round < 500, 'every message reaches its end')
      this.now += 10_000
      await this.claim()
      while (this.runs.length > 0) await this.settle({ which: 0, outcome: 'sent', ends: false })
    }
  }
}

async function check(run: Run): Promise<void> {
  const { store, tenant, lanes, sent } = run
  for (const { messages } of lanes.values()) {
    const inOrder = messages.filter((message) => sent.includes(message))
    assert.deepEqual(
      sent.filter((message) => messages.includes(message)),
      inOrder,
      'sent in the order of acceptance',
    )
  }
  assert.equal(await queuedCount(store, tenant.instanceId), 0)
  const rows = await store.db
    .selectFrom('messages')
    .select(['id', 'status'])
    .where('instance_id', '=', tenant.instanceId)
    .orderBy('row_id')
    .execute()
  const wanted = new Map(run.all().map(({ id, status }) => [id, status as string]))
  assert.deepEqual(new Map(rows.map(({ id, status }) => [id, status])), wanted)
  const events = await store.db
    .selectFrom('events')
    .select('data')
    .where('instance_id', '=', tenant.instanceId)
    .where('name', '=', 'messages.update')
    .orderBy('sequence')
    .execute()
  const last = new Map<string, MessageStatus>()
  for (const { data } of events) {
    const { messageId, status } = JSON.parse(data) as { messageId: string; status: MessageStatus }
    assert.ok(isForward(last.get(messageId) ?? 'queued', status), `${messageId} went back to ${status}`)
    last.set(messageId, status)
  }
}

/** Deletes the rows of a run. */
async function reset(store: Store, { instanceId }: Tenant): Promise<void> {
  await store.transaction(async (tx) => {
    for (const table of ['messages', 'lanes', 'chats', 'events'] as const)
      await tx.deleteFrom(table).where('instance_id', '=', instanceId).execute()
    await tx.updateTable('instances').set({ queued_count: 0 }).where('id', '=', instanceId).execute()
  })
}

/** In memory where possible, because the test does not depend on the disk. */
async function fastLocation(): Promise<StoreLocation> {
  const directory = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'switchboard-'))
  return {
    directory,
    databaseUrl: undefined,
    dispose: () => rm(directory, { recursive: true, force: true }),
  }
}

for (const engine of behaviourEngines()) {
  test(`the outbox behaves like its model, on ${engine.name}`, async () => {
    const storeLocation = engine.name === 'sqlite' ? await fastLocation() : await engine.createLocation()
    const store = await openStore(storeLocation)
    try {
      const tenant = await makeTenant(store)
      await fc.assert(
        fc
          .asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
            const run = new Run(store, tenant)
            for (const each of steps) await run.take(each)
            await run.drain()
            await check(run)
          })
          .afterEach(() => reset(store, tenant)),
        { numRuns: RUNS[engine.name] },
      )
    } finally {
      await store.close()
      await storeLocation.dispose()
    }
  })
}
