// Two instances of one account write to each other: both have a message with the same id, and each reads its own.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { png } from '../support/sample-files.ts'
import { type PairedInstance, type SandboxWorld, startSandboxWorld, until } from '../support/sandbox-world.ts'
import { startWebHost, type WebHost } from '../support/web-host.ts'

const [ANA, BOB] = ['5511955550001', '5511955550002'] as const
const FILE = png(4, 3)

for (const engine of behaviourEngines('postgres')) {
  describe(`two instances of one account on ${engine.name}`, () => {
    let sandbox: SandboxWorld
    let files: WebHost
    let ana: PairedInstance
    let bob: PairedInstance
    const ended: (() => Promise<unknown>)[] = []
    before(async () => {
      const storeLocation = await engine.createLocation()
      ended.push(storeLocation.dispose)
      files = await startWebHost((_request, response) => {
        response.writeHead(200, { 'content-type': 'image/png' })
        response.end(FILE)
      })
      ended.push(files.close)
      sandbox = await startSandboxWorld(
        storeLocation.databaseUrl === undefined ? {} : { DATABASE_URL: storeLocation.databaseUrl },
      )
      ended.push(sandbox.stop)
      ana = await sandbox.pair(ANA, 'Ana')
      bob = await sandbox.pair(BOB, 'Bob')
    })
    after(async () => {
      for (const end of ended.toReversed()) await end()
    })

    const sendPicture = async (from: PairedInstance, to: PairedInstance) => {
      const mediaUrl = `${files.url}/photo.png`
      const body = { instanceName: from.name, number: to.number, type: 'image', mediaUrl, delay: 0 }
      const sent = await sandbox.api('sendMedia', { body, headers: { prefer: 'wait=20' } })
      assert.equal(sent.status, 'sent')
      await sandbox.message(to, sent.messageId)
      return sent.messageId as string
    }

    test('both instances can download the file, the receiving one also without its name and by the path in the event', async () => {
      const messageId = await sendPicture(ana, bob)
      const file = (query: Record<string, string>) =>
        sandbox.call('getMessageMedia', { params: { messageId }, query })
      for (const query of [{}, { instanceName: bob.name }, { instanceName: ana.name }]) {
        const found = await file(query)
        assert.equal(found.status, 200, JSON.stringify(query))
        assert.ok(found.bytes.equals(FILE))
      }
      const upsert = (await sandbox.events(bob, messageId)).find(({ event }) => event === 'messages.upsert')
      assert.ok(upsert)
      const { media } = upsert.data as { media: { downloadPath: string } }
      const headers = { authorization: `Bearer ${sandbox.key}` }
      const response = await fetch(`${sandbox.app.url}/api/v1${media.downloadPath}`, { headers })
      assert.equal(response.status, 200)
      assert.ok(Buffer.from(await response.arrayBuffer()).equals(FILE))
      assert.ok(media.downloadPath.includes(bob.name), 'the path says whose message it is')
    })

    test('each instance has its own message: receipts update the sent one, reading updates both', async () => {
      const messageId = await sendPicture(bob, ana)
      const stateAt = async (query: Record<string, string>) => {
        const { message } = await sandbox.api('getMessage', { params: { messageId }, query })
        return [message.instanceName, message.direction, message.status].join(' ')
      }
      await until(
        () => stateAt({}),
        (state) => state === `${bob.name} outgoing delivered`,
        'the receipt',
      )
      assert.equal(await stateAt({ instanceName: ana.name }), `${ana.name} incoming delivered`)
      await sandbox.api('readChat', {
        query: { instanceName: ana.name },
        body: { chat: `${BOB}@s.whatsapp.net` },
      })
      assert.equal(await stateAt({ instanceName: ana.name }), `${ana.name} incoming read`)
      await until(
        () => stateAt({}),
        (state) => state === `${bob.name} outgoing read`,
        'the read receipt',
      )
      const cancelled = await sandbox.call('cancelMessage', { params: { messageId } })
      assert.deepEqual([cancelled.status, cancelled.json.status], [409, 'read'])
    })
  })
}
