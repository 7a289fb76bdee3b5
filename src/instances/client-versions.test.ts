// Reading and keeping the version of the client, with a page, a clock and a store that the test controls.
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import { temporaryDirectory } from '../../test/support/engines.ts'
import { manualTime } from '../../test/support/manual-time.ts'
import type { ClientVersion } from '../network/client-version.ts'
import { openSqliteStore } from '../store/engines/sqlite/open.ts'
import type { Store } from '../store/store.ts'
import { type ClientVersionParts, createClientVersions } from './client-versions.ts'
import { findClientVersion, saveClientVersion } from './settings-queries.ts'

const BUILT_IN: ClientVersion = [2, 3000, 1000]
const page = (revision: number) => `{"client_revision":${revision}}`
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

let directory: string
let store: Store
before(async () => {
  directory = await temporaryDirectory()
  store = await openSqliteStore(directory, {})
})
after(async () => {
  await store.close()
  await rm(directory, { recursive: true, force: true })
})
beforeEach(async () => {
  await store.db.deleteFrom('facts').where('name', 'like', 'client_version%').execute()
})

function keeper(more: Partial<ClientVersionParts> = {}) {
  const time = manualTime(10 * DAY_MS)
  const seen = {
    reads: 0,
    readAt: [] as number[],
    warnings: [] as string[],
    answer: page(1000) as string | Error,
  }
  const versions = createClientVersions({
    store,
    clock: time.now,
    timers: time.timers,
    logger: { info: () => undefined, warn: (_fields, text) => void seen.warnings.push(text) },
    network: 'sandbox',
    setting: undefined,
    builtIn: BUILT_IN,
    async readPage() {
      seen.reads += 1
      seen.readAt.push(time.now())
      if (seen.answer instanceof Error) throw seen.answer
      return seen.answer
    },
    isLead: () => true,
    ...more,
  })
  const warned = (count: number) => until(() => seen.warnings.length === count)
  return { versions, time, seen, warned, passed: time.advance }
}

/** Polls until the work in the background has got there, and lets it end. */
async function until(isThere: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 60_000; !(await isThere()); await pause(5))
    assert.ok(Date.now() < end, 'not seen in time')
  await setImmediate()
}
const storedAt = (readAt: number) => until(async () => (await stored())?.readAt === readAt)
const stored = () => findClientVersion(store.db, 'sandbox')

describe('the version of the client', () => {
  test('is read at the start, used and stored', async () => {
    const { versions, seen, time } = keeper()
    seen.answer = page(1500)
    assert.deepEqual(versions.current(), BUILT_IN)
    await versions.start()
    await storedAt(time.now())
    assert.deepEqual(versions.current(), [2, 3000, 1500])
    assert.equal((await stored())?.version, '2.3000.1500')
    await versions.stop()
  })

  test('is the stored one as soon as start() has resolved, also if the page cannot be read', async () => {
    await saveClientVersion(store.db, 'sandbox', { version: '2.3000.1200', readAt: 5 })
    const { versions, seen } = keeper()
    seen.answer = new Error('unreachable')
    await versions.start()
    assert.deepEqual(versions.current(), [2, 3000, 1200])
    await versions.stop()
  })

  test('stays if the page announces an older one that the library does not know either', async () => {
    await saveClientVersion(store.db, 'sandbox', { version: '2.3000.1200', readAt: 5 })
    const { versions, seen, time } = keeper()
    seen.answer = page(1100)
    await versions.start()
    await storedAt(time.now())
    assert.deepEqual(versions.current(), [2, 3000, 1200])
    assert.equal((await stored())?.version, '2.3000.1200')
    await versions.stop()
  })

  test('is read again after a day, and an hour after a read that failed', async () => {
    const { versions, seen, time, passed } = keeper()
    await versions.start()
    await storedAt(time.now())
    await passed(DAY_MS - MINUTE_MS)
    assert.equal(seen.reads, 1)
    seen.answer = new Error('unreachable')
    await until(async () => {
      await passed(MINUTE_MS)
      return seen.readAt.length === 3
    })
    const [first = 0, second = 0, third = 0] = seen.readAt
    assert.ok(second - first >= DAY_MS && third - second >= HOUR_MS, seen.readAt.join())
    await versions.stop()
  })

  for (const [what, answer] of [
    ['unreadable', 'an error page'],
    ['absurd', page(4_000_000_000)],
    ['older', page(999)],
  ] as const)
    test(`a version that is ${what} is ignored with a warning`, async () => {
      const { versions, seen, warned } = keeper()
      seen.answer = answer
      await versions.start()
      await warned(1)
      assert.deepEqual(versions.current(), BUILT_IN)
      assert.equal(await stored(), undefined)
      assert.match(seen.warnings.join(), /ignored/)
      await versions.stop()
    })

  test('a node that is not the lead reads nothing, and takes what the lead has stored', async () => {
    const { versions, seen, passed } = keeper({ isLead: () => false })
    await versions.start()
    await saveClientVersion(store.db, 'sandbox', { version: '2.3000.1300', readAt: 7 })
    await passed(MINUTE_MS)
    await until(() => versions.current()[2] === 1300)
    assert.equal(seen.reads, 0)
    await versions.stop()
  })
})

describe('after a refusal', () => {
  test('the page is read at once, by one read for all sessions', async () => {
    const { versions, seen, time } = keeper()
    await versions.start()
    await storedAt(time.now())
    seen.answer = page(1600)
    const renewed = await Promise.all([1, 2, 3].map(() => versions.renew(BUILT_IN)))
    assert.deepEqual([renewed, seen.reads], [[true, true, true], 2])
    assert.equal(await versions.renew(BUILT_IN), true, 'a session that used the old version')
    assert.equal(seen.reads, 2)
    await versions.stop()
  })

  test('a version that another node has stored is taken without a read', async () => {
    const { versions, seen } = keeper({ isLead: () => false })
    await versions.start()
    await saveClientVersion(store.db, 'sandbox', { version: '2.3000.1300', readAt: 7 })
    assert.equal(await versions.renew(BUILT_IN), true)
    assert.deepEqual([versions.current(), seen.reads], [[2, 3000, 1300], 0])
    await versions.stop()
  })

  test('without a newer version the answer is no, and the next read follows after ten seconds at the earliest', async () => {
    const { versions, seen, time, passed } = keeper()
    await versions.start()
    await storedAt(time.now())
    for (const _session of [1, 2]) assert.equal(await versions.renew(BUILT_IN), false)
    assert.equal(seen.reads, 2)
    assert.match(seen.warnings.join(), /no newer one is known/)
    await passed(10_000)
    seen.answer = new Error('unreachable')
    assert.equal(await versions.renew(BUILT_IN), false)
    assert.equal(seen.reads, 3)
    await versions.stop()
  })

  test('with the setting nothing is read or taken', async () => {
    const setting: ClientVersion = [2, 3000, 7]
    await saveClientVersion(store.db, 'sandbox', { version: '2.3000.1300', readAt: 7 })
    const { versions, seen } = keeper({ setting })
    await versions.start()
    assert.equal(await versions.renew(setting), false)
    assert.deepEqual([versions.current(), seen.reads], [setting, 0])
    assert.match(seen.warnings.join(), /WHATSAPP_VERSION/)
    await versions.stop()
  })
})
