// What the program of each client does with a gateway and with the stub, and what must come of it. The same for every language.
import assert from 'node:assert/strict'
import type { ClientStub } from './client-stub.ts'

/** The settings of a program. */
export interface ClientTask {
  url: string
  key: string
  stubUrl: string
  instanceName: string
  number: string
  /** Texts to send, in this order. */
  texts: string[]
}

export interface ClientReport {
  /** Status of each text, awaited with the send. */
  statuses: string[]
  /** Ids of the messages, and of the first one sent again with its idempotency key. */
  sent: string[]
  sentAgain: string[]
  /** Ids of all outgoing messages, read in pages of two. */
  listed: string[]
  /** Texts of the first events after the cursor that was taken before the sends. */
  followed: string[]
  /** A file that was uploaded, then sent and downloaded again. */
  downloaded: string
  refusal: { status: number; reason: string; path: string }
  stub: {
    messageId: string
    /** Seconds that the client wanted to wait during the send; the last pause is its own choice. */
    pauses: number[]
    lostPost: string
    listed: number
    tooLong: { status: number; retryAfter: number; pauses: number }
    events: string[]
    /** Of a log that was empty at first, under `/empty` of the stub. */
    eventsAfterEmpty: string[]
  }
}

/**
 * A library may repeat a request by itself if its connection was used before and breaks. Either the client does not use connections
 * again, or the library is proven not to do so.
 */
export function assertLostOnce(stub: ClientStub, connections: 'kept' | 'new'): void {
  const lost = stub.seen('POST /api/v1/instance/create')
  assert.deepEqual(
    lost.map(({ isReused }) => isReused),
    [connections === 'kept'],
  )
}

export function assertReport(report: ClientReport, task: ClientTask, stub: ClientStub): void {
  const { statuses, sent, sentAgain, listed, followed, refusal } = report
  for (const status of statuses) assert.match(status, /^(sent|delivered|read)$/)
  assert.equal(new Set(sent).size, task.texts.length)
  assert.deepEqual(sentAgain, [sent[0]])
  // Newest first; the file was sent last.
  assert.deepEqual(listed.slice(1), sent.toReversed())
  assert.deepEqual(followed, task.texts)
  assert.equal(report.downloaded, 'The bytes of the file')
  assert.deepEqual(refusal, { status: 400, reason: 'invalid_request', path: 'number' })
  assertStub(report.stub, stub)
}

function assertStub(report: ClientReport['stub'], stub: ClientStub): void {
  assert.equal(report.messageId, 'stub-message')
  assert.deepEqual(report.pauses.slice(0, 2), [3, 2])
  assert.equal(report.pauses.length, 3)
  const keys = stub.seen('POST /api/v1/send/text').map(({ idempotencyKey }) => idempotencyKey)
  assert.equal(keys.length, 4)
  assert.match(keys[0] ?? '', /^[\x20-\x7e]{16,255}$/)
  assert.deepEqual(new Set(keys), new Set([keys[0]]), 'every attempt has the same idempotency key')
  // Without an idempotency key, a request that may have been carried out is not repeated.
  assert.equal(report.lostPost, 'unreachable')
  assert.equal(report.listed, 0)
  assert.equal(stub.seen('GET /api/v1/instance/list').length, 2)
  assert.deepEqual(report.tooLong, { status: 429, retryAfter: 3600, pauses: 0 })
  assert.deepEqual(report.events, ['evt_1_2', 'evt_1_3'])
  assert.deepEqual(report.eventsAfterEmpty.slice(0, 1), ['evt_1_1'])
}
