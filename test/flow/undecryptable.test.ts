// A message that the gateway cannot decrypt is asked for again, or reported as undecryptable, and turns into its content if that comes
// later. Nothing is dropped silently.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type BinaryNode, encodeBinaryNode, proto } from 'baileys'
import { answers } from '../../src/contract/sandbox-world.ts'
import type { World } from '../sandbox/support/world.ts'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import type { Engine, StoreLocation } from '../support/engines.ts'
import { type PairedInstance, type SandboxWorld, startSandboxWorld, until } from '../support/sandbox-world.ts'
import { newKey } from '../support/started.ts'

const [OWNER, BOB, CAROL] = ['5511934500001', '5511934500002', '5511934500003']
const jidOf = (number: string) => `${number}@s.whatsapp.net`
const now = () => String(Math.floor(Date.now() / 1000))
const GARBAGE = Buffer.from('not a message of the Signal protocol')

for (const engine of behaviourEngines())
  describe(`messages that cannot be decrypted (${engine.name})`, () => undecryptable(engine))

function undecryptable(engine: Engine): void {
  let location: StoreLocation
  let sandbox: SandboxWorld
  let line: PairedInstance
  before(async () => {
    location = await engine.createLocation()
    sandbox = await startSandboxWorld(
      location.databaseUrl ? { DATABASE_URL: location.databaseUrl } : {},
      undefined,
      {
        times: { unreadable: { phoneMs: 200, reportMs: 700 } },
      },
    )
    await sandbox.world.phone(BOB, 'Bob')
    await sandbox.world.phone(CAROL, 'Carol')
    line = await sandbox.pair(OWNER)
  })
  after(async () => {
    await sandbox.stop()
    await location.dispose()
  })

  /** Puts a message stanza of Bob into the queue of the instance. */
  const inject = async (
    id: string,
    content: BinaryNode[],
    attrs: Record<string, string> = {},
    number = OWNER,
  ): Promise<void> => {
    const stanza = {
      tag: 'message',
      attrs: { id, from: jidOf(BOB), type: 'text', t: now(), ...attrs },
      content,
    }
    const frames = [{ as: 'stanza', bytes: Buffer.from(encodeBinaryNode(stanza)).toString('base64') }]
    const body = { number, frames }
    const answer = await sandbox.world.ask('POST', '/injections', body, sandbox.app.operatorKey)
    assert.equal(answer.status, 200)
  }
  const enc = (type = 'msg'): BinaryNode => ({ tag: 'enc', attrs: { v: '2', type }, content: GARBAGE })
  const upserts = async (id: string) =>
    (await sandbox.events(line, id)).filter(({ event }) => event === 'messages.upsert')
  const becomes = (id: string, type: string) => sandbox.message(line, id, (message) => message.type === type)
  /** What the gateway asked of the sender of this message. */
  const framesOf = async () =>
    (await sandbox.world.get(`/frames?number=${OWNER}&limit=500`, answers.frames)).frames
  const retries = async (id: string) => {
    const frames = await framesOf()
    return frames.filter(
      ({ tag, attributes }) => tag === 'receipt' && attributes['type'] === 'retry' && attributes['id'] === id,
    )
  }

  test('its sender is asked, sends it again, and the message arrives as if nothing had happened', async () => {
    const { messageId } = await sandbox.world.post(`/phones/${BOB}/send`, { to: CAROL, text: 'once more' })
    const id = String(messageId)
    await inject(id, [enc()])
    const message = await becomes(id, 'text')
    assert.equal(message.content.text, 'once more')
    assert.deepEqual([(await upserts(id)).length, (await sandbox.rows(line, id)).length], [1, 1])
  })

  test('without an answer it is reported with sender, time and reason, and turns into its content later', async () => {
    const id = 'NOBODYHASTHIS1'
    await inject(id, [enc()])
    const message = await becomes(id, 'undecryptable')
    assert.deepEqual(
      [
        message.direction,
        message.number,
        message.content.from.phone,
        message.content.reason,
        message.content.text,
      ],
      ['incoming', BOB, BOB, 'decryption_failed', null],
    )
    assert.ok((await retries(id)).length > 0, 'the sender was asked')
    const unread = (await sandbox.chat(line, jidOf(BOB))).unreadCount
    const info = proto.WebMessageInfo.encode({
      key: { remoteJid: jidOf(BOB), fromMe: false, id },
      message: { conversation: 'here it is' },
      messageTimestamp: Number(now()),
    }).finish()
    const content = {
      protocolMessage: {
        type: proto.Message.ProtocolMessage.Type.PEER_DATA_OPERATION_REQUEST_RESPONSE_MESSAGE,
        peerDataOperationRequestResponseMessage: {
          stanzaId: 'REQUEST',
          peerDataOperationResult: [
            {
              placeholderMessageResendResponse: { webMessageInfoBytes: Buffer.from(info).toString('base64') },
            },
          ],
        },
      },
    }
    await sandbox.world.post(`/phones/${OWNER}/send-content`, { to: BOB, content })
    assert.equal((await becomes(id, 'text')).content.text, 'here it is')
    const events = await until(
      () => upserts(id),
      (found) => found.length === 2,
      'both events',
    )
    assert.deepEqual(
      events.map(({ data }) => 'type' in data && data.type),
      ['undecryptable', 'text'],
    )
    const chat = await sandbox.chat(line, jidOf(BOB))
    assert.deepEqual([chat.unreadCount, chat.lastMessageText], [unread, 'here it is'])
  })

  test('the phone of the account is asked for a message of which the network gave the envelope alone', async () => {
    const peers = async () => (await framesOf()).filter(({ attributes }) => attributes['category'] === 'peer')
    const before = (await peers()).length
    await inject('ONLYENVELOPE1', [{ tag: 'unavailable', attrs: {} }])
    assert.equal((await becomes('ONLYENVELOPE1', 'undecryptable')).content.reason, 'no_content')
    assert.ok((await peers()).length > before)
  })

  for (const [what, id, content, reason] of [
    ['an unknown encryption', 'UNKNOWNTYPE1', [enc('later')], 'unsupported_encryption'],
    ['a message of a bot', 'BOTMESSAGE1', [enc('msmsg')], 'unsupported_encryption'],
    [
      'a bot that answers phones only',
      'BOTONLY1',
      [{ tag: 'unavailable', attrs: { type: 'bot_unavailable_fanout' } }],
      'only_on_phone',
    ],
    ['no part at all', 'NOPARTS1', [], 'no_content'],
    ['a group key that is not known', 'NOGROUPKEY1', [enc('skmsg')], 'decryption_failed'],
    ['an unknown one-time key', 'NOPREKEY1', [enc('pkmsg')], 'decryption_failed'],
  ] as const)
    test(`${what} is reported`, async () => {
      await inject(id, [...content])
      assert.equal((await becomes(id, 'undecryptable')).content.reason, reason)
      assert.equal((await upserts(id)).length, 1)
    })

  test('content that is not a message of the protocol is reported', async () => {
    const before = (await sandbox.api('listMessages', { query: { instanceName: line.name, limit: 100 } }))
      .messages
    const frames = [
      { as: 'plaintext', from: BOB, bytes: Buffer.from('ffffffff02', 'hex').toString('base64') },
    ]
    await sandbox.world.ask('POST', '/injections', { number: OWNER, frames }, sandbox.app.operatorKey)
    const known = new Set((before as { messageId: string }[]).map(({ messageId }) => messageId))
    const [found] = await until(
      async () =>
        (
          await sandbox.api('listMessages', { query: { instanceName: line.name, limit: 100 } })
        ).messages.filter(({ messageId }: { messageId: string }) => !known.has(messageId)) as {
          type: string
          content: { reason: string }
        }[],
      (messages) => messages.length > 0,
      'the message',
    )
    assert.deepEqual([found?.type, found?.content.reason], ['undecryptable', 'invalid_content'])
  })

  test('a certificate of a business that cannot be read does not hide the message', async () => {
    const certificate = { tag: 'verified_name', attrs: {}, content: Buffer.from('not a certificate') }
    await inject('BADCERTIFICATE1', [certificate, enc()])
    assert.equal((await becomes('BADCERTIFICATE1', 'undecryptable')).content.reason, 'decryption_failed')
    assert.ok((await retries('BADCERTIFICATE1')).length > 0, 'the sender was asked')
  })

  for (const [what, id, attrs] of [
    ['a message of a group without an author', 'NOAUTHOR1', { from: '120363000000000001@g.us' }],
    ['a message to someone else', 'NOTFORUS1', { recipient: jidOf(CAROL) }],
    ['a message of an address that is not one of a chat', 'NOCHAT1', { from: 'someone@nowhere' }],
  ] as const)
    test(`${what} is set aside and reported`, async () => {
      await inject(id, [enc()], attrs)
      const data = await until(
        async () => {
          const query = { instanceName: line.name, events: 'messages.set_aside', limit: 500 }
          const { events } = await sandbox.api('listEvents', { query })
          return (events as { data: { messageId: string; reason: string } }[])
            .map((event) => event.data)
            .find(({ messageId }) => messageId === id)
        },
        (found) => found !== undefined,
        'the report',
      )
      assert.equal(data?.reason, 'malformed')
    })

  test('a message that failed before the gateway stopped is requested from the phone after the next start', async () => {
    const own = await engine.createLocation()
    const environment = {
      ...sandbox.network,
      API_KEY: newKey(),
      DATA_DIR: own.directory,
      ...(own.databaseUrl ? { DATABASE_URL: own.databaseUrl } : {}),
    }
    const start = (unreadable: { phoneMs: number; reportMs: number }) =>
      startSandboxWorld(environment, undefined, { times: { unreadable } })
    const number = '5511934500004'
    const first = await start({ phoneMs: 600_000, reportMs: 900_000 })
    const dana = await first.pair(number)
    await inject('BEFORESTOP1', [enc()], {}, number)
    const sentTo = async (world: World) =>
      (await world.get(`/frames?number=${number}&limit=500`, answers.frames)).frames.filter(
        ({ direction }) => direction === 'in',
      )
    await until(
      () => sentTo(first.world),
      (frames) => frames.some(({ attributes }) => attributes['type'] === 'retry'),
      'the request to the sender',
    )
    const peers = async (world: World) =>
      (await sentTo(world)).filter(({ attributes }) => attributes['category'] === 'peer').length
    const before = await peers(first.world)
    await first.stop()
    const second = await start({ phoneMs: 200, reportMs: 600_000 })
    await until(
      () => peers(second.world),
      (count) => count > before,
      'the request to the phone',
    )
    const rows = await second.rows(dana, 'BEFORESTOP1')
    assert.deepEqual(rows, [], 'it is reported only if no one answers')
    await second.stop()
    await own.dispose()
  })

  test('messages behind it are not held up, and the session with the sender still works', async () => {
    await inject('INFRONT1', [enc()])
    const { messageId } = await sandbox.world.post(`/phones/${BOB}/send`, { to: OWNER, text: 'still here' })
    assert.equal((await sandbox.message(line, String(messageId))).content.text, 'still here')
    await becomes('INFRONT1', 'undecryptable')
  })
}
