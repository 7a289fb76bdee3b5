// Replies, mentions, view-once files, reactions, edits, deletions, pins and forwards that are sent over HTTP reach the phone.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { RouteId } from '../../src/contract/routes.ts'
import { behaviourCases } from '../support/behaviour-engines.ts'
import { pdf, png } from '../support/sample-files.ts'
import {
  type PairedInstance,
  type SandboxWorld,
  type Shown,
  startSandboxWorld,
  until,
} from '../support/sandbox-world.ts'
import { startWebHost, type WebHost } from '../support/web-host.ts'

const FILES: Record<string, { bytes: Buffer; type: string }> = {
  '/photo.png': { bytes: png(3, 2), type: 'image/png' },
  '/paper.pdf': { bytes: pdf(), type: 'application/pdf' },
}
const CASES = [
  { addressing: 'pn', prefix: '55119611100' },
  { addressing: 'lid', prefix: '55119622200' },
] as const

for (const {
  engine,
  variant: { addressing, prefix },
} of behaviourCases(CASES))
  describe(`messages that refer to others (${addressing}, ${engine.name})`, () => {
    const [OWNER, BOB, CAROL] = [1, 2, 3].map((last) => `${prefix}0${last}`) as [string, string, string]
    let sandbox: SandboxWorld
    let files: WebHost
    let line: PairedInstance
    let group = ''
    const storeLocation = engine.createLocation()
    before(async () => {
      const { databaseUrl } = await storeLocation
      files = await startWebHost((request, response) => {
        const file = FILES[request.url ?? '']
        response.writeHead(file ? 200 : 404, { 'content-type': file?.type ?? 'text/plain' })
        response.end(file?.bytes ?? '')
      })
      sandbox = await startSandboxWorld(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl })
      await sandbox.setAddressing(addressing)
      await sandbox.world.phone(BOB, 'Bob')
      await sandbox.world.phone(CAROL, 'Carol')
      line = await sandbox.pair(OWNER)
      const made = await sandbox.world.post('/groups', {
        subject: 'Team',
        admin: OWNER,
        members: [OWNER, BOB, CAROL],
      })
      group = (made as { group: { jid: string } }).group.jid
    })
    after(async () => {
      await sandbox.stop()
      await files.close()
      await (await storeLocation).dispose()
    })

    const send = async (id: RouteId, body: Record<string, unknown>): Promise<string> => {
      const to = 'groupJid' in body ? {} : { number: BOB }
      const input = { body: { instanceName: line.name, delay: 0, ...to, ...body } }
      return (await sandbox.api(id, input)).messageId
    }
    /** What happens to a message, over HTTP; the id of the change. */
    const change = async (id: RouteId, messageId: string, body?: Record<string, unknown>): Promise<string> =>
      (await sandbox.api(id, { params: { messageId }, ...(body && { body }) })).messageId
    const shown = (id: string, phone = BOB): Promise<Shown> => sandbox.world.shown(phone, id)
    /** The message on the phone, once it looks like this. */
    const becomes = (id: string, fits: (message: Shown) => boolean, phone = BOB): Promise<Shown> =>
      until(() => shown(id, phone), fits, `the change of ${id}`)
    const received = async (text: string): Promise<string> => {
      const { messageId } = await sandbox.world.post(`/phones/${BOB}/send`, { to: OWNER, text })
      await sandbox.message(line, String(messageId))
      return String(messageId)
    }

    test('a reply quotes a sent or received message, in every kind', async () => {
      const theirs = await received('How much?')
      const mine = await send('sendText', { message: 'It depends' })
      const text = await shown(await send('sendText', { message: 'Ten', quotedMessageId: theirs }))
      assert.deepEqual(text.quoted, { id: theirs, text: 'How much?' })
      const mediaUrl = `${files.url}/photo.png`
      const image = await shown(await send('sendMedia', { type: 'image', mediaUrl, quotedMessageId: mine }))
      assert.deepEqual(image.quoted, { id: mine, text: 'It depends' })
      const poll = { pollName: 'Which?', options: ['a', 'b'], quotedMessageId: image.id }
      assert.equal((await shown(await send('sendPoll', poll))).quoted?.id, image.id)
    })

    test('any kind goes to a group, and mentions its members', async () => {
      const spot = { groupJid: group, latitude: 1, longitude: 2, name: 'Here' }
      const location = await send('sendLocation', spot)
      for (const phone of [BOB, CAROL]) assert.equal((await shown(location, phone)).kind, 'location')
      const message = `@${BOB} look`
      const text = await shown(await send('sendText', { groupJid: group, message, mentions: [BOB] }))
      assert.equal(text.mentions?.length, 1)
      const theirs = await sandbox.world.post(`/phones/${CAROL}/send`, { to: group, text: 'And me?' })
      const quotedMessageId = (theirs as { messageId: string }).messageId
      await sandbox.message(line, quotedMessageId)
      const reply = await shown(
        await send('sendText', { groupJid: group, message: 'You too', quotedMessageId }),
      )
      assert.deepEqual(reply.quoted, { id: quotedMessageId, text: 'And me?' })
    })

    test('a reaction appears on sent and received messages, and can be withdrawn', async () => {
      for (const target of [await send('sendText', { message: 'a' }), await received('b')]) {
        const id = await change('reactToMessage', target, { emoji: '👍' })
        await becomes(target, ({ reactions }) => reactions?.[OWNER] === '👍')
        await sandbox.message(line, id, ({ status }) => status !== 'queued' && status !== 'sending')
        const names = (await sandbox.events(line, id)).map(({ event }) => event)
        assert.ok(names.includes('messages.upsert') && names.includes('messages.reaction'), names.join())
        await change('reactToMessage', target, { emoji: null })
        await becomes(target, ({ reactions }) => !reactions?.[OWNER])
      }
    })

    test('an edit replaces the text or caption, also right after the message', async () => {
      const text = await send('sendText', { message: 'First' })
      await change('editMessage', text, { message: 'Second' })
      assert.equal((await becomes(text, ({ edited }) => edited === true)).text, 'Second')
      const mediaUrl = `${files.url}/photo.png`
      const image = await send('sendMedia', { type: 'image', mediaUrl, message: 'Old' })
      await change('editMessage', image, { message: 'New' })
      await becomes(image, ({ edited }) => edited === true)
    })

    test('a deletion removes the message for everyone', async () => {
      const text = await send('sendText', { message: 'Oops' })
      const id = await change('deleteMessage', text)
      await becomes(text, ({ deleted }) => deleted === true)
      await sandbox.message(line, id, ({ status }) => status !== 'queued' && status !== 'sending')
      const names = (await sandbox.events(line, id)).map(({ event }) => event)
      assert.ok(names.includes('messages.deleted'), names.join())
    })

    test('an admin deletes the message of another member of a group', async () => {
      const theirs = await sandbox.world.post(`/phones/${BOB}/send`, { to: group, text: 'Spam' })
      const id = (theirs as { messageId: string }).messageId
      await sandbox.message(line, id)
      await change('deleteMessage', id)
      await becomes(id, ({ deleted }) => deleted === true, CAROL)
    })

    test('a received file and a sent poll are forwarded', async () => {
      const media = {
        type: 'document',
        mimetype: 'application/pdf',
        fileName: 'bill.pdf',
        base64: pdf().toString('base64'),
      }
      const posted = await sandbox.world.post(`/phones/${BOB}/send`, { to: OWNER, media })
      const theirs = (posted as { messageId: string }).messageId
      await sandbox.message(line, theirs)
      const document = await shown(await change('forwardMessage', theirs, { number: CAROL }), CAROL)
      assert.deepEqual([document.kind, document.media?.fileName], ['document', 'bill.pdf'])
      const bytes = await sandbox.world.bytes(`/phones/${CAROL}/messages/${document.id}/media`)
      assert.ok(bytes.equals(pdf()))
      const poll = await send('sendPoll', { pollName: 'Which?', options: ['a', 'b'] })
      await shown(poll)
      const again = await shown(await change('forwardMessage', poll, { number: CAROL }), CAROL)
      assert.equal(again.kind, 'poll')
    })

    test('the owner’s list of chats keeps its last message when an earlier one is changed', async () => {
      const target = await send('sendText', { message: 'the last one' })
      const id = await change('reactToMessage', target, { emoji: '🎉' })
      await sandbox.message(line, id, ({ status }) => status !== 'queued' && status !== 'sending')
      const chat = await sandbox.chat(line, `${BOB}@s.whatsapp.net`)
      assert.equal(chat.lastMessageText, 'the last one')
    })

    test('the list of chats follows the edit and the deletion of the last message', async () => {
      const listed = async (text: string | null) => {
        const chat = await until(
          () => sandbox.chat(line, `${BOB}@s.whatsapp.net`),
          ({ lastMessageText }) => lastMessageText === text,
          `the list with ${text}`,
        )
        return chat.lastMessage
      }
      const target = await send('sendText', { message: 'before' })
      await listed('before')
      await change('editMessage', target, { message: 'after' })
      assert.equal((await listed('after'))?.messageId, target)
      await change('deleteMessage', target)
      const deleted = await listed(null)
      assert.deepEqual([deleted?.messageId, deleted?.deleted, deleted?.text], [target, true, null])
    })
  })
