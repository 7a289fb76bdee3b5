// The programs of docs/recipes/, each started as its document says, on a gateway with the sandbox.
import assert from 'node:assert/strict'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { cp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { installClient } from '../support/client-package.ts'
import { type Interpreter, php, python, root, startProgram } from '../support/client-programs.ts'
import { type ClientWorld, startClientWorld } from '../support/client-world.ts'
import { temporaryDirectory } from '../support/engines.ts'
import { api, newNumber, until, untilReceived, world } from '../support/linked.ts'

const RECIPES = join(root, 'docs/recipes')

interface Shown {
  id: string
  from: string
  text: string | null
}

for (const engine of behaviourEngines('sqlite'))
  describe(`recipes on ${engine.name}`, () => {
    let surroundings: ClientWorld
    let folder = ''
    let scratch = ''
    const running: ChildProcessWithoutNullStreams[] = []
    before(async () => {
      surroundings = await startClientWorld(engine)
      folder = await installClient()
      scratch = await temporaryDirectory()
      await cp(RECIPES, folder, { recursive: true })
    })
    after(async () => {
      for (const child of running) child.kill('SIGKILL')
      await surroundings.stop()
      for (const directory of [folder, scratch]) await rm(directory, { recursive: true, force: true })
    })

    const node = (): Interpreter => ({ command: process.execPath, directory: folder, environment: {} })
    /** In a file that imports the installed package. */
    const script = (name: string): string =>
      name.endsWith('.mjs') ? join(folder, name) : join(RECIPES, name)

    /** Resolves with the process and its first line, which a recipe writes when it is ready. */
    async function start(interpreter: Interpreter, name: string, more: Record<string, string> = {}) {
      const { gateway } = surroundings
      const environment = { SWITCHBOARD_URL: gateway.url, API_KEY: gateway.key, ...more }
      const child = startProgram(interpreter, [script(name)], environment)
      running.push(child)
      const errors: Buffer[] = []
      child.stderr.on('data', (chunk: Buffer) => errors.push(chunk))
      const ended = once(child, 'exit').then(() =>
        assert.fail(`${name} ended: ${Buffer.concat(errors).toString()}`),
      )
      ended.catch(() => undefined)
      const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [string]
      return { child, line }
    }

    async function kill(child: ChildProcessWithoutNullStreams): Promise<void> {
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
    }

    /** A phone that writes to the instance. */
    async function person(): Promise<string> {
      const number = newNumber()
      await world(surroundings.gateway, 'POST /phones', { number, name: 'Ana' })
      return number
    }
    const say = (number: string, text: string) =>
      world(surroundings.gateway, `POST /phones/${number}/send`, { to: surroundings.owner, text })
    /** Texts that the instance has sent to this phone. */
    async function answersTo(number: string): Promise<string[]> {
      const { messages } = (await world(surroundings.gateway, `GET /phones/${number}/messages`)) as {
        messages: (Shown & { fromMe?: boolean })[]
      }
      return messages.filter(({ from }) => from.startsWith(surroundings.owner)).map(({ text }) => text ?? '')
    }
    const untilAnswer = (number: string, wanted: string) =>
      until(`the answer "${wanted}"`, async () =>
        (await answersTo(number)).includes(wanted) ? wanted : undefined,
      )

    const bots: [language: string, file: string, interpreter: () => Interpreter | string][] = [
      ['Node', 'echo-bot.mjs', node],
      ['Python', 'echo_bot.py', python],
      ['PHP', 'echo-bot.php', php],
    ]
    for (const [language, file, find] of bots)
      test(`the echo bot in ${language} answers each text once, also after it was killed`, async (t) => {
        const interpreter = find()
        if (typeof interpreter === 'string') return t.skip(interpreter)
        const number = await person()
        const cursor = { CURSOR: join(scratch, `${file}.cursor`) }
        const first = await start(interpreter, file, cursor)
        assert.equal(first.line, 'The echo bot waits for messages.')
        await say(number, 'Olá 👋')
        await untilAnswer(number, 'Olá 👋')
        await kill(first.child)
        await say(number, 'Are you there?')
        await untilReceived(surroundings.gateway, surroundings.task.instanceName, 'Are you there?')
        const second = await start(interpreter, file, cursor)
        await untilAnswer(number, 'Are you there?')
        assert.deepEqual(await answersTo(number), ['Olá 👋', 'Are you there?'])
        await kill(second.child)
      })

    const post = async (line: string, body: unknown): Promise<{ status: number; text: string }> => {
      const url = /http:\S+/.exec(line)?.[0] ?? assert.fail(line)
      const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
      return { status: answer.status, text: await answer.text() }
    }

    test('order notices: an order that is posted twice is announced once', async () => {
      const number = await person()
      const { child, line } = await start(node(), 'order-notices.mjs', { PORT: '0' })
      const order = { id: 'A-1001', phone: number, name: 'Ana', status: 'shipped', tracking: 'BR123' }
      const first = await post(line, order)
      assert.equal(first.status, 200, first.text)
      assert.deepEqual(await post(line, order), first)
      const notice = 'Ana, order A-1001 is on its way. Tracking number: BR123'
      await untilAnswer(number, notice)
      assert.deepEqual(await answersTo(number), [notice])
      assert.equal((await post(line, { ...order, status: 'lost' })).status, 422)
      assert.equal((await post(line, { ...order, phone: 'x', status: 'paid' })).status, 422)
      assert.equal((await post(line, {})).status, 400)
      await kill(child)
    })

    test('the agent sends only what a person approves, and goes on after a kill and a rejection', async () => {
      const { gateway } = surroundings
      const number = await person()
      const wanted = { name: 'Agent', scopes: ['read', 'send'], chats: 'wrote_first', approval: true }
      const { key } = await api(gateway, 'POST /api-keys', wanted)
      const environment = { AGENT_KEY: key, API_KEY: '', STATE: join(scratch, 'agent.json') }
      const begin = () => start(node(), 'agent-with-approval.mjs', environment)
      const untilProposed = (text: string): Promise<string> =>
        until(`the proposal "${text}"`, async () => {
          const { messages } = (await api(gateway, 'GET /messages?status=awaiting_approval')) as {
            messages: { messageId: string; content: { message: string } }[]
          }
          assert.ok(messages.length <= 1, 'one proposal at a time')
          return messages.find(({ content }) => content.message === text)?.messageId
        })
      const first = await begin()
      assert.equal(first.line, 'The agent waits for messages.')
      await say(number, 'When are you open?')
      const hours = 'We are open from 9 to 18, Monday to Friday.'
      const proposed = await untilProposed(hours)
      assert.deepEqual(await answersTo(number), [])
      await kill(first.child)
      await api(gateway, `POST /messages/${proposed}/approve`)
      await untilAnswer(number, hours)
      const second = await begin()
      const rejected = await untilProposed('Shall I book a time for you?')
      const reason = 'Which day suits you?'
      await api(gateway, `POST /messages/${rejected}/reject`, { reason })
      await api(gateway, `POST /messages/${await untilProposed(reason)}/approve`)
      await untilAnswer(number, reason)
      assert.deepEqual(await answersTo(number), [hours, reason])
      await kill(second.child)
    })

    test('alerts of Uptime Kuma reach the people on call', async (t) => {
      const interpreter = python()
      if (typeof interpreter === 'string') return t.skip(interpreter)
      const number = await person()
      const { child, line } = await start(interpreter, 'uptime_kuma.py', { PORT: '0', ON_CALL: number })
      const alert = {
        heartbeat: {
          monitorID: 7,
          status: 0,
          time: '2026-01-31 12:00:00.000',
          msg: 'timeout of 48000ms exceeded',
        },
        monitor: { id: 7, name: 'Shop', url: 'https://shop.example.com' },
        msg: '[Shop] [🔴 Down] timeout of 48000ms exceeded',
      }
      assert.equal((await post(line, alert)).status, 204)
      assert.equal((await post(line, alert)).status, 204)
      await untilAnswer(number, '🔴 *Shop*\ntimeout of 48000ms exceeded\nhttps://shop.example.com')
      assert.equal(
        (await post(line, { heartbeat: null, monitor: null, msg: 'My alert Testing' })).status,
        204,
      )
      await untilAnswer(number, 'My alert Testing')
      assert.equal((await answersTo(number)).length, 2)
      assert.equal((await post(line, [])).status, 400)
      await kill(child)
    })

    test('events are written into a table, each once, also after a kill', async (t) => {
      const interpreter = python()
      if (typeof interpreter === 'string') return t.skip(interpreter)
      const file = join(scratch, 'events.db')
      const { gateway, task } = surroundings
      const rowsOf = (): string[] => {
        const database = new DatabaseSync(file, { readOnly: true })
        try {
          return database
            .prepare('select id from events order by position')
            .all()
            .map((row) => String(row['id']))
        } finally {
          database.close()
        }
      }
      const listed = async (): Promise<string[]> => {
        const { events } = (await api(gateway, 'GET /events?limit=500')) as { events: { id: string }[] }
        return events.map(({ id }) => id)
      }
      const untilWritten = () =>
        until('all events in the table', async () => {
          const wanted = await listed()
          return rowsOf().length >= wanted.length ? wanted : undefined
        })
      const first = await start(interpreter, 'events_to_sqlite.py', { DATABASE: file })
      assert.ok((await untilWritten()).length > 3)
      await kill(first.child)
      const { instanceName, number } = task
      await api(gateway, 'POST /send/text', {
        instanceName,
        number,
        message: 'while it is stopped',
        delay: 0,
      })
      const second = await start(interpreter, 'events_to_sqlite.py', { DATABASE: file })
      await untilWritten()
      await kill(second.child)
      const rows = rowsOf()
      assert.deepEqual(rows, (await listed()).slice(0, rows.length))
    })

    test('the package has types: a wrong field is an error', async () => {
      const use = (field: string) => `import { createClient } from 'switchboard-client'
const client = createClient({ url: 'http://127.0.0.1:8080', key: 'k' })
export const sent = client.sendText({ instanceName: 'a', number: '1', ${field}: 'Hello' })
for await (const message of client.iterateMessages({ limit: 2 })) console.log(message.messageId.length)
`
      await writeFile(join(folder, 'right.mts'), use('message'))
      await writeFile(join(folder, 'wrong.mts'), use('text'))
      const options = [
        '--noEmit',
        '--strict',
        '--module',
        'nodenext',
        '--target',
        'es2022',
        '--lib',
        'es2022,dom',
      ]
      const compile = async (name: string): Promise<string> => {
        const child = startProgram({ ...node(), command: join(root, 'node_modules/.bin/tsc') }, [
          ...options,
          '--types',
          '',
          name,
        ])
        const output: Buffer[] = []
        child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
        await once(child, 'close')
        return Buffer.concat(output).toString()
      }
      assert.equal(await compile('right.mts'), '')
      assert.match(await compile('wrong.mts'), /'text' does not exist/)
    })
  })
