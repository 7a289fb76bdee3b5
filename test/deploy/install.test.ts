// The script that installs the gateway on Debian: into a folder, with stand-ins for npm and systemd.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { readSettings } from '../../src/config.ts'
import { temporaryDirectory } from '../support/engines.ts'

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
