// Requests in the form in which published clients of the Evolution API write them, where the client itself cannot run here: a TypeScript
// SDK (`evolution-api-sdk`), the Python package `evolutionapi`, and a PHP package (`laravel-evolution-api`). The forms are read from their
// public sources; the requests are sent by this file.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { type EvolutionWorld, startEvolutionWorld } from '../support/evolution.ts'
import { ogg, png } from '../support/sample-files.ts'
import { until } from '../support/sandbox-world.ts'

const jidOf = (number: string) => `${number}@s.whatsapp.net`
const JSON_TYPE = 'application/json'

interface Part {
  name: string
  value: string | Buffer
  type: string
  fileName?: string
}

/** A form as `requests_toolbelt` writes it: every part has a media type. */
function typedForm(parts: Part[]): { type: string; body: Buffer } {
  const boundary = '7f0c5a31f2b54a2fbb1d'
  const pieces = parts.flatMap(({ name, value, type, fileName }) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`,
    `${fileName === undefined ? '' : `; filename="${fileName}"`}\r\nContent-Type: ${type}\r\n\r\n`,
    value,
    '\r\n',
  ])
  const body = Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece)))
  return { type: `multipart/form-data; boundary=${boundary}`, body }
}

for (const engine of behaviourEngines('postgres'))
  describe(`requests of published Evolution clients on ${engine.name}`, () => {
    const prefix = engine.name === 'sqlite' ? '5511964440' : '5511965550'
    const [OWNER, BOB] = [1, 2].map((last) => `${prefix}00${last}`) as [string, string]
    let world: EvolutionWorld
    let received = ''
    before(async () => {
      world = await startEvolutionWorld(engine, OWNER)
      await world.sandbox.world.phone(BOB, 'Bob')
      received = await world.sandbox.world.send(BOB, { to: OWNER, text: 'Hello' })
      await world.sandbox.message(world.line, received)
    })
    after(() => world.stop())

    /** The type is given for every request, also for one without a body. */
    async function ask(method: string, path: string, body?: unknown, type = JSON_TYPE) {
      const text = body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body)
      const response = await fetch(`${world.sandbox.app.url}/compat/evolution${path}`, {
        method,
        headers: { apikey: world.sandbox.key, 'content-type': type },
        ...(text !== undefined && { body: text as NonNullable<RequestInit['body']> }),
      })
      const json = (await response.json()) as any // oxlint-disable-line typescript/no-explicit-any -- a test says what it expects of it
      assert.ok(response.status < 300, `${method} ${path}: ${response.status} ${JSON.stringify(json)}`)
      return json
    }
    const shown = (id: string) => world.sandbox.world.shown(BOB, id)

    test('the TypeScript SDK: paths end with a slash, and every request says that it is JSON', async () => {
      assert.equal((await ask('GET', '/instance/connectionState/shop/')).instance.state, 'open')
      assert.equal((await ask('GET', '/instance/fetchInstances/'))[0].name, 'shop')
      const text = await ask('POST', '/message/sendText/shop/', { number: BOB, text: 'one', delay: 1 })
      assert.equal((await shown(text.key.id)).text, 'one')
      const image = { number: BOB, media: png(4, 4).toString('base64'), mimetype: 'image/png' }
      const sent = await ask('POST', '/message/sendMedia/shop/', {
        ...image,
        mediatype: 'image',
        caption: 'A',
      })
      assert.equal((await shown(sent.key.id)).text, 'A')
      assert.equal((await ask('POST', '/chat/whatsappNumbers/shop/', { numbers: [BOB] }))[0].exists, true)
      const created = await ask('POST', '/group/create/shop/', { subject: 'Team', participants: [BOB] })
      const groups = await ask('GET', '/group/fetchAllGroups/shop/?getParticipants=false')
      assert.equal(groups[0].id, created.id)
      await ask('DELETE', `/group/leaveGroup/shop/?groupJid=${created.id}`)
      await ask('DELETE', '/chat/removeProfilePicture/shop/')
      await ask('POST', '/instance/restart/shop/')
      await until(
        () => ask('GET', '/instance/connectionState/shop/'),
        ({ instance }) => instance.state === 'open',
        'the restarted instance',
      )
    })

    test('the Python package: forms whose parts have types, and a DELETE without a body', async () => {
      const text = await ask('POST', '/message/sendText/shop', { number: BOB, text: 'two' })
      assert.equal((await shown(text.key.id)).text, 'two')
      const plain = (name: string, value: string): Part => ({ name, value, type: 'text/plain' })
      const media = typedForm([
        plain('number', BOB),
        plain('mediatype', 'image'),
        plain('mimetype', 'image/png'),
        plain('caption', 'B'),
        plain('fileName', 'b.png'),
        { name: 'delay', value: '1', type: 'text/plain; type=number' },
        { name: 'file', value: png(4, 4), type: 'application/octet-stream', fileName: 'file' },
      ])
      const sent = await ask('POST', '/message/sendMedia/shop', media.body, media.type)
      assert.equal((await shown(sent.key.id)).text, 'B')
      const voice = typedForm([
        plain('number', BOB),
        { name: 'file', value: ogg(), type: 'audio/ogg', fileName: 'file' },
      ])
      const note = await ask('POST', '/message/sendWhatsAppAudio/shop', voice.body, voice.type)
      assert.equal((await shown(note.key.id)).kind, 'audio')
      const where = {
        key: { remoteJid: jidOf(BOB), fromMe: false },
        messageTimestamp: { gte: '2020-01-01T00:00:00Z' },
      }
      const found = await ask('POST', '/chat/findMessages/shop', { where, page: 1, offset: 50 })
      assert.equal(found.messages.records[0].key.id, received)
      const created = await ask('POST', '/instance/create', {
        instanceName: 'second',
        integration: 'WHATSAPP-BAILEYS',
        qrcode: false,
        rejectCall: true,
        msgCall: 'Please write.',
      })
      assert.equal(created.settings.rejectCall, true)
      await ask('DELETE', '/instance/delete/second')
    })

    test('the PHP package: reads the state before each send, and sends reactions and polls', async () => {
      assert.equal((await ask('GET', '/instance/connectionState/shop')).instance.state, 'open')
      const key = { remoteJid: jidOf(BOB), fromMe: false, id: received }
      for (const reaction of ['👍', '']) await ask('POST', '/message/sendReaction/shop', { key, reaction })
      const poll = { number: BOB, name: 'Which?', selectableCount: 1, values: ['A', 'B'] }
      assert.equal(
        (await shown((await ask('POST', '/message/sendPoll/shop', poll)).key.id)).poll?.name,
        'Which?',
      )
      const office = { number: BOB, latitude: -23.5, longitude: -46.6, name: 'Office', address: 'Street 1' }
      const location = await ask('POST', '/message/sendLocation/shop', office)
      assert.equal((await shown(location.key.id)).kind, 'location')
    })
  })
