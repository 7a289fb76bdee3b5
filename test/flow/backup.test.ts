// Backup and restore: a backup made under full load holds everything that was acknowledged before it began, and is consistent.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { access, chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { createClient } from '../../src/contract/client.ts'
import { createRowStore } from '../../src/files/row-store.ts'
import { receiveFile } from '../../src/receiving/conformance-arrivals.ts'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { done, runCli, runCliHere, scratchDirectory, settingsOf } from '../support/cli.ts'
import type { Engine, StoreLocation } from '../support/engines.ts'
import { type Account, type Gateway, randomNumber, startGateway } from '../support/gateway.ts'

const DUMP_PROGRAM = 'pg_dump'
const WRITERS = 16
const INSTANCES = 4
/** As many are acknowledged before the backup begins. */
const HEAD_START = 300
/** The writers stop here in any case: a queue takes no more than 10,000 messages per instance. */
const MOST_SENDS = 30_000

interface Load {
  acknowledged: string[]
  /** Resolves when that many sends were acknowledged. */
  reached(count: number): Promise<void>
  stop(): Promise<void>
}

function startWriting(url: string, key: string, instanceNames: readonly string[]): Load {
  const client = createClient({ baseUrl: url, key })
  const acknowledged: string[] = []
  const waiting: { count: number; resolve(): void }[] = []
  const stopped = new AbortController()
  const write = async (writer: number) => {
    const instanceName = instanceNames[writer % instanceNames.length] as string
    const number = randomNumber()
    while (!stopped.signal.aborted && acknowledged.length < MOST_SENDS) {
      const { messageId } = await client.sendText({
        body: { instanceName, number, message: 'under load', delay: 0 },
      })
      acknowledged.push(messageId)
      for (const entry of waiting) if (acknowledged.length >= entry.count) entry.resolve()
    }
  }
  const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer))
  return {
    acknowledged,
    reached: (count) => new Promise((resolve) => void waiting.push({ count, resolve })),
    async stop() {
      stopped.abort()
      await Promise.all(writers)
    },
  }
}

const PROXY_PASSWORD = 'word-of-the-proxy'
const SETTINGS = {
  rejectCalls: true,
  rejectCallsText: 'Please write.',
  ignoreGroups: true,
  proxy: `socks5://desk:${PROXY_PASSWORD}@proxy.example.com:1080`,
}

interface Made {
  account: Account
  instances: { name: string; id: number }[]
  webhook: { id: number; secret: string }
}

async function makeData(gateway: Gateway): Promise<Made> {
  const account = await gateway.account()
  const instances = []
  for (let count = 0; count < INSTANCES; count += 1) instances.push(await gateway.openInstance(account))
  const first = instances[0] as { name: string }
  const saved = await account.call('saveWebhook', { body: { url: 'https://example.com/hook' } })
  const contact = { instanceName: first.name, phone: '5511912345678', name: 'Ana Souza' }
  assert.equal((await account.call('saveContact', { body: contact })).status, 200)
  const query = { instanceName: first.name }
  const { status } = await account.call('updateSettings', { query, body: SETTINGS })
  assert.equal(status, 200)
  return { account, instances, webhook: saved.json.webhook }
}

/** The proxy is sealed with the key of the account: only a readable one has an answer. */
async function assertSettings(copy: Gateway, { account, instances }: Made): Promise<void> {
  const [first, second] = instances.map(({ name }) => ({ instanceName: name }))
  assert.ok(first && second)
  const client = createClient({ baseUrl: copy.url, key: account.key })
  const { settings } = await client.getSettings({ query: first })
  const { proxy: _proxy, ...plain } = SETTINGS
  assert.deepEqual(settings, { ...settings, ...plain, proxy: 'socks5://***@proxy.example.com:1080' })
  assert.equal((await client.getSettings({ query: second })).settings.proxy, null)
}

/** A file of a received message, among the rows. */
async function storeFile(gateway: Gateway): Promise<void> {
  const { store } = gateway
  const account = await gateway.account()
  const { id: instanceId } = await gateway.openInstance(account)
  const { rowId } = await receiveFile(store, { accountId: account.id, instanceId })
  await createRowStore(store).write(instanceId, rowId, Buffer.alloc(10))
  assert.deepEqual(await createRowStore(store).fileIds(instanceId), [rowId])
}

const masterKeyOf = async ({ directory }: StoreLocation) =>
  (await readFile(join(directory, 'master-key'), 'utf8')).trim()

/** Facts that one transaction writes together: in a copy of one moment they agree. */
async function assertOneMoment(gateway: Gateway, { account, instances }: Made): Promise<void> {
  const { db } = gateway.store
  const counted = await db
    .selectFrom('messages')
    .select(({ fn }) => ['instance_id', fn.countAll<number>().as('count')])
    .where('account_id', '=', account.id)
    .groupBy('instance_id')
    .execute()
  const byInstance = new Map(counted.map((row) => [row.instance_id, row.count]))
  for (const { id } of instances) {
    const { queued_count } = await db
      .selectFrom('instances')
      .select('queued_count')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    assert.equal(queued_count, byInstance.get(id))
  }
  const { used } = await db
    .selectFrom('usage')
    .select('used')
    .where('account_id', '=', account.id)
    .where('resource', '=', 'messages')
    .executeTakeFirstOrThrow()
  assert.equal(
    used,
    [...byInstance.values()].reduce((sum, count) => sum + count, 0),
  )
}

for (const engine of behaviourEngines()) {
  const skip =
    engine.name === 'postgres' && spawnSync(DUMP_PROGRAM, ['--version']).error !== undefined
      ? "SKIPPED on PostgreSQL: PostgreSQL's client programs are not installed"
      : false
  if (skip !== false) {
    if (process.env.CI === 'true') throw new Error(skip)
    console.log(skip)
  }
  describe(`backup and restore on ${engine.name}`, { skip }, () => declareFor(engine))
}

function declareFor(engine: Engine): void {
  let source: StoreLocation
  let target: StoreLocation
  let running: Gateway
  let made: Made
  let file: string
  let acknowledgedBefore: string[]
  let masterKey: string

  before(async () => {
    source = await engine.createLocation()
    target = await engine.createLocation()
    running = await startGateway(engine, {}, {}, source)
    made = await makeData(running)
    if (engine.name === 'postgres') await storeFile(running)
    masterKey = await masterKeyOf(source)
    file = join(await scratchDirectory(), 'backup')
  })
  after(async () => {
    await running.stop()
    await target.dispose()
  })

  test('a backup is made while clients write at full speed', async () => {
    const names = made.instances.map(({ name }) => name)
    const load = startWriting(running.url, made.account.key, names)
    try {
      await load.reached(HEAD_START)
      acknowledgedBefore = [...load.acknowledged]
      const backup = await runCli(['backup', file, '--json'], settingsOf(source))
      assert.equal(backup.code, 0, backup.stderr)
      assert.equal(backup.json.masterKeyIncluded, false)
      assert.ok(load.acknowledged.length > acknowledgedBefore.length, 'the writers stood still meanwhile')
    } finally {
      await load.stop()
    }
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    const bytes = await readFile(file)
    for (const secret of [masterKey, PROXY_PASSWORD])
      assert.ok(!bytes.includes(secret), 'a secret is in the backup in clear')
  })

  test('a backup overwrites no file', async () => {
    const before = await readFile(file)
    const again = await runCliHere(['backup', file], settingsOf(source))
    assert.equal(again.code, 1)
    assert.match(again.stderr, /never overwrites a file/)
    assert.deepEqual(await readFile(file), before)
  })

  test('a restore refuses a location that holds data', async () => {
    const used = await runCli(['restore', file], settingsOf(source))
    assert.equal(used.code, 1)
    assert.match(
      used.stderr,
      engine.name === 'sqlite' ? /another Switchboard server is running/ : /not empty/,
    )
  })

  test('a restored backup holds every send acknowledged before it began, and all rows are of one moment', async () => {
    const restored = await runCli(['restore', file], settingsOf(target))
    assert.equal(restored.code, 0, restored.stderr)
    assert.match(restored.stdout, /Put the master key of the backup into .*master-key/)
    if (target.databaseUrl === undefined) {
      const db = new DatabaseSync(join(target.directory, 'switchboard.db'), { readOnly: true })
      assert.deepEqual({ ...db.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' })
      db.close()
    }
    const again = await runCliHere(['restore', file], settingsOf(target))
    assert.equal(again.code, 1, 'a second restore went over the first')

    await assert.rejects(
      startGateway(engine, { MASTER_KEY: Buffer.alloc(32, 1).toString('base64') }, {}, target),
      /MASTER_KEY: the data was encrypted with another master key/,
    )
    const copy = await startGateway(
      engine,
      { MASTER_KEY: masterKey },
      {},
      { ...target, dispose: async () => undefined },
    )
    try {
      const rows = await copy.store.db.selectFrom('messages').select('id').execute()
      const there = new Set(rows.map((row) => row.id))
      const parts = await copy.store.db.selectFrom('received_file_parts').select('part').execute()
      assert.deepEqual(parts, [], 'files of received messages are not part of a backup')
      assert.deepEqual(
        acknowledgedBefore.filter((id) => !there.has(id)),
        [],
      )
      await assertOneMoment(copy, made)
      await assertSettings(copy, made)
      assert.equal((await copy.call('adminResume')).json.resumed, true, 'a restored database is held')
      const client = createClient({ baseUrl: copy.url, key: made.account.key })
      const { webhook } = await client.saveWebhook({ body: { id: made.webhook.id, name: 'Renamed' } })
      assert.equal(webhook.secret, made.webhook.secret)
      const query = { instanceName: made.instances[0]?.name as string, search: 'souza' }
      assert.equal((await client.listContacts({ query })).total, 1)
      const sent = await copy.account().then(async (account) => {
        const { name } = await copy.openInstance(account)
        return account.call('sendText', {
          body: { instanceName: name, number: randomNumber(), message: 'on' },
        })
      })
      assert.equal(sent.status, 200)
    } finally {
      await copy.stop()
    }
  })

  test('a backup includes the last acknowledged send, although it is only in the write-ahead log', async () => {
    const instanceName = made.instances[0]?.name
    const body = { instanceName, number: randomNumber(), message: 'the last' }
    const { messageId } = (await made.account.call('sendText', { body })).json
    const last = join(await scratchDirectory(), 'backup')
    done(await runCliHere(['backup', last], settingsOf(source)))
    const storeLocation = await engine.createLocation()
    const restored = done(
      await runCliHere(['restore', last, '--json'], { ...settingsOf(storeLocation), MASTER_KEY: masterKey }),
    )
    assert.equal(restored.json.masterKey, 'fits')
    const copy = await startGateway(engine, { MASTER_KEY: masterKey }, {}, storeLocation)
    try {
      const read = await copy.call('getMessage', { params: { messageId }, key: made.account.key })
      assert.equal(read.status, 200)
    } finally {
      await copy.stop()
    }
  })

  test('a restore reports a master key that does not open the backup', async () => {
    const storeLocation = await engine.createLocation()
    try {
      const other = Buffer.alloc(32, 2).toString('base64')
      const restored = await runCliHere(['restore', file, '--json'], {
        ...settingsOf(storeLocation),
        MASTER_KEY: other,
      })
      assert.deepEqual([restored.code, restored.json.masterKey], [1, 'other'])
    } finally {
      await storeLocation.dispose()
    }
  })

  test('an incomplete backup is refused and leaves the location empty', async () => {
    const storeLocation = await engine.createLocation()
    const bad = join(await scratchDirectory(), 'bad')
    const whole = await readFile(file)
    try {
      for (const bytes of [Buffer.alloc(0), whole.subarray(0, whole.length / 2)]) {
        await writeFile(bad, bytes)
        const refused = await runCliHere(['restore', bad], settingsOf(storeLocation))
        assert.equal(refused.code, 1, refused.stdout)
      }
      const good = await runCliHere(['restore', file], settingsOf(storeLocation))
      assert.equal(good.code, 0, good.stderr)
    } finally {
      await storeLocation.dispose()
    }
  })
}

test('without data a backup fails and leaves no file', async () => {
  const directory = await scratchDirectory()
  const file = join(directory, 'backup')
  const refused = await runCliHere(['backup', file], { DATA_DIR: join(directory, 'data') })
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /no data/)
  await assert.rejects(access(file))
})

describe("PostgreSQL's programs", () => {
  const databaseUrl = 'postgres://ana:p%40ss%2Fword@db.invalid:5433/switch?sslmode=require'

  test('a missing pg_dump is reported by name, and no file is left', async () => {
    const file = join(await scratchDirectory(), 'backup')
    const refused = await runCliHere(['backup', file], { DATABASE_URL: databaseUrl, PATH: '/nonexistent' })
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /pg_dump is not installed; install/)
    await assert.rejects(access(file))
  })

  test('the connection is passed in the environment, not on the command line, and without the gateway’s secrets', async () => {
    const directory = await scratchDirectory()
    const programs = join(directory, 'bin')
    const seen = join(directory, 'seen')
    await mkdir(programs)
    const script = `#!/bin/sh\n{ echo "arguments: $*"; env; } > '${seen}'\nexit 3\n`
    await writeFile(join(programs, 'pg_dump'), script)
    await chmod(join(programs, 'pg_dump'), 0o700)
    const secrets = {
      API_KEY: 'account-key-canary-0123456789abcdef',
      OPERATOR_KEY: 'operator-key-canary-0123456789abcdef',
      MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    }
    const run = await runCli(['backup', join(directory, 'backup')], {
      DATABASE_URL: databaseUrl,
      PATH: `${programs}:${process.env.PATH}`,
      ...secrets,
    })
    assert.equal(run.code, 1)
    assert.match(run.stderr, /pg_dump failed: exit code 3/)
    const [line, ...environment] = (await readFile(seen, 'utf8')).split('\n')
    assert.doesNotMatch(line ?? '', /ana|p@ss|p%40|db\.invalid|5433/)
    for (const expected of [
      'PGHOST=db.invalid',
      'PGPORT=5433',
      'PGUSER=ana',
      'PGPASSWORD=p@ss/word',
      'PGDATABASE=switch',
      'PGSSLMODE=require',
    ]) {
      assert.ok(environment.includes(expected), expected)
    }
    for (const secret of Object.values(secrets)) assert.ok(!environment.join('\n').includes(secret))
    await assert.rejects(access(join(directory, 'backup')))
  })
})
