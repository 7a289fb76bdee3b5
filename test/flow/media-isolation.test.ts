// The file of a message: bytes that were fetched for its own account, and never from the gateway itself.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { answers } from '../../src/contract/sandbox-world.ts'
import { png } from '../support/sample-files.ts'
import { type SandboxWorld, startSandboxWorld } from '../support/sandbox-world.ts'
import { startWebHost } from '../support/web-host.ts'

describe('the file of a message', () => {
  let sandbox: SandboxWorld
  before(async () => void (sandbox = await startSandboxWorld()))
  after(() => sandbox.stop())

  test('the file of one account never reaches a recipient of another, although both use the same URL', async () => {
    const files = [png(1, 1), png(2, 2)]
    const host = await startWebHost((_, response) => response.end(files.shift()))
    try {
      await sandbox.world.phone('5511933330003', 'Receiver')
      const other = await sandbox.otherAccount()
      const senders = [
        { api: sandbox.api, line: await sandbox.pair('5511933330001') },
        { api: other.api, line: await other.pair('5511933330002') },
      ]
      const received: Buffer[] = []
      for (const { api, line } of senders) {
        const { messageId } = await api('sendMedia', {
          body: {
            instanceName: line.name,
            number: '5511933330003',
            type: 'image',
            mediaUrl: `${host.url}/a`,
            delay: 0,
          },
        })
        await sandbox.world.shown('5511933330003', messageId)
        received.push(await sandbox.world.bytes(`/phones/5511933330003/messages/${messageId}/media`))
      }
      assert.deepEqual(received, [png(1, 1), png(2, 2)])
    } finally {
      await host.close()
    }
  })

  test('neither the gateway nor the sandbox network is a source of files, although their address is allowed', async () => {
    const line = await sandbox.pair('5511933330004')
    const { wsUrl } = await sandbox.world.get('/network', answers.network)
    for (const url of [sandbox.app.url, wsUrl.replace(/^ws/, 'http')]) {
      const body = { instanceName: line.name, number: '5511933330003', type: 'document', mediaUrl: url }
      const answer = await sandbox.call('sendMedia', { body })
      assert.deepEqual([answer.status, answer.json.reason], [400, 'url_not_allowed'], url)
    }
  })
})
