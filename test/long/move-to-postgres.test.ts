// A gateway moves from SQLite to PostgreSQL: the API answers as before, sessions open without a scan, and everything that waited goes on.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { answers } from '../../src/contract/sandbox-world.ts'
import { SandboxProcesses } from '../sandbox/support/process.ts'
import { World } from '../sandbox/support/world.ts'
import { AUTHORITY_FILE } from '../support/certificates.ts'
import { done, runCli, scratchDirectory, settingsOf } from '../support/cli.ts'
import { engines, type StoreLocation } from '../support/engines.ts'
import {
  api,
  ask,
  devicesOf,
  linkedInstance,
  newNumber,
  stateOf,
  until,
  untilReceived,
  untilState,
} from '../support/linked.ts'
import { spawnServer } from '../support/process.ts'
import { png } from '../support/sample-files.ts'
import { newKey, type Started, startWithKey } from '../support/started.ts'
import { startWebHost } from '../support/web-host.ts'

const [sqlite, postgres] = engines

interface Delivered {
  event: string
  data: { messageId?: string; text?: string }
}

/** Refuses every request until it is opened. */
async function startReceiver() {
  const delivered: Delivered[] = []
  let isOpen = false
  const host = await startWebHost(
    (request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', (text: string) => (body += text))
      request.on('end', () => {
        if (isOpen) delivered.push(JSON.parse(body) as Delivered)
        response.writeHead(isOpen ? 200 : 503).end()
      })
    },
    { tls: 'trusted' },
  )
  return { ...host, delivered, open: () => (isOpen = true) }
}

const digestOf = async ({ directory }: StoreLocation): Promise<string> =>
  createHash('sha256')
    .update(await readFile(join(directory, 'switchboard.db')))
    .digest('hex')

describe('a move to PostgreSQL', { skip: postgres === undefined }, () => {
  test('everything is there afterwards, and goes on', async () => {
    assert.ok(sqlite && postgres)
    const sandboxes = new SandboxProcesses()
    const receiver = await startReceiver()
    const [source, target] = [await sqlite.createLocation(), await postgres.createLocation()]
    const servers: Started[] = []
    try {
      const { world: phones } = await sandboxes.start({ DATA_DIR: await scratchDirectory() })
      const environment = {
        SANDBOX_URL: phones.sandbox.url,
        SANDBOX_KEY: World.apiKey,
        ALLOW_TARGETS: '127.0.0.1',
        EXTRA_CA_FILE: AUTHORITY_FILE,
      }
      const key = newKey()
      const start = async (at: StoreLocation, more: Record<string, string> = {}) => {
        const server = await startWithKey(at, key, { ...environment, ...more })
        servers.push(server)
        return server
      }
      const [owner, ana, bia] = [newNumber(), newNumber(), newNumber()]
      let gateway = await start(source)
      const name = await linkedInstance(gateway, owner)
      for (const number of [ana, bia]) await phones.phone(number, `Phone ${number}`)
      const made = await phones.post('/groups', { subject: 'Team', members: [owner, bia], admin: ana })
      const group = answers.group.parse(made).group.jid
      await api(gateway, 'POST /webhooks', { url: receiver.url, events: ['messages.upsert'] })
      await api(gateway, `PATCH /instance/settings?instanceName=${name}`, {
        rejectCalls: true,
        proxy: null,
        rejectCallsText: 'Please write.',
      })

      const send = async (message: string, more: object): Promise<string> => {
        const body = { instanceName: name, message, delay: 0, ...more }
        return (await api(gateway, 'POST /send/text', body)).messageId
      }
      const converse = async (round: string) => {
        await phones.shown(ana, await send(`${round} to Ana`, { number: ana }))
        const toGroup = await send(`${round} to the group`, { groupJid: group })
        for (const reader of [ana, bia]) await phones.shown(reader, toGroup)
        await phones.send(ana, { to: owner, text: `${round} from Ana` })
        await phones.send(bia, { to: group, text: `${round} from Bia` })
        for (const text of [`${round} from Ana`, `${round} from Bia`])
          await untilReceived(gateway, name, text)
      }
      await converse('before')
      const media = { type: 'image', base64: png(5, 5).toString('base64'), mimetype: 'image/png' }
      const withFile = await phones.send(ana, { to: owner, media })
      const fileOf = () => ask(gateway, `GET /api/v1/messages/${withFile}/media?instanceName=${name}`)
      await until('the file', async () => ((await fileOf()).status === 200 ? true : undefined))
      const scheduled = await send('scheduled', {
        number: ana,
        sendAt: new Date(Date.now() + 3_600_000).toISOString(),
        reference: 'campaign',
      })
      // The network refuses the instance, so that what is written now waits.
      await phones.post('/faults', { kind: 'refuse', number: owner, code: 503 })
      await phones.post('/faults', { kind: 'disconnect', number: owner })
      await until('a closed connection', async () =>
        (await stateOf(gateway, name)) === 'open' ? undefined : true,
      )
      const waiting = [await send('waiting 1', { number: ana }), await send('waiting 2', { groupJid: group })]
      await phones.send(ana, { to: owner, text: 'while it is away' })
      await gateway.stop('SIGTERM')
      await phones.ask('DELETE', '/faults')

      gateway = await start(source, { SESSIONS: 'off' })
      const views = [
        `/messages?instanceName=${name}&limit=100`,
        `/chats?instanceName=${name}&limit=100`,
        `/contacts?instanceName=${name}&limit=100`,
        `/groups?instanceName=${name}`,
        `/events?instanceName=${name}&limit=500`,
        `/instance/settings?instanceName=${name}`,
        '/webhooks',
        '/account/limits',
      ]
      const deviceIds = async () =>
        (await devicesOf(gateway, owner)).map((device) => (device as { id: number }).id)
      const viewsNow = () => Promise.all(views.map((path) => api(gateway, `GET ${path}`)))
      const [beforeMove, devices] = [await viewsNow(), await deviceIds()]
      // The kill below leaves the newest commits in the log beside the file.
      const refused = await runCli(['migrate', '--to', target.databaseUrl as string], settingsOf(source))
      assert.equal(refused.code, 1)
      assert.match(refused.stderr, /another Switchboard server is running/)
      await gateway.stop('SIGKILL')

      const fileBefore = await digestOf(source)
      const moved = done(
        await runCli(['migrate', '--to', target.databaseUrl as string, '--json'], settingsOf(source)),
      )
      assert.equal(moved.json.outcome, 'moved')
      assert.match(moved.stderr, /^messages: \d+ of \d+ rows$/m)
      assert.equal(await digestOf(source), fileBefore)

      const late = spawnServer({ PORT: '0', DATA_DIR: source.directory, API_KEY: key, ...environment })
      assert.equal((await late.exited).code, 1)
      assert.match(late.stderr() + late.stdout(), /must not be used any more: set DATABASE_URL/)

      const there = { ...target, directory: source.directory }
      gateway = await start(there, { SESSIONS: 'off' })
      assert.deepEqual(await viewsNow(), beforeMove)
      await gateway.stop('SIGTERM')

      receiver.open()
      gateway = await start(there)
      await untilState(gateway, name, 'open')
      for (const id of waiting) await phones.shown(ana, id)
      await untilReceived(gateway, name, 'while it is away')
      assert.deepEqual((await fileOf()).bytes, png(5, 5))
      await converse('after')
      assert.equal((await api(gateway, 'POST /messages/cancel', { reference: 'campaign' })).canceled, 1)
      assert.equal((await api(gateway, `GET /messages/${scheduled}`)).message.failure.reason, 'canceled')
      await until('every event at the webhook', async () => {
        const texts = JSON.stringify(receiver.delivered)
        const wanted = ['before from Ana', 'before from Bia', 'while it is away', 'after from Bia']
        return wanted.every((text) => texts.includes(text)) ? true : undefined
      })
      const ids = receiver.delivered.map(({ data }) => data.messageId)
      assert.equal(new Set(ids).size, ids.length, 'no event is delivered twice')
      assert.deepEqual(await deviceIds(), devices)
      await gateway.stop('SIGTERM')
    } finally {
      for (const { child } of servers) child.kill('SIGKILL')
      sandboxes.end()
      await receiver.close()
      await source.dispose()
      await target.dispose()
    }
  })
})
