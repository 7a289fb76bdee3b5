import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PeerNode } from '../store/leases.ts'
import type { NodeCall } from './calls.ts'
import { createWakeUps } from './wake-ups.ts'

const peer = (id: number, url: string | null = `http://node-${id}:7000`): PeerNode => ({
  id,
  name: `node ${id}`,
  url,
  leaseUntil: 0,
  startedAt: 0,
  isDraining: false,
  instances: 0,
})

/** Wake-ups with a clock of the test; `pass` lets time go by. */
function start(peers: PeerNode[]) {
  let time = 0
  let due: { at: number; run: () => void } | undefined
  const sent: string[] = []
  const wakeUps = createWakeUps({
    client: {
      async call({ id }: { id: number }, call: NodeCall) {
        if (call.call === 'wake') sent.push(`${id} ${call.what.join()}`)
        return { status: 'done', result: null } as const
      },
    },
    peers: () => peers,
    now: () => time,
    timers: {
      setTimeout(run, ms) {
        due = { at: time + ms, run }
        return { unref: () => undefined }
      },
      clearTimeout: () => (due = undefined),
      setInterval: () => ({ unref: () => undefined }),
      clearInterval: () => undefined,
    },
  })
  function pass(ms: number): string[] {
    time += ms
    if (due && due.at <= time) {
      const { run } = due
      due = undefined
      run()
    }
    return sent.splice(0)
  }
  return { wakeUps, pass }
}

test('the first wake-up travels at once, those of the next 50 ms together and once each', () => {
  const { wakeUps, pass } = start([peer(1), peer(2)])
  wakeUps.wake('sends', 1)
  assert.deepEqual(pass(0), ['1 sends'])
  for (let count = 0; count < 100; count += 1) wakeUps.wake('sends', 1)
  wakeUps.wake('events')
  assert.deepEqual(pass(49), [])
  assert.deepEqual(pass(1), ['1 sends,events', '2 events'])
  wakeUps.wake('events')
  assert.deepEqual(pass(50), ['1 events', '2 events'])
})

test('a node that has ended, or has no address, is not called', () => {
  const { wakeUps, pass } = start([peer(1, null)])
  wakeUps.wake('sends', 7)
  wakeUps.wake('events')
  assert.deepEqual(pass(1000), [])
})
