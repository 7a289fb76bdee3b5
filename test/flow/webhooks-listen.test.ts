// `webhooks listen` as its own process: a program on this machine gets every event, in order, signed, and also after a restart.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { verifyDelivery } from '../../src/contract/verify-delivery.ts'
import { runCli, scratchDirectory, startCli } from '../support/cli.ts'
import { COMPILE_CACHE } from '../support/compile-cache.ts'
import { type Engine, engines } from '../support/engines.ts'
import { type Account, type Gateway, startGateway } from '../support/gateway.ts'
import { until } from '../support/sandbox-world.ts'
import { startWebHost, type WebHost } from '../support/web-host.ts'

interface Posted {
  body: string
  headers: Record<string, string>
}

describe('webhooks listen', () => {
  let gateway: Gateway
  let account: Account
  let host: WebHost
  let instance: { name: string }
  let directory = ''
  let environment: Record<string, string> = {}
  const posted: Posted[] = []
  const running: ChildProcess[] = []
  let status = 200
  before(async () => {
    gateway = await startGateway(engines[0] as Engine)
    account = await gateway.account()
    instance = await gateway.openInstance(account)
    directory = await scratchDirectory()
    await writeFile(join(directory, 'secret'), 'a secret of our own\n')
    environment = { DATA_DIR: directory, SWITCHBOARD_URL: gateway.url, API_KEY: account.key }
    host = await startWebHost((request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', (piece: string) => (body += piece))
      request.on('end', () => {
        posted.push({ body, headers: request.headers as Record<string, string> })
        response.writeHead(status).end()
      })
    })
  })
  after(async () => {
    for (const child of running) child.kill('SIGKILL')
    await host.close()
    await gateway.stop()
  })

  const cursor = () => join(directory, 'cursor')
  const options = () => [
    '--event',
    'messages.upsert',
    '--cursor',
    cursor(),
    '--secret-file',
    join(directory, 'secret'),
  ]
  const listen = () => {
    const child = startCli(['webhooks', 'listen', `${host.url}/local`, ...options()], environment)
    running.push(child)
    return child
  }
  const say = async (message: string) => {
    const body = { instanceName: instance.name, number: '5511912345678', message }
    assert.equal((await account.call('sendText', { body })).status, 200)
  }
  const texts = () => posted.map(({ body }) => JSON.parse(body).data.content.message as string)
  const untilPosted = (...wanted: string[]) =>
    until(
      async () => texts(),
      (seen) => wanted.every((text) => seen.includes(text)),
      wanted.join(', '),
    )
  /** The listener knows from where it goes on. */
  const untilReady = () =>
    until(
      () => readFile(cursor(), 'utf8').catch(() => ''),
      (text) => text !== '',
      'the cursor',
    )

  test('new events arrive signed, one that is refused arrives again, and none is lost while it does not run', async () => {
    await say('before')
    const first = listen()
    await untilReady()
    await say('one')
    await untilPosted('one')
    const [delivery] = posted as [Posted]
    const secret = 'a secret of our own'
    assert.equal(await verifyDelivery({ ...delivery, secret }), true)
    const { events } = (await account.call('listEvents', { query: { limit: 500 } })).json
    const listed = events.find(({ id }: { id: string }) => id === delivery.headers['webhook-id'])
    assert.deepEqual(JSON.parse(delivery.body), listed)

    status = 500
    await say('two')
    await untilPosted('two')
    status = 200
    await until(
      async () => texts(),
      (seen) => seen.filter((text) => text === 'two').length >= 2,
      'the second try',
    )
    const ids = posted
      .filter(({ body }) => body.includes('"two"'))
      .map(({ headers }) => headers['webhook-id'])
    assert.equal(new Set(ids).size, 1)
    await until(
      () => readFile(cursor(), 'utf8'),
      (text) => text.trim() === ids[0],
      'the accepted event in the cursor',
    )
    first.kill('SIGKILL')
    await once(first, 'exit')

    for (const text of ['three', 'four']) await say(text)
    posted.length = 0
    const second = listen()
    await untilPosted('three', 'four')
    assert.deepEqual([...new Set(texts())], ['three', 'four'])
    second.kill('SIGINT')
    const [code] = await once(second, 'exit')
    assert.equal(code, 0)
    assert.ok(!texts().includes('before'))
  })

  test('npm run cli: SIGTERM to npm ends the listener', async () => {
    const npm = spawn('npm', ['run', 'cli', '--', 'webhooks', 'listen', `${host.url}/local`], {
      cwd: join(import.meta.dirname, '../..'),
      env: { PATH: process.env.PATH, HOME: directory, NODE_COMPILE_CACHE: COMPILE_CACHE, ...environment },
    })
    running.push(npm)
    const ready = Promise.withResolvers<void>()
    npm.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('Events are posted from now on')) ready.resolve()
    })
    npm.stdout.resume()
    // The pipes close when the last process that holds them has ended: the listener itself.
    const gone = once(npm, 'close')
    await Promise.race([ready.promise, gone.then(() => assert.fail('ended before it was ready'))])
    npm.kill('SIGTERM')
    await gone
  })

  test('a wrong URL, event, cursor or instance is named', async () => {
    const run = async (...args: string[]) =>
      (await runCli(['webhooks', 'listen', ...args], environment)).stderr
    assert.match(await run('ftp://localhost'), /URL: expected an http or https URL/)
    assert.match(await run(host.url, '--event', 'messages'), /--event: expected one of messages\.upsert/)
    assert.match(await run(host.url, '--instance', 'unknown-00000000'), /There is no such instance/)
    const file = join(directory, 'wrong')
    await writeFile(file, 'evt')
    assert.match(await run(host.url, '--cursor', file), /does not contain the id of an event/)
  })
})
