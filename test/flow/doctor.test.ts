// The commands that use the data directory or the database directly: serve, migrate and doctor. The server is a real process, and so is
// each command once.
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, open } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { Client } from 'pg'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import {
  type CliResult,
  done,
  type Environment,
  runCli,
  runCliHere,
  scratchDirectory,
  settingsOf,
  startCli,
} from '../support/cli.ts'
import type { StoreLocation } from '../support/engines.ts'
import { objectSettings, startObjectServer } from '../support/object-server.ts'

/** Resolves with the address when the ready line is there. */
async function startServer(environment: Environment): Promise<{ child: ChildProcess; url: string }> {
  const child = startCli(['serve'], { PORT: '0', LOG_LEVEL: 'silent', ...environment })
  for await (const line of createInterface({ input: child.stdout! })) {
    const { msg, url } = JSON.parse(line)
    if (msg === 'listening') return { child, url }
  }
  throw new Error('the server ended before it was ready')
}

async function stopServer(child: ChildProcess): Promise<number | null> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
  return child.exitCode
}

/** As a later release would have left the database. */
async function addMigration({ directory, databaseUrl }: StoreLocation, version: number): Promise<void> {
  const sql = `insert into schema_migrations (version, name, checksum, applied_at) values (${version}, 'later', 'x', 0)`
  if (databaseUrl === undefined) {
    const db = new DatabaseSync(join(directory, 'switchboard.db'))
    db.exec(sql)
    db.close()
    return
  }
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(sql)
  await client.end()
}

for (const engine of behaviourEngines('postgres')) {
  describe(`serve, migrate and doctor on ${engine.name}`, () => {
    let storeLocation: StoreLocation
    let environment: Environment
    let server: { child: ChildProcess; url: string } | undefined
    before(async () => {
      storeLocation = await engine.createLocation()
      environment = settingsOf(storeLocation)
    })
    after(async () => {
      if (server && server.child.exitCode === null) await stopServer(server.child)
      await storeLocation.dispose()
    })
    const cli = (...args: string[]) => runCliHere(args, environment)
    const findings = ({ json }: CliResult, status: string): string[] =>
      json.findings
        .filter((finding: { status: string }) => finding.status === status)
        .map((f: { check: string }) => f.check)

    test('migrate: applies and reports what is pending, and has nothing to do the second time', async () => {
      assert.match(done(await cli('migrate', '--status')).stdout, /no database yet/)
      assert.match(done(await runCli(['migrate'], environment)).stdout, /Applied 0001-foundation/)
      assert.match(done(await cli('migrate')).stdout, /Nothing to do/)
      const status = done(await cli('migrate', '--status', '--json')).json
      assert.equal(status.engine, engine.name)
      assert.deepEqual([status.applied[0].version, status.pending], [1, []])
    })

    test('serve: prints the ready line, and the first keys work', async () => {
      server = await startServer(environment)
      environment = { ...environment, SWITCHBOARD_URL: server.url }
      assert.equal(done(await cli('instances', 'list', '--json')).json.count, 0)
      assert.equal(done(await cli('accounts', 'list', '--json')).json.count, 1)
    })

    test('migrate: refuses while a server runs on SQLite, and is harmless on PostgreSQL', async () => {
      const { code, stderr } = await cli('migrate')
      assert.equal(code, engine.name === 'sqlite' ? 1 : 0)
      if (engine.name === 'sqlite')
        assert.match(stderr, /another Switchboard server is running on the data directory/)
      done(await cli('migrate', '--status'))
    })

    test('doctor: finds nothing wrong with a healthy server', async () => {
      const healthy = done(await runCli(['doctor', '--json'], environment))
      assert.equal(healthy.json.ok, true)
      assert.deepEqual(findings(healthy, 'wrong'), [])
      const checks = new Set(findings(healthy, 'ok'))
      const expected = [
        'settings',
        'store',
        'migrations',
        'integrity',
        'write',
        'master key',
        'files',
        'disk',
        'key file',
        'clock',
        'network',
        'server',
        ...(engine.name === 'postgres' ? ['nodes'] : []),
      ]
      for (const check of expected) assert.ok(checks.has(check), check)
      const ffmpeg = healthy.json.findings.find(({ check }: { check: string }) => check === 'ffmpeg')
      assert.match(ffmpeg.found, /^version \S+ at \/|not on the PATH/)
      const text = done(await cli('doctor')).stdout
      assert.match(text, /server: accepts the API key[^]*Nothing is wrong\.\n$/)
    })

    test('doctor: advises on a readable key file, a wrong master key and a server that does not run', async () => {
      const keyFile = join(storeLocation.directory, 'operator-key')
      await chmod(keyFile, 0o644)
      const ill = await runCliHere(['doctor', '--json', '--url', 'http://127.0.0.1:1'], {
        ...environment,
        MASTER_KEY: Buffer.alloc(32, 3).toString('base64'),
      })
      await chmod(keyFile, 0o600)
      assert.equal(ill.code, 1)
      assert.deepEqual(findings(ill, 'wrong').sort(), ['key file', 'master key', 'server'])
      const advice = ill.json.findings.flatMap(({ todo }: { todo?: string }) => todo ?? []).join('\n')
      assert.match(advice, /chmod 600 .*operator-key/)
      assert.match(advice, /set MASTER_KEY to the previous master key/)
      assert.match(advice, /start the server, or set --url/)
    })

    test('doctor: checks the location for files of received messages', async () => {
      const objects = await startObjectServer()
      const checked = (settings: Environment) =>
        runCliHere(['doctor', '--skip', 'server'], { ...environment, ...settings })
      try {
        const s3 = objectSettings(objects)
        assert.match(
          done(await checked(s3)).stdout,
          /files: a test file was written, read and removed in the object/,
        )
        assert.equal(objects.objects.size, 0)
        const wrong = await checked({ ...s3, FILES_SECRET_KEY: 'canary-of-the-secret' })
        assert.equal(wrong.code, 1)
        assert.match(
          wrong.stdout,
          /WRONG {2} {2}files: .*SignatureDoesNotMatch[^]*-> check FILES_URL .*FILES_SECRET_KEY/,
        )
        assert.doesNotMatch(wrong.stdout + wrong.stderr, /canary-of-the-secret/)
        if (engine.name === 'sqlite') return
        const rows = done(await checked({ FILES_URL: 'postgres' }))
        assert.match(rows.stdout, /files: a test file was written, read and removed in PostgreSQL/)
      } finally {
        await objects.close()
      }
    })

    test('serve: drains on SIGTERM and exits with 0', async () => {
      assert.ok(server)
      assert.equal(await stopServer(server.child), 0)
      done(await cli('migrate'))
    })

    test('doctor: can skip the check of the server', async () => {
      assert.equal((await cli('doctor')).code, 1)
      done(await cli('doctor', '--skip', 'server'))
      assert.equal((await cli('doctor', '--skip', 'everything')).code, 2)
    })

    test('doctor: reports a schema that is newer than the program, or a missing store', async () => {
      const newer = await engine.createLocation()
      try {
        done(await runCliHere(['migrate'], settingsOf(newer)))
        await addMigration(newer, 9999)
        const { code, stdout } = await runCliHere(['doctor', '--skip', 'server'], settingsOf(newer))
        assert.equal(code, 1)
        assert.match(stdout, /newer than this program[^]*run the release that created the database/)
        const migrated = await runCliHere(['migrate'], settingsOf(newer))
        assert.equal(migrated.code, 1)
        assert.match(migrated.stderr, /newer than this program/)
      } finally {
        await newer.dispose()
      }
    })
  })
}

test('doctor: finds a damaged database file', async () => {
  const directory = await scratchDirectory()
  const environment = { DATA_DIR: directory }
  done(await runCliHere(['migrate'], environment))
  const file = await open(join(directory, 'switchboard.db'), 'r+')
  const { size } = await file.stat()
  // All but the first pages, so that the file still opens.
  await file.write(Buffer.alloc(size - 3 * 4096, 0xff), 0, size - 3 * 4096, 3 * 4096)
  await file.close()
  const { code, stdout } = await runCliHere(['doctor', '--skip', 'server'], environment)
  assert.equal(code, 1)
  assert.match(stdout, /WRONG[^]*restore the last backup/)
})

test('doctor: names every invalid setting, and a database that does not answer', async () => {
  const directory = await scratchDirectory()
  const faulty = await runCliHere(['doctor'], { DATA_DIR: directory, PORT: 'x', MASTER_KEY: 'short' })
  assert.equal(faulty.code, 1)
  assert.match(faulty.stdout, /settings: PORT: [^]*settings: MASTER_KEY: [^]*2 things are wrong/)
  const down = await runCliHere(['doctor', '--skip', 'server'], {
    DATA_DIR: directory,
    DATABASE_URL: 'postgres://root:pw-canary@127.0.0.1:1/none',
  })
  assert.equal(down.code, 1)
  assert.match(down.stdout, /store: PostgreSQL does not open[^]*DATABASE_URL is correct/)
  assert.doesNotMatch(down.stdout + down.stderr, /pw-canary/)
})
