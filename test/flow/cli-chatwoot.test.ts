// `chatwoot` and `webhooks save --format` on the command line, against a listening gateway, a server that behaves as Chatwoot, and a
// receiver of the Cloud API.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type ChatwootServer, startChatwootServer } from '../support/chatwoot-server.ts'
import { done, type Environment, runCliHere, scratchDirectory } from '../support/cli.ts'
import { startCloudReceiver } from '../support/cloud.ts'
import { type Engine, engines } from '../support/engines.ts'
import { type Gateway, startGateway } from '../support/gateway.ts'
import { RECEIVER_HOST } from '../support/receiver.ts'

describe('commands for programs that expect another API', () => {
  let gateway: Gateway
  let chatwoot: ChatwootServer
  let environment: Environment
  let name = ''
  before(async () => {
    gateway = await startGateway(engines[0] as Engine)
    chatwoot = await startChatwootServer()
    const account = await gateway.account()
    name = (await gateway.openInstance(account)).name
    environment = {
      DATA_DIR: await scratchDirectory(),
      SWITCHBOARD_URL: gateway.url,
      API_KEY: account.key,
    }
  })
  after(async () => {
    await gateway.stop()
    await chatwoot.close()
  })
  const cli = (args: string[], input?: string) => runCliHere(['chatwoot', ...args], environment, input)
  const url = () => `https://${RECEIVER_HOST}:${new URL(chatwoot.url).port}/`
  const connect = (...more: string[]) => {
    const desk = ['--chatwoot-url', url(), '--chatwoot-account', String(chatwoot.accountId)]
    return ['connect', name, ...desk, '--gateway-url', gateway.url, ...more]
  }

  test('an instance is connected with a token from a pipe, shown, changed and disconnected', async () => {
    const missing = await cli(['show', name])
    assert.equal(missing.code, 1)
    assert.match(missing.stderr, /chatwoot_not_set/)
    const connected = done(await cli(connect('--token-file', '-', '--json'), `${chatwoot.token}\n`)).json
    assert.deepEqual([connected.bridge.enabled, connected.bridge.reopenConversation], [true, true])
    const shown = done(await cli(['show', name]))
    assert.match(shown.stdout, /chatwoot|inbox/)
    assert.ok(!shown.stdout.includes(chatwoot.token), 'the token is not shown')
    const changes = ['--sign-names', '--ignore-groups', '--new-conversations', '--pending', '--disable']
    const { bridge } = done(await cli(connect(...changes, '--json'))).json
    assert.deepEqual(
      [bridge.signAgentNames, bridge.ignoreGroups, bridge.reopenConversation, bridge.conversationPending],
      [true, true, false, true],
    )
    assert.equal(bridge.enabled, false)
    assert.equal(bridge.inboxId, connected.bridge.inboxId)
    done(await cli(connect()))
    const history = done(await cli(['history', name, '--days', '7', '--json'])).json
    assert.deepEqual([history.pushed, history.next], [0, null])
    done(await cli(['disconnect', name]))
    assert.equal((await cli(['show', name])).code, 1)
  })

  test('a webhook in the format of the Cloud API is saved with the token from a file', async () => {
    const receiver = await startCloudReceiver('a-token')
    const save = (args: string[], input?: string) =>
      runCliHere(['webhooks', 'save', ...args, '--json'], environment, input)
    const cloud = [receiver.namedUrl, '--format', 'cloud', '--verify-token-file', '-']
    const { webhook } = done(await save(cloud, 'a-token\n')).json
    assert.deepEqual([webhook.format, webhook.filter.chats], ['cloud', 'people'])
    const back = done(await save(['--id', String(webhook.id), '--format', 'switchboard'])).json
    assert.equal(back.webhook.format, 'switchboard')
    const wrong = await save([receiver.namedUrl, '--format', 'evolution'])
    assert.deepEqual([wrong.code, /--format: expected one of/.test(wrong.stderr)], [2, true])
    await receiver.close()
  })

  test('a wrong command line exits with 2 and names the error', async () => {
    for (const [args, named] of [
      [['connect', name], '--chatwoot-url'],
      [['connect', name, '--chatwoot-url', url(), '--chatwoot-account', 'one'], '--chatwoot-account'],
      [['history', name, '--days', 'all'], '--days'],
      [['show'], 'API_NAME'],
    ] as const) {
      const ran = await cli([...args])
      assert.equal(ran.code, 2, args.join(' '))
      assert.ok(ran.stderr.includes(named), ran.stderr)
    }
  })
})
