import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LibrarySocket } from '../library/library-socket.ts'
import type { GroupMetadata } from '../library/protocol.ts'
import { encodePayload } from './payload.ts'
import { createResender } from './resend.ts'

const ANA = { pn: '5511900000001@s.whatsapp.net', lid: '111@lid' }
const BEN = { pn: '5511900000002@s.whatsapp.net', lid: '222@lid' }
const ME = { pn: '5511900000009:3@s.whatsapp.net', lid: '999:3@lid' }
const GROUP = '120363000000000001@g.us'
const SENT_TO: Record<string, string | undefined> = { toAna: ANA.pn, toGroup: GROUP, kept: undefined }

const pairs = [ANA, BEN].map(({ pn, lid }) => [pn, lid] as const)
const others = new Map([...pairs, ...pairs.map(([pn, lid]) => [lid, pn] as const)])
const socket = {
  me: { id: ME.pn, lid: ME.lid },
  otherNameOf: async (jid: string) => others.get(jid) ?? null,
} as unknown as LibrarySocket
const group = (...participants: GroupMetadata['participants']): GroupMetadata => ({
  id: GROUP,
  owner: undefined,
  subject: '',
  participants,
})
const CARLA = '333@lid'
/** Carla has joined since the group was kept. */
const groups = {
  forSending: async () => group({ id: ANA.lid }),
  read: async () => group({ id: ANA.lid, phoneNumber: ANA.pn }, { id: CARLA }),
}

const { getMessage } = createResender(
  {
    findSent: async (id) =>
      id in SENT_TO
        ? encodePayload({ chat: SENT_TO[id], message: { conversation: id }, additionalNodes: [] })
        : undefined,
  },
  () => socket,
  groups,
)
const answered = async (id: string, remoteJid: string, participant = remoteJid): Promise<boolean> =>
  (await getMessage({ id, remoteJid, participant, fromMe: true })) !== undefined

describe('a status is resent as a status', () => {
  const STATUS = 'status@broadcast'
  const resent: unknown[] = []
  const sender = {
    ...socket,
    afterReceipts: async (work: () => Promise<unknown>) => work(),
    async relayMessage(chat: string, _message: unknown, { statusJidList }: { statusJidList: string[] }) {
      resent.push([chat, statusJidList])
    },
  } as unknown as LibrarySocket
  const payload = { chat: STATUS, message: { conversation: 'x' }, additionalNodes: [], audience: [ANA.pn] }
  const { getMessage: find, recordReceipt } = createResender(
    { findSent: async () => encodePayload(payload) },
    () => sender,
    groups,
  )
  const asks = async (participant: string) => {
    recordReceipt({ tag: 'receipt', attrs: { type: 'retry', id: 'S', from: STATUS, participant } })
    // The library would resend it into the chat with the person.
    assert.equal(await find({ id: 'S', remoteJid: STATUS, participant, fromMe: true }), undefined)
    return resent.splice(0)
  }

  test('to a device of its audience or of this account', async () => {
    assert.deepEqual(await asks('111:7@lid'), [[STATUS, [ANA.lid]]])
    assert.deepEqual(await asks('999:1@lid'), [[STATUS, ['999@lid']]])
  })

  test('to no other person', async () => {
    assert.deepEqual(await asks(BEN.lid), [])
  })
})

describe('a message is resent', () => {
  test('to each device of its recipient, under either identifier', async () => {
    for (const asker of [ANA.pn, ANA.lid, '5511900000001:7@s.whatsapp.net', '111:7@lid'])
      assert.equal(await answered('toAna', asker), true, asker)
  })

  test('to no other person, for any chat in the request', async () => {
    assert.equal(await answered('toAna', BEN.lid), false)
    assert.equal(await answered('toAna', ANA.lid, BEN.lid), false)
    assert.equal(await answered('toAna', BEN.pn, ANA.pn), false)
  })

  test('to another device of the same account, for its own chat', async () => {
    assert.equal(await answered('toAna', ANA.pn, '999:1@lid'), true)
    assert.equal(await answered('toAna', BEN.pn, '999:1@lid'), false)
    assert.equal(await answered('toGroup', GROUP, '5511900000009:1@s.whatsapp.net'), true)
  })

  test('in a group only to members, and in no other group', async () => {
    assert.equal(await answered('toGroup', GROUP, '111:4@lid'), true)
    assert.equal(await answered('toGroup', GROUP, ANA.pn), true)
    assert.equal(await answered('toGroup', GROUP, CARLA), true)
    assert.equal(await answered('toGroup', GROUP, BEN.lid), false)
    assert.equal(await answered('toGroup', '120363000000000002@g.us', ANA.lid), false)
    assert.equal(await answered('toGroup', ANA.lid), false)
    assert.equal(await answered('toAna', GROUP, ANA.lid), false)
  })

  test('without a check if the stored payload has no chat, and never if it is unknown', async () => {
    assert.equal(await answered('kept', ANA.lid), true)
    assert.equal(await answered('unknown', ANA.lid), false)
  })
})
