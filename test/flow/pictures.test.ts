// Profile pictures of the account, of people and of groups: a known picture has an address that serves its bytes and follows the
// network.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { answers } from '../../src/contract/sandbox-world.ts'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { png } from '../support/sample-files.ts'
import { type PairedInstance, type SandboxWorld, startSandboxWorld, until } from '../support/sandbox-world.ts'

const NUMBERS = { pn: '551195666000', lid: '551195777000' } as const

for (const engine of behaviourEngines('postgres')) {
  describe(`profile pictures on ${engine.name}`, () => {
    let sandbox: SandboxWorld
    let dispose: () => Promise<void>
    before(async () => {
      const storeLocation = await engine.createLocation()
      dispose = storeLocation.dispose
      sandbox = await startSandboxWorld(
        storeLocation.databaseUrl === undefined ? {} : { DATABASE_URL: storeLocation.databaseUrl },
      )
    })
    after(async () => {
      await sandbox.stop()
      await dispose()
    })
    const at = (url: string, key = sandbox.key) => fetch(url, { headers: { authorization: `Bearer ${key}` } })
    const bytesAt = async (url: string) => {
      const response = await at(url)
      assert.equal(response.status, 200, `${url}: ${response.status}`)
      return Buffer.from(await response.arrayBuffer())
    }

    for (const addressing of ['pn', 'lid'] as const)
      describe(`with people named by ${addressing}`, () => {
        const [OWNER, BOB] = [`${NUMBERS[addressing]}1`, `${NUMBERS[addressing]}2`] as const
        const bobJid = `${BOB}@s.whatsapp.net`
        let line: PairedInstance
        const setPicture = (number: string, bytes: Buffer | null) =>
          sandbox.world.post(`/phones/${number}/picture`, { base64: bytes?.toString('base64') ?? null })
        const instance = async () =>
          (await sandbox.api('instanceState', { query: { instanceName: line.name } })).instance
        const contact = async () =>
          (await sandbox.api('listContacts', { query: { instanceName: line.name } })).contacts[0]
        before(async () => {
          await sandbox.setAddressing(addressing)
          await sandbox.world.phone(OWNER, 'Owner')
          await sandbox.world.phone(BOB, 'Bob')
          await setPicture(OWNER, png(2, 2))
          line = await sandbox.pair(OWNER)
          await sandbox.message(line, await sandbox.world.send(BOB, { to: OWNER, text: 'Hi' }))
          await sandbox.api('saveContact', { body: { instanceName: line.name, phone: BOB, name: 'Bob' } })
        })

        test('the owner’s picture is known after the login and follows the phone until it is removed', async () => {
          const first = await until(
            instance,
            ({ profilePictureUrl }) => profilePictureUrl !== null,
            'the picture of the account',
          )
          assert.equal(first.profilePicUrl, first.profilePictureUrl)
          assert.ok(first.profilePictureUrl.startsWith(`${sandbox.app.url}/api/v1/instance/profile-picture?`))
          assert.ok((await bytesAt(first.profilePictureUrl)).equals(png(2, 2)))
          await setPicture(OWNER, png(3, 3))
          const second = await until(
            instance,
            ({ profilePictureUrl }) => profilePictureUrl !== first.profilePictureUrl,
            'the changed picture',
          )
          assert.ok((await bytesAt(second.profilePictureUrl)).equals(png(3, 3)))
          await setPicture(OWNER, null)
          await until(instance, ({ profilePictureUrl }) => profilePictureUrl === null, 'no picture')
        })

        test('the picture of a contact appears, changes and disappears as on the network, with an event each time', async () => {
          assert.equal((await contact()).profilePictureUrl, null)
          const updateCount = async () => {
            const query = { instanceName: line.name, events: 'contacts.update', limit: 500 }
            const { events } = await sandbox.api('listEvents', { query })
            return (events as { data: { person: { jid: string } } }[]).filter(
              ({ data }) => data.person.jid === bobJid,
            ).length
          }
          const before = await updateCount()
          await setPicture(BOB, png(4, 4))
          const first = await until(
            contact,
            ({ profilePictureUrl }) => profilePictureUrl !== null,
            'the picture of the contact',
          )
          assert.equal(first.profilePicUrl, first.profilePictureUrl)
          assert.ok(first.profilePictureUrl.startsWith(`${sandbox.app.url}/api/v1/chats/picture?`))
          assert.ok((await bytesAt(first.profilePictureUrl)).equals(png(4, 4)))
          const { profilePictureUrl } = await sandbox.chat(line, bobJid)
          assert.equal(profilePictureUrl, first.profilePictureUrl, 'the chat shows it too')
          await setPicture(BOB, png(5, 5))
          const second = await until(
            contact,
            (one) => one.profilePictureUrl !== first.profilePictureUrl,
            'the changed picture',
          )
          assert.ok((await bytesAt(second.profilePictureUrl)).equals(png(5, 5)))
          await setPicture(BOB, null)
          await until(contact, (one) => one.profilePictureUrl === null, 'no picture')
          assert.equal((await at(second.profilePictureUrl)).status, 404)
          await until(updateCount, (count) => count >= before + 3, 'an event for each change')
          assert.equal(await updateCount(), before + 3)
        })

        test('the picture of a group appears, changes and disappears likewise', async () => {
          const made = await sandbox.world.post('/groups', { subject: 'Team', members: [OWNER], admin: BOB })
          const { jid } = answers.group.parse(made).group
          const group = async () =>
            (await sandbox.api('listGroups', { query: { instanceName: line.name } })).groups.find(
              ({ groupJid }: { groupJid: string }) => groupJid === jid,
            )
          await until(group, (one) => one !== undefined, 'the group')
          await sandbox.world.ask('PATCH', `/groups/${jid}`, { pictureBase64: png(6, 6).toString('base64') })
          const shown = await until(
            group,
            ({ profilePictureUrl }) => profilePictureUrl !== null,
            'the picture of the group',
          )
          assert.ok((await bytesAt(shown.profilePictureUrl)).equals(png(6, 6)))
        })

        test('a picture can be loaded with a key of scope images, and with no other restricted key', async () => {
          await setPicture(BOB, png(7, 7))
          const { profilePictureUrl: url } = await until(
            contact,
            (one) => one.profilePictureUrl !== null,
            'the picture of the contact',
          )
          assert.ok(!url.includes(sandbox.key) && !url.includes('apiKey'), 'the address holds no key')
          const keyFor = async (scope: string) =>
            (await sandbox.api('createApiKey', { body: { name: scope, scopes: [scope] } })).key as string
          const images = await keyFor('images')
          assert.equal((await fetch(`${url}&apiKey=${images}`)).status, 200)
          assert.equal((await fetch(`${url}&apiKey=${await keyFor('send')}`)).status, 403)
          assert.equal((await fetch(url)).status, 401)
        })
      })
  })
}
