// Every kind of message that can be sent over HTTP arrives on the phone, field by field, with both forms of addressing.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import type { RouteId } from '../../src/contract/routes.ts'
import { answers } from '../../src/contract/sandbox-world.ts'
import { temporaryDirectory } from '../support/engines.ts'
import { mp4, ogg, pdf, png } from '../support/sample-files.ts'
import {
  type PairedInstance,
  type SandboxWorld,
  type Shown,
  startSandboxWorld,
  until,
} from '../support/sandbox-world.ts'
import { newKey } from '../support/started.ts'
import { startWebHost, type WebHost } from '../support/web-host.ts'

const FILES: Record<string, { bytes: Buffer; type: string }> = {
  '/photo.png': { bytes: png(3, 2), type: 'image/png' },
  '/film.mp4': { bytes: mp4(), type: 'video/mp4' },
  '/paper.pdf': { bytes: pdf(), type: 'application/pdf' },
  '/voice.ogg': { bytes: ogg(), type: 'audio/ogg' },
  '/song.mp3': {
    bytes: Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'), Buffer.alloc(64)]),
    type: 'audio/mpeg',
  },
}
const NUMBERS = { pn: '55119111100', lid: '55119222200' } as const

describe('every kind of sent message', () => {
  let sandbox: SandboxWorld
  let files: WebHost
  before(async () => {
    files = await startWebHost((request, response) => {
      const file = FILES[request.url ?? '']
      response.writeHead(file ? 200 : 404, { 'content-type': file?.type ?? 'text/plain' })
      response.end(file?.bytes ?? '')
    })
    sandbox = await startSandboxWorld()
  })
  after(async () => {
    await sandbox.stop()
    await files.close()
  })

  const reply = (buttonId: string, displayText: string) => ({
    buttonId,
    buttonText: { displayText },
    type: 1,
  })
  const replyShown = (id: string, text: string) => ({ type: 'reply', id, text })

  for (const addressing of ['pn', 'lid'] as const)
    describe(`sent over HTTP, read on the phone (${addressing})`, () => {
      const number = (last: number) => `${NUMBERS[addressing]}${String(last).padStart(2, '0')}`
      const [OWNER, BOB, CAROL] = [number(1), number(2), number(3)]
      let line: PairedInstance
      before(async () => {
        await sandbox.setAddressing(addressing)
        for (const [each, name] of [
          [BOB, 'Bob'],
          [CAROL, 'Carol'],
        ] as const)
          await sandbox.world.phone(each, name)
        line = await sandbox.pair(OWNER)
      })

      const send = async (id: RouteId, body: Record<string, unknown>): Promise<string> =>
        (await sandbox.api(id, { body: { instanceName: line.name, number: BOB, delay: 0, ...body } }))
          .messageId
      const shown = async (id: string, phone = BOB, chat = OWNER): Promise<Shown> => {
        const message = await sandbox.world.shown(phone, id)
        assert.deepEqual(
          [message.from, message.chat, message.fromMe, message.visible],
          [OWNER, chat, false, true],
        )
        return message
      }
      const sent = async (id: RouteId, body: Record<string, unknown>) => shown(await send(id, body))
      const bytesOf = ({ id }: Shown) => sandbox.world.bytes(`/phones/${BOB}/messages/${id}/media`)

      test('text keeps all its characters and reaches status read', async () => {
        const message = 'Olá *mundo* 👋🏽\nsegunda linha "\\" \u200d'
        const { id, kind, text } = await sent('sendText', { message })
        assert.deepEqual([kind, text], ['text', message])
        const long = '🌎 '.repeat(21_845)
        assert.equal((await sent('sendText', { message: long })).text, long)
        const delivered = await sandbox.message(line, id, ({ status }) => status === 'delivered')
        assert.ok(delivered.sentAt !== null && delivered.deliveredAt !== null && delivered.readAt === null)
        await sandbox.world.post(`/phones/${BOB}/read`, { chat: OWNER })
        const read = await sandbox.message(line, id, ({ status }) => status === 'read')
        assert.notEqual(read.readAt, null)
        assert.deepEqual([read.type, read.number, read.failure], ['text', BOB, null])
        assert.equal((await sandbox.rows(line, id)).length, 1)
      })

      test('image and video arrive with caption, type and bytes', async () => {
        for (const [type, path, size] of [
          ['image', '/photo.png', { width: 3, height: 2 }],
          ['video', '/film.mp4', {}],
        ] as const) {
          const file = FILES[path]
          const message = await sent('sendMedia', { type, mediaUrl: files.url + path, message: `a ${type}` })
          const { thumbnailBytes = 0, ...media } = message.media ?? {}
          assert.deepEqual(media, mediaShown(type, path, { caption: `a ${type}`, ...size }))
          assert.equal(thumbnailBytes > 0, type === 'image', 'a picture has a preview')
          assert.ok((await bytesOf(message)).equals(file?.bytes ?? Buffer.alloc(0)), type)
        }
      })

      test('a document arrives with name, caption, given type and bytes', async () => {
        const body = { type: 'document', mediaUrl: `${files.url}/paper.pdf`, message: 'sign here' }
        const named = await sent('sendMedia', {
          ...body,
          fileName: 'Contract 7.pdf',
          mimetype: 'application/x-contract',
        })
        const expected = {
          caption: 'sign here',
          fileName: 'Contract 7.pdf',
          mimetype: 'application/x-contract',
        }
        assert.deepEqual(named.media, mediaShown('document', '/paper.pdf', expected))
        assert.ok((await bytesOf(named)).equals(pdf()))
        const nameless = await sent('sendMedia', body)
        assert.deepEqual(
          [nameless.media?.fileName, nameless.media?.mimetype],
          ['paper.pdf', 'application/pdf'],
        )
      })

      test('audio arrives as a voice message that can be played', async () => {
        const message = await sent('sendMedia', { type: 'audio', mediaUrl: `${files.url}/voice.ogg` })
        assert.equal(message.media?.mimetype, 'audio/ogg; codecs=opus')
        assert.deepEqual([message.media?.type, message.media?.voiceNote], ['audio', true])
        assert.ok((await bytesOf(message)).equals(ogg()))
        await sandbox.message(line, message.id, ({ status }) => status === 'delivered')
        await sandbox.world.post(`/phones/${BOB}/read`, { chat: OWNER, messageId: message.id, played: true })
        await sandbox.message(line, message.id, ({ status }) => status === 'played')
      })

      test('audio in another format arrives as a file, and a missing file fails the message', async () => {
        const song = await sent('sendMedia', { type: 'audio', mediaUrl: `${files.url}/song.mp3` })
        assert.deepEqual(song.media, mediaShown('audio', '/song.mp3', {}))
        const id = await send('sendMedia', { type: 'image', mediaUrl: `${files.url}/missing.png` })
        const { failure } = await sandbox.message(line, id, ({ status }) => status === 'failed')
        assert.deepEqual([failure.reason, failure.code], ['media_unavailable', null])
      })

      test('reply buttons arrive with title, body, footer, ids and labels', async () => {
        const buttons = [reply('yes', 'Yes!'), reply('no', 'No'), reply('later', 'Later')]
        const interactive = {
          type: 'button',
          title: 'Delivery',
          body: 'Tomorrow?',
          footer: 'Thanks',
          buttons,
        }
        const { interactive: seen, text } = await sent('sendButton', { interactive })
        assert.deepEqual(seen, {
          type: 'buttons',
          title: 'Delivery',
          body: 'Tomorrow?',
          footer: 'Thanks',
          buttons: [replyShown('yes', 'Yes!'), replyShown('no', 'No'), replyShown('later', 'Later')],
        })
        assert.equal(text, 'Tomorrow?')
      })

      test('a list arrives with sections, rows, ids and footer', async () => {
        const rows = [
          { rowId: 'r1', title: 'Coffee', description: 'hot' },
          { rowId: 'r2', title: 'Juice' },
        ]
        const more = [{ rowId: 'r3', title: 'Cake' }]
        const { interactive } = await sent('sendList', {
          interactive: {
            type: 'list',
            title: 'Menu',
            text: 'What would you like?',
            buttonText: 'Open',
            footerText: 'until 18:00',
            sections: [
              { title: 'Drinks', rows },
              { title: 'Food', rows: more },
            ],
          },
        })
        const row = (each: { rowId: string; title: string; description?: string }) => ({
          description: null,
          ...each,
        })
        assert.deepEqual(interactive, {
          type: 'list',
          title: 'Menu',
          body: 'What would you like?',
          footer: 'until 18:00',
          buttonText: 'Open',
          sections: [
            { title: 'Drinks', rows: rows.map(row) },
            { title: 'Food', rows: more.map(row) },
          ],
        })
      })

      test('call-to-action buttons arrive with URL and number, in the given order', async () => {
        const url = { index: 1, urlButton: { displayText: 'Our site', url: 'https://example.com/a?b=c' } }
        const call = { index: 0, callButton: { displayText: 'Call us', phoneNumber: '+55 11 91234-5678' } }
        const { interactive } = await sent('sendCta', {
          interactive: { type: 'cta', body: 'Need help?', footer: 'f', buttons: [url, call] },
        })
        assert.deepEqual(interactive, {
          type: 'buttons',
          title: null,
          body: 'Need help?',
          footer: 'f',
          buttons: [
            { type: 'call', text: 'Call us', phoneNumber: '+5511912345678' },
            { type: 'url', text: 'Our site', url: 'https://example.com/a?b=c' },
          ],
        })
      })

      test('a carousel arrives with picture, text and buttons of each card', async () => {
        const card = (body: string, id: string) => ({
          header: { type: 'image', mediaUrl: `${files.url}/photo.png` },
          body,
          buttons: [reply(id, `Buy ${body}`)],
        })
        const { interactive } = await sent('sendCarousel', {
          interactive: {
            type: 'carousel',
            body: 'This week',
            cards: [card('Shoe', 'buy-1'), card('Hat', 'buy-2')],
          },
        })
        const seen = (body: string, id: string) => ({
          title: null,
          body,
          footer: null,
          hasImage: true,
          buttons: [replyShown(id, `Buy ${body}`)],
        })
        assert.deepEqual(interactive, {
          type: 'carousel',
          title: null,
          body: 'This week',
          footer: null,
          cards: [seen('Shoe', 'buy-1'), seen('Hat', 'buy-2')],
        })
      })

      test('location and poll arrive complete', async () => {
        const spot = {
          latitude: -23.5614,
          longitude: -46.6559,
          name: 'Our shop',
          address: 'Avenida Paulista 1000',
        }
        assert.deepEqual((await sent('sendLocation', spot)).location, spot)
        const options = ['rice', 'beans', 'both']
        const { poll } = await sent('sendPoll', { pollName: 'Lunch?', options, selectableCount: 2 })
        assert.deepEqual(poll, { name: 'Lunch?', options, selectableCount: 2, votes: {} })
      })

      test('a group message reaches every member', async () => {
        const { group } = answers.group.parse(
          await sandbox.world.post('/groups', { subject: 'Team', members: [OWNER, CAROL], admin: BOB }),
        )
        const body = { instanceName: line.name, groupJid: group.jid, message: 'hello all' }
        for (const message of ['hello all', 'and again']) {
          const { messageId } = await sandbox.api('sendGroup', { body: { ...body, message } })
          for (const phone of [BOB, CAROL])
            assert.equal((await shown(messageId, phone, group.jid)).text, message)
          const row = await sandbox.message(line, messageId, ({ status }) => status === 'delivered')
          assert.deepEqual([row.groupJid, row.number, row.type], [group.jid, null, 'text'])
        }
      })

      test('typing is shown for the requested time, and recording for audio', async () => {
        const cases = [
          ['typing', 'sendText', { message: 'slow', delay: 900 }],
          ['recording', 'sendMedia', { type: 'audio', mediaUrl: `${files.url}/voice.ogg`, delay: 900 }],
        ] as const
        const seen = async () => (await sandbox.world.get(`/phones/${BOB}/typing`, answers.typing)).typing
        for (const [state, route, body] of cases) {
          const last = (await seen()).at(-1)?.seq ?? 0
          await sent(route, body)
          const signs = (await seen()).filter(({ seq }) => seq > last)
          assert.deepEqual(
            signs.map((sign) => [sign.from, sign.chat, sign.state]),
            [
              [OWNER, OWNER, state],
              [OWNER, OWNER, 'paused'],
            ],
          )
          const [began, ended] = signs.map((sign) => sign.timestamp)
          // The network's own times: on a busy machine the first sign may have been longer on its way than the second.
          assert.ok((ended ?? 0) - (began ?? 0) >= 600, `typed for ${(ended ?? 0) - (began ?? 0)} ms only`)
        }
      })

      test('a number that does not exist fails with that reason, and stays failed', async () => {
        const id = await send('sendText', { number: number(99), message: 'anybody?' })
        const { failure } = await sandbox.message(line, id, ({ status }) => status === 'failed')
        assert.deepEqual([failure.reason, failure.code], ['number_not_on_network', null])
      })

      test('a number is found with and without the ninth digit', async () => {
        const [short, long] = [`55318${number(31).slice(-7)}`, `553198${number(32).slice(-7)}`]
        for (const [phone, requested] of [
          [short, `55319${short.slice(4)}`],
          [long, `5531${long.slice(5)}`],
        ] as const) {
          await sandbox.world.phone(phone, 'Nina')
          const id = await send('sendText', { number: requested, message: `to ${requested}` })
          assert.equal((await shown(id, phone)).text, `to ${requested}`)
          const { data } = await sandbox.api('checkNumber', {
            query: { instanceName: line.name, number: requested },
          })
          assert.deepEqual([data.exists, data.jid], [true, `${phone}@s.whatsapp.net`])
        }
        const unknown = await sandbox.api('checkNumber', {
          query: { instanceName: line.name, number: number(98) },
        })
        assert.deepEqual([unknown.data.exists, unknown.data.number], [false, number(98)])
      })

      test('a send that the network refuses fails with its code', async () => {
        await sandbox.world.post('/faults', { number: OWNER, kind: 'reject', code: 405, count: 1 })
        const id = await send('sendText', { message: 'refused' })
        const { failure } = await sandbox.message(line, id, ({ status }) => status === 'failed')
        assert.deepEqual([failure.reason, failure.code], ['rejected_by_network', 405])
        assert.equal((await sent('sendText', { message: 'next' })).text, 'next')
      })

      test('a restricted account: new chats wait until the restriction ends, others are sent, and the instance reports it', async () => {
        await sandbox.world.phone(number(40), 'Stranger')
        await sandbox.world.phone(number(41), 'Regular')
        const received = await sandbox.world.send(number(41), { to: OWNER, text: 'hello' })
        await sandbox.message(line, received)
        await sandbox.world.post('/faults', { number: OWNER, kind: 'restrict' })
        const held = [
          await send('sendText', { number: number(40), message: 'first contact' }),
          await send('sendText', { number: number(40), message: 'second word' }),
        ]
        const state = async () => {
          const { instance } = await sandbox.api('instanceState', { query: { instanceName: line.name } })
          return [instance.state, instance.stateReason].join(' ')
        }
        await until(state, (seen) => seen === 'open restricted', 'restricted')
        // A person who has written to the instance is not a new chat.
        const warm = await send('sendText', { number: number(41), message: 'an answer' })
        assert.equal((await shown(warm, number(41))).text, 'an answer')
        const [first] = await sandbox.rows(line, held[0] as string)
        assert.deepEqual([first.status, first.failure], ['sending', null])
        await sandbox.world.ask('DELETE', '/faults')
        for (const id of held) await shown(id, number(40))
        await until(state, (seen) => seen === 'open ', 'free again')
      })
    })
})

test('a stop does not wait for typing to end, and the next start continues the message', async () => {
  const environment = { DATA_DIR: await temporaryDirectory(), API_KEY: newKey() }
  const [owner, bob] = ['5511900000001', '5511900000002']
  const first = await startSandboxWorld(environment)
  await first.world.phone(bob, 'Bob')
  const line = await first.pair(owner)
  const body = { instanceName: line.name, number: bob, message: 'slowly', delay: 60_000 }
  const { messageId } = await first.api('sendText', { body })
  await first.world.get(`/phones/${bob}/typing?waitMs=30000`, answers.typing)
  // A stop that waited for the typing to end would leave the message sent.
  await first.stop()
  const second = await startSandboxWorld(environment)
  const { typing } = await second.world.get(`/phones/${bob}/typing?waitMs=30000`, answers.typing)
  assert.equal(typing.at(-1)?.state, 'typing')
  const { status, failure } = await second.message(line, messageId)
  assert.deepEqual([status, failure], ['sending', null])
  await second.stop()
  await rm(environment.DATA_DIR, { recursive: true })
})

function mediaShown(type: string, path: string, more: Record<string, unknown>) {
  const { bytes, type: mimetype } = FILES[path] ?? { bytes: Buffer.alloc(0), type: '' }
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { type, mimetype, sizeBytes: bytes.length, sha256, ...more }
}
