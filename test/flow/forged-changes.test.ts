// Edits, deletes, reactions and receipts count only from authors who are allowed to make them. The attacker is the unmodified
// library.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type AnyMessageContent, generateMessageIDV2, proto } from 'baileys'
import type { EventData } from '../../src/contract/events.ts'
import { answers } from '../../src/contract/sandbox-world.ts'
import { encryptWithSecret } from '../../src/network/message-secrets.ts'
import { Client } from '../sandbox/support/client.ts'
import { behaviourCases } from '../support/behaviour-engines.ts'
import type { Engine, StoreLocation } from '../support/engines.ts'
import type { Answer } from '../support/gateway.ts'
import { type PairedInstance, type SandboxWorld, startSandboxWorld, until } from '../support/sandbox-world.ts'

const { MESSAGE_EDIT, REVOKE } = proto.Message.ProtocolMessage.Type
const NUMBERS = { pn: '55119101000', lid: '55119102000' } as const
const jidOf = (number: string) => `${number}@s.whatsapp.net`

for (const { engine, variant } of behaviourCases(['pn', 'lid'] as const))
  describe(`forged changes (${engine.name})`, () => forgedChanges(engine, variant))

function forgedChanges(engine: Engine, addressing: 'pn' | 'lid'): void {
  let storeLocation: StoreLocation
  let sandbox: SandboxWorld
  before(async () => {
    storeLocation = await engine.createLocation()
    sandbox = await startSandboxWorld(
      storeLocation.databaseUrl ? { DATABASE_URL: storeLocation.databaseUrl } : {},
    )
  })
  after(async () => {
    await sandbox.stop()
    await storeLocation.dispose()
  })

  describe(`changes that others may make (${addressing})`, () => {
    const [OWNER, MALLORY, CAROL] = [1, 2, 3].map((last) => `${NUMBERS[addressing]}0${last}`) as [
      string,
      string,
      string,
    ]
    let line: PairedInstance
    let mallory: Client
    before(async () => {
      await sandbox.setAddressing(addressing)
      await sandbox.world.phone(MALLORY, 'Mallory')
      await sandbox.world.phone(CAROL, 'Carol')
      line = await sandbox.pair(OWNER)
      mallory = await new Client(sandbox.world).pair(MALLORY)
    })
    after(() => mallory.end())

    const sendTo = async (to: Record<string, string>): Promise<string> => {
      const id = to.groupJid ? 'sendGroup' : 'sendText'
      const body = { instanceName: line.name, message: 'our own words', ...to }
      const { messageId } = await sandbox.api(id, { body: to.groupJid ? body : { ...body, delay: 0 } })
      await sandbox.message(line, messageId, ({ status }) => status !== 'queued' && status !== 'sending')
      return messageId
    }
    /** Waits for Mallory as well: the library does not keep a session intact that sends while it receives. */
    const sendToMallory = async (to: Record<string, string> = { number: MALLORY }): Promise<string> => {
      const id = await sendTo(to)
      await mallory.message(id)
      return id
    }
    const relay = (to: string, message: proto.IMessage, messageId = generateMessageIDV2()) => {
      mallory.sent.set(messageId, message)
      return mallory.socket.relayMessage(to, message, { messageId })
    }
    const say = async (content: AnyMessageContent, messageId = generateMessageIDV2()) => {
      const sent = await mallory.socket.sendMessage(jidOf(OWNER), content, { messageId })
      mallory.sent.set(messageId, sent?.message ?? {})
      return sent?.key ?? {}
    }
    const editOf = (key: proto.IMessageKey): proto.IMessage => ({
      protocolMessage: { key, type: MESSAGE_EDIT, editedMessage: { conversation: 'forged' } },
    })
    /** The recipient of a message also has its secret. */
    const secretEditOf = (
      key: proto.IMessageKey,
      original: proto.IMessage,
      author: string,
    ): proto.IMessage => {
      const secret = original.messageContextInfo?.messageSecret
      assert.ok(secret, 'the message has a secret')
      const encIv = randomBytes(12)
      const plain = proto.Message.encode(editOf(key)).finish()
      const binding = { use: 'Message Edit', secret, messageId: key.id ?? '', author } as const
      const encPayload = encryptWithSecret(plain, encIv, { ...binding, sender: jidOf(MALLORY) })
      const secretEncType = proto.Message.SecretEncryptedMessage.SecretEncType.MESSAGE_EDIT
      return { secretEncryptedMessage: { targetMessageKey: key, encIv, encPayload, secretEncType } }
    }
    const deleteOf = (key: proto.IMessageKey): proto.IMessage => ({
      protocolMessage: { key, type: REVOKE },
    })
    /** Everything that Mallory has sent so far is processed when this one is. */
    const fence = async (): Promise<void> => {
      const { id } = await say({ text: 'fence' })
      await sandbox.message(line, id ?? '')
    }
    const count = async (kind: string): Promise<number> => {
      const text = await (await fetch(`${sandbox.app.url}/metrics`)).text()
      const found = new RegExp(`^switchboard_forged_changes_total\\{kind="${kind}"\\} (\\d+)$`, 'm').exec(
        text,
      )
      return Number(found?.[1] ?? 0)
    }
    const rows = async (): Promise<Answer['json'][]> => {
      const query = { instanceName: line.name, limit: 100 }
      return (await sandbox.api('listMessages', { query })).messages
    }
    const bothWays = (id: string) => async () => (await rows()).filter(({ messageId }) => messageId === id)
    const about = (ids: string[]) => async () =>
      (await rows()).filter((row) => ids.includes(row.content.targetMessageId))
    const changed = (messageId: string): Promise<EventData<'messages.upsert'>> =>
      until(
        () => sandbox.events(line, messageId),
        (events) => events.length > 0,
        'its event',
      ).then(([event]) => event?.data as EventData<'messages.upsert'>)
    /** Each of these must leave no trace but the count. */
    const isDropped = async (kind: string, ids: string[], forge: () => Promise<unknown>, times: number) => {
      const before = await count(kind)
      const known = await about(ids)()
      await forge()
      await fence()
      assert.deepEqual(await about(ids)(), known)
      assert.equal((await count(kind)) - before, times)
    }

    test('the recipient of a message can neither edit nor delete it, however the change is wrapped', async () => {
      const id = await sendToMallory()
      const original = (await mallory.message(id)).message ?? {}
      const keys = [
        { id, fromMe: true, remoteJid: jidOf(OWNER) },
        { id, fromMe: false, remoteJid: jidOf(OWNER) },
        { id, fromMe: true, remoteJid: jidOf(OWNER), participant: jidOf(OWNER) },
      ]
      await isDropped(
        'edit',
        [id],
        async () => {
          for (const key of keys) {
            await relay(jidOf(OWNER), editOf(key))
            await relay(jidOf(OWNER), { editedMessage: { message: editOf(key) } })
            await relay(jidOf(OWNER), { ephemeralMessage: { message: editOf(key) } })
            await relay(jidOf(OWNER), secretEditOf(key, original, jidOf(OWNER)))
          }
        },
        12,
      )
      await isDropped(
        'delete',
        [id],
        async () => {
          for (const key of keys) await relay(jidOf(OWNER), deleteOf(key))
        },
        3,
      )
    })

    test('the author can edit and delete, and the event names author and message', async () => {
      const key = await say({ text: 'mine' })
      await sandbox.message(line, key.id ?? '')
      const target = { messageId: key.id, direction: 'incoming', author: jidOf(MALLORY) }
      for (const [type, content] of [
        ['edit', { text: 'better', edit: key }],
        ['delete', { delete: key }],
      ] as const) {
        const change = await say(content)
        const data = await changed(change.id ?? '')
        assert.deepEqual([data.type, data.from.phone, data.target], [type, MALLORY, target])
        const row = await sandbox.message(line, change.id ?? '')
        assert.deepEqual(row.content.target, target)
      }
    })

    test('the owner’s phone can edit and delete what the instance sent', async () => {
      const id = await sendTo({ number: CAROL })
      await sandbox.world.shown(OWNER, id)
      const target = { messageId: id, direction: 'outgoing', author: jidOf(OWNER) }
      for (const [action, body] of [
        ['edit', { messageId: id, text: 'better' }],
        ['delete', { messageId: id }],
      ] as const) {
        const { messageId } = await sandbox.world.post(`/phones/${OWNER}/${action}`, body)
        const data = await changed(String(messageId))
        assert.deepEqual([data.type, data.direction, data.target], [action, 'outgoing', target])
      }
    })

    test('a message of another chat cannot be changed, nor reacted to', async () => {
      const toCarol = await sendTo({ number: CAROL })
      const fromCarol = await sandbox.world.send(CAROL, { to: OWNER, text: 'hello' })
      await sandbox.message(line, fromCarol)
      for (const id of [toCarol, fromCarol]) {
        const key = { id, fromMe: true, remoteJid: jidOf(OWNER) }
        await isDropped('edit', [id], () => relay(jidOf(OWNER), editOf(key)), 1)
        await isDropped('delete', [id], () => relay(jidOf(OWNER), deleteOf(key)), 1)
        await isDropped(
          'reaction',
          [id],
          () => relay(jidOf(OWNER), { reactionMessage: { key, text: '👎' } }),
          1,
        )
      }
    })

    test('an unknown id, or one that the instance uses too, changes only the sender’s own message', async () => {
      const later = `LATER${addressing}${engine.name}`
      await relay(jidOf(OWNER), deleteOf({ id: later, fromMe: true, remoteJid: jidOf(OWNER) }))
      await say({ text: 'after all' }, later)
      await sandbox.message(line, later)
      assert.deepEqual(await about([later])(), [])
      const ours = await sendToMallory()
      await say({ text: 'the same id' }, ours)
      await until(bothWays(ours), (rows) => rows.length === 2, 'the same id in both directions')
      const edit = await relay(jidOf(OWNER), editOf({ id: ours, fromMe: true, remoteJid: jidOf(OWNER) }))
      const { target } = await changed(edit)
      assert.deepEqual(target, { messageId: ours, direction: 'incoming', author: jidOf(MALLORY) })
    })

    test('in a group a member cannot change messages of others; an admin can delete but not edit them', async () => {
      const makeGroup = async (admin: string) => {
        const members = [OWNER, MALLORY, CAROL].filter((number) => number !== admin)
        const body = { subject: 'G', members, admin }
        const { jid } = answers.group.parse(await sandbox.world.post('/groups', body)).group
        const fromCarol = await sandbox.world.send(CAROL, { to: jid, text: 'from Carol' })
        await sandbox.message(line, fromCarol)
        return { jid, fromCarol, ours: await sendToMallory({ groupJid: jid }) }
      }
      const keyOf = (jid: string, id: string, author: string) => ({
        id,
        remoteJid: jid,
        fromMe: false,
        participant: jidOf(author),
      })
      const plain = await makeGroup(CAROL)
      for (const [id, author] of [
        [plain.fromCarol, CAROL],
        [plain.ours, OWNER],
        // As if it were the sender's own.
        [plain.ours, MALLORY],
      ] as const) {
        const key = keyOf(plain.jid, id, author)
        await isDropped('edit', [id], () => relay(plain.jid, editOf(key)), 1)
        await isDropped('delete', [id], () => relay(plain.jid, deleteOf(key)), 1)
      }
      const led = await makeGroup(MALLORY)
      for (const [id, author, direction] of [
        [led.fromCarol, CAROL, 'incoming'],
        [led.ours, OWNER, 'outgoing'],
      ] as const) {
        const key = keyOf(led.jid, id, author)
        await isDropped('edit', [id], () => relay(led.jid, editOf(key)), 1)
        const data = await changed(await relay(led.jid, deleteOf(key)))
        assert.deepEqual(
          [data.from.phone, data.target, data.content.deletedBy],
          [MALLORY, { messageId: id, direction, author: jidOf(author) }, 'admin'],
        )
      }
    })

    test('a new admin can delete at once; a former admin cannot', async () => {
      const body = { subject: 'G', members: [OWNER, MALLORY], admin: CAROL }
      const { jid } = answers.group.parse(await sandbox.world.post('/groups', body)).group
      const send = () => sandbox.world.send(CAROL, { to: jid, text: 'from Carol' })
      const change = (what: string) =>
        sandbox.world.post(`/groups/${jid}/members`, { change: what, members: [MALLORY], by: CAROL })
      const [first, second] = [await send(), await send()]
      for (const id of [first, second]) await sandbox.message(line, id)
      const key = (id: string) => ({ id, remoteJid: jid, fromMe: false, participant: jidOf(CAROL) })
      await change('promote')
      const { target } = await changed(await relay(jid, deleteOf(key(first))))
      assert.equal(target?.messageId, first)
      await change('demote')
      await until(
        () => sandbox.api('listGroups', { query: { instanceName: line.name, participants: true } }),
        ({ groups }) =>
          groups
            .find((each: Answer['json']) => each.groupJid === jid)
            ?.participants.every((each: Answer['json']) => each.phone !== MALLORY || !each.isAdmin),
        'demoted',
      )
      await isDropped('delete', [second], () => relay(jid, deleteOf(key(second))), 1)
    })

    test('a receipt counts only from a recipient of the message', async () => {
      const body = { subject: 'Without Mallory', members: [OWNER], admin: CAROL }
      const { jid } = answers.group.parse(await sandbox.world.post('/groups', body)).group
      await until(
        () => sandbox.api('listGroups', { query: { instanceName: line.name } }),
        ({ groups }) => groups.some((each: Answer['json']) => each.groupJid === jid),
        'the group',
      )
      const [toCarol, toGroup] = [await sendTo({ number: CAROL }), await sendTo({ groupJid: jid })]
      const toMallory = await sendToMallory()
      const { lid } = (await sandbox.world.get(`/phones/${OWNER}`, answers.phone)).phone
      const owner = addressing === 'lid' ? `${lid}@lid` : jidOf(OWNER)
      for (const type of ['read', 'played'] as const) {
        await mallory.socket.sendReceipt(owner, undefined, [toCarol, toGroup], type)
        await mallory.socket.sendReceipt(jid, owner, [toCarol, toGroup], type)
      }
      await mallory.socket.sendReceipt(owner, undefined, [toMallory], 'read')
      await sandbox.message(line, toMallory, ({ status }) => status === 'read')
      for (const id of [toCarol, toGroup])
        await sandbox.message(line, id, ({ status, readAt }) => status === 'delivered' && readAt === null)
      for (const chat of [OWNER, jid]) await sandbox.world.post(`/phones/${CAROL}/read`, { chat })
      for (const id of [toCarol, toGroup]) await sandbox.message(line, id, ({ status }) => status === 'read')
    })
  })
}
