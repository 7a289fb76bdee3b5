// Albums: several files that are sent, shown, received and reported as one.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { png } from '../support/sample-files.ts'
import { type PairedInstance, type SandboxWorld, startSandboxWorld, until } from '../support/sandbox-world.ts'

const jidOf = (number: string) => `${number}@s.whatsapp.net`
const picture = { type: 'image', base64: png(4, 4).toString('base64'), mimetype: 'image/png' }

for (const engine of behaviourEngines('sqlite'))
  describe(`albums on ${engine.name}`, () => {
    const prefix = engine.name === 'sqlite' ? '5511981110' : '5511982220'
    const [OWNER, BOB] = [1, 2].map((last) => `${prefix}00${last}`) as [string, string]
    const storeLocation = engine.createLocation()
    let sandbox: SandboxWorld
    let line: PairedInstance
    before(async () => {
      const { databaseUrl } = await storeLocation
      sandbox = await startSandboxWorld(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl })
      await sandbox.world.phone(BOB, 'Bob')
      line = await sandbox.pair(OWNER)
    })
    after(async () => {
      await sandbox.stop()
      await (await storeLocation).dispose()
    })

    const upload = async (width: number): Promise<string> => {
      const headers = { 'content-type': 'image/png' }
      return (await sandbox.api('uploadMedia', { body: png(width, 4), headers })).mediaId
    }

    test('an album is shown on the phone with its files, and each file has its own status', async () => {
      const files = [{ mediaId: await upload(4), message: 'Front' }, { mediaId: await upload(8) }]
      const body = { instanceName: line.name, number: BOB, files }
      const { messageId, members } = await sandbox.api('sendAlbum', { body })
      assert.deepEqual((await sandbox.world.shown(BOB, messageId)).album, { images: 2, videos: 0 })
      for (const [index, member] of members.entries()) {
        const { albumId, media, text } = await sandbox.world.shown(BOB, member.messageId)
        assert.deepEqual([albumId, media?.type, text], [messageId, 'image', index === 0 ? 'Front' : null])
        await sandbox.message(line, member.messageId, ({ status }) => status === 'delivered')
      }
      const chat = await until(
        () => sandbox.chat(line, jidOf(BOB)),
        (found) => found?.lastMessageTimestamp !== null,
        'the chat',
      )
      assert.equal(chat.unreadCount, 0)
      // The phones have got them in their order.
      const shown = (await sandbox.world.messages(BOB, `?chat=${OWNER}`)).map(({ id }) => id)
      assert.deepEqual(shown, [
        messageId,
        ...members.map((member: { messageId: string }) => member.messageId),
      ])
    })

    test('a forwarded file of an album is not part of it', async () => {
      const files = [{ mediaId: await upload(5) }, { mediaId: await upload(6) }]
      const { messageId, members } = await sandbox.api('sendAlbum', {
        body: { instanceName: line.name, number: BOB, files },
      })
      await sandbox.message(line, members[1].messageId, ({ status }) => status === 'delivered')
      const params = { messageId: members[1].messageId }
      const forwarded = await sandbox.api('forwardMessage', { params, body: { number: BOB } })
      const shown = await sandbox.world.shown(BOB, forwarded.messageId)
      assert.deepEqual([shown.albumId, shown.forwarded], [undefined, true])
      const refused = await sandbox.call('forwardMessage', { params: { messageId }, body: { number: BOB } })
      assert.equal(refused.json.reason, 'message_not_found')
    })

    test('a received album links its files, and counts as they do', async () => {
      const before_ = (await sandbox.chat(line, jidOf(BOB)))?.unreadCount ?? 0
      const albumId = await sandbox.world.send(BOB, { to: OWNER, album: { images: 2 } })
      const album = await sandbox.message(line, albumId)
      assert.deepEqual([album.type, album.content.images, album.content.videos], ['album', 2, 0])
      for (const caption of ['One', 'Two']) {
        const id = await sandbox.world.send(BOB, { to: OWNER, albumId, media: { ...picture, caption } })
        const { type, content } = await sandbox.message(line, id)
        assert.deepEqual([type, content.text, content.album], ['image', caption, { messageId: albumId }])
        const upsert = (await sandbox.events(line, id)).find(({ event }) => event === 'messages.upsert')
        const reported = upsert?.data as { content: Record<string, unknown> } | undefined
        assert.deepEqual(reported?.content.album, { messageId: albumId })
      }
      const { unreadCount, lastMessageText } = await sandbox.chat(line, jidOf(BOB))
      assert.deepEqual([unreadCount - before_, lastMessageText], [2, 'Two'])
    })
  })
