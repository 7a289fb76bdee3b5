// An instance of Evolution API moves into the gateway: it opens without a scan, receives what waited, goes on in both directions, and its
// clients use it with the name, the token and the webhook that they know.
import assert from 'node:assert/strict'
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { connectRedis } from '../../src/doors/cli/import/redis-client.ts'
import { makeAccount } from '../../src/store/conformance/tenant.ts'
import { startOriginal } from '../judges/original-process.ts'
import { jidOf } from '../judges/partner.ts'
import { SandboxProcesses } from '../sandbox/support/process.ts'
import { World } from '../sandbox/support/world.ts'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { AUTHORITY_FILE } from '../support/certificates.ts'
import { runCli, scratchDirectory, settingsOf } from '../support/cli.ts'
import { engines } from '../support/engines.ts'
import { evolutionClient } from '../support/evolution.ts'
import { createEvolutionDatabase } from '../support/evolution-database.ts'
import { json, linkedCreds, sessionRecord } from '../support/foreign-session.ts'
import { api, newNumber, until, untilReceived, untilState } from '../support/linked.ts'
import { openStore } from '../support/open-store.ts'
import { hasRedisServer, startRedis } from '../support/redis-server.ts'
import { newKey, type Started, startWithKey } from '../support/started.ts'
import { startWebHost } from '../support/web-host.ts'

const ID = 'cm3q8w1z50000abcdefghijkl'
const TOKEN = '8F5C0E71-2B5D-4E0A-9C41-6A3D1E9B7F20'
const postgres = engines.find(({ name }) => name === 'postgres')

interface Posted {
  headers: Record<string, string | string[] | undefined>
  body: any // oxlint-disable-line typescript/no-explicit-any -- a test says what it expects of it
}

for (const engine of behaviourEngines('sqlite'))
  describe(`importing from Evolution API on ${engine.name}`, { skip: postgres === undefined }, () => {
    test('an instance with its keys in files goes on in the gateway, and its clients with it', async () => {
      const sandboxes = new SandboxProcesses()
      const at = await engine.createLocation()
      const source = await postgres!.createLocation()
      const database = await createEvolutionDatabase(source.databaseUrl as string)
      const folder = join(await scratchDirectory(), 'pairing')
      const instances = await scratchDirectory()
      const posted: Posted[] = []
      const host = await startWebHost(
        (request, response) => {
          let text = ''
          request.setEncoding('utf8').on('data', (piece: string) => (text += piece))
          request.on('end', () => {
            posted.push({ headers: request.headers, body: JSON.parse(text) })
            response.end('ok')
          })
        },
        { tls: 'trusted' },
      )
      const servers: Started[] = []
      const { world } = await sandboxes.start({ DATA_DIR: await scratchDirectory() })
      const [owner, ana] = [newNumber(), newNumber()]
      const original = startOriginal((qr) => world.post(`/phones/${owner}/scan`, { qr }))
      try {
        const key = newKey()
        const environment = {
          SANDBOX_URL: world.sandbox.url,
          SANDBOX_KEY: World.apiKey,
          COMPAT: 'evolution',
          EXTRA_CA_FILE: AUTHORITY_FILE,
          ALLOW_TARGETS: '127.0.0.1',
        }
        for (const number of [owner, ana]) await world.phone(number, `Phone ${number}`)
        const { wsUrl, rootPublicKey } = world.sandbox
        await original.command({ do: 'pair', network: { wsUrl, rootPublicKey }, folder })
        const sent = (await original.command({ do: 'send', to: jidOf(ana), text: 'before' })) as string
        await world.shown(ana, sent)
        await world.send(ana, { to: owner, text: 'from Ana' })
        await until('the text', async () => original.received.includes('from Ana') || undefined)
        await original.command({ do: 'close' })
        original.end()
        await world.send(ana, { to: owner, text: 'while it is away' })

        // As Evolution API stores it: the login in its table, as JSON in JSON, and a file for each key.
        const creds = await readFile(join(folder, 'creds.json'), 'utf8')
        await cp(folder, join(instances, ID), { recursive: true })
        await rm(join(instances, ID, 'creds.json'))
        await database.add('Instance', {
          id: ID,
          name: 'Loja São Paulo',
          integration: 'WHATSAPP-BAILEYS',
          token: TOKEN,
        })
        await database.add('Session', { sessionId: ID, creds: JSON.stringify(creds) })
        await database.add('Setting', { instanceId: ID, rejectCall: true, msgCall: 'Please write.' })
        await database.add('Webhook', {
          instanceId: ID,
          url: `${host.url}/hook`,
          headers: { 'x-shop': 'secret' },
          events: ['MESSAGES_UPSERT', 'MESSAGES_UPDATE', 'OF_A_LATER_VERSION'],
        })
        await database.add('Proxy', {
          instanceId: ID,
          enabled: false,
          host: '',
          port: '',
          protocol: '',
          username: '',
          password: '',
        })
        for (const [remoteJid, pushName] of [
          [jidOf(ana), 'Ana'],
          [jidOf('5511900000001'), null],
          [jidOf('5511900000002'), '5511900000002'],
          ['120363000000000001@g.us', 'Team'],
        ] as const)
          await database.add('Contact', { instanceId: ID, remoteJid, pushName })
        const other = 'cm3q8w1z50001abcdefghijkl'
        await database.add('Instance', { id: other, name: 'cloud', integration: 'WHATSAPP-BUSINESS' })
        await database.add('Instance', { id: `${other}2`, name: 'without-keys', integration: null })

        const first = await startWithKey(at, key, environment)
        await first.stop('SIGTERM')
        const run = (...more: string[]) =>
          runCli(
            ['import', '--from', 'evolution', '-', '--json', ...more],
            { ...settingsOf(at), ALLOW_TARGETS: '127.0.0.1' },
            `${database.url}\n${instances}\n`,
          )
        const running = await run()
        assert.match(
          running.stderr,
          /another client is connected to the database: stop the other program first/,
        )
        assert.doesNotMatch(running.stderr, /postgres/)
        await database.disconnect()
        const dry = await run('--stopped')
        // oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects of it
        const shop = (sessions: { label: string }[]): any =>
          sessions.find(({ label }) => label === 'Loja São Paulo')
        assert.deepEqual(
          dry.json.sessions.map(({ label, outcome, reason }: Record<string, string>) => [
            label,
            reason ?? outcome,
          ]),
          [
            ['Loja São Paulo', 'ready'],
            ['cloud', 'WHATSAPP-BUSINESS has no session that can be taken over'],
            ['without-keys', '--keys has no folder for this instance'],
          ],
        )
        const expected = { settings: 1, webhook: 1, name: 1, token: 1, contacts: 1 }
        assert.deepEqual(shop(dry.json.sessions).belongings, expected)
        const young = await run()
        assert.match(shop(young.json.sessions).reason, /changed \d+ s ago: stop the other program first/)
        const applied = shop((await run('--stopped', '--apply')).json.sessions)
        assert.deepEqual([applied.outcome, applied.belongings], ['imported', expected])
        assert.ok(applied.taken['pre-key'] > 800 && applied.taken.session >= 1)

        const gateway = await startWithKey(at, key, environment)
        servers.push(gateway)
        const name: string = applied.instanceName
        const seen = await untilState(gateway, name, 'open')
        assert.ok(!seen.includes('connecting/awaiting_scan'))
        await untilReceived(gateway, name, 'while it is away')
        const client = evolutionClient(gateway.url, TOKEN)
        const path = encodeURIComponent('Loja São Paulo')
        const text = await client(`POST /message/sendText/${path}`, { number: ana, text: 'after' })
        assert.equal(text.status, 201, JSON.stringify(text.json))
        await world.shown(ana, text.json.key.id)
        await world.send(ana, { to: owner, text: 'answer of Ana' })
        await untilReceived(gateway, name, 'answer of Ana')
        const delivered = await until('the webhook', async () =>
          posted.find(({ body }) => body.data.message?.conversation === 'answer of Ana'),
        )
        assert.deepEqual(
          [delivered.body.event, delivered.body.instance, delivered.headers['x-shop']],
          ['messages.upsert', 'Loja São Paulo', 'secret'],
        )
        const settings = (await client(`GET /settings/find/${path}`)).json
        assert.deepEqual([settings.rejectCall, settings.msgCall], [true, 'Please write.'])
        const contacts = await api(gateway, `GET /contacts?instanceName=${name}`)
        assert.deepEqual(
          contacts.contacts.map((contact: { name: string; phone: string }) => [contact.name, contact.phone]),
          [['Ana', ana]],
        )
        const receipts = await world.frames('tag=receipt&limit=1000')
        assert.deepEqual(
          receipts.filter(({ attributes }) => attributes.type === 'retry'),
          [],
        )
        await gateway.stop('SIGTERM')
      } finally {
        original.end()
        for (const { child } of servers) child.kill('SIGKILL')
        sandboxes.end()
        await host.close()
        await at.dispose()
        await source.dispose()
      }
    })
  })

describe('importing from Evolution API with Redis and with a file', { skip: !hasRedisServer() }, () => {
  test('keys are read from Redis, and tables from a file of another database', async () => {
    const [engine] = engines
    assert.ok(engine)
    const at = await engine.createLocation()
    const store = await openStore(at)
    await makeAccount(store)
    await store.close()
    const { port, server } = await startRedis('word of redis')
    try {
      const location = `redis://:${encodeURIComponent('word of redis')}@127.0.0.1:${port}/6`
      const redis = await connectRedis(location)
      const set = (field: string, value: unknown) =>
        redis.command('HSET', `evolution:instance:${ID}`, field, json(value))
      await set('session-5511912345678.0', sessionRecord())
      await set('pre-key-1', { public: Buffer.alloc(32, 1), private: Buffer.alloc(32, 2) })
      const directory = await scratchDirectory()
      await mkdir(directory, { recursive: true })
      const file = join(directory, 'tables.jsonl')
      // As MySQL writes it: booleans are numbers.
      const rows = [
        ['Instance', { id: ID, name: 'shop', integration: 'WHATSAPP-BAILEYS', token: 'short' }],
        ['Setting', { instanceId: ID, rejectCall: 0, alwaysOnline: 1, msgCall: null }],
        [
          'Webhook',
          { instanceId: ID, url: 'http://example.com/hook', enabled: 1, events: [], headers: null },
        ],
        ['Contact', { instanceId: ID, remoteJid: jidOf('5511900000003'), pushName: 'Bia' }],
      ]
      const write = (more: unknown[][]) =>
        writeFile(file, [...rows, ...more].map(([table, row]) => JSON.stringify({ table, row })).join('\n'))
      const run = (...more: string[]) =>
        runCli(['import', '--from', 'evolution', file, '--keys', location, '--json', ...more], settingsOf(at))
      await write([])
      assert.match((await run()).stderr, /another client is connected to Redis/)
      redis.close()
      assert.equal((await run()).json.sessions[0].reason, 'creds: missing')
      await write([['Session', { sessionId: ID, creds: JSON.stringify(json(linkedCreds('5511940000021'))) }]])
      const [report] = (await run('--apply')).json.sessions
      assert.deepEqual(
        [report.outcome, report.taken, report.belongings, report.left],
        [
          'imported',
          { 'pre-key': 1, session: 1 },
          { settings: 1, name: 1, contacts: 1 },
          {
            'token: shorter than 16 characters': 1,
            'webhook: expected an https URL without credentials, or http to a host in ALLOW_TARGETS': 1,
          },
        ],
      )
      await writeFile(file, '{"table": 1}')
      assert.match((await run()).stderr, /line 1: expected \{"table": …, "row": …\}/)
      const noKeys = await runCli(['import', '--from', 'evolution', file], settingsOf(at))
      assert.match(noKeys.stderr, /--keys: expected the folder/)
    } finally {
      server.kill('SIGKILL')
      await at.dispose()
    }
  })
})

const MYSQL = ['mysql', '-h127.0.0.1', '-uroot', '--default-character-set=utf8mb4', '-N', '-r'] as const
const mysql = (sql: string, ...more: string[]): SpawnSyncReturns<string> =>
  spawnSync(MYSQL[0], [...MYSQL.slice(1), ...more], { input: sql, encoding: 'utf8' })

/** MySQL is not a part of the gateway, so that a missing server is never a failure. */
const hasMysql = mysql('select 1').status === 0
if (!hasMysql) console.log('SKIPPED with MySQL: no server on 127.0.0.1 that root can use')

describe('importing from Evolution API on MySQL', { skip: !hasMysql }, () => {
  test('the documented statements write what the import reads', async () => {
    const [engine] = engines
    assert.ok(engine)
    const at = await engine.createLocation()
    const name = `switchboard_test_${process.pid}_${Date.now()}`
    const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
    const text = JSON.stringify(json(linkedCreds('5511940000022')))
    const flags = [
      'rejectCall',
      'groupsIgnore',
      'alwaysOnline',
      'readMessages',
      'readStatus',
      'syncFullHistory',
    ]
    try {
      const made = mysql(`create database ${name} character set utf8mb4; use ${name};
        create table Instance (id varchar(191) primary key, name varchar(255), token varchar(255), integration varchar(100));
        create table Session (id varchar(191) primary key, sessionId varchar(191) unique, creds text);
        create table Setting (instanceId varchar(191) primary key, msgCall varchar(100), ${flags.map((flag) => `${flag} tinyint(1) not null default 0`).join()});
        create table Webhook (instanceId varchar(191) primary key, url varchar(500), headers json, enabled tinyint(1), events json,
          webhookByEvents tinyint(1), webhookBase64 tinyint(1));
        create table Proxy (instanceId varchar(191) primary key, enabled tinyint(1), host varchar(100), port varchar(100),
          protocol varchar(100), username varchar(100), password varchar(100));
        create table Contact (id varchar(191) primary key, remoteJid varchar(100), pushName varchar(100), instanceId varchar(191));
        insert into Instance values (${quoted(ID)}, 'Loja São Paulo', ${quoted(TOKEN)}, 'WHATSAPP-BAILEYS');
        insert into Session values ('s', ${quoted(ID)}, ${quoted(text)});
        insert into Setting (instanceId, alwaysOnline, msgCall) values (${quoted(ID)}, 1, 'two\nlines');
        insert into Webhook values (${quoted(ID)}, 'https://example.com/hook', '{"x-shop":"a"}', 1, '["CALL"]', 0, 1);
        insert into Proxy values (${quoted(ID)}, 1, 'proxy.example.com', '3128', 'http', 'user', 'word');
        insert into Contact values ('c', '5511900000004@s.whatsapp.net', 'Bia', ${quoted(ID)});`)
      assert.equal(made.status, 0, made.stderr)
      const statements = await readFile(join(import.meta.dirname, '../../docs/evolution-export.sql'), 'utf8')
      const directory = await scratchDirectory()
      await mkdir(join(directory, 'instances', ID), { recursive: true })
      const file = join(directory, 'tables.jsonl')
      await writeFile(file, mysql(statements, name).stdout)
      const keys = join(directory, 'instances')
      const { json: report } = await runCli(
        ['import', '--from', 'evolution', file, '--keys', keys, '--stopped', '--json'],
        settingsOf(at),
      )
      const [session] = report.sessions
      assert.deepEqual(
        [session.label, session.outcome, session.number, session.left],
        ['Loja São Paulo', 'ready', '5511940000022', {}],
      )
      assert.deepEqual(session.belongings, {
        settings: 1,
        proxy: 1,
        webhook: 1,
        name: 1,
        token: 1,
        contacts: 1,
      })
    } finally {
      mysql(`drop database if exists ${name}`)
      await at.dispose()
    }
  })
})
