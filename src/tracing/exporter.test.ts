// The exporter of spans: batches, a bounded buffer, retries with pauses, and the last batch at the stop.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { manualTime, promisesSettled } from '../../test/support/manual-time.ts'
import { type ExporterLimits, type ExportResult, startExporter } from './start-tracing.ts'

const LIMITS: ExporterLimits = {
  buffer: 6,
  batch: 3,
  delayMs: 100,
  tries: 3,
  firstPauseMs: 1000,
  longestPauseMs: 4000,
  stopMs: 500,
}
const UNAVAILABLE: ExportResult = { kind: 'unavailable', why: 'down' }

/** A collector that answers with the next of `answers`, and accepts when there is none left. */
function setUp(answers: (ExportResult | Promise<ExportResult>)[] = [], limits: Partial<ExporterLimits> = {}) {
  const time = manualTime()
  const requests: { spans: number[]; atMs: number }[] = []
  const signals: AbortSignal[] = []
  const counts = { exported: 0, dropped: 0 }
  const failures: string[] = []
  const exporter = startExporter<number>({
    async send(batch, signal) {
      requests.push({ spans: [...batch], atMs: time.now() })
      signals.push(signal)
      return (await answers.shift()) ?? { kind: 'accepted' }
    },
    count: (outcome, spans) => void (counts[outcome] += spans),
    onFailure: (why) => failures.push(why),
    timers: time.timers,
    limits: { ...LIMITS, ...limits },
  })
  const add = (...spans: number[]) => spans.forEach(exporter.add)
  return { time, requests, signals, counts, failures, exporter, add }
}

describe('batches', () => {
  test('spans wait for the delay, and share one request', async () => {
    const { time, requests, add, counts } = setUp()
    add(1)
    await time.advance(60)
    add(2)
    await time.advance(39)
    assert.deepEqual(requests, [])
    await time.advance(1)
    assert.deepEqual(requests, [{ spans: [1, 2], atMs: 100 }])
    assert.deepEqual(counts, { exported: 2, dropped: 0 })
  })

  test('a full batch is sent at once, and the rest after the delay', async () => {
    const { time, requests, add } = setUp()
    add(1, 2, 3, 4)
    await promisesSettled()
    assert.deepEqual(requests, [{ spans: [1, 2, 3], atMs: 0 }])
    await time.advance(100)
    assert.deepEqual(requests[1], { spans: [4], atMs: 100 })
  })

  test('one request is made at a time', async () => {
    const first = Promise.withResolvers<ExportResult>()
    const { requests, add } = setUp([first.promise])
    add(1, 2, 3, 4, 5, 6)
    await promisesSettled()
    assert.equal(requests.length, 1)
    first.resolve({ kind: 'accepted' })
    await promisesSettled()
    assert.deepEqual(
      requests.map(({ spans }) => spans),
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
    )
  })
})

describe('a full buffer', () => {
  test('drops and counts new spans, and takes further ones when the collector has answered', async () => {
    const first = Promise.withResolvers<ExportResult>()
    const { time, requests, add, counts } = setUp([first.promise])
    add(1, 2, 3)
    add(4, 5, 6, 7, 8, 9)
    add(10, 11)
    assert.deepEqual(counts, { exported: 0, dropped: 2 })
    first.resolve({ kind: 'accepted' })
    await promisesSettled()
    add(12)
    await time.advance(100)
    assert.deepEqual(requests.at(-1)?.spans, [12])
    assert.deepEqual(counts, { exported: 10, dropped: 2 })
  })
})

describe('a collector that does not take spans', () => {
  test('gets the same batch again after pauses that double, and then the batch is dropped', async () => {
    const { time, requests, add, counts, failures } = setUp([UNAVAILABLE, UNAVAILABLE, UNAVAILABLE])
    add(1, 2, 3)
    await promisesSettled()
    await time.advance(10_000)
    assert.deepEqual(
      requests.map(({ atMs }) => atMs),
      [0, 1000, 3000],
    )
    assert.deepEqual(counts, { exported: 0, dropped: 3 })
    assert.deepEqual(failures, ['down'], 'reported once')
  })

  test('is asked less often over all batches, up to the longest pause, until it accepts one', async () => {
    const { time, requests, add, failures } = setUp(
      [UNAVAILABLE, UNAVAILABLE, UNAVAILABLE, UNAVAILABLE, UNAVAILABLE, { kind: 'accepted' }, UNAVAILABLE],
      { tries: 2 },
    )
    const sendOne = async () => {
      add(1)
      await time.advance(10_000)
    }
    for (let batch = 0; batch < 4; batch += 1) await sendOne()
    const pauses = requests.map(({ atMs }, index) => atMs - (requests[index - 1]?.atMs ?? 0))
    // Each batch is first sent 100 ms after its span, and again after 1, 4 and 4 s; the fourth after 1 s, because one was accepted.
    assert.deepEqual(
      [1, 3, 5, 7].map((index) => pauses[index]),
      [1000, 4000, 4000, 1000],
    )
    assert.deepEqual(failures, ['down', 'down'], 'reported again after a success')
  })

  test('can ask for a longer pause', async () => {
    const { time, requests, add, counts } = setUp([{ ...UNAVAILABLE, retryAfterMs: 3500 }])
    add(1, 2, 3)
    await promisesSettled()
    await time.advance(3499)
    assert.equal(requests.length, 1)
    await time.advance(1)
    assert.equal(requests.length, 2)
    assert.deepEqual(counts, { exported: 3, dropped: 0 })
  })

  test('gets a refused batch only once', async () => {
    const { time, requests, add, counts } = setUp([{ kind: 'refused', why: 'The form is wrong.' }])
    add(1, 2, 3)
    await promisesSettled()
    await time.advance(60_000)
    assert.equal(requests.length, 1)
    assert.deepEqual(counts, { exported: 0, dropped: 3 })
  })
})

describe('the stop', () => {
  test('sends all spans that wait', async () => {
    const { requests, exporter, add, counts } = setUp([], { batch: 4, buffer: 9 })
    add(1, 2, 3)
    await exporter.stop()
    assert.deepEqual(
      requests.map(({ spans }) => spans),
      [[1, 2, 3]],
    )
    assert.deepEqual(counts, { exported: 3, dropped: 0 })
  })

  test('ends a pause, tries each batch once, and drops the rest after a failure', async () => {
    const { requests, exporter, add, counts } = setUp([UNAVAILABLE, UNAVAILABLE, UNAVAILABLE])
    add(1, 2, 3, 4, 5, 6, 7)
    await promisesSettled()
    await exporter.stop()
    assert.deepEqual(
      requests.map(({ spans }) => spans),
      [
        [1, 2, 3],
        [1, 2, 3],
        [4, 5, 6],
      ],
    )
    assert.deepEqual(counts, { exported: 0, dropped: 7 })
  })

  test('aborts a request that takes too long', async () => {
    const hanging = Promise.withResolvers<ExportResult>()
    const { time, signals, exporter, add, counts } = setUp([hanging.promise])
    add(1, 2, 3)
    await promisesSettled()
    signals[0]?.addEventListener('abort', () => hanging.resolve({ kind: 'unavailable', why: 'stopped' }))
    const stopped = exporter.stop()
    await time.advance(499)
    assert.equal(signals[0]?.aborted, false)
    await time.advance(1)
    await stopped
    assert.deepEqual(counts, { exported: 0, dropped: 3 })
  })

  test('lets no further span in', async () => {
    const { exporter, add, counts } = setUp()
    await exporter.stop()
    add(1)
    assert.deepEqual(counts, { exported: 0, dropped: 1 })
  })
})
