// The commands about destinations, against a listening gateway.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { LOGIN } from '../contract/destination-rules.ts'
import { done, type Environment, runCliHere, scratchDirectory } from '../support/cli.ts'
import { type Engine, engines } from '../support/engines.ts'
import { type Gateway, startGateway } from '../support/gateway.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'

describe('destinations on the command line', () => {
  let gateway: Gateway
  let receiver: Receiver
  let environment: Environment
  before(async () => {
    gateway = await startGateway(engines[0] as Engine)
    receiver = await startReceiver()
    const account = await gateway.account()
    environment = { DATA_DIR: await scratchDirectory(), SWITCHBOARD_URL: gateway.url, API_KEY: account.key }
  })
  after(async () => {
    await gateway.stop()
    await receiver.close()
  })
  const cli = (args: string[], input?: string) => runCliHere(['destinations', ...args], environment, input)
  const json = async (args: string[], input?: string) => done(await cli([...args, '--json'], input)).json

  test('saved with a password from a pipe, shown without it, tested, paused, replayed and deleted', async () => {
    const url = new URL('/1/events', receiver.url).href
    const login = ['--username', LOGIN.username, '--region', 'eu-test-1', '--password-file', '-']
    const made = await json(
      ['save', url, '--type', 'sqs', ...login, '--chats', 'people'],
      `${LOGIN.password}\n`,
    )
    const { destination } = made
    assert.deepEqual([destination.hasPassword, destination.filter.chats], [true, 'people'])
    const id = String(destination.id)
    for (const args of [['list'], ['show', id]]) {
      const { stdout } = done(await cli(args))
      assert.match(stdout, /sqs/)
      assert.doesNotMatch(stdout, new RegExp(LOGIN.password))
    }
    assert.equal((await json(['test', id])).delivered, true)
    assert.match(done(await cli(['pause', id])).stdout, /^Destination \d+ paused\.$/m)
    assert.equal((await json(['show', id])).destination.enabled, false)
    done(await cli(['resume', id]))
    assert.equal((await json(['show', id])).destination.enabled, true)
    assert.equal((await json(['deliveries', id, '--status', 'dead'])).count, 0)
    const since = new Date().toISOString()
    assert.match(done(await cli(['replay', id, '--since', since])).stdout, /^0 events queued/)
    assert.match((await cli(['replay', id, '1'])).stderr, /delivery_not_found/)
    done(await cli(['delete', id]))
    assert.match((await cli(['show', id])).stderr, /destination_not_found/)
  })

  test('the options of each type are passed on, and wrong ones are named', async () => {
    const redis = [
      'save',
      'rediss://a.example.com',
      '--type',
      'redis',
      '--topic',
      'crm',
      '--max-length',
      '500',
    ]
    const { maxLength, topic } = (await json(redis)).destination
    assert.deepEqual([maxLength, topic], [500, 'crm'])
    const rabbit = ['save', 'amqps://a.example.com', '--type', 'rabbitmq', '--exchange', 'events']
    assert.equal((await json(rabbit)).destination.exchange, 'events')
    const mqtt = ['save', 'mqtts://a.example.com', '--type', 'mqtt', '--home-assistant']
    assert.equal((await json(mqtt)).destination.homeAssistant, true)
    for (const [args, message] of [
      [['save', 'amqps://a.example.com'], /URL and --type/],
      [['save', 'amqps://a.example.com', '--type', 'kafka'], /--type: expected one of/],
      [['pause', 'x'], /ID: expected/],
      [['replay', '1'], /DELIVERY_ID or --since/],
    ] as const) {
      const { code, stderr } = await cli([...args])
      assert.equal(code, 2, stderr)
      assert.match(stderr, message)
    }
  })
})
