// Changed settings: which of them make a supervisor connect again, and which are applied to the open session.
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { manualTime, promisesSettled } from '../../test/support/manual-time.ts'
import { scriptedNetwork, scriptedRecorder } from '../../test/support/scripted-network.ts'
import type { SessionOptions } from '../network/network.ts'
import { Supervisor } from './supervisor.ts'

describe('changed settings of an instance', () => {
  let net: ReturnType<typeof scriptedNetwork>
  let book: ReturnType<typeof scriptedRecorder>
  let supervisor: Supervisor
  let online: boolean[]
  beforeEach(() => {
    const time = manualTime()
    net = scriptedNetwork()
    book = scriptedRecorder(time)
    online = []
    net.connecting = async (connection) => {
      connection.session.showOnline = async (isOnline) => void online.push(isOnline)
    }
    const { recorder, states } = book
    supervisor = new Supervisor({
      network: net.network,
      recorder,
      states,
      acquireSlot: async () => () => undefined,
      clock: time.now,
      random: () => 0,
      timers: time.timers,
    })
  })

  const change = async (options: SessionOptions): Promise<number> => {
    const before = net.connections.length
    book.options = { ...book.options, ...options }
    await supervisor.applySettings()
    await promisesSettled()
    return net.connections.length - before
  }
  const open = async () => {
    await supervisor.start()
    await promisesSettled()
    await net.last.emit({ kind: 'opened', account: { number: '1', lid: null, name: null } })
  }

  test('an open session reconnects for another proxy only, and goes online and offline as it is', async () => {
    await open()
    assert.equal(await change({ deviceName: 'Desk', syncHistory: 'full' }), 0)
    assert.equal(await change({ alwaysOnline: true }), 0)
    assert.equal(await change({ alwaysOnline: false }), 0)
    assert.deepEqual(online, [true, false])
    const first = net.last
    assert.equal(await change({ proxy: 'http://proxy:1' }), 1)
    assert.ok(first.isClosed)
    assert.equal(net.mostAtOnce, 1)
  })

  test('a code that is shown is replaced for another device name', async () => {
    await supervisor.start()
    await promisesSettled()
    await net.last.emit({ kind: 'qr', code: 'code', expiresAt: 1 })
    assert.equal(await change({ deviceName: 'Desk' }), 1)
    assert.equal(await change({ deviceName: 'Desk' }), 0)
  })

  test('a proxy that failed is replaced before the end of the pause, with a state reason of its own', async () => {
    await open()
    await net.last.close('proxy_unreachable')
    assert.equal(book.moves.at(-1), 'proxy_unreachable')
    assert.equal(await change({ alwaysOnline: true }), 0)
    assert.equal(await change({ proxy: 'http://proxy:1' }), 1)
  })

  test('a stopped session stays stopped', async () => {
    await open()
    await supervisor.stop()
    assert.equal(await change({ proxy: 'http://proxy:1' }), 0)
  })
})
