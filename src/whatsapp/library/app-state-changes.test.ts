import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import type { BinaryNode } from 'baileys'
import { manualTime } from '../../../test/support/manual-time.ts'
import { NetworkError } from '../../network/network.ts'
import { createAppStateChanges } from './app-state-changes.ts'

const CHAT = '5511912345678@s.whatsapp.net'

const answer = (code?: string): BinaryNode => ({
  tag: 'iq',
  attrs: {},
  content: [
    {
      tag: 'sync',
      attrs: {},
      content: [
        {
          tag: 'collection',
          attrs: { name: 'regular_low', type: code === undefined ? 'result' : 'error' },
          ...(code !== undefined && { content: [{ tag: 'error', attrs: { code } }] }),
        },
      ],
    },
  ],
})

/** A socket that gets these answers to its changes, one after the other. As the library does, it stores a version in any case. */
function socketWith(codes: (string | undefined)[], key: string | undefined = 'key') {
  const [ws, ev] = [new EventEmitter(), new EventEmitter()]
  const time = manualTime(0)
  const creds = { myAppStateKeyId: key }
  const versions: unknown[] = []
  let version: unknown = { version: 7 }
  const socket = {
    ws,
    ev,
    authState: {
      creds,
      keys: {
        get: async () => ({ regular_low: version }),
        async set(data: { 'app-state-sync-version': { regular_low: unknown } }) {
          version = data['app-state-sync-version'].regular_low
        },
      },
    },
    async chatModify() {
      versions.push(version)
      ws.emit('CB:iq', answer(codes.shift()))
      version = { version: 8 }
    },
  }
  const changes = createAppStateChanges(
    socket as unknown as Parameters<typeof createAppStateChanges>[0],
    time.timers,
  )
  const share = (myAppStateKeyId: string) => {
    Object.assign(creds, { myAppStateKeyId })
    ev.emit('creds.update', { myAppStateKeyId })
  }
  return { versions, ev, time, share, change: () => changes.change({ pin: true }, CHAT) }
}

test('a change that conflicts with one of another device is repeated from the version before it', async () => {
  const { change, versions } = socketWith(['409', '409', undefined])
  await change()
  assert.deepEqual(versions, [{ version: 7 }, { version: 7 }, { version: 7 }])
})

const rejection = (work: Promise<void>) =>
  work.then(
    () => assert.fail('not refused'),
    (error: unknown) => {
      assert.ok(error instanceof NetworkError)
      return [error.kind, error.code]
    },
  )

test('a change that keeps conflicting fails, and can be repeated later', async () => {
  assert.deepEqual(await rejection(socketWith(Array(10).fill('409')).change()), ['unavailable', 409])
})

test('a change that the network refuses for another reason is not repeated', async () => {
  const { change, versions } = socketWith(['400'])
  assert.deepEqual(await rejection(change()), ['refused', 400])
  assert.equal(versions.length, 1)
})

test('a change before the phone has shared its key waits five seconds for it, then fails without asking the network', async () => {
  const { change, versions, time, ev } = socketWith([], '')
  const refused = rejection(change())
  ev.emit('creds.update', { nextPreKeyId: 7 })
  await time.advance(4999)
  assert.equal(ev.listenerCount('creds.update'), 1)
  await time.advance(1)
  assert.deepEqual(await refused, ['keys_missing', null])
  assert.deepEqual([versions, ev.listenerCount('creds.update')], [[], 0])
})

test('changes that wait for the key are made when it comes', async () => {
  const { change, versions, share, ev } = socketWith([undefined, undefined], '')
  const both = Promise.all([change(), change()])
  share('key')
  await both
  assert.deepEqual([versions.length, ev.listenerCount('creds.update')], [2, 0])
})
