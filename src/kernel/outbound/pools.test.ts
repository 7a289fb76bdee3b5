// Connection pools: one per host, kept after failures, closed when idle.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { after, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Client, type Pool } from 'undici'
import { startWebHost } from '../../../test/support/web-host.ts'
import { createPools } from './pools.ts'

const open: (() => Promise<void>)[] = []
after(async () => {
  for (const close of open) await close()
})

const GET = { path: '/', method: 'GET' } as const

function pools(limits: { idleMs?: number; maxPools?: number } = {}, options: Pool.Options = {}) {
  const made = createPools(options, { idleMs: 60_000, maxPools: 10, ...limits })
  open.push(made.destroy)
  return made
}

async function host(onRequest: () => Promise<void> = async () => undefined) {
  const started = await startWebHost(
    (_request, response) => void onRequest().then(() => response.end('answered')),
  )
  open.push(started.close)
  return started
}

describe('connection pools', () => {
  test('300 requests to an unreachable host share one pool', async () => {
    // Each pool passes its own options object to its clients.
    const seen = new Set<unknown>()
    const unreachable = pools(
      {},
      {
        connect: (_options, callback) => callback(new Error('unreachable'), null),
        factory: (origin, options) => {
          seen.add(options)
          return new Client(origin, options)
        },
      },
    )
    for (let round = 0; round < 300; round += 1)
      await assert.rejects(unreachable.request('http://gone.example', GET), /unreachable/)
    assert.equal(seen.size, 1)
    assert.equal(unreachable.count(), 1)
  })

  test('the least recently used pool is closed first, after its running requests', async () => {
    const answer = Promise.withResolvers<void>()
    const [slow, other, third] = [await host(() => answer.promise), await host(), await host()]
    const two = pools({ maxPools: 2 })
    const answered = two.request(slow.url, GET)
    for (const { url } of [other, third, other]) await (await two.request(url, GET)).body.dump()
    assert.equal(two.count(), 3, 'the slow pool is still closing')
    answer.resolve()
    const { body } = await answered
    assert.equal(await body.text(), 'answered')
    // After one more request the slow pool has closed its connection.
    await (await two.request(other.url, GET)).body.dump()
    assert.equal(two.count(), 2)
  })

  test('an idle pool closes its connections', async () => {
    const closed = Promise.withResolvers<void>()
    const started = await startWebHost(function (this: Server, request, response) {
      void once(request.socket, 'close').then(() => closed.resolve())
      response.end('answered')
    })
    open.push(started.close)
    const short = pools({ idleMs: 1 }, { keepAliveTimeout: 60_000 })
    await (await short.request(started.url, GET)).body.dump()
    await closed.promise
    // The host may see the end of the connection some turns before the pool does. A pool that stays fails by the limit of the test.
    while (short.count() > 0) await nextTurn()
  })

  test('rejects requests after destroy', async () => {
    const ended = pools()
    await ended.destroy()
    await assert.rejects(ended.request('http://gone.example', GET), { code: 'UND_ERR_DESTROYED' })
  })
})
