// Connections to brokers: shared, opened again with a backoff, bounded, and closed when they are idle.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualTime } from '../../../test/support/manual-time.ts'
import { keepConnections } from './connections.ts'
import { BrokerError, type Publisher } from './publisher.ts'

const never = new AbortController().signal

function startFake(maxConnections?: number, owners?: Map<number, boolean>) {
  const time = manualTime(1000)
  const log: string[] = []
  let failure: Error | undefined
  const connections = keepConnections({
    clock: time.now,
    timers: time.timers,
    findOwners: async (ids) => owners ?? new Map(ids.map((id) => [id, true])),
    ...(maxConnections === undefined ? {} : { maxConnections }),
  })
  const made: { publisher: Publisher; lose(): void }[] = []
  const wanted = (id: number, settings = 'a') => ({
    id,
    settings,
    sentBytes: 0,
    async open() {
      log.push(`open ${id} at ${time.now() - 1000}`)
      if (failure) throw failure
      let isOpen = true
      const publisher: Publisher = {
        publish: async () => ({ answer: '' }),
        isOpen: () => isOpen,
        close: () => void log.push(`close ${id}`),
      }
      made.push({ publisher, lose: () => (isOpen = false) })
      return publisher
    },
  })
  return { time, log, connections, wanted, made, fail: (error: Error | undefined) => void (failure = error) }
}

const nothing = async () => 'done'

test('messages share one connection, which is closed when it is not used for a minute', async () => {
  const { time, log, connections, wanted } = startFake()
  await Promise.all([1, 2, 3].map(() => connections.use(wanted(1), never, nothing)))
  await time.advance(59_000)
  await connections.use(wanted(1), never, nothing)
  await time.advance(59_000)
  assert.deepEqual(log, ['open 1 at 0'])
  await time.advance(1000)
  assert.deepEqual(log, ['open 1 at 0', 'close 1'])
  assert.equal(connections.size, 0)
})

test('a lost connection is replaced, and so is one with earlier settings', async () => {
  const { log, connections, wanted, made } = startFake()
  await connections.use(wanted(1), never, nothing)
  made[0]?.lose()
  await connections.use(wanted(1), never, nothing)
  await connections.use(wanted(1, 'b'), never, nothing)
  assert.deepEqual(log, ['open 1 at 0', 'close 1', 'open 1 at 0', 'close 1', 'open 1 at 0'])
})

test('failed connections are repeated with growing pauses, and waiting messages share an attempt', async () => {
  const { time, log, connections, wanted, fail } = startFake()
  fail(new Error('away'))
  const attempt = () => connections.use(wanted(1), never, nothing).catch((error: Error) => error.message)
  for (let count = 0; count < 7; count += 1) {
    const both = Promise.all([attempt(), attempt()])
    const ended = both.then(() => true)
    await time.advance(0)
    while (!(await Promise.race([ended, time.advance(0)]))) await time.advance(time.nextInMs() ?? 0)
    assert.deepEqual(await both, ['away', 'away'])
  }
  const times = log.map((line) => Number(line.split(' ').at(-1)))
  assert.deepEqual(times, [0, 500, 1500, 3500, 7500, 11_500, 15_500])
  fail(undefined)
  const working = attempt()
  await time.advance(4000)
  assert.equal(await working, 'done')
})

test('a refusal keeps the connection, and a failure in doubt closes it', async () => {
  const { log, connections, wanted } = startFake()
  const failing = (error: Error) =>
    assert.rejects(
      connections.use(wanted(1), never, () => Promise.reject(error)),
      error,
    )
  await failing(new BrokerError('refused'))
  assert.deepEqual(log, ['open 1 at 0'])
  await failing(new BrokerError('closed', { isRefusal: false }))
  await failing(new Error('of the library'))
  assert.deepEqual(log, ['open 1 at 0', 'close 1', 'open 1 at 0', 'close 1'])
})

test('a message that is given up ends its wait, and closes the connection that did not confirm it', async () => {
  const { log, connections, wanted } = startFake()
  const end = new AbortController()
  const begun = Promise.withResolvers<void>()
  const hanging = connections.use(wanted(1), end.signal, () => {
    begun.resolve()
    return new Promise<never>(() => undefined)
  })
  await begun.promise
  end.abort(new Error('too late'))
  await assert.rejects(hanging, /too late/)
  assert.deepEqual(log, ['open 1 at 0', 'close 1'])
  const early = connections.use(wanted(2), end.signal, nothing)
  await assert.rejects(early, /too late/)
  assert.ok(!log.includes('close 2'))
})

test('beyond the limit an unused connection is closed, and none is opened if all are in use', async () => {
  const { log, connections, wanted } = startFake(2)
  const release = Promise.withResolvers<void>()
  const busy = connections.use(wanted(1), never, () => release.promise)
  await connections.use(wanted(2), never, nothing)
  await connections.use(wanted(3), never, nothing)
  assert.deepEqual(log.at(-2), 'close 2')
  const other = connections.use(wanted(3), never, () => release.promise)
  await assert.rejects(connections.use(wanted(4), never, nothing), /too many connections/)
  release.resolve()
  await Promise.all([busy, other])
})

test('after the close nothing is opened, and a connection that opens late is closed', async () => {
  const { log, connections, wanted } = startFake()
  const opened = Promise.withResolvers<void>()
  const { open, ...rest } = wanted(1)
  const late = connections.use({ ...rest, open: () => opened.promise.then(open) }, never, nothing)
  connections.close()
  opened.resolve()
  await late.catch(() => undefined)
  assert.deepEqual(log, ['open 1 at 0', 'close 1'])
  await assert.rejects(connections.use(wanted(2), never, nothing), /stopping/)
})

test('the connection of a destination that was deleted or disabled is closed, on every node', async () => {
  const owners = new Map([
    [1, true],
    [2, true],
    [3, true],
  ])
  const { time, log, connections, wanted } = startFake(undefined, owners)
  const release = Promise.withResolvers<void>()
  for (const id of [1, 2, 3]) await connections.use(wanted(id), never, nothing)
  const tested = connections.use(wanted(3), never, () => release.promise)
  owners.delete(1)
  owners.set(3, false)
  await time.advance(10_000)
  assert.deepEqual(log.slice(3), ['close 1'])
  release.resolve()
  await tested
  await connections.review()
  assert.deepEqual(log.slice(3), ['close 1', 'close 3'])
})

test('a connection that does not open in time is given up, and the next message opens another one', async () => {
  const { time, log, connections, wanted } = startFake()
  const reasons: unknown[] = []
  const hanging = connections.use(
    {
      ...wanted(1),
      open: (guard) => {
        guard.signal.addEventListener('abort', () => reasons.push(guard.signal.reason))
        return new Promise<never>(() => undefined)
      },
    },
    never,
    nothing,
  )
  const failed = assert.rejects(hanging, /did not accept the connection in time/)
  await time.advance(0)
  await time.advance(10_000)
  await failed
  assert.equal(reasons.length, 1)
  const next = connections.use(wanted(1), never, nothing)
  await time.advance(500)
  assert.equal(await next, 'done')
  assert.deepEqual(log, ['open 1 at 10500'])
})
