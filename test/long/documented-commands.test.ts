// Commands of the documents, run as they are written against a gateway with simulated phones.
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { rm, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { pino } from 'pino'
import sharp from 'sharp'
import { type App, startApp } from '../../src/app/start.ts'
import { readSettings } from '../../src/config.ts'
import { COMPILE_CACHE } from '../support/compile-cache.ts'
import { documentedBlocks, type ShellBlock } from '../support/document-commands.ts'
import { temporaryDirectory } from '../support/engines.ts'
import { api, linkedInstance, newInstance, until, untilReceived, world } from '../support/linked.ts'
import { programFile } from '../support/program.ts'
import { png } from '../support/sample-files.ts'
import { onSharedSandbox } from '../support/shared-sandbox.ts'
import { newKey } from '../support/started.ts'

const shell = promisify(execFile)
const own = `test/long/${basename(import.meta.filename)}`
const blocks = documentedBlocks(join(import.meta.dirname, '../..'))

/** Stands for npm: only the command line is run. */
const PRELUDE = `set -euo pipefail
npm() { [ "$1 $2 $3" = 'run cli --' ] && shift 3 && "$NODE" "$CLI" "$@"; }
node() { "$NODE" "$@"; }
curl() { command curl --silent --show-error --fail-with-body "$@"; }
`
const [OWNER, ANA, BEN] = ['5511900000009', '5511912345678', '5511987654321']
const skip = ['bash', 'curl'].some((name) => spawnSync(name, ['--version']).status !== 0)
if (skip && process.env.CI === 'true') throw new Error('bash or curl is not installed')

describe('the commands of documents work as they are written', { skip }, () => {
  let app: App
  let directory: string
  let gateway: { url: string; key: string }
  let instance: string
  /** What stands for a value of the reader in the text, and the value here. */
  let values: [string | RegExp, string][]
  before(async () => {
    const data = await temporaryDirectory()
    const key = newKey()
    // No example may reach a host outside.
    const resolver = async () => Promise.reject(new Error('no such name'))
    const environment = { PORT: '0', DATA_DIR: data, API_KEY: key, RATE_LIMIT: '0' }
    const settings = readSettings({ ...environment, ...(await onSharedSandbox()) })
    app = await startApp(settings, pino({ level: 'silent' }), { resolver })
    gateway = { url: app.url, key }
    for (const number of [ANA, BEN]) await world(gateway, 'POST /phones', { number, name: 'Ana' })
    instance = await linkedInstance(gateway, OWNER)
    await world(gateway, `POST /phones/${ANA}/send`, { to: OWNER, text: 'Hello' })
    await untilReceived(gateway, instance, 'Hello')
    directory = await temporaryDirectory()
    await prepareFiles(directory, data, key)
    values = await valuesOf(data)
  })
  after(async () => {
    await app.stop()
    await rm(directory, { recursive: true })
  })

  async function prepareFiles(folder: string, data: string, key: string): Promise<void> {
    const menu = {
      interactive: { body: 'Menu', buttons: [{ buttonId: 'a', buttonText: { displayText: 'A' } }] },
    }
    const files: [string, string | Uint8Array][] = [
      ['menu.json', JSON.stringify({ instanceName: instance, ...menu })],
      ['secret.txt', 'a secret of the reader'],
      ['.gateway-key', key],
      ['team.jpg', await sharp(png(64, 64)).jpeg().toBuffer()],
    ]
    for (const [name, content] of files) await writeFile(join(folder, name), content)
    await writeFile(join(data, 'first-api-key'), key)
    await symlink(data, join(folder, 'data'))
  }

  async function valuesOf(data: string): Promise<[string | RegExp, string][]> {
    const group = { instanceName: instance, subject: 'Launch', members: [ANA] }
    const { groupJid } = (await api(gateway, 'POST /groups', group)).group
    const { webhook } = await api(gateway, 'POST /webhooks', { url: 'https://example.com/first' })
    const broker = { type: 'redis', url: 'rediss://broker.example.com' }
    const { destination } = await api(gateway, 'POST /destinations', broker)
    return [
      ['http://127.0.0.1:8080', gateway.url],
      ['https://gateway.example.com', gateway.url],
      ['support-k3v9x2ma', instance],
      ['120363000000000000@g.us', groupJid],
      [/(?<=--id |test |deliveries |replay )3\b/g, String(webhook.id)],
      [/(?<=destinations (?:pause|resume|replay) )4\b/g, String(destination.id)],
      [/2026-12-24T09:00:00\+01:00/g, new Date(Date.now() + 86_400_000).toISOString()],
      ['/backups', data],
    ]
  }

  /** A call rings for a minute, so it is made just before the command that rejects it. */
  async function ring(): Promise<void> {
    const { call } = await world(gateway, `POST /phones/${ANA}/call`, { to: OWNER })
    await until('the call', async () => {
      const { events } = await api(gateway, 'GET /events?events=call&limit=100')
      return events.length > 0 || undefined
    })
    values.push(['3EB0A1B2C3D4E5F60718293A4B5C6D7E', call.id])
  }

  /** The message of the first block of the README. */
  const firstMessage = () =>
    until('the first message', async () => {
      const { messages } = await world(gateway, 'GET /phones/5511900000078/messages')
      return messages.some(({ text }: { text: string }) => text === 'Hello there') || undefined
    })

  async function run({ text }: ShellBlock): Promise<void> {
    const script = values.reduce((changed, [from, to]) => changed.replaceAll(from, to), text)
    const environment = {
      PATH: process.env.PATH,
      HOME: directory,
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      NODE: process.execPath,
      CLI: programFile('cli'),
      DATA_DIR: join(directory, 'data'),
      SWITCHBOARD_URL: gateway.url,
      API_KEY: gateway.key,
      BASE: gateway.url,
      KEY: gateway.key,
      INSTANCE: instance,
    }
    await shell('bash', ['-c', PRELUDE + script], { cwd: directory, env: environment })
  }

  const mine = blocks.filter(({ runBy }) => runBy?.includes(own))
  test('the blocks that name this file were found', () => assert.ok(mine.length > 12))

  for (const block of mine)
    test(`${block.path}:${block.line}`, async () => {
      // An instance that is not linked yet, where the text links one.
      const linked = instance
      if (block.text.includes('instances create')) {
        instance = await newInstance(gateway)
        values = values.map(([from, to]) => [from, to === linked ? instance : to])
      }
      try {
        if (block.text.includes('$CALL')) await ring()
        await run(block)
        if (block.path === 'README.md') await firstMessage()
      } finally {
        values = values.map(([from, to]) => [from, to === instance ? linked : to])
        instance = linked
      }
    })
})
