// A session of the published library moves into the gateway: it opens without a scan, receives what waited, and goes on in both
// directions, in chats and in groups, on the same device.
import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { answers } from '../../src/contract/sandbox-world.ts'
import { startOriginal } from '../judges/original-process.ts'
import { jidOf } from '../judges/partner.ts'
import { SandboxProcesses } from '../sandbox/support/process.ts'
import { World } from '../sandbox/support/world.ts'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { runCliHere, scratchDirectory, settingsOf } from '../support/cli.ts'
import { api, newNumber, until, untilReceived, untilState } from '../support/linked.ts'
import { newKey, type Started, startWithKey } from '../support/started.ts'

/** Another program's sessions beside the sound one, each with a fault. */
async function addFaultySessions(folders: string, sound: string): Promise<void> {
  const creds = JSON.parse(await readFile(join(sound, 'creds.json'), 'utf8'))
  const write = async (name: string, content: string) => {
    await mkdir(join(folders, name))
    await writeFile(join(folders, name, 'creds.json'), content)
  }
  await write('not-json', '{')
  await write('not-linked', JSON.stringify({ ...creds, me: undefined }))
  await write('short-key', JSON.stringify({ ...creds, noiseKey: { public: 'a', private: 'b' } }))
  const { signedIdentityKey, ...rest } = creds
  const mixed = { ...signedIdentityKey, private: creds.noiseKey.private }
  await write('mixed-keys', JSON.stringify({ ...rest, signedIdentityKey: mixed }))
  await mkdir(join(folders, 'no-session'))
}

for (const engine of behaviourEngines('sqlite'))
  describe(`importing sessions on ${engine.name}`, () => {
    test('a folder of the published library goes on in the gateway', async () => {
      const sandboxes = new SandboxProcesses()
      const at = await engine.createLocation()
      const folders = await scratchDirectory()
      const folder = join(folders, 'Support desk')
      const servers: Started[] = []
      const { world, lines } = await sandboxes.start({ DATA_DIR: await scratchDirectory() })
      const [owner, ana, bia] = [newNumber(), newNumber(), newNumber()]
      const original = startOriginal((qr) => world.post(`/phones/${owner}/scan`, { qr }))
      try {
        const key = newKey()
        const environment = { SANDBOX_URL: world.sandbox.url, SANDBOX_KEY: World.apiKey }
        for (const number of [owner, ana, bia]) await world.phone(number, `Phone ${number}`)
        const made = await world.post('/groups', { subject: 'Team', members: [owner, bia], admin: ana })
        const group = answers.group.parse(made).group.jid
        const { wsUrl, rootPublicKey } = world.sandbox
        await original.command({ do: 'pair', network: { wsUrl, rootPublicKey }, folder })

        const fromOriginal = async (to: string, text: string, readers: string[]) => {
          const id = (await original.command({ do: 'send', to, text })) as string
          for (const reader of readers) await world.shown(reader, id)
        }
        const atOriginal = (text: string) =>
          until(`"${text}" at the library`, async () => original.received.includes(text) || undefined)
        for (const round of [1, 2, 3]) {
          await fromOriginal(jidOf(ana), `before ${round}`, [ana])
          await fromOriginal(group, `before in the group ${round}`, [ana, bia])
          await world.send(ana, { to: owner, text: `from Ana ${round}` })
          await world.send(bia, { to: group, text: `from Bia ${round}` })
          for (const text of [`from Ana ${round}`, `from Bia ${round}`]) await atOriginal(text)
        }
        await original.command({ do: 'close' })
        original.end()
        await world.send(ana, { to: owner, text: 'while it is away' })
        await world.send(bia, { to: group, text: 'in the group while it is away' })

        const first = await startWithKey(at, key, environment)
        await first.stop('SIGTERM')
        await addFaultySessions(folders, folder)
        await writeFile(join(folder, 'session-1.0.json'), '{"_sessions":{"a":{}}}')
        await writeFile(join(folder, 'notes.txt'), 'of another program')
        await symlink('/etc/hostname', join(folder, 'pre-key-99999.json'))
        const before = await readdir(folder)
        const run = (...more: string[]) =>
          runCliHere(['import', '--from', 'baileys-folder', folders, '--json', ...more], settingsOf(at))

        const young = await run()
        assert.match(
          supportDesk(young.json.sessions).reason,
          /changed \d+ s ago: stop the other program first/,
        )
        const dry = await run('--stopped')
        assert.equal(dry.code, 1, 'some sessions are refused')
        assert.deepEqual(outcomesOf(dry.json.sessions), {
          'Support desk': 'ready',
          'mixed-keys': 'creds.signedIdentityKey: the two keys do not belong together',
          'not-json': 'not valid JSON',
          'not-linked': 'creds: not linked with a phone',
          'short-key': 'creds.noiseKey.public: expected 32 bytes',
        })
        const applied = await run('--stopped', '--apply')
        const imported = supportDesk(applied.json.sessions)
        assert.equal(imported.outcome, 'imported')
        assert.equal(imported.number, owner)
        assert.ok(imported.taken['pre-key'] > 800 && imported.taken.session >= 2)
        assert.ok(imported.taken['sender-key'] >= 2 && imported.taken['sender-key-memory'] === 1)
        assert.deepEqual(imported.left, {
          'other files: not a file': 1,
          'other files: not a key of a session': 1,
          'session: cannot be read': 1,
        })
        assert.deepEqual(await readdir(folder), before, 'the source is only read')
        const again = await run('--stopped', '--apply')
        assert.equal(again.code, 1)
        assert.match(supportDesk(again.json.sessions).reason, /the number is logged in as support-desk-/)

        const gateway = await startWithKey(at, key, environment)
        servers.push(gateway)
        const name: string = imported.instanceName
        const seen = await untilState(gateway, name, 'open')
        assert.ok(!seen.includes('connecting/awaiting_scan'))
        for (const text of ['while it is away', 'in the group while it is away'])
          await untilReceived(gateway, name, text)
        for (const round of [1, 2]) {
          const send = async (to: object) =>
            (
              await api(gateway, 'POST /send/text', {
                instanceName: name,
                message: `after ${round}`,
                delay: 0,
                ...to,
              })
            ).messageId
          await world.shown(ana, await send({ number: ana }))
          const inGroup = await send({ groupJid: group })
          for (const reader of [ana, bia]) await world.shown(reader, inGroup)
          await world.send(ana, { to: owner, text: `answer of Ana ${round}` })
          await world.send(bia, { to: group, text: `answer of Bia ${round}` })
          for (const text of [`answer of Ana ${round}`, `answer of Bia ${round}`])
            await untilReceived(gateway, name, text)
        }
        const { phone } = (await world.get(`/phones/${owner}`, answers.phone)) as {
          phone: { devices: unknown[] }
        }
        assert.equal(phone.devices.length, 1)
        // A session or a sender key that was not taken over shows as a message that one side asks for again.
        const receipts = await world.frames('tag=receipt&limit=1000')
        assert.deepEqual(
          receipts.filter(({ attributes }) => attributes.type === 'retry'),
          [],
        )
        assert.deepEqual(
          lines.filter((line) => line.includes('its key was used before')),
          [],
        )
        await gateway.stop('SIGTERM')
      } finally {
        original.end()
        for (const { child } of servers) child.kill('SIGKILL')
        sandboxes.end()
        await at.dispose()
      }
    })
  })

interface Reported {
  label: string
  outcome: string
  reason: string
  number: string
  instanceName: string
  taken: Record<string, number>
  left: Record<string, number>
}

const supportDesk = (
  sessions: Reported[],
): Reported & { taken: { 'pre-key': number; session: number; 'sender-key': number } } =>
  sessions.find(({ label }) => label === 'Support desk') as never

const outcomesOf = (sessions: Reported[]): Record<string, string> =>
  Object.fromEntries(sessions.map(({ label, outcome, reason }) => [label, reason ?? outcome]).toSorted())
