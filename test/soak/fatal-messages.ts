// A message that stops the event loop ends the process twice, and not a third time: it is set aside, reported and acknowledged, and
// the messages after it arrive. A message that no database takes does not end the connection (promise B21).
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { proto } from 'baileys'
import { createSenderKey, distributionOf } from 'libsignal'
import { withDatabase } from '../support/database.ts'
import type { Engine } from '../support/engines.ts'
import type { BlockedStep } from '../support/failpoints.ts'
import { until } from '../support/linked.ts'
import { get } from '../support/started.ts'
import { openStage, pairAll, type Stage, start, untilOpen, writeFrom } from './stage.ts'

const INSTANCE = '5511962000001'
const PERSON = '5511962100001'
/** A busy machine may stand still for a second or two. */
const WATCHDOG_SECONDS = 5

/** Too long for an index of PostgreSQL, also when it is compressed. */
const LONG = randomBytes(4096).toString('hex')

/** A genuine sender key, for a chat of the sender's choice. */
function withSenderKey(groupId: string): string {
  const axolotlSenderKeyDistributionMessage = distributionOf(createSenderKey())
  const senderKeyDistributionMessage = { groupId, axolotlSenderKeyDistributionMessage }
  const message = proto.Message.fromObject({ conversation: 'Hello', senderKeyDistributionMessage })
  return Buffer.from(proto.Message.encode(message).finish()).toString('base64')
}

/** Declares the tests on one stage, with a message that blocks each of these steps. */
export function describeFatal(engine: Engine, steps: BlockedStep[]): void {
  describe(`messages that cannot be processed on ${engine.name}`, () => {
    let stage: Stage
    let count = 0
    /** The messages that ended processes so far. */
    const fatal: string[] = []
    before(async () => {
      const environment = { WATCHDOG_SECONDS: String(WATCHDOG_SECONDS) }
      stage = await openStage(engine, [INSTANCE], 1, { environment })
      await stage.world.phone(PERSON, 'Stranger')
      await pairAll(stage)
    })
    after(() => stage.end())

    /** A later message arrives, and nothing waits at the network. */
    async function worksOn(): Promise<void> {
      count += 1
      await writeFrom(stage, { instance: INSTANCE, person: PERSON, count })
      const { id } = stage.expected.written.at(-1) as { id: string }
      await until('the later message', async () => (await storedIds(stage)).includes(id) || undefined)
    }

    test('a sender key for an invalid group: the instance stays online and later messages arrive', async () => {
      await worksOn()
      const { gateway } = stage
      for (const groupId of [LONG, `${LONG}@g.us`, '1\0@g.us'])
        await stage.world.post(`/phones/${PERSON}/send-content`, {
          to: INSTANCE,
          protobuf: withSenderKey(groupId),
        })
      await worksOn()
      assert.deepEqual(await closes(stage), [], 'the connection was never closed')
      const names = await rows<{ name: string }>(
        stage,
        `select name from session_keys where kind = 'sender-key'`,
      )
      assert.deepEqual(names, [])
      assert.equal((await storedIds(stage)).length, 5)
      assert.equal(stage.gateway, gateway)
    })

    for (const step of steps) {
      test(`a message that blocks the event loop (${step}) ends two processes, not three`, async () => {
        await stage.gateway?.stop('SIGTERM')
        // In progress at the same time, before the fatal one and after it.
        const honest = [await stage.world.send(PERSON, { to: INSTANCE, text: 'before' })]
        const id = await stage.world.send(PERSON, { to: INSTANCE, text: 'fatal' })
        honest.push(await stage.world.send(PERSON, { to: INSTANCE, text: 'after' }))
        Object.assign(stage.environment, { BLOCK_AT: step, BLOCK_MESSAGE: id })
        for (const _ of [1, 2]) {
          // The message may come before or after the ready line.
          const { signal, stderr } = await start(stage).then(
            async (gateway) => ({ ...(await gateway.exited), stderr: gateway.stderr() }),
            (error: Error) => ({ signal: 'SIGKILL', stderr: error.message }),
          )
          assert.equal(signal, 'SIGKILL')
          assert.match(stderr, /watchdog: the event loop has stood still/)
        }
        await start(stage)
        await untilOpen(stage)
        await worksOn()
        // Without a server of PostgreSQL both steps run on one stage, and each adds one message.
        fatal.push(id)
        const aside = await rows<{ name: string; what: string; reason: string }>(
          stage,
          'select name, what, reason from set_aside order by id',
        )
        assert.deepEqual(
          aside.map(({ name, what, reason }) => [name.split('|')[2], what, reason]),
          fatal.map((each) => [each, 'message', 'ended_process']),
        )
        const events = await setAsideEvents(stage)
        assert.deepEqual(
          events.map(({ what, reason, messageId }) => ({ what, reason, messageId })),
          fatal.map((messageId) => ({ what: 'message', reason: 'ended_process', messageId })),
        )
        await until('the acknowledgement', async () => (await waitingAtNetwork(stage)) === 0 || undefined)
        const stored = await storedIds(stage)
        assert.ok(!stored.includes(id))
        for (const each of honest) assert.ok(stored.includes(each))
      })
    }
  })
}

const rows = <T>(stage: Stage, sql: string): Promise<T[]> =>
  withDatabase(stage.storeLocation, (database) => database.rows<T>(sql))

async function storedIds(stage: Stage): Promise<string[]> {
  const found = await rows<{ id: string }>(stage, `select id from messages where direction = 'incoming'`)
  return found.map(({ id }) => id)
}

/** States of the instance since it was opened first. */
async function closes(stage: Stage): Promise<string[]> {
  const found = await rows<{ data: string }>(
    stage,
    `select data from events where name = 'connection.update'`,
  )
  const states = found.map(({ data }) => (JSON.parse(data) as { state: string }).state)
  return states.slice(states.indexOf('open') + 1)
}

interface SetAsideData {
  what: string
  reason: string
  messageId: string | null
}

async function setAsideEvents({ gateway }: Stage): Promise<SetAsideData[]> {
  assert.ok(gateway)
  const answer = await get(gateway, '/api/v1/events?events=messages.set_aside')
  const { events } = (await answer.json()) as { events: { data: SetAsideData }[] }
  return events.map(({ data }) => data)
}

async function waitingAtNetwork({ world }: Stage): Promise<number> {
  const { body } = await world.ask('GET', `/phones/${INSTANCE}`)
  const { devices } = body['phone'] as { devices: { queued: number }[] }
  return devices.reduce((sum, { queued }) => sum + queued, 0)
}
