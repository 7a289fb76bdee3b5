// Canary secrets in a real process at the most verbose log level: none appears in a log line, an error body or the bytes of the
// database (promise E2).
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { withDatabase } from '../support/database.ts'
import type { StoreLocation } from '../support/engines.ts'
import { environmentOf, startServer } from '../support/process.ts'
import { makeLoggedIn } from '../support/started.ts'

const canary = (): string => `canary${randomBytes(24).toString('hex')}`

/** As it is, and as it would look in the encodings that hide a text from a plain search. */
const forms = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString('hex'),
  Buffer.from(secret).toString('base64').replace(/=+$/, '').slice(0, -2),
]

function assertAbsent(where: string, text: string, secrets: Record<string, string>): void {
  for (const [name, secret] of Object.entries(secrets)) {
    for (const form of forms(secret)) {
      const at = text.indexOf(form)
      assert.ok(at < 0, `${name} stands in ${where}: …${text.slice(Math.max(0, at - 200), at)}<here>`)
    }
  }
}

/** Everything the database holds: the bytes of its files, or every row of every table as text. */
async function databaseText(storeLocation: StoreLocation): Promise<string> {
  if (storeLocation.databaseUrl === undefined) {
    const files = (await readdir(storeLocation.directory)).filter((file) => file.startsWith('switchboard.db'))
    assert.ok(files.length > 0)
    return (
      await Promise.all(files.map((file) => readFile(join(storeLocation.directory, file), 'latin1')))
    ).join('')
  }
  return withDatabase(storeLocation, async (database) => {
    const tables = await database.rows<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public'`,
    )
    const texts = await Promise.all(
      tables.map(({ name }) =>
        database.rows<{ text: string }>(`select "${name}"::text as text from "${name}"`),
      ),
    )
    return texts
      .flat()
      .map(({ text }) => text)
      .join('\n')
  })
}

interface Call {
  method?: string
  path: string
  key?: string | undefined
  authorization?: string
  body?: unknown
}

/** Bodies of refusals are gathered; a success may show a secret to its owner. */
function caller(url: string, refusals: string[]) {
  return async ({ method, path, key, authorization, body }: Call) => {
    const header = authorization ?? (key === undefined ? undefined : `Bearer ${key}`)
    const response = await fetch(url + path, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        ...(header === undefined ? {} : { authorization: header }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.status !== 200) refusals.push(`${response.status} ${text}`)
    return {
      status: response.status,
      text, // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller says what it expects
      json: <T>() => JSON.parse(text) as T,
    }
  }
}

/** Bytes that are not HTTP, with a key in them; resolves with the answer. */
async function garbage(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.setEncoding('utf8').on('data', (part: string) => {
    answer += part
  })
  socket.end(text)
  await once(socket, 'close')
  return answer
}

for (const engine of behaviourEngines('postgres')) {
  describe(`secrets on ${engine.name}`, () => {
    test('no key and no secret in logs, errors or the database', async () => {
      const storeLocation = await engine.createLocation()
      const secrets: Record<string, string> = {
        apiKey: canary(),
        operatorKey: canary(),
        masterKey: randomBytes(32).toString('base64'),
        webhookSecret: canary(),
        wrongKey: canary(),
      }
      const {
        apiKey: key = '',
        operatorKey = '',
        masterKey = '',
        webhookSecret = '',
        wrongKey = '',
      } = secrets
      const refusals: string[] = []
      const server = await startServer({
        ...environmentOf(storeLocation),
        API_KEY: key,
        OPERATOR_KEY: operatorKey,
        MASTER_KEY: masterKey,
        LOG_LEVEL: 'trace',
      })
      try {
        const call = caller(server.url, refusals)
        const instanceName = await makeLoggedIn({ url: server.url, key }, storeLocation)

        // What works.
        const webhook = { url: 'https://example.com/hook', secret: webhookSecret }
        assert.equal((await call({ path: '/api/v1/webhooks', key, body: webhook })).status, 200)
        const generated = await call({
          path: '/api/v1/webhooks',
          key,
          body: { url: 'https://example.com/other' },
        })
        secrets.generatedSecret = generated.json<{ webhook: { secret: string } }>().webhook.secret
        const made = await call({ path: '/api/v1/api-keys', key, body: { name: 'Second' } })
        const { key: secondKey, apiKey: second } = made.json<{ key: string; apiKey: { id: number } }>()
        const rotated = await call({
          path: `/api/v1/api-keys/${second.id}/rotate`,
          key,
          body: { overlapHours: 1 },
        })
        Object.assign(secrets, { secondKey, rotatedKey: rotated.json<{ key: string }>().key })
        const sent = { instanceName, number: '5511912345678', message: 'hi' }
        assert.equal((await call({ path: '/api/v1/send/text', key, body: sent })).status, 200)
        const lists = [
          '/api/v1/webhooks',
          '/api/v1/api-keys',
          '/api/v1/instance/list',
          '/api/v1/account/limits',
        ]
        for (const path of lists) assertAbsent(path, (await call({ path, key })).text, secrets)
        assert.equal((await call({ path: '/admin/v1/accounts', key: operatorKey })).status, 200)
        for (const path of ['/healthz', '/readyz', '/metrics', '/openapi.json']) {
          assertAbsent(path, (await call({ path })).text, secrets)
        }

        // Keys in addresses, right and wrong, where they are allowed and where not.
        for (const inQuery of [key, wrongKey]) {
          for (const path of [
            '/instance/qr/image',
            '/instance/profile-picture',
            '/instance/state',
            '/contacts',
            '/nowhere',
          ]) {
            await call({ path: `/api/v1${path}?instanceName=${instanceName}&apiKey=${inQuery}` })
            await call({ path: `/api/v1${path}?instanceName=${instanceName}&apiKey=${inQuery}`, key })
          }
          await call({ path: `/api/v1/instance/qr/image?apiKey=${inQuery}&apiKey=${inQuery}` })
          await call({ method: 'PUT', path: `/api/v1/send/text?apiKey=${inQuery}` })
          await call({ path: `/${inQuery}` })
        }

        // Refusals that were given a secret in the wrong place or form.
        const wrong: Call[] = [
          { path: '/api/v1/account/limits', key: wrongKey },
          { path: '/api/v1/account/limits', authorization: `Basic ${wrongKey}` },
          { path: '/api/v1/account/limits', authorization: `Bearer ${wrongKey} ${key}` },
          { path: '/admin/v1/plans', key },
          { path: '/api/v1/webhooks', key, body: `{"secret":"${webhookSecret}", broken` },
          { path: '/api/v1/webhooks', key, body: { ...webhook, unknown: webhookSecret } },
          {
            path: '/api/v1/webhooks',
            key,
            body: { url: 'https://example.com/x', secret: `${webhookSecret}\r\n` },
          },
          { path: '/api/v1/webhooks', key, body: { url: `https://user:${webhookSecret}@example.com/` } },
          { path: '/api/v1/webhooks', key, body: { url: `ftp://example.com/${webhookSecret}` } },
          { path: '/api/v1/webhooks', key, body: { ...webhook, events: [webhookSecret] } },
          { path: '/api/v1/webhooks', key, body: webhook },
          { path: '/api/v1/webhooks', key, body: { secret: webhookSecret.repeat(6000) } },
        ]
        for (const each of wrong) assert.notEqual((await call(each)).status, 200, JSON.stringify(each.path))
        const noHttp = await garbage(
          server.url,
          `GET /?apiKey=${key} HTTP/9.9\r\nauthorization: Bearer ${key}\r\n\r\n`,
        )
        assert.match(noHttp, /^HTTP\/1\.1 400/)
        refusals.push(noHttp)

        // Faults of the server itself, which log what they know.
        await withDatabase(storeLocation, (database) =>
          database.rows('alter table webhooks rename to webhooks_away'),
        )
        assert.equal((await call({ path: '/api/v1/webhooks', key })).status, 500)
        assert.equal((await call({ path: '/api/v1/webhooks', key, body: webhook })).status, 500)
        await withDatabase(storeLocation, (database) =>
          database.rows('alter table api_keys rename to api_keys_away'),
        )
        assert.equal((await call({ path: '/api/v1/account/limits', key: wrongKey })).status, 500)
        await withDatabase(storeLocation, async (database) => {
          await database.rows('alter table api_keys_away rename to api_keys')
          await database.rows('alter table webhooks_away rename to webhooks')
        })
      } finally {
        await server.stop()
      }
      assert.ok(refusals.length > 30)
      for (const refusal of refusals) assertAbsent('a refusal', refusal, secrets)
      assert.match(server.stdout(), /"level":50/, 'the faults were logged')
      assertAbsent('stdout', server.stdout(), secrets)
      assertAbsent('stderr', server.stderr(), secrets)
      const { masterKey: _masterKey, ...stored } = secrets
      assertAbsent('the database', await databaseText(storeLocation), {
        ...stored,
        masterKeyBytes: Buffer.from(masterKey, 'base64').toString('latin1'),
      })
      await storeLocation.dispose()
    })
  })
}
