import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createAcks } from './acks.ts'

const ack = (id: string, error?: string) => ({
  tag: 'ack',
  attrs: { id, class: 'message', ...(error === undefined ? {} : { error }) },
})

describe('acknowledgement of a sent message', () => {
  test('is an acceptance or a refusal with its code, matched by message id', async () => {
    const acks = createAcks()
    const [taken, refused] = [acks.expect('A'), acks.expect('B')]
    acks.settle(ack('unknown'))
    acks.settle(ack('B', '463'))
    acks.settle(ack('A'))
    assert.deepEqual(await taken, { accepted: true })
    assert.deepEqual(await refused, { accepted: false, code: 463, refusal: 'restricted' })
  })

  test('the first one counts, also for a later expect() before forget()', async () => {
    const acks = createAcks()
    const first = acks.expect('A')
    acks.settle(ack('A'))
    acks.settle(ack('A', '500'))
    assert.deepEqual(await first, { accepted: true })
    assert.deepEqual(await acks.expect('A'), { accepted: true })
  })

  test('after forget() the next try waits for a new one', async () => {
    const acks = createAcks()
    void acks.expect('A')
    acks.settle(ack('A', '500'))
    acks.forget('A')
    const second = acks.expect('A')
    acks.settle(ack('A'))
    assert.deepEqual(await second, { accepted: true })
  })

  test('rejects with a temporary error when the connection closes', async () => {
    const acks = createAcks()
    const waiting = acks.expect('A')
    acks.fail()
    await assert.rejects(waiting, { name: 'NetworkError', kind: 'unavailable' })
  })
})
