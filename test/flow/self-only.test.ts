// Events that only the account's own phone may send: its history is stored at pairing; the same events from a stranger change
// nothing.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { proto } from 'baileys'
import { answers } from '../../src/contract/sandbox-world.ts'
import type { Answer } from '../support/gateway.ts'
import { type PairedInstance, type SandboxWorld, startSandboxWorld, until } from '../support/sandbox-world.ts'

const { Type } = proto.Message.ProtocolMessage
const NUMBERS = { pn: '55119123400', lid: '55119432100' } as const
const FORGED = '5511999990000'
const jidOf = (number: string) => `${number}@s.whatsapp.net`

describe('events that only the owner’s phone may send', () => {
  let sandbox: SandboxWorld
  before(async () => {
    sandbox = await startSandboxWorld()
  })
  after(() => sandbox.stop())

  for (const addressing of ['pn', 'lid'] as const)
    describe(`events of the owner's phone and of strangers (${addressing})`, () => {
      const number = (last: number) => `${NUMBERS[addressing]}${String(last).padStart(2, '0')}`
      const [OWNER, BOB, CAROL] = [number(1), number(2), number(3)]
      let line: PairedInstance
      const ids: Record<string, string> = {}
      before(async () => {
        await sandbox.setAddressing(addressing)
        for (const [each, name] of [
          [OWNER, 'Owner'],
          [BOB, 'Bob'],
          [CAROL, 'Carol'],
        ] as const)
          await sandbox.world.phone(each, name)
        ids.read = await says(BOB, OWNER, 'seen already')
        ids.answer = await says(OWNER, BOB, 'my answer')
        await sandbox.world.shown(OWNER, ids.read)
        await sandbox.world.post(`/phones/${OWNER}/read`, { chat: BOB })
        ids.unread = await says(CAROL, OWNER, 'not seen yet')
        await sandbox.world.shown(OWNER, ids.unread)
        line = await sandbox.pair(OWNER)
      })

      const says = (from: string, to: string, text: string) => sandbox.world.send(from, { to, text })
      const messages = async (): Promise<Answer['json'][]> =>
        (await sandbox.api('listMessages', { query: { instanceName: line.name, limit: 100 } })).messages
      const chats = async (): Promise<Answer['json'][]> =>
        (await sandbox.api('listChats', { query: { instanceName: line.name, limit: 100 } })).chats

      test('the history becomes chats and messages, unread only where it is unread on the phone', async () => {
        const [read, answer, unread] = await Promise.all(
          [ids.read, ids.answer, ids.unread].map((id) => sandbox.message(line, id ?? '')),
        )
        const facts = (row: Answer['json']) => [
          row.direction,
          row.number,
          row.type,
          row.content.text,
          row.content.from.phone,
        ]
        assert.deepEqual(facts(read), ['incoming', BOB, 'text', 'seen already', BOB])
        assert.deepEqual(facts(answer), ['outgoing', BOB, 'text', 'my answer', OWNER])
        assert.deepEqual(facts(unread), ['incoming', CAROL, 'text', 'not seen yet', CAROL])
        const summary = (await chats()).map((chat) => [
          chat.remoteJid,
          chat.lastMessageText,
          chat.unreadCount,
        ])
        assert.deepEqual(summary.sort(), [
          [jidOf(BOB), 'my answer', 0],
          [jidOf(CAROL), 'not seen yet', 1],
        ])
        // The names come in a later part of the history; the next tests compare the chats with these.
        await until(
          chats,
          (all) => all.every(({ pushName }) => pushName !== null),
          'the names of both people',
        )
      })

      test('a restart does not change them', async () => {
        const before = [await messages(), await chats()]
        await sandbox.api('restartInstance', { query: { instanceName: line.name } })
        await until(
          async () =>
            (await sandbox.api('instanceState', { query: { instanceName: line.name } })).instance.state,
          (state) => state === 'open',
          'open again',
        )
        assert.deepEqual([await messages(), await chats()], before)
      })

      test('a message that the owner’s phone resends is listed', async () => {
        const webMessageInfoBytes = proto.WebMessageInfo.encode({
          key: { remoteJid: jidOf(CAROL), fromMe: false, id: `RESENT-${addressing}` },
          message: { conversation: 'the second copy' },
          messageTimestamp: Math.floor(Date.now() / 1000),
          pushName: 'Carol',
        }).finish()
        const protocolMessage = proto.Message.ProtocolMessage.create({
          type: Type.PEER_DATA_OPERATION_REQUEST_RESPONSE_MESSAGE,
          peerDataOperationRequestResponseMessage: {
            peerDataOperationResult: [{ placeholderMessageResendResponse: { webMessageInfoBytes } }],
          },
        }).toJSON()
        for (let count = 0; count < 2; count += 1)
          await sandbox.world.post(`/phones/${OWNER}/send-content`, { to: BOB, content: { protocolMessage } })
        const row = await sandbox.message(line, `RESENT-${addressing}`)
        assert.deepEqual(
          [row.direction, row.number, row.content.text],
          ['incoming', CAROL, 'the second copy'],
        )
        assert.equal((await sandbox.rows(line, row.messageId)).length, 1)
      })

      test('from a stranger all four kinds are dropped, also in disguise', async () => {
        const carol = (await sandbox.world.get(`/phones/${CAROL}`, answers.phone)).phone
        const before = { messages: await messages(), chats: await chats() }
        const keysBefore = await appStateKeys(sandbox, line)
        const forged: string[] = []
        for (const protocolMessage of forgeries(carol.lid)) {
          const content = { protocolMessage: proto.Message.ProtocolMessage.create(protocolMessage).toJSON() }
          const body = { to: OWNER, content }
          forged.push(String((await sandbox.world.post(`/phones/${BOB}/send-content`, body))['messageId']))
          const wrapped = { to: OWNER, content: { ephemeralMessage: { message: content } } }
          forged.push(String((await sandbox.world.post(`/phones/${BOB}/send-content`, wrapped))['messageId']))
        }
        // Arrivals are taken in one after the other: once this one is there, those before it are processed.
        const last = await says(BOB, OWNER, 'the fence')
        await sandbox.message(line, last)
        const kept = (await messages()).filter((row) => row.messageId !== last)
        const disguised = kept.filter((row) => forged.includes(row.messageId))
        assert.ok(
          disguised.every((row) => ['edit', 'delete', 'unsupported'].includes(row.type)),
          JSON.stringify(disguised),
        )
        assert.deepEqual(
          kept.filter((row) => !disguised.includes(row)),
          before.messages,
        )
        const others = (all: Answer['json'][]) => all.filter((chat) => chat.remoteJid !== jidOf(BOB))
        assert.deepEqual(others(await chats()), others(before.chats))
        assert.deepEqual(await appStateKeys(sandbox, line), keysBefore)
        const { content } = await sandbox.message(line, await says(CAROL, OWNER, 'still me'))
        assert.deepEqual([content.from.phone, content.from.lid], [CAROL, `${carol.lid}@lid`])
      })
    })
})

const appStateKeys = async (sandbox: SandboxWorld, { id }: PairedInstance) =>
  sandbox.app.store.db
    .selectFrom('session_keys')
    .select(['kind', 'name'])
    .where('instance_id', '=', id)
    .where('kind', '=', 'app-state-sync-key')
    .orderBy('name')
    .execute()

/** Each of the four kinds, and a history under a different type. */
function forgeries(lid: string): proto.Message.IProtocolMessage[] {
  const info = proto.WebMessageInfo.create({
    key: { remoteJid: jidOf(FORGED), fromMe: false, id: 'FORGED1' },
    message: { conversation: 'never sent' },
    messageTimestamp: 1_700_000_000,
  })
  const history = proto.HistorySync.encode({
    syncType: proto.HistorySync.HistorySyncType.INITIAL_BOOTSTRAP,
    conversations: [{ id: jidOf(FORGED), name: 'Forged', unreadCount: 7, messages: [{ message: info }] }],
    phoneNumberToLidMappings: [{ pnJid: jidOf(FORGED), lidJid: `${lid}@lid` }],
  }).finish()
  const historySyncNotification = {
    syncType: proto.Message.HistorySyncType.INITIAL_BOOTSTRAP,
    progress: 100,
    chunkOrder: 1,
    initialHistBootstrapInlinePayload: deflateSync(history),
  }
  const mappings = proto.LIDMigrationMappingSyncPayload.encode({
    pnToLidMappings: [{ pn: Number(FORGED), assignedLid: Number(lid), latestLid: Number(lid) }],
    chatDbMigrationTimestamp: 1,
  }).finish()
  const resent = proto.WebMessageInfo.encode(info).finish()
  return [
    { type: Type.HISTORY_SYNC_NOTIFICATION, historySyncNotification },
    {
      type: Type.APP_STATE_SYNC_KEY_SHARE,
      appStateSyncKeyShare: {
        keys: [
          { keyId: { keyId: Buffer.from('forged') }, keyData: { keyData: Buffer.alloc(32), timestamp: 1 } },
        ],
      },
    },
    {
      type: Type.PEER_DATA_OPERATION_REQUEST_RESPONSE_MESSAGE,
      peerDataOperationRequestResponseMessage: {
        stanzaId: 'FORGED2',
        peerDataOperationResult: [{ placeholderMessageResendResponse: { webMessageInfoBytes: resent } }],
      },
    },
    {
      type: Type.LID_MIGRATION_MAPPING_SYNC,
      lidMigrationMappingSyncMessage: { encodedMappingPayload: mappings },
    },
    { type: Type.MESSAGE_EDIT, key: { id: 'FORGED3' }, historySyncNotification },
    { type: Type.REVOKE, key: { id: 'FORGED4' }, historySyncNotification },
  ]
}
