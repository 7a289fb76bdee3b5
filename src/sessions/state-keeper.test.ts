import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { type ManualTime, manualTime } from '../../test/support/manual-time.ts'
import { StoreError } from '../kernel/store-error.ts'
import { createStateKeeper, type StateKeeper } from './state-keeper.ts'
import { supersede, type WantedState } from './wanted-state.ts'

const ACCOUNT = { number: '5511900000001', lid: null, name: null }
const AWAY = new StoreError('unavailable', 'locked')

describe('state keeper', () => {
  let failure: Error | undefined
  let tries: string[]
  let saved: [number, WantedState][]
  let time: ManualTime
  let keeper: StateKeeper

  beforeEach(() => {
    failure = undefined
    tries = []
    saved = []
    time = manualTime()
    keeper = createStateKeeper({
      async write(instanceId, wanted) {
        tries.push(`${instanceId} ${wanted.event}`)
        if (failure) throw failure
        saved.push([instanceId, wanted])
      },
      log: () => undefined,
      timers: time.timers,
    })
  })
  /** Fires the next timer; returns its delay. */
  const fire = async () => {
    const delayMs = time.nextInMs()
    await time.advance(delayMs ?? 0)
    return delayMs
  }
  const events = (instanceId = 1) => saved.filter(([id]) => id === instanceId).map(([, { event }]) => event)

  test('saves the states of an instance in order while the store works', async () => {
    const puts = (['started', 'code_shown', 'opened'] as const).map((event) =>
      keeper.recordState(1, { event }),
    )
    assert.deepEqual(await Promise.all(puts), [true, true, true])
    assert.deepEqual(events(), ['started', 'code_shown', 'opened'])
    assert.deepEqual([keeper.isSaved(1), time.nextInMs()], [true, undefined])
  })

  test('retries a failed state until it is saved, with pauses of up to 3 s', async () => {
    failure = AWAY
    assert.equal(await keeper.recordState(1, { event: 'replaced' }), false)
    assert.deepEqual([keeper.countFailed(), keeper.isSaved(1)], [1, false])
    const pauses: (number | undefined)[] = []
    for (let times = 0; times < 8; times += 1) pauses.push(await fire())
    assert.deepEqual(pauses, [250, 500, 1000, 2000, 3000, 3000, 3000, 3000])
    failure = undefined
    const done = keeper.whenSaved(1)
    await fire()
    assert.deepEqual(
      [await done, events(), keeper.countFailed(), time.nextInMs()],
      [true, ['replaced'], 0, undefined],
    )
  })

  test('saves only the latest state after a failure, together with a login that came or went', async () => {
    failure = AWAY
    const tried = [
      keeper.recordState(1, { event: 'opened', account: ACCOUNT }),
      keeper.recordState(1, { event: 'connection_lost' }),
    ]
    assert.deepEqual(await Promise.all(tried), [false, false])
    assert.equal(await keeper.recordState(1, { event: 'replaced', until: 9 }), false)
    failure = undefined
    await fire()
    assert.deepEqual(saved, [[1, { event: 'replaced', until: 9, account: ACCOUNT }]])
  })

  test('tries one instance while the store is unavailable, and saves all of them afterwards', async () => {
    failure = AWAY
    const ids = Array.from({ length: 30 }, (_, index) => index)
    await Promise.all(ids.map((id) => keeper.recordState(id, { event: 'connection_lost' })))
    tries = []
    await fire()
    assert.equal(tries.length, 1)
    failure = undefined
    await fire()
    assert.deepEqual([saved.length, keeper.countFailed()], [30, 0])
  })

  test('a state that can never be saved does not block other instances', async () => {
    failure = new StoreError('failed', 'a bug')
    await keeper.recordState(1, { event: 'opened' })
    failure = undefined
    const write = keeper.recordState(2, { event: 'opened' })
    assert.deepEqual([await write, events(2)], [true, ['opened']])
  })

  test('a dropped state is not saved, and whenSaved() resolves to false', async () => {
    failure = AWAY
    await keeper.recordState(1, { event: 'connection_lost' })
    const done = keeper.whenSaved(1)
    await keeper.drop(1)
    failure = undefined
    await fire()
    assert.deepEqual([await done, saved, keeper.isSaved(1)], [false, [], true])
  })

  test('stop() makes one last try', async () => {
    failure = AWAY
    await keeper.recordState(1, { event: 'replaced' })
    failure = undefined
    await keeper.stop()
    assert.deepEqual([events(), time.nextInMs()], [['replaced'], undefined])
    assert.equal(await keeper.recordState(1, { event: 'opened' }), false)
  })

  test('stop() does not wait longer than 2 s for a write that hangs', async () => {
    const hanging = createStateKeeper({
      write: () => new Promise(() => undefined),
      log: () => undefined,
      timers: time.timers,
    })
    void hanging.recordState(1, { event: 'replaced' })
    const done = hanging.whenSaved(1)
    const stopped = hanging.stop()
    await time.advance(2000)
    await stopped
    assert.equal(await done, false)
  })
})

test('a later state replaces an earlier one, but keeps a login that came or went with it', () => {
  const opened: WantedState = { event: 'opened', account: ACCOUNT }
  const gone: WantedState = { event: 'logged_out', clearsLogin: true }
  const lost: WantedState = { event: 'connection_lost' }
  assert.deepEqual(supersede(opened, lost), { event: 'connection_lost', account: ACCOUNT })
  assert.deepEqual(supersede(opened, gone), gone)
  assert.deepEqual(supersede(gone, { event: 'started' }), { event: 'started', clearsLogin: true })
  const shown: WantedState = { event: 'code_shown', qr: { code: 'x', expiresAt: 1 } }
  assert.deepEqual(supersede(shown, { event: 'code_expired' }), { event: 'code_expired' })
})
