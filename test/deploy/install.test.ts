// The script that installs the gateway on Debian: into a folder, with stand-ins for npm and systemd. The command that it installs runs the
// real program.
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { readSettings } from '../../src/config.ts'
import { createClient } from '../../src/contract/client.ts'
import { temporaryDirectory } from '../support/engines.ts'
import { programFile } from '../support/program.ts'
import { type StartedHere, startHere } from '../support/started-here.ts'

const script = join(import.meta.dirname, '../../deploy/install.sh')
const read = (path: string) => readFile(path, 'utf8')

describe('deploy/install.sh', () => {
  let folder = ''
  let tools = ''
  const tool = async (name: string, text: string) => {
    await writeFile(join(tools, name), `#!/bin/sh\n${text}\n`)
    await chmod(join(tools, name), 0o755)
  }
  const install = (words: string[], more: Record<string, string> = {}, cwd = folder) =>
    spawnSync('sh', [script, ...words], {
      env: { PATH: `${tools}:${process.env.PATH}`, DESTDIR: join(folder, 'root'), ...more },
      encoding: 'utf8',
      cwd,
    })
  const settings = (name: string) => join(folder, 'root/etc/switchboard', name)

  before(async () => {
    folder = await temporaryDirectory()
    tools = join(folder, 'tools')
    await mkdir(tools)
    await tool('npm', `echo "$@" >> "${folder}/npm-calls"; umask > "${folder}/npm-umask"`)
    await tool(
      'systemctl',
      `[ "$1" = --version ] && echo "systemd 252 (252.30)" || echo "$@" >> "${folder}/systemctl-calls"`,
    )
    await writeFile(join(folder, 'package.tgz'), '')
  })

  test('it installs the package, makes private keys, and starts nothing below DESTDIR', async () => {
    const { status, stderr, stdout } = install([join(folder, 'package.tgz')])
    assert.equal(status, 0, stderr)
    assert.match(
      await read(join(folder, 'npm-calls')),
      /install --global --ignore-scripts .*--prefix \/.*\/root\/opt\/switchboard \/.*\/package\.tgz/,
    )
    assert.match(await read(join(folder, 'npm-umask')), /^0*22$/m)
    for (const name of ['master-key', 'operator-key', 'api-key']) {
      assert.equal((await stat(settings(name))).mode & 0o777, 0o600, name)
      assert.ok(!stdout.includes((await read(settings(name))).trim()), 'no key is printed')
    }
    assert.equal((await stat(settings(''))).mode & 0o777, 0o700)
    await assert.rejects(read(join(folder, 'systemctl-calls')), 'nothing is started')
    const unit = await read(join(folder, 'root/etc/systemd/system/switchboard.service'))
    assert.match(unit, /^ExecStart=\/opt\/switchboard\/bin\/switchboard serve$/m)
  })

  test('the gateway accepts the keys', async () => {
    const key = async (name: string) => (await read(settings(name))).trim()
    const keys = {
      MASTER_KEY: await key('master-key'),
      API_KEY: await key('api-key'),
      OPERATOR_KEY: await key('operator-key'),
    }
    assert.equal(readSettings(keys).API_KEY, keys.API_KEY)
  })

  test('a package in the current folder is a file for npm, and not the name of a repository or an option', async () => {
    const here = join(folder, 'here')
    await mkdir(here)
    for (const name of ['owner', '--tag']) {
      await writeFile(join(here, name), '')
      const { status, stderr } = install([`./${name}`], {}, here)
      assert.equal(status, 0, stderr)
      assert.ok((await read(join(folder, 'npm-calls'))).trim().endsWith(` ${join(here, name)}`))
    }
  })

  describe('the command that it installs', () => {
    let server: StartedHere
    const data = () => join(folder, 'root/var/lib/switchboard')
    const file = () => join(folder, 'backup.db')
    const sqliteAt = (directory: string) => ({
      directory,
      databaseUrl: undefined,
      dispose: () => Promise.resolve(),
    })
    /** Settings of the shell that calls it are those of another gateway. */
    const command = (words: string[], more: Record<string, string> = {}) =>
      new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve) => {
        const { PATH = '' } = process.env
        execFile(
          join(folder, 'root/usr/local/sbin/switchboard'),
          words,
          { env: { PATH, DESTDIR: join(folder, 'root'), NETWORK: 'sandbox', DATA_DIR: folder, ...more } },
          (error, stdout, stderr) =>
            resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr }),
        )
      })

    before(async () => {
      const program = join(folder, 'root/opt/switchboard/bin/switchboard')
      await mkdir(join(program, '..'), { recursive: true })
      await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${programFile('cli')}" "$@"\n`)
      await chmod(program, 0o755)
      await mkdir(data(), { recursive: true, mode: 0o700 })
      server = await startHere(sqliteAt(data()), (await read(settings('api-key'))).trim(), {
        MASTER_KEY_FILE: settings('master-key'),
        OPERATOR_KEY_FILE: settings('operator-key'),
      })
      const { port } = new URL(server.url)
      // A shell would run the second value, and cut the third one at the ampersand.
      await writeFile(
        settings('switchboard.env'),
        `# comment\nNETWORK=whatsapp\n\nOTEL_SERVICE_NAME="a $(touch ${folder}/ran) b"\n` +
          `PUBLIC_URL=https://a.example.com/?b=c&d=e\n  PORT='${port}'\nHTTPS_PROXY=http://127.0.0.1:1\n`,
      )
    })
    after(() => server.stop())

    test('a backup names the file with the master key that decrypts it', async () => {
      const { status, stdout, stderr } = await command(['backup', file()])
      assert.equal(status, 0, stderr)
      assert.match(
        stdout,
        new RegExp(`Store a copy of ${settings('master-key')} in a separate, private place`),
      )
      assert.equal((await stat(file())).mode & 0o077, 0)
      const { stdout: json } = await command(['backup', `${file()}.2`, '--json'])
      assert.deepEqual(
        { ...JSON.parse(json), file: '', bytes: 0 },
        {
          file: '',
          engine: 'sqlite',
          bytes: 0,
          masterKeyIncluded: false,
          masterKey: settings('master-key'),
          masterKeyState: 'fits',
        },
      )
    })

    test('the doctor checks the network, the data and the master key of the service', async () => {
      const { stdout } = await command(['doctor', '--json'])
      const found = JSON.parse(stdout).findings as { check: string; level: string; found: string }[]
      const of = (check: string) => found.find((finding) => finding.check === check)
      assert.match(of('network')?.found ?? stdout, /the proxy in HTTPS_PROXY cannot be used/)
      assert.match(of('store')?.found ?? stdout, new RegExp(`SQLite in ${data()} opens`))
      assert.deepEqual(of('master key')?.found, `${settings('master-key')} decrypts the data`)
    })

    test('a command that calls the server has its address and its key', async () => {
      const client = createClient({ baseUrl: server.url, key: server.key })
      await client.createInstance({ body: { instanceName: 'shop' } })
      const { status, stdout, stderr } = await command(['instances', 'list'])
      assert.equal(status, 0, stderr)
      assert.match(stdout, /shop/)
    })

    test('no setting is run as a command, and the variables of the caller do not count', async () => {
      await assert.rejects(stat(join(folder, 'ran')))
      const { status } = await command(['backup', `${file()}.3`], { MASTER_KEY: 'not a key', PORT: 'x' })
      assert.equal(status, 0)
    })

    test('it runs as the owner of the data, who may read keys and write backups everywhere', async () => {
      await tool('id', 'echo 0')
      await tool('stat', 'echo 64123')
      await tool('setpriv', 'echo "$@"')
      const { stdout, status } = await command(['doctor'], { PATH: `${tools}:${process.env.PATH}` })
      assert.equal(status, 0)
      assert.match(
        stdout,
        /^--reuid 64123 --regid 64123 --clear-groups .*--ambient-caps=-all,\+dac_override /,
      )
      assert.match(stdout, /\/opt\/switchboard\/bin\/switchboard doctor$/m)
      for (const name of ['id', 'stat', 'setpriv']) await rm(join(tools, name))
    })

    test('it does not run a second server, and names a line of the settings that it cannot read', async () => {
      assert.match((await command(['serve'])).stderr, /systemctl start switchboard/)
      await writeFile(settings('switchboard.env'), 'NETWORK=whatsapp\nHTTPS_PROXY=a\\b\n')
      const { status, stderr } = await command(['doctor'])
      assert.equal(status, 78)
      assert.match(stderr, /switchboard\.env, line 2: this command cannot read a backslash/)
    })
  })

  test('a second run keeps keys and settings', async () => {
    await writeFile(settings('switchboard.env'), 'NETWORK=sandbox\n')
    const key = await read(settings('master-key'))
    assert.equal(install([join(folder, 'package.tgz')]).status, 0)
    assert.equal(await read(settings('master-key')), key)
    assert.equal(await read(settings('switchboard.env')), 'NETWORK=sandbox\n')
  })

  test('what is missing is named, and nothing is changed', async () => {
    const target = { DESTDIR: join(folder, 'other') }
    assert.match(install([], target).stderr, /usage: deploy\/install\.sh/)
    assert.match(install(['missing.tgz'], target).stderr, /missing\.tgz is not a file/)
    await tool('systemctl', 'echo "systemd 247 (247.3)"')
    assert.match(
      install([join(folder, 'package.tgz')], target).stderr,
      /systemd 250 or later is needed, this is 247/,
    )
    await tool('node', '[ "$1" = -p ] && echo 18 || echo v18.19.0')
    assert.match(
      install([join(folder, 'package.tgz')], target).stderr,
      /Node 20 or later is needed, this is v18/,
    )
    await assert.rejects(stat(target.DESTDIR))
  })
})
