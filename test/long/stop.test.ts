// SIGTERM ends the server with exit code 0 within 20 s in every situation, and the next start continues what was interrupted.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { databaseFile } from '../../src/store/engines/sqlite/open.ts'
import { AUTHORITY_FILE } from '../support/certificates.ts'
import { COMPILE_CACHE } from '../support/compile-cache.ts'
import { withDatabase } from '../support/database.ts'
import { type Engine, engines, type StoreLocation } from '../support/engines.ts'
import { assertCleanExit } from '../support/exit.ts'
import { api, linkedInstance, newNumber, until, untilState, world } from '../support/linked.ts'
import { environmentOf, spawnServer } from '../support/process.ts'
import { startProxy } from '../support/proxy.ts'
import { png } from '../support/sample-files.ts'
import { onSharedSandbox } from '../support/shared-sandbox.ts'
import { newKey, type Started, startWithKey } from '../support/started.ts'
import { startWebHost } from '../support/web-host.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TARGETS = { ALLOW_TARGETS: '127.0.0.1', EXTRA_CA_FILE: AUTHORITY_FILE }

type Start = (more?: Record<string, string>) => Promise<Started>

/** Kills the servers that a failed test left running. */
async function withLocation(
  engine: Engine,
  work: (storeLocation: StoreLocation, start: Start) => Promise<void>,
): Promise<void> {
  const storeLocation = await engine.createLocation()
  const key = newKey()
  const servers: Started[] = []
  try {
    await work(storeLocation, async (more = {}) => {
      const server = await startWithKey(storeLocation, key, more)
      servers.push(server)
      return server
    })
  } finally {
    for (const { child } of servers) child.kill('SIGKILL')
    await storeLocation.dispose()
  }
}

/** Sends bytes that are not a whole request and keeps the connection open. */
async function startRequest(url: string, bytes: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(bytes)
  return socket
}

const requestHead = (call: string, key: string, more: string[] = []): string =>
  [`${call} HTTP/1.1`, 'Host: gateway', `Authorization: Bearer ${key}`, ...more].join('\r\n')

const stopped = async (server: Started): Promise<void> => {
  server.child.kill('SIGTERM')
  await assertCleanExit(server.exited, () => server.stdout() + server.stderr())
}

const statusOf = async (gateway: Started, messageId: string): Promise<string> =>
  (await api(gateway, `GET /messages/${messageId}`)).message.status

for (const engine of engines) {
  describe(`stopping on ${engine.name}`, { concurrency: true }, () => {
    test('peers that never answer do not delay the stop, and the next start sends interrupted messages once', () =>
      withLocation(engine, async (storeLocation, start) => {
        let isMediaHostSilent = true
        const host = await startWebHost((request, response) => {
          // The webhook receiver never answers, the media host not before the second start of the server.
          if (request.url === '/picture.png' && !isMediaHostSilent) response.end(png(4, 4))
        })
        const hooks = await startWebHost(() => undefined, { tls: 'trusted' })
        const sockets: Socket[] = []
        try {
          const settings = { ...TARGETS, ...(await onSharedSandbox()) }
          const gateway = await start(settings)
          const numbers = [newNumber(), newNumber()] as const
          const [line, silent] = [
            await linkedInstance(gateway, numbers[0]),
            await linkedInstance(gateway, numbers[1]),
          ]
          const friend = newNumber()
          await world(gateway, 'POST /phones', { number: friend })
          const send = (instanceName: string, path: string, body: object) =>
            api(gateway, `POST ${path}`, { instanceName, number: friend, delay: 0, ...body })
          // The address is known before the socket falls silent, so that the send itself is what hangs.
          const before = await send(silent, '/send/text', { message: 'before' })
          await until('sent', async () =>
            (await statusOf(gateway, before.messageId)) === 'delivered' ? true : undefined,
          )
          await api(gateway, 'POST /webhooks', { url: `${hooks.url}/hook` })
          await world(gateway, 'POST /faults', { number: numbers[1], kind: 'silent' })
          const picture = { type: 'image', mediaUrl: `${host.url}/picture.png` }
          const waiting = [
            await send(line, '/send/media', picture),
            await send(silent, '/send/text', { message: 'into silence' }),
          ].map(({ messageId }) => messageId as string)
          await until('all hang', async () =>
            host.requests() > 0 &&
            hooks.requests() > 0 &&
            (await statusOf(gateway, waiting[1]!)) === 'sending'
              ? true
              : undefined,
          )
          const authorized = (call: string, more: string[] = []) => requestHead(call, gateway.key, more)
          for (const bytes of [
            'GET /healthz HT',
            authorized('GET /api/v1/instances'),
            `${authorized('POST /api/v1/send/text', ['Content-Type: application/json', 'Content-Length: 99'])}\r\n\r\n{"half":`,
            `${authorized('GET /api/v1/events/stream')}\r\n\r\n`,
            `${authorized(`GET /sandbox/v1/phones/${friend}/messages?waitMs=30000&after=nothing`)}\r\n\r\n`,
          ])
            sockets.push(await startRequest(gateway.url, bytes))
          await stopped(gateway)
          const lanes = await withDatabase(storeLocation, (db) =>
            db.rows<{ locked: number }>(
              `select count(*) as locked from lanes where kind = 'send' and locked_until is not null`,
            ),
          )
          assert.equal(Number(lanes[0]?.locked), 0, 'every lane is free for the next start')

          isMediaHostSilent = false
          const next = await start(settings)
          await untilState(next, line, 'open')
          await untilState(next, silent, 'open')
          for (const messageId of waiting) {
            await until(`${messageId} delivered`, async () =>
              (await statusOf(next, messageId)) === 'delivered' ? true : undefined,
            )
          }
          const { messages } = await world(next, `GET /phones/${friend}/messages`)
          const shown = (messages as { id: string }[]).map(({ id }) => id)
          assert.deepEqual(shown.toSorted(), [before.messageId, ...waiting].toSorted(), 'each once')
          await stopped(next)
        } finally {
          for (const socket of sockets) socket.destroy()
          await host.close()
          await hooks.close()
        }
      }))

    test('a database that does not answer does not delay the stop', () =>
      withLocation(engine, (storeLocation, start) =>
        storeLocation.databaseUrl === undefined
          ? locked(storeLocation, start)
          : stalled(storeLocation.databaseUrl, start),
      ))
  })
}

async function locked(storeLocation: StoreLocation, start: Start): Promise<void> {
  const gateway = await start(await onSharedSandbox())
  const db = new DatabaseSync(databaseFile(storeLocation.directory), { timeout: 5000 })
  try {
    db.exec('begin immediate')
    await keepAsking(gateway, () => stopped(gateway))
  } finally {
    db.close()
  }
}

async function stalled(databaseUrl: string, start: Start): Promise<void> {
  const url = new URL(databaseUrl)
  const proxy = await startProxy({ host: url.hostname, port: Number(url.port) })
  url.host = `127.0.0.1:${proxy.port}`
  const gateway = await start({ DATABASE_URL: url.href, ...(await onSharedSandbox()) })
  proxy.stall()
  try {
    await keepAsking(gateway, () => stopped(gateway))
  } finally {
    await proxy.shut()
  }
}

/** Requests that wait for the database are under way while the server stops. */
async function keepAsking(gateway: Started, stop: () => Promise<void>): Promise<void> {
  const requested = Array.from({ length: 5 }, (_, count) =>
    fetch(`${gateway.url}/api/v1/instance/create`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ instanceName: `Waiting ${count}` }),
    }).catch(() => undefined),
  )
  await fetch(`${gateway.url}/healthz`)
  await stop()
  await Promise.all(requested)
}

const [sqlite] = engines as [Engine]

describe('stopping', { concurrency: 3 }, () => {
  // `npm start` builds a dashboard that is out of date, which takes longer than the start.
  before(() => promisify(execFile)(process.execPath, ['scripts/build.ts', 'start'], { cwd: ROOT }))
  const skip = existsSync('/proc/self/task') ? false : 'only Linux names the children of a process'
  test(
    'a sandbox network that does not answer does not delay the stop, and a second signal changes nothing',
    { skip },
    () =>
      withLocation(sqlite, async (_location, start) => {
        const gateway = await start()
        const pid = gateway.child.pid as number
        const sandboxPid = Number(await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'))
        assert.ok(sandboxPid > 0, 'the sandbox network is a child of the server')
        process.kill(sandboxPid, 'SIGSTOP')
        gateway.child.kill('SIGTERM')
        await until('draining', async () => (gateway.stdout().includes('"draining"') ? true : undefined))
        gateway.child.kill('SIGTERM')
        gateway.child.kill('SIGINT')
        await assertCleanExit(gateway.exited, gateway.stdout)
      }),
  )

  for (const file of ['operator-key', 'master-key', 'media/uploads']) {
    test(`a start that is interrupted after it has created ${file} exits with 0`, () =>
      withLocation(sqlite, async (storeLocation) => {
        const server = spawnServer(environmentOf(storeLocation))
        try {
          await until(file, async () => (existsSync(join(storeLocation.directory, file)) ? true : undefined))
          server.child.kill('SIGTERM')
          await assertCleanExit(server.exited, server.stderr)
        } finally {
          server.child.kill('SIGKILL')
        }
      }))
  }

  for (const args of [['start'], ['run', 'cli', '--', 'serve']]) {
    test(`npm ${args.join(' ')}: SIGTERM to npm reaches the server, which drains`, () =>
      withLocation(sqlite, async (storeLocation, start) => {
        const npm = spawn('npm', args, {
          cwd: ROOT,
          env: {
            PATH: process.env.PATH,
            HOME: storeLocation.directory,
            NODE_COMPILE_CACHE: COMPILE_CACHE,
            ...environmentOf(storeLocation),
          },
        })
        let output = ''
        const ready = Promise.withResolvers<void>()
        for (const stream of [npm.stdout, npm.stderr])
          stream.setEncoding('utf8').on('data', (text: string) => {
            output += text
            if (output.includes('"msg":"listening"')) ready.resolve()
          })
        // The pipes close when the last process that holds them has ended: the server itself.
        const gone = once(npm, 'close').then(() => ({ code: 0, signal: null }))
        await Promise.race([
          ready.promise,
          gone.then(() => assert.fail(`ended before it was ready: ${output}`)),
        ])
        npm.kill('SIGTERM')
        await assertCleanExit(gone, () => output)
        assert.match(output, /"msg":"draining"/)
        // A server that was still there would hold the lock of the directory.
        await stopped(await start(await onSharedSandbox()))
        // No shell runs between npm and the server of `start`, so npm waits for the drain and ends with its code.
        if (args[0] === 'start') assert.equal(npm.exitCode, 0)
      }))
  }
})
