import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Outbound } from '../kernel/outbound/client.ts'
import { createPostEvent } from './post-event.ts'

const EVENT = {
  url: 'https://example.com/hook',
  webhookId: 3,
  secrets: { current: 'a secret of the receiver', previous: null },
  id: 'evt_1_1',
  event: 'messages.upsert',
  body: '{}',
}

async function posted(more: { headers?: Record<string, string>; secretHeaders?: Record<string, string> }) {
  let sent: Record<string, string> = {}
  const post: Outbound['post'] = async ({ headers }) => {
    sent = headers ?? {}
    return { status: 200, headers: {}, bodyStart: Buffer.alloc(0), truncated: false, durationMs: 1 }
  }
  const attempt = await createPostEvent(post, () => 1_700_000_000_000)({ ...EVENT, ...more })
  return { sent, shown: attempt.headers }
}

test('further headers are sent, and values of secret ones are not recorded', async () => {
  const { sent, shown } = await posted({
    headers: { 'X-Event-Type': 'messages.upsert' },
    secretHeaders: { Authorization: 'Bearer secret' },
  })
  assert.equal(sent.Authorization, 'Bearer secret')
  assert.deepEqual([shown.Authorization, shown['X-Event-Type']], ['***', 'messages.upsert'])
})

test('further headers cannot replace those of a delivery, in upper or lower case', async () => {
  const forged = { 'x-service-signature': 'forged', 'WEBHOOK-ID': 'forged', 'content-type': 'text/plain' }
  for (const more of [{ headers: forged }, { secretHeaders: forged }]) {
    const { sent, shown } = await posted(more)
    assert.doesNotMatch(JSON.stringify([sent, shown]), /forged|text\/plain|\*\*\*/)
    assert.equal(sent['webhook-id'], 'evt_1_1')
  }
})
