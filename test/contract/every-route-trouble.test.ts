// Every route: too many requests, a lost node, an unavailable store, unexpected errors.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sentenceOf } from '../../src/contract/reasons.ts'
import { reasonsOf } from '../../src/contract/route.ts'
import type { RouteId } from '../../src/contract/routes.ts'
import { StoreError } from '../../src/kernel/store-error.ts'
import { CHAT_CALLS } from '../../src/network/chats.ts'
import { GROUP_CALLS } from '../../src/network/groups.ts'
import { NetworkError } from '../../src/network/network.ts'
import { PASSKEY_CALLS } from '../../src/network/passkey.ts'
import { PEOPLE_CALLS } from '../../src/network/people.ts'
import { REPETITION } from '../../src/nodes/calls.ts'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { type Gateway, startGateway } from '../support/gateway.ts'
import { type Fault, faultyStore } from './faulty-store.ts'
import { shared } from './fixture.ts'
import { ANA } from './group-rules.ts'
import { adminRoutes, apiRoutes, keyedRoutes, makeThings, sampleCalls } from './sample-calls.ts'

const REQUESTS_PER_SECOND = 20

/** They read a document of an agent, which no host serves here, before they use the store: the lookup of a new key fails instead. */
const READS_DOCUMENT: ReadonlySet<RouteId> = new Set(['reviewAgentSignIn', 'grantAgentSignIn'])

async function drain(call: () => Promise<{ status: number }>): Promise<void> {
  for (let tries = 0; tries <= REQUESTS_PER_SECOND * 2; tries += 1) if ((await call()).status === 429) return
  assert.fail('the bucket never runs dry')
}

for (const engine of behaviourEngines()) {
  describe(`every route: too many requests on ${engine.name}`, () => {
    const prepared = shared(async () => {
      const gateway = await startGateway(engine, { RATE_LIMIT: String(REQUESTS_PER_SECOND) })
      const mine = await gateway.account()
      const things = await makeThings(gateway, mine)
      // The clock stands still, so an empty bucket stays empty.
      gateway.clock.freeze()
      await drain(() => mine.call('accountLimits'))
      await drain(() => gateway.call('adminListPlans'))
      return { ...gateway, mine, things }
    })
    after(async () => (await prepared()).stop())

    for (const { id, title, area } of keyedRoutes) {
      test(`429 when ${title} exceeds the rate of the key`, async () => {
        const { call, mine, things } = await prepared()
        const answer = await (area === 'api' ? mine.call : call)(id, sampleCalls[id](things))
        assert.equal(answer.status, 429)
        assert.equal(answer.json.reason, 'rate_limited')
        assert.equal(answer.headers.get('retry-after'), '1')
        assert.equal(answer.headers.get('ratelimit-policy'), '"key";q=40;w=2')
        assert.equal(answer.headers.get('ratelimit'), '"key";r=0;t=2')
      })
    }

    test('200 for another key of the same account: rates are per key', async () => {
      const { call, clock, mine } = await prepared()
      clock.advance(1000)
      const made = await call('adminCreateKey', { params: { id: mine.id }, body: { name: 'Second' } })
      await drain(() => mine.call('accountLimits'))
      const answer = await mine.call('accountLimits', { key: made.json.key })
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('ratelimit'), '"key";r=39;t=1')
    })

    test('200 allows RATE_LIMIT requests per second, and bursts up to twice that', async () => {
      const { clock, mine } = await prepared()
      const passed = async () => {
        const answers = await Promise.all(Array.from({ length: 60 }, () => mine.call('accountLimits')))
        return answers.filter((answer) => answer.status === 200).length
      }
      clock.advance(60_000)
      assert.equal(await passed(), 40)
      clock.advance(1000)
      assert.equal(await passed(), 20)
    })

    test('429 when the lower rate of the plan is exceeded', async () => {
      const { account, clock } = await prepared()
      clock.advance(60_000)
      const slow = await account({ requestsPerSecond: 2 })
      const statuses: number[] = []
      for (let tries = 0; tries < 5; tries += 1) statuses.push((await slow.call('listInstances')).status)
      assert.deepEqual(statuses, [200, 200, 200, 200, 429])
    })

    test('200 for probes and metrics, without a rate limit', async () => {
      const { call } = await prepared()
      for (const id of ['healthz', 'readyz', 'metrics'] as const) {
        const answer = await call(id, { key: null })
        assert.equal(answer.status, 200)
        assert.equal(answer.headers.get('ratelimit'), null)
      }
    })
  })

  describe(`every route: the node that serves the instance is lost during a change, on ${engine.name}`, () => {
    const prepared = shared(async () => {
      const gateway = await startGateway(engine)
      const mine = await gateway.account()
      const things = await makeThings(gateway, mine)
      const created = await mine.call('createInstance', { body: { instanceName: 'New' } })
      // Only a sent message can be starred, and only a request to join can be answered.
      await gateway.store.db.updateTable('messages').set({ status: 'sent' }).execute()
      const listJoinRequests = async () => [
        { jid: ANA.jid, lid: null, phone: ANA.phone, requestedAtMs: null },
      ]
      const lost = () => Promise.reject(new NetworkError('outcome_unknown', 'lost'))
      const calls = [...GROUP_CALLS, ...CHAT_CALLS, ...PEOPLE_CALLS, ...PASSKEY_CALLS].filter(
        (name) => REPETITION[name] === 'once',
      )
      Object.assign(gateway.sessions.script, Object.fromEntries(calls.map((name) => [name, lost])), {
        listJoinRequests,
        pair: () => {
          throw new NetworkError('outcome_unknown', 'lost')
        },
      })
      return { ...gateway, mine, things, unpaired: created.json.instance.apiInstanceName as string }
    })
    after(async () => (await prepared()).stop())

    for (const route of apiRoutes.filter((each) => reasonsOf(each).includes('outcome_unknown')))
      test(`504 when it is not known whether ${route.title} was carried out`, async () => {
        const { mine, things, unpaired } = await prepared()
        const instance = route.id === 'connectInstance' ? unpaired : things.instance
        const answer = await mine.call(route.id, sampleCalls[route.id]({ ...things, instance }))
        assert.deepEqual([answer.status, answer.json.reason], [504, 'outcome_unknown'])
      })
  })

  describe(`every route: trouble in the store on ${engine.name}`, () => {
    const fault: Fault = { error: undefined, hold: undefined }
    const prepared = shared(async () => {
      const parts = { wrapStore: (store: Gateway['store']) => faultyStore(store, fault) }
      const gateway = await startGateway(engine, {}, parts)
      const mine = await gateway.account()
      return { ...gateway, mine, things: await makeThings(gateway, mine) }
    })
    after(async () => (await prepared()).stop())

    /** Calls a route with a key whose lookup is cached, so that the route itself fails, not the authentication. */
    async function callWith(error: Error, id: RouteId, area: string) {
      const { account, call, mine, things } = await prepared()
      const caller = READS_DOCUMENT.has(id) ? await account() : mine
      if (caller === mine && area === 'api') assert.equal((await mine.call('accountLimits')).status, 200)
      fault.error = error
      try {
        return await (area === 'api' ? caller.call : call)(id, sampleCalls[id](things))
      } finally {
        fault.error = undefined
      }
    }

    for (const { id, title, area } of [...apiRoutes, ...adminRoutes]) {
      test(`500 from ${title} contains no internals`, async () => {
        const error = new Error('boom: select * from api_keys at /srv/data/switchboard.db')
        const answer = await callWith(error, id, area)
        assert.equal(answer.status, 500)
        const { requestId, ...body } = answer.json
        assert.deepEqual(body, { success: false, error: sentenceOf('internal'), reason: 'internal' })
        assert.equal(requestId, answer.headers.get('x-request-id'))
      })

      test(`503 when the store is unavailable: ${title}`, async () => {
        const error = new StoreError('unavailable', 'sqlite: database or disk is full (13)')
        const answer = await callWith(error, id, area)
        assert.equal(answer.status, 503)
        const { requestId: _, ...body } = answer.json
        assert.deepEqual(body, { success: false, error: sentenceOf('unavailable'), reason: 'unavailable' })
        assert.equal(answer.headers.get('retry-after'), '1')
      })
    }

    test('503 when a key cannot be looked up: it is neither accepted nor counted as wrong', async () => {
      const { mine } = await prepared()
      fault.error = new StoreError('unavailable', 'gone')
      try {
        const answer = await mine.call('accountLimits', { key: 'sk_a-key-that-was-never-asked-about-before' })
        assert.equal(answer.status, 503)
      } finally {
        fault.error = undefined
      }
    })

    test('503 from GET /readyz names the failed check, and recovers with the store', async () => {
      const { call } = await prepared()
      for (const error of [new StoreError('unavailable', 'disk is full'), new Error('boom')]) {
        fault.error = error
        const answer = await call('readyz').finally(() => void (fault.error = undefined))
        assert.equal(answer.status, 503)
        assert.deepEqual(answer.json.failed, ['store'])
        assert.equal(answer.json.error, sentenceOf('unavailable'))
        assert.equal(answer.headers.get('retry-after'), '1')
      }
      assert.equal((await call('readyz')).status, 200)
    })

    test('200 from GET /healthz and GET /metrics while the store is unavailable', async () => {
      const { call } = await prepared()
      fault.error = new StoreError('unavailable', 'gone')
      try {
        assert.equal((await call('healthz')).status, 200)
        const metrics = await call('metrics')
        assert.equal(metrics.status, 200)
        assert.match(metrics.bytes.toString(), /^switchboard_metrics_unreadable_total [1-9]/m)
      } finally {
        fault.error = undefined
      }
    })

    for (const { id, title } of apiRoutes.filter((route) => route.idempotent)) {
      test(`409 when ${title} repeats an Idempotency-Key whose first request still runs`, async () => {
        // An account of its own, because one of the routes deletes the message of its sample.
        const running = await prepared()
        const mine = await running.account()
        const things = await makeThings(running, mine)
        const release = Promise.withResolvers<void>()
        fault.hold = release.promise
        const input = { ...sampleCalls[id](things), headers: { 'idempotency-key': `held ${id}` } }
        const calls = [mine.call(id, input), mine.call(id, input)]
        const refused = await Promise.race(calls)
        fault.hold = undefined
        release.resolve()
        assert.equal(refused.status, 409)
        assert.equal(refused.json.reason, 'idempotency_in_flight')
        assert.equal(refused.headers.get('retry-after'), '1')
        const accepted = (await Promise.all(calls)).find((answer) => answer.status === 200)
        const again = await mine.call(id, input)
        assert.equal(again.status, 200)
        assert.equal(again.headers.get('idempotency-replayed'), 'true')
        assert.deepEqual(again.json, accepted?.json)
      })
    }
  })
}
