import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createAcks } from './acks.ts'

const ack = (id: string, error?: string) => ({
  tag: 'ack',
  attrs: { id, class: 'message', ...(error === undefined ? {} : { error }) },
})

describe('the network’s word on a sent message', () => {
  test('taken, or refused with its code; another message’s word does not count', async () => {
    const acks = createAcks()
    const [taken, refused] = [acks.expect('A'), acks.expect('B')]
    acks.settle(ack('unknown'))
    acks.settle(ack('B', '463'))
    acks.settle(ack('A'))
    assert.deepEqual(await taken, { accepted: true })
    assert.deepEqual(await refused, { accepted: false, code: 463 })
  })

  test('the first word stands, also for who asks again before it is forgotten', async () => {
    const acks = createAcks()
    const first = acks.expect('A')
    acks.settle(ack('A'))
    acks.settle(ack('A', '500'))
    assert.deepEqual(await first, { accepted: true })
    assert.deepEqual(await acks.expect('A'), { accepted: true })
  })

  test('a try after the first was forgotten waits for a word of its own', async () => {
    const acks = createAcks()
    void acks.expect('A')
    acks.settle(ack('A', '500'))
    acks.forget('A')
    const second = acks.expect('A')
    acks.settle(ack('A'))
    assert.deepEqual(await second, { accepted: true })
  })

  test('when the connection is gone, whoever waits is told that it may be tried again', async () => {
    const acks = createAcks()
    const waiting = acks.expect('A')
    acks.fail()
    await assert.rejects(waiting, { name: 'NetworkError', kind: 'unavailable' })
  })
})
