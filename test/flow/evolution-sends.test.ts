// Every send of the Evolution dialect: the phone of the recipient shows it, and the answer has the form of the dialect.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import {
  assertRefused,
  type EvolutionWorld,
  evolutionClient,
  startEvolutionWorld,
  watchCalls,
} from '../support/evolution.ts'
import { png } from '../support/sample-files.ts'
import { startWebHost, type WebHost } from '../support/web-host.ts'

const ANSWER = [
  'contextInfo',
  'instanceId',
  'key',
  'message',
  'messageTimestamp',
  'messageType',
  'pushName',
  'source',
  'status',
]

for (const engine of behaviourEngines('postgres'))
  describe(`sends of the Evolution dialect on ${engine.name}`, () => {
    const prefix = engine.name === 'sqlite' ? '5511973330' : '5511974440'
    const [OWNER, BOB, CAROL] = [1, 2, 3].map((last) => `${prefix}00${last}`) as [string, string, string]
    let world: EvolutionWorld
    let host: WebHost
    before(async () => {
      host = await startWebHost((_request, response) => {
        response.setHeader('content-type', 'image/png')
        response.end(png(4, 4))
      })
      world = await startEvolutionWorld(engine, OWNER)
      await world.sandbox.world.phone(BOB, 'Bob')
      await world.sandbox.world.phone(CAROL, 'Carol')
    })
    after(async () => {
      await world.stop()
      await host.close()
    })

    /** Sends, checks the form of the answer, and returns it with the message as the phone of Bob shows it. */
    async function sent(call: string, body: object | FormData) {
      const given = body instanceof FormData ? body : { number: BOB, ...body }
      const reply = await world.shop(`POST /message/${call}/shop`, given)
      assert.equal(reply.status, 201, JSON.stringify(reply.json))
      assert.deepEqual(Object.keys(reply.json).toSorted(), ANSWER)
      const { key, messageType, message, status } = reply.json
      assert.deepEqual([key.fromMe, status], [true, 'PENDING'])
      assert.deepEqual(Object.keys(message), [messageType])
      return { answer: reply.json, shown: await world.sandbox.world.shown(BOB, key.id) }
    }

    test('201 sendText to digits, to a jid and to a group, with a quote and mentions', async () => {
      const { answer, shown } = await sent('sendText', { text: 'one', unknownField: 1 })
      assert.equal(shown.text, 'one')
      assert.equal(answer.key.remoteJid, `${BOB}@s.whatsapp.net`)
      const byJid = await sent('sendText', {
        number: `${BOB}:7@s.whatsapp.net`,
        text: 'two',
        quoted: { key: { id: answer.key.id }, message: { conversation: 'one' } },
      })
      assert.equal(byJid.shown.quoted?.id, answer.key.id)
      assert.equal(byJid.answer.contextInfo.stanzaId, answer.key.id)
      const made = await world.shop('POST /group/create/shop', {
        subject: 'Team',
        participants: [BOB, CAROL],
      })
      const group = await sent('sendText', { number: made.json.id, text: 'all', mentionsEveryOne: true })
      assert.equal(group.answer.key.remoteJid, made.json.id)
      const named = { number: made.json.id, text: `@${CAROL}`, mentioned: [`${CAROL}@s.whatsapp.net`] }
      assert.equal((await sent('sendText', named)).shown.text, `@${CAROL}`)
    })

    test('201 getBase64FromMediaMessage of a file that the instance itself has sent', async () => {
      const base64 = png(4, 4).toString('base64')
      const { answer } = await sent('sendMedia', { mediatype: 'image', media: base64, fileName: 'ours.png' })
      const key = { id: answer.key.id }
      const file = await world.shop('POST /chat/getBase64FromMediaMessage/shop', { message: { key } })
      assert.equal(file.status, 201, JSON.stringify(file.json))
      assert.deepEqual(
        [file.json.base64, file.json.mimetype, file.json.mediaType],
        [base64, 'image/png', 'imageMessage'],
      )
    })

    test('201 sendMedia by URL, in base64, as a data URL and as a form', async () => {
      const bytes = png(4, 4)
      const base64 = bytes.toString('base64')
      for (const media of [`${host.url}/a.png`, base64, `data:image/png;base64,${base64}`]) {
        const { shown, answer } = await sent('sendMedia', { mediatype: 'image', media, caption: 'Look' })
        assert.equal(shown.text, 'Look')
        assert.equal(answer.message.imageMessage.caption, 'Look')
      }
      const form = new FormData()
      form.set('number', BOB)
      form.set('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'photo.png')
      form.set('mediatype', 'document')
      form.set('fileName', 'photo.png')
      form.set('delay', '0')
      const { answer } = await sent('sendMedia', form)
      assert.deepEqual(
        [answer.messageType, answer.message.documentMessage.fileName],
        ['documentMessage', 'photo.png'],
      )
    })

    test('201 sendSticker, sendLocation, sendContact, sendPoll, sendList, sendButtons, sendCarousel', async () => {
      const base64 = png(4, 4).toString('base64')
      assert.equal((await sent('sendSticker', { sticker: base64 })).answer.messageType, 'stickerMessage')
      const spot = { latitude: -23.5, longitude: -46.6, name: 'Shop', address: 'Paulista 1' }
      assert.equal((await sent('sendLocation', spot)).answer.message.locationMessage.degreesLatitude, -23.5)
      const contact = [{ fullName: 'Ana', phoneNumber: '+55 11 91234-5678', organization: '', email: '' }]
      const card = (await sent('sendContact', { contact })).answer.message.contactMessage
      assert.match(card.vcard, /^BEGIN:VCARD\n.*waid=5511912345678/s)
      const poll = await sent('sendPoll', { name: 'Day?', selectableCount: 0, values: ['Mon', 'Tue'] })
      assert.equal(poll.answer.message.pollCreationMessageV3.selectableOptionsCount, 2)
      const sections = [{ title: 'Drinks', rows: [{ title: 'Tea', rowId: 'tea', description: '' }] }]
      const list = { title: 'Menu', description: 'Choose', footerText: '', buttonText: 'Open', sections }
      assert.equal((await sent('sendList', list)).answer.message.listMessage.description, 'Choose')
      const reply = { type: 'reply', displayText: 'Yes', id: 'yes' }
      await sent('sendButtons', { title: 'Sure?', description: 'Tomorrow', footer: 'Bye', buttons: [reply] })
      const url = { type: 'url', displayText: 'Site', url: 'https://example.com' }
      const phone = { type: 'call', displayText: 'Call', phoneNumber: '+5511912345678' }
      await sent('sendButtons', { title: 'Help?', buttons: [url, phone] })
      const cards = [{ body: 'Shoe', imageUrl: `${host.url}/shoe.png`, buttons: [reply] }]
      await sent('sendCarousel', { body: 'This week', cards })
    })

    test('201 sendReaction, and an empty one removes it', async () => {
      const { answer } = await sent('sendText', { text: 'react to this' })
      for (const reaction of ['👍', '']) {
        const { key } = answer
        const reply = await world.shop('POST /message/sendReaction/shop', { key, reaction })
        assert.equal(reply.status, 201)
        assert.equal(reply.json.message.reactionMessage.text, reaction)
      }
    })

    test('201 sendStatus to listed people', async () => {
      const statusJidList = [`${BOB}@s.whatsapp.net`]
      const text = { type: 'text', content: 'Open', backgroundColor: '#128c7e', font: 1, statusJidList }
      const reply = await world.shop('POST /message/sendStatus/shop', text)
      assert.equal(reply.status, 201, JSON.stringify(reply.json))
      assert.equal(reply.json.key.remoteJid, 'status@broadcast')
      const image = { type: 'image', content: png(4, 4).toString('base64'), caption: 'New', statusJidList }
      assert.equal((await world.shop('POST /message/sendStatus/shop', image)).status, 201)
    })

    test('201 sendWhatsAppAudio and sendPtv are accepted with a file', async () => {
      for (const [call, field] of [
        ['sendWhatsAppAudio', 'audio'],
        ['sendPtv', 'video'],
      ] as const) {
        const reply = await world.shop(`POST /message/${call}/shop`, {
          number: BOB,
          [field]: `${host.url}/f`,
        })
        assert.equal(reply.status, 201, JSON.stringify(reply.json))
        assert.equal(reply.json.messageType, `${field}Message`)
      }
    })

    test('201 sendTemplate: a stored template is sent as a text, or as a file with a caption', async () => {
      const { client: account, missing } = watchCalls(
        evolutionClient(world.sandbox.app.url, world.sandbox.key),
      )
      const store = { name: 'order', category: 'UTILITY', language: 'en_US', allowCategoryChange: false }
      const components = [
        { type: 'HEADER', format: 'IMAGE' },
        { type: 'BODY', text: 'Hello {{1}}' },
      ]
      const made = await account('POST /template/create/shop', { ...store, components })
      assert.equal(made.status, 201, JSON.stringify(made.json))
      const { id, status } = made.json.template
      const plain = { ...store, name: 'thanks', components: [{ type: 'BODY', text: 'Thanks' }] }
      assert.equal((await account('POST /template/create/shop', plain)).status, 201)
      assert.deepEqual([made.json.templateId, made.json.name, status], [id, 'order', 'APPROVED'])
      assertRefused(await account('POST /template/create/shop', { ...store, components }), 400, /exists in/)
      assertRefused(
        await account('POST /template/create/shop', { ...store, components: [{ type: 'FOOTER' }] }),
        400,
        /BODY/,
      )
      for (const call of ['POST /template/create/shop', 'DELETE /template/delete/shop'])
        assertRefused(await world.shop(call, plain), 401, /cannot change templates/)
      const found = (await world.shop('GET /template/find/shop')).json as { name: string; id: string }[]
      assert.deepEqual(found.map(({ name }) => name).toSorted(), ['hello_world', 'order', 'thanks'])

      const values = [
        { type: 'header', parameters: [{ type: 'image', image: { link: `${host.url}/a.png` } }] },
        { type: 'body', parameters: [{ type: 'text', text: 'Bob' }] },
      ]
      const named = { name: 'order', language: 'en_US' }
      const { shown } = await sent('sendTemplate', { ...named, components: values })
      assert.deepEqual([shown.kind, shown.text], ['image', 'Hello Bob'])
      assert.equal((await sent('sendTemplate', { ...named, name: 'thanks' })).shown.text, 'Thanks')
      const send = (more: object) =>
        world.shop('POST /message/sendTemplate/shop', { number: BOB, ...named, ...more })
      assertRefused(await send({}), 400, /^components: header: expected a parameter of the type image/)
      assertRefused(await send({ language: 'de' }), 404, /no template "order" in "de"/)
      assertRefused(await send({ name: undefined }), 400, /^name: required/)

      assertRefused(
        await account('DELETE /template/delete/shop', { name: 'order', hsmId: '0' }),
        404,
        /no template/,
      )
      for (const name of ['hello_world', 'order', 'thanks'])
        assert.equal((await account('DELETE /template/delete/shop', { name })).status, 200)
      assert.deepEqual((await account('GET /template/find/shop')).json, [])
      assert.deepEqual(missing('template'), [])
      assertRefused(await account('POST /template/edit/shop', {}), 501, /Delete it/)
    })

    test('every send was answered with its status', () => assert.deepEqual(world.missing('message'), []))

    test('400 names the field of the dialect', async () => {
      const cases: [call: string, body: object, message: RegExp][] = [
        ['sendText', { number: BOB }, /^text: required$/],
        ['sendText', { number: 'nobody', text: 'x' }, /^number: expected 7 to 15 digits/],
        ['sendText', { number: BOB, text: '' }, /^text: /],
        ['sendText', { number: BOB, text: 'x', delay: 70_000 }, /^delay: /],
        ['sendMedia', { number: BOB, mediatype: 'image' }, /^media: required/],
        ['sendMedia', { number: BOB, mediatype: 'gif', media: 'x' }, /^mediatype: /],
        ['sendMedia', { number: BOB, mediatype: 'image', media: 'not base64!' }, /^media: expected an http/],
        ['sendPoll', { number: BOB, name: 'x', selectableCount: 1, values: ['a'] }, /^values: /],
        ['sendList', { number: BOB, title: 'x', buttonText: 'y', sections: [] }, /^sections: /],
        ['sendButtons', { number: BOB, title: 'x', buttons: [{ type: 'pix' }] }, /^buttons\.0\.name: /],
        [
          'sendButtons',
          { number: BOB, title: 'x', buttons: [{ type: 'pix' }, { type: 'reply', displayText: 'y' }] },
          /^buttons: expected a button of the type pix alone/,
        ],
        [
          'sendCarousel',
          { number: BOB, body: 'x', cards: [{ body: 'y', buttons: [] }] },
          /imageUrl: required/,
        ],
        ['sendStatus', { type: 'text', content: 'x' }, /^statusJidList: required/],
        ['sendStatus', { type: 'audio', content: 'x', allContacts: true }, /^type: a status with audio/],
        ['sendReaction', { key: { id: 'X' }, reaction: 'two words' }, /^reaction: expected one emoji/],
      ]
      for (const [call, body, message] of cases)
        assertRefused(await world.shop(`POST /message/${call}/shop`, body), 400, message)
    })

    test('404 when the quoted or changed message does not exist', async () => {
      const quoted = { key: { id: 'NONE' } }
      assertRefused(
        await world.shop('POST /message/sendText/shop', { number: BOB, text: 'x', quoted }),
        404,
        /no such message/,
      )
      const reaction = { key: { id: 'NONE' }, reaction: '👍' }
      assertRefused(await world.shop('POST /message/sendReaction/shop', reaction), 404, /no such message/)
    })

    test('201 a repeated Idempotency-Key sends once', async () => {
      const headers = { 'idempotency-key': 'evolution-1' }
      const send = () => world.shop('POST /message/sendText/shop', { number: BOB, text: 'once' }, headers)
      const [first, second] = [await send(), await send()]
      assert.deepEqual(first.json.key, second.json.key)
      assert.equal(second.headers.get('idempotency-replayed'), 'true')
    })
  })
