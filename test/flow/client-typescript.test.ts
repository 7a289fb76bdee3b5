// The TypeScript client on a running gateway with the sandbox, and on a server that fails.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createClient, type SwitchboardClient, SwitchboardError } from '../../clients/typescript/src/index.ts'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { assertLostOnce, assertReport, type ClientReport, type ClientTask } from '../support/client-report.ts'
import { type ClientWorld, startClientWorld } from '../support/client-world.ts'

const failureOf = (work: Promise<unknown>): Promise<SwitchboardError> =>
  work.then(
    () => Promise.reject(new Error('it succeeded')),
    (error: unknown) => (error instanceof SwitchboardError ? error : Promise.reject(error as Error)),
  )

/** Idempotency keys are ASCII. */
const keyOf = (text: string): string => `key of ${encodeURIComponent(text)}`

async function runOnGateway(task: ClientTask): Promise<Omit<ClientReport, 'stub'>> {
  const { url, key, instanceName, number, texts } = task
  const client = createClient({ url, key })
  const { next } = await client.listEvents({ before: 'end', limit: 1 })
  const sends = []
  for (const message of texts)
    sends.push(
      await client.sendText(
        { instanceName, number, message, delay: 0 },
        { waitSeconds: 60, idempotencyKey: keyOf(message) },
      ),
    )
  const again = await client.sendText(
    { instanceName, number, message: texts[0] ?? '', delay: 0 },
    { idempotencyKey: keyOf(texts[0] ?? '') },
  )
  const bytes = new TextEncoder().encode('The bytes of the file')
  const { mediaId } = await client.uploadMedia({ file: bytes, contentType: 'text/plain', fileName: 'a.txt' })
  const file = await client.sendMedia(
    { instanceName, number, mediaId, type: 'document', delay: 0 },
    { waitSeconds: 60 },
  )
  const content = await client.getMessageMedia({ messageId: file.messageId })
  const listed: string[] = []
  for await (const { messageId } of client.iterateMessages({ instanceName, direction: 'outgoing', limit: 2 }))
    listed.push(messageId)
  const followed: string[] = []
  for await (const event of client.events({ after: next ?? '', events: ['messages.upsert'] })) {
    if (event.event === 'messages.upsert') followed.push(String(event.data.text))
    if (followed.length === texts.length) break
  }
  const refused = await failureOf(client.sendText({ instanceName, number: 'x', message: 'Hello' }))
  return {
    statuses: sends.map(({ status }) => status),
    sent: sends.map(({ messageId }) => messageId),
    sentAgain: [again.messageId],
    listed,
    followed,
    downloaded: new TextDecoder().decode(content.bytes),
    refusal: { status: refused.status, reason: refused.reason, path: refused.details[0]?.path ?? '' },
  }
}

async function firstIds(client: SwitchboardClient, count: number): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of client.events()) if (ids.push(id) === count) break
  return ids
}

async function runOnStub({ stubUrl }: ClientTask): Promise<ClientReport['stub']> {
  const pauses: number[] = []
  const client = createClient({ url: stubUrl, key: 'k', sleep: async (seconds) => void pauses.push(seconds) })
  const { messageId } = await client.sendText({ instanceName: 'a', number: '1', message: 'Hello' })
  const during = pauses.splice(0)
  const lost = await failureOf(client.createInstance({ instanceName: 'a' }))
  const { count } = await client.listInstances()
  pauses.length = 0
  const tooLong = await failureOf(client.accountLimits())
  const pausesOfTooLong = pauses.length
  const sleep = async () => undefined
  const events = await firstIds(client, 2)
  const eventsAfterEmpty = await firstIds(createClient({ url: `${stubUrl}/empty`, key: 'k', sleep }), 1)
  return {
    messageId,
    pauses: during,
    lostPost: lost.reason,
    listed: count,
    tooLong: { status: tooLong.status, retryAfter: tooLong.retryAfterSeconds ?? 0, pauses: pausesOfTooLong },
    events,
    eventsAfterEmpty,
  }
}

for (const engine of behaviourEngines('sqlite'))
  describe(`the TypeScript client on ${engine.name}`, () => {
    let world: ClientWorld
    before(async () => {
      world = await startClientWorld(engine)
    })
    after(() => world.stop())

    test('sends, lists pages, follows events, moves files, and repeats what it may repeat', async () => {
      const { task, stub } = world
      assertReport({ ...(await runOnGateway(task)), stub: await runOnStub(task) }, task, stub)
      assertLostOnce(stub, 'kept')
    })

    test('an iterator over events goes on after a restart of the gateway, without a gap', async () => {
      const { task } = world
      const client = createClient({ url: task.url, key: task.key, retries: 20 })
      const { instanceName, number } = task
      const { next } = await client.listEvents({ before: 'end', limit: 1 })
      const following = client.events({ after: next ?? '', instanceName })
      const send = (message: string) => client.sendText({ instanceName, number, message, delay: 0 })
      const sequences: number[] = []
      const untilText = async (wanted: string) => {
        for (let found = false; !found; ) {
          const { value } = await following.next()
          assert.ok(value)
          sequences.push(value.sequence)
          found = value.event === 'messages.upsert' && value.data.text === wanted
        }
      }
      await send('before the restart')
      await untilText('before the restart')
      await world.restart()
      await send('after the restart')
      await untilText('after the restart')
      await following.return(undefined)
      const first = sequences[0] ?? 0
      assert.deepEqual(
        sequences,
        sequences.map((_, index) => first + index),
      )
    })

    test('an iterator over events ends with its signal', async () => {
      const { task } = world
      const client = createClient({ url: task.url, key: task.key })
      const stop = new AbortController()
      const { next } = await client.listEvents({ before: 'end', limit: 1 })
      const following = client.events({ after: next ?? '' }, { signal: stop.signal })
      const { instanceName, number } = task
      await client.sendText({ instanceName, number, message: 'live', delay: 0 })
      await following.next()
      const second = following.next()
      stop.abort()
      while (!(await second).done && !(await following.next()).done);
    })
  })
