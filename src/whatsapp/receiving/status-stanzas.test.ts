import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acknowledgeStatus } from './status-stanzas.ts'

test('a status stanza is acknowledged with its id; one without an id or a sender is not', () => {
  const sent: unknown[] = []
  const listeners: ((stanza: { tag: string; attrs: Record<string, string> }) => void)[] = []
  acknowledgeStatus({
    onStanza: (name, listener) => {
      assert.equal(name, 'status')
      listeners.push(listener)
    },
    sendNode: async (node) => void sent.push(node),
  })
  for (const attrs of [
    { id: 'S1', from: '1@newsletter', type: 'text' },
    { id: 'S2' },
    { from: '1@newsletter' },
  ])
    for (const listener of listeners) listener({ tag: 'status', attrs })
  assert.deepEqual(sent, [
    { tag: 'ack', attrs: { class: 'status', id: 'S1', to: '1@newsletter', type: 'text' } },
  ])
})
