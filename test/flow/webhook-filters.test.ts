// Webhooks with filters: each receiver gets the events of the chats, people and directions that it asks for, and no others.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { answers } from '../../src/contract/sandbox-world.ts'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { AUTHORITY_FILE } from '../support/certificates.ts'
import { type PairedInstance, type SandboxWorld, startSandboxWorld, until } from '../support/sandbox-world.ts'
import { startWebHost, type WebHost } from '../support/web-host.ts'

interface Delivered {
  event: string
  data: { text?: string | null; chat?: string; historical?: boolean }
}

const FILTERS = {
  everything: {},
  people: { chats: 'people' },
  groups: { chats: 'groups' },
  bob: { from: [] as string[] },
  incoming: { directions: ['incoming'] },
  outgoing: { chats: 'people', directions: ['outgoing'] },
}
type Name = keyof typeof FILTERS

for (const engine of behaviourEngines('postgres'))
  describe(`filters of webhooks on ${engine.name}`, () => {
    const prefix = engine.name === 'sqlite' ? '5511965550' : '5511966660'
    const [OWNER, BOB, CAROL] = [1, 2, 3].map((last) => `${prefix}00${last}`) as [string, string, string]
    let sandbox: SandboxWorld
    let line: PairedInstance
    let host: WebHost
    let group = ''
    const received = new Map<string, Delivered[]>()
    const hooks = new Map<string, number>()
    const storeLocation = engine.createLocation()
    before(async () => {
      const { databaseUrl } = await storeLocation
      host = await startWebHost(
        (request, response) => {
          let body = ''
          request.setEncoding('utf8').on('data', (text: string) => (body += text))
          request.on('end', () => {
            const name = (request.url ?? '').slice(1)
            received.set(name, [...(received.get(name) ?? []), JSON.parse(body) as Delivered])
            response.end('ok')
          })
        },
        { tls: 'trusted' },
      )
      const more = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }
      sandbox = await startSandboxWorld({ EXTRA_CA_FILE: AUTHORITY_FILE, ...more })
      await sandbox.world.phone(BOB, 'Bob')
      await sandbox.world.phone(CAROL, 'Carol')
      line = await sandbox.pair(OWNER)
      const members = [OWNER, BOB, CAROL]
      const made = await sandbox.world.post('/groups', { subject: 'Team', admin: OWNER, members })
      group = answers.group.parse(made).group.jid
      FILTERS.bob.from = [BOB]
      for (const [name, filter] of Object.entries(FILTERS)) {
        const body = { url: `${host.url}/${name}`, events: ['messages.upsert', 'connection.update'], filter }
        hooks.set(name, (await sandbox.api('saveWebhook', { body })).webhook.id)
      }
    })
    after(async () => {
      await sandbox.stop()
      await host.close()
      await (await storeLocation).dispose()
    })

    const textsOf = (name: Name): string[] =>
      (received.get(name) ?? []).flatMap(({ event, data }) =>
        event === 'messages.upsert' ? [data.text ?? ''] : [],
      )
    const untilText = (name: Name, text: string) =>
      until(
        async () => textsOf(name),
        (texts) => texts.includes(text),
        `${text} at ${name}`,
      )

    test('each receiver gets the messages that pass its filter, and the events without a chat', async () => {
      const says = async (from: string, to: string, text: string) =>
        sandbox.message(line, await sandbox.world.send(from, { to, text }))
      await says(BOB, OWNER, 'bob')
      await says(CAROL, OWNER, 'carol')
      await says(BOB, group, 'bob in the group')
      await says(CAROL, group, 'carol in the group')
      const status = await sandbox.world.post(`/phones/${BOB}/status`, { text: 'status', to: [OWNER] })
      await sandbox.message(line, String(status['messageId']))
      const send = (body: object) =>
        sandbox.api('sendText', { body: { instanceName: line.name, delay: 0, ...body } })
      await send({ number: BOB, message: 'to bob' })
      await send({ groupJid: group, message: 'to the group' })
      await sandbox.api('restartInstance', { query: { instanceName: line.name } })
      for (const name of Object.keys(FILTERS) as Name[])
        await until(
          async () => (received.get(name) ?? []).map(({ event }) => event),
          (names) => names.includes('connection.update'),
          `the connection at ${name}`,
        )
      const expected: Record<Name, string[]> = {
        everything: [
          'bob',
          'carol',
          'bob in the group',
          'carol in the group',
          'status',
          'to bob',
          'to the group',
        ],
        people: ['bob', 'carol', 'to bob'],
        groups: ['bob in the group', 'carol in the group', 'to the group'],
        bob: ['bob', 'bob in the group', 'status'],
        incoming: ['bob', 'carol', 'bob in the group', 'carol in the group', 'status'],
        outgoing: ['to bob'],
      }
      for (const [name, texts] of Object.entries(expected))
        assert.deepEqual(textsOf(name as Name), texts, name)
    })

    test('messages of a history reach only a webhook that takes them', async () => {
      const DAVE = `${prefix}004`
      const old = ['old 1', 'old 2', 'old 3']
      await sandbox.world.phone(DAVE, 'Dave')
      let last = ''
      for (const text of old) last = await sandbox.world.send(BOB, { to: DAVE, text })
      await sandbox.world.shown(DAVE, last)
      const body = { url: `${host.url}/history`, events: ['messages.upsert'], history: true }
      const { webhook } = await sandbox.api('saveWebhook', { body })
      await sandbox.pair(DAVE)
      const delivered = await until(
        async () => received.get('history') ?? [],
        (found) => found.length === old.length,
        'the history',
      )
      assert.deepEqual(
        delivered.map(({ data }) => [data.text, data.historical]),
        old.map((text) => [text, true]),
      )
      assert.ok(!textsOf('everything').some((text) => text.startsWith('old')))
      await sandbox.api('deleteWebhook', { params: { id: webhook.id } })
    })

    test('a changed filter counts from the next event on, and the list of deliveries has only what was wanted', async () => {
      const id = hooks.get('outgoing') as number
      const listed = async () =>
        (await sandbox.api('listDeliveries', { params: { id } })).deliveries.filter(
          ({ event }: { event: string }) => event === 'messages.upsert',
        ).length
      assert.equal(await listed(), 1)
      await sandbox.api('saveWebhook', { body: { id, filter: { directions: ['incoming'] } } })
      await sandbox.world.send(CAROL, { to: OWNER, text: 'after the change' })
      await untilText('outgoing', 'after the change')
      assert.equal(await listed(), 2)
    })
  })
