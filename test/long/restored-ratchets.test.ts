// After a restore and a resume, conversations go on in both directions: no key of the backup encrypts another text, so that no phone
// drops a message as repeated (decision 0114).
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { answers } from '../../src/contract/sandbox-world.ts'
import { SandboxProcesses } from '../sandbox/support/process.ts'
import { World } from '../sandbox/support/world.ts'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { done, runCliHere, scratchDirectory, settingsOf } from '../support/cli.ts'
import { withDatabase } from '../support/database.ts'
import { api, linkedInstance, newNumber, until, untilReceived, untilState } from '../support/linked.ts'
import { newKey, type Started, startWithKey } from '../support/started.ts'

/** The numbers of the one-time keys that an instance has stored. */
const oneTimeKeys = (storeLocation: Parameters<typeof withDatabase>[0]): Promise<Set<string>> =>
  withDatabase(storeLocation, async (db) => {
    const rows = await db.rows<{ name: string }>(`select name from session_keys where kind = 'pre-key'`)
    return new Set(rows.map(({ name }) => name))
  })

/** Every message that the instance has sent. */
const untilDelivered = (gateway: Started, name: string): Promise<true> =>
  until('every message is delivered', async () => {
    const { messages } = await api(gateway, `GET /messages?instanceName=${name}&direction=outgoing&limit=100`)
    const open = (messages as { status: string }[]).filter(({ status }) => status !== 'delivered')
    return open.length === 0 ? true : undefined
  })

for (const engine of behaviourEngines())
  describe(`ratchets of a restored database on ${engine.name}`, () => {
    test('direct and group messages arrive in both directions after a resume, and no key is used twice', async () => {
      const sandboxes = new SandboxProcesses()
      const [source, target] = [await engine.createLocation(), await engine.createLocation()]
      const servers: Started[] = []
      try {
        const { world, lines } = await sandboxes.start({ DATA_DIR: await scratchDirectory() })
        const key = newKey()
        const environment = { SANDBOX_URL: world.sandbox.url, SANDBOX_KEY: World.apiKey }
        const production = await startWithKey(source, key, environment)
        servers.push(production)
        const [owner, ana, bia, later, stranger] = [
          newNumber(),
          newNumber(),
          newNumber(),
          newNumber(),
          newNumber(),
        ]
        const name = await linkedInstance(production, owner)
        for (const number of [ana, bia, later, stranger]) await world.phone(number, `Phone ${number}`)
        const made = await world.post('/groups', { subject: 'Team', members: [owner, bia], admin: ana })
        const group = answers.group.parse(made).group.jid

        const sent = new Set<string>()
        const write = async (gateway: Started, to: object, readers: string[]) => {
          const body = { instanceName: name, message: `text ${sent.size}`, delay: 0, ...to }
          const { messageId } = await api(gateway, 'POST /send/text', body)
          sent.add(messageId)
          for (const reader of readers) await world.shown(reader, messageId)
        }
        let received = 0
        const answer = async (gateway: Started, from: string, to: string) => {
          const text = `answer ${++received} of ${from}`
          await world.send(from, { to, text })
          await untilReceived(gateway, name, text)
        }
        const converse = async (gateway: Started) => {
          await write(gateway, { number: ana }, [ana])
          await answer(gateway, ana, owner)
          await write(gateway, { groupJid: group }, [ana, bia])
          await answer(gateway, ana, group)
          await answer(gateway, bia, group)
          await write(gateway, { number: ana }, [ana])
          await write(gateway, { groupJid: group }, [ana, bia])
        }
        await converse(production)

        // A receipt that comes after the backup is not in the copy.
        await untilDelivered(production, name)
        const backup = join(await scratchDirectory(), 'backup')
        done(await runCliHere(['backup', backup], settingsOf(source)))
        await converse(production)
        // Takes a one-time key that the backup still has.
        await answer(production, later, owner)
        await write(production, { number: later }, [later])
        assert.deepEqual(await production.stop('SIGTERM'), { code: 0, signal: null })

        const masterKey = (await readFile(join(source.directory, 'master-key'), 'utf8')).trim()
        const settings = { ...settingsOf(target), MASTER_KEY: masterKey }
        done(await runCliHere(['restore', backup], settings))
        const restored = await oneTimeKeys(target)
        assert.ok(restored.size > 0)
        const copy = await startWithKey(target, key, { ...environment, MASTER_KEY: masterKey })
        servers.push(copy)
        done(await runCliHere(['resume', '--yes'], settings))
        await untilState(copy, name, 'open')
        const renewed = await until('new one-time keys', async () => {
          const stored = await oneTimeKeys(target)
          return stored.size >= 800 ? stored : undefined
        })
        assert.deepEqual(
          [...renewed].filter((id) => restored.has(id)),
          [],
        )
        await converse(copy)
        await answer(copy, later, owner)
        await write(copy, { number: later }, [later])
        await answer(copy, stranger, owner)
        await converse(copy)

        await untilDelivered(copy, name)
        assert.deepEqual(
          lines.filter((line) => line.includes('its key was used before')),
          [],
        )
        await copy.stop('SIGTERM')
      } finally {
        for (const { child } of servers) child.kill('SIGKILL')
        sandboxes.end()
        await source.dispose()
        await target.dispose()
      }
    })
  })
