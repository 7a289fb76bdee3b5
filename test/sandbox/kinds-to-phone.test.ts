import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import {
  type AnyMessageContent,
  generateWAMessageFromContent,
  prepareWAMessageMedia,
  proto,
  type WAMessage,
} from 'baileys'
import { Client } from './support/client.ts'
import { bizFlow, bizList, flow, PNG } from './support/content.ts'
import { type Shown, World } from './support/world.ts'

const ALICE = '5511900000001'
const BOB = '5511900000002'
const BOB_JID = `${BOB}@s.whatsapp.net`

for (const addressing of ['pn', 'lid'] as const)
  describe(`the phone decrypts every kind that a client sends, with all fields (${addressing})`, () => {
    let world: World
    let client: Client
    before(async () => {
      world = await World.start()
      await world.post('/network', { addressing })
      await world.phone(ALICE, 'Alice')
      await world.phone(BOB, 'Bob')
      client = await new Client(world).pair(ALICE)
    })
    after(async () => {
      await client.end()
      await world.stop()
    })

    const arrives = async (sent: WAMessage | undefined): Promise<Shown> => {
      const shown = await world.shown(BOB, sent?.key.id ?? '')
      assert.deepEqual(
        [shown.from, shown.chat, shown.fromMe, shown.status, shown.visible],
        [ALICE, ALICE, false, 'received', true],
      )
      return shown
    }
    const sends = async (content: AnyMessageContent) =>
      arrives(await client.socket.sendMessage(BOB_JID, content))
    const relays = async (content: proto.IMessage, biz: ReturnType<typeof bizFlow>) => {
      const message = generateWAMessageFromContent(BOB_JID, content, { userJid: client.creds.me?.id ?? '' })
      await client.socket.relayMessage(BOB_JID, message.message ?? {}, {
        messageId: message.key.id ?? '',
        additionalNodes: biz,
      })
      return arrives(message)
    }
    const mediaOf = (shown: Shown) => world.bytes(`/phones/${BOB}/messages/${shown.id}/media`)

    test('text', async () => {
      const shown = await sends({ text: 'olá 🌎' })
      assert.deepEqual([shown.kind, shown.text], ['text', 'olá 🌎'])
    })

    test('image, video, document and audio, with the same bytes', async () => {
      const cases: [AnyMessageContent, Buffer, Record<string, unknown>][] = [
        [
          { image: PNG, caption: 'a dot', mimetype: 'image/png', jpegThumbnail: '' },
          PNG,
          { type: 'image', mimetype: 'image/png', caption: 'a dot' },
        ],
        ...(['video', 'document', 'audio'] as const).map((type): (typeof cases)[number] => {
          const bytes = randomBytes(40_000)
          const content = {
            video: { video: bytes, caption: 'film', jpegThumbnail: '' },
            document: { document: bytes, mimetype: 'application/pdf', fileName: 'a.pdf', caption: 'read' },
            audio: {
              audio: bytes,
              mimetype: 'audio/ogg; codecs=opus',
              ptt: true,
              seconds: 3,
              waveform: new Uint8Array(64),
            },
          }[type] as AnyMessageContent
          const fields = {
            video: { type, mimetype: 'video/mp4', caption: 'film' },
            document: { type, mimetype: 'application/pdf', fileName: 'a.pdf', caption: 'read' },
            audio: {
              type,
              mimetype: 'audio/ogg; codecs=opus',
              voiceNote: true,
              seconds: 3,
              waveformBars: 64,
            },
          }[type]
          return [content, bytes, fields]
        }),
      ]
      for (const [content, bytes, fields] of cases) {
        const shown = await sends(content)
        const { sizeBytes, sha256: _hash, ...rest } = shown.media ?? { sizeBytes: 0, sha256: '' }
        assert.deepEqual(rest, fields)
        assert.equal(sizeBytes, bytes.length)
        assert.ok((await mediaOf(shown)).equals(bytes), `${shown.kind} has the same bytes`)
      }
    })

    test('location, contact card and quoted reply', async () => {
      const spot = { degreesLatitude: -23.5, degreesLongitude: -46.6, name: 'SP', address: 'Av. Paulista' }
      const location = await sends({ location: spot })
      assert.deepEqual(location.location, {
        latitude: -23.5,
        longitude: -46.6,
        name: 'SP',
        address: 'Av. Paulista',
      })
      const vcard = 'BEGIN:VCARD\nVERSION:3.0\nFN:Zoe\nEND:VCARD'
      const contact = await sends({
        contacts: { displayName: 'Zoe', contacts: [{ displayName: 'Zoe', vcard }] },
      })
      assert.deepEqual(contact.contacts, [{ name: 'Zoe', vcard }])
      const question = await client.message(await world.send(BOB, { to: ALICE, text: 'well?' }))
      const reply = await arrives(
        await client.socket.sendMessage(BOB_JID, { text: 'yes' }, { quoted: question }),
      )
      assert.deepEqual(reply.quoted, { id: question.key.id, text: 'well?' })
    })

    test('reply buttons and call-to-action buttons', async () => {
      const shown = await relays(
        {
          interactiveMessage: {
            header: { title: 'Title', hasMediaAttachment: false },
            body: { text: 'Choose' },
            footer: { text: 'foot' },
            nativeFlowMessage: {
              messageVersion: 1,
              buttons: [
                flow('quick_reply', { display_text: 'Yes', id: 'yes' }),
                flow('cta_url', {
                  display_text: 'Shop',
                  url: 'https://a.example',
                  merchant_url: 'https://a.example',
                }),
                flow('cta_call', { display_text: 'Call', phone_number: '+5511900000001' }),
              ],
            },
          },
        },
        bizFlow(),
      )
      assert.deepEqual(shown.interactive, {
        type: 'buttons',
        title: 'Title',
        body: 'Choose',
        footer: 'foot',
        buttons: [
          { type: 'reply', text: 'Yes', id: 'yes' },
          { type: 'url', text: 'Shop', url: 'https://a.example' },
          { type: 'call', text: 'Call', phoneNumber: '+5511900000001' },
        ],
      })
    })

    test('list', async () => {
      const rows = [{ rowId: 'r1', title: 'Row', description: 'd' }]
      const shown = await relays(
        {
          listMessage: {
            title: 't',
            description: 'd',
            buttonText: 'Open',
            footerText: 'f',
            listType: proto.Message.ListMessage.ListType.SINGLE_SELECT,
            sections: [{ title: 'S', rows }],
          },
        },
        bizList(),
      )
      assert.deepEqual(shown.interactive, {
        type: 'list',
        title: 't',
        body: 'd',
        footer: 'f',
        buttonText: 'Open',
        sections: [{ title: 'S', rows }],
      })
    })

    test('carousel with a picture on each card', async () => {
      const upload = { upload: client.socket.waUploadToServer }
      const { imageMessage } = await prepareWAMessageMedia({ image: PNG, jpegThumbnail: '' }, upload)
      const cards = [1, 2].map((number) => ({
        header: { title: `Card ${number}`, hasMediaAttachment: true, imageMessage: imageMessage ?? null },
        body: { text: `body ${number}` },
        footer: { text: 'f' },
        nativeFlowMessage: {
          messageVersion: 1,
          buttons: [flow('quick_reply', { display_text: 'Buy', id: `buy${number}` })],
        },
      }))
      const carouselMessage = { messageVersion: 1, cards }
      const shown = await relays(
        { interactiveMessage: { body: { text: 'Pick' }, carouselMessage } },
        bizFlow(),
      )
      assert.deepEqual(shown.interactive, {
        type: 'carousel',
        title: null,
        body: 'Pick',
        footer: null,
        cards: [1, 2].map((number) => ({
          title: `Card ${number}`,
          body: `body ${number}`,
          footer: 'f',
          hasImage: true,
          buttons: [{ type: 'reply', text: 'Buy', id: `buy${number}` }],
        })),
      })
      const media = `/phones/${BOB}/messages/${shown.id}/media`
      assert.deepEqual(await world.bytes(`${media}?card=1`), PNG)
      for (const query of ['?card=2', '']) {
        assert.equal((await world.ask('GET', media + query)).body['reason'], 'media_not_found', query)
      }
    })

    test('buttons without the biz node are accepted but not shown', async () => {
      const content = {
        interactiveMessage: {
          body: { text: 'b' },
          nativeFlowMessage: { buttons: [flow('quick_reply', { display_text: 'Yes', id: 'yes' })] },
        },
      }
      const message = generateWAMessageFromContent(BOB_JID, content, { userJid: client.creds.me?.id ?? '' })
      const messageId = message.key.id ?? ''
      await client.socket.relayMessage(BOB_JID, message.message ?? {}, { messageId })
      assert.equal((await world.shown(BOB, messageId)).visible, false)
    })

    test('poll, reaction, edit and delete', async () => {
      const poll = await client.socket.sendMessage(BOB_JID, {
        poll: { name: 'Lunch?', values: ['rice', 'beans'], selectableCount: 1 },
      })
      const shown = await arrives(poll)
      assert.deepEqual(shown.poll, {
        name: 'Lunch?',
        options: ['rice', 'beans'],
        selectableCount: 1,
        votes: {},
      })
      const reaction = await sends({ react: { text: '👍', key: poll?.key ?? {} } })
      assert.deepEqual([reaction.kind, reaction.emoji, reaction.target], ['reaction', '👍', shown.id])
      assert.deepEqual((await world.shown(BOB, shown.id)).reactions, { [ALICE]: '👍' })
      const first = await client.socket.sendMessage(BOB_JID, { text: 'orignal' })
      const id = (await arrives(first)).id
      const edit = await sends({ text: 'original', edit: first?.key ?? {} })
      assert.deepEqual([edit.kind, edit.target, edit.text], ['edit', id, 'original'])
      const edited = await world.shown(BOB, id)
      assert.deepEqual([edited.text, edited.edited], ['original', true])
      const deletion = await sends({ delete: first?.key ?? {} })
      assert.deepEqual([deletion.kind, deletion.target], ['delete', id])
      const deleted = await world.shown(BOB, id)
      assert.deepEqual([deleted.text, deleted.deleted], [null, true])
    })
  })
