// A person approves what the recipient gets: files and link previews of a send with approval are fetched once, when it is accepted. A host that
// serves something else later, a kill and a repeated request change nothing about it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { withDatabase } from '../support/database.ts'
import { engines, type StoreLocation } from '../support/engines.ts'
import { api, ask, linkedInstance, newNumber, until, untilState, world } from '../support/linked.ts'
import { programFile } from '../support/program.ts'
import { onSharedSandbox } from '../support/shared-sandbox.ts'
import { newKey, type Started, startWithKey } from '../support/started.ts'
import { startWebHost, type WebHost } from '../support/web-host.ts'

const colour = (background: string) => sharp({ create: { width: 64, height: 64, channels: 3, background } })
const VERSIONS = ['approved', 'exchanged'] as const
type Version = (typeof VERSIONS)[number]

for (const engine of engines)
  describe(`files of sends with approval, on ${engine.name}`, () => {
    const [owner, friend] = [newNumber(), newNumber()]
    let storeLocation: StoreLocation
    let gateway: Started
    let host: WebHost
    let agent = ''
    let name = ''
    let served: Version = 'approved'
    const pictures = new Map<Version, Buffer>()
    const files: Record<string, (version: Version) => { type: string; body: string | Buffer }> = {
      '/photo.jpg': (version) => ({ type: 'image/jpeg', body: pictures.get(version) ?? '' }),
      '/offer.pdf': (version) => ({ type: 'application/pdf', body: `%PDF-1.4 ${version}` }),
      '/page': (version) => ({
        type: 'text/html',
        body: `<meta property="og:title" content="Page ${version}"><meta property="og:image" content="/photo.jpg">`,
      }),
    }
    const start = async () =>
      startWithKey(
        storeLocation,
        gateway?.key ?? newKey(),
        { ...(await onSharedSandbox()), ALLOW_TARGETS: '127.0.0.1' },
        programFile('failing-server'),
      )

    before(async () => {
      pictures.set('approved', await colour('#c00').jpeg().toBuffer())
      pictures.set('exchanged', await colour('#00c').jpeg().toBuffer())
      host = await startWebHost((request, response) => {
        const file = files[request.url ?? '']?.(served)
        response.writeHead(file ? 200 : 404, { 'content-type': file?.type ?? 'text/plain' }).end(file?.body)
      })
      storeLocation = await engine.createLocation()
      gateway = await start()
      name = await linkedInstance(gateway, owner)
      await world(gateway, 'POST /phones', { number: friend })
      agent = (await api(gateway, 'POST /api-keys', { name: 'Agent', approval: true })).key
    })
    after(async () => {
      await gateway.stop('SIGKILL')
      await host.close()
      await storeLocation.dispose()
    })

    const asAgent = () => ({ ...gateway, key: agent })
    const body = (fields: object) => ({ instanceName: name, number: friend, delay: 0, ...fields })
    const send = (path: string, fields: object) => api(asAgent(), `POST /send/${path}`, body(fields))
    const refused = async (path: string, fields: object) => {
      const { status, json } = await ask(asAgent(), `POST /api/v1/send/${path}`, body(fields))
      assert.deepEqual([status, json.reason], [400, 'invalid_request'])
      return json.details
    }
    const url = (path: string) => `${host.url}${path}`
    const card = (mediaUrl: string) => ({
      header: { mediaUrl },
      body: 'A card',
      buttons: [{ buttonId: 'a', buttonText: { displayText: 'A' } }],
    })
    const approve = (messageId: string) => api(gateway, `POST /messages/${messageId}/approve`)
    const shown = async (messageId: string) =>
      (await world(gateway, `GET /phones/${friend}/messages/${messageId}?waitMs=30000`)).message
    const bytesOf = async (messageId: string): Promise<Buffer> =>
      (await ask(gateway, `GET /sandbox/v1/phones/${friend}/messages/${messageId}/media`)).bytes
    const uploads = () =>
      withDatabase(storeLocation, (database) =>
        database.rows('select id, held_message_id from media_uploads order by id'),
      ) as Promise<{ id: number; held_message_id: string | null }[]>
    const restart = async () => {
      await gateway.stop('SIGKILL')
      gateway = await start()
      await untilState(gateway, name, 'open')
    }
    /** How red the picture is compared with blue. */
    const isRed = async (bytes: Buffer): Promise<boolean> => {
      const { channels } = await sharp(bytes).stats()
      return (channels[0]?.mean ?? 0) > (channels[2]?.mean ?? 0)
    }

    test('the host serves something else after the send was accepted: every recipient gets the first', async () => {
      served = 'approved'
      const image = await send('media', { type: 'image', mediaUrl: url('/photo.jpg'), message: 'Look' })
      const pdf = await send('media', { type: 'document', mediaUrl: url('/offer.pdf') })
      const sticker = await send('sticker', { mediaUrl: url('/photo.jpg') })
      const cards = [card(url('/photo.jpg')), card(url('/photo.jpg'))]
      const carousel = await send('carousel', { interactive: { body: 'x', cards } })
      const buttons = await send('button', {
        interactive: {
          header: { type: 'document', mediaUrl: url('/offer.pdf') },
          body: 'x',
          buttons: [{ buttonId: 'a', buttonText: { displayText: 'A' } }],
        },
      })
      const text = await send('text', { message: `See ${url('/page')}`, linkPreview: true })
      const status = await api(asAgent(), 'POST /send/status', {
        instanceName: name,
        type: 'image',
        mediaUrl: url('/photo.jpg'),
        to: [friend],
      })
      const album = await send('album', {
        files: [{ mediaUrl: url('/photo.jpg') }, { mediaUrl: url('/photo.jpg') }],
      })
      const members = album.members.map(({ messageId }: { messageId: string }) => messageId)
      const singles = [image, pdf, sticker, carousel, buttons, text, status, album].map(
        ({ messageId }) => messageId,
      )
      served = 'exchanged'
      const requests = host.requests()
      await restart()
      for (const messageId of [...singles, ...members]) await approve(messageId)
      for (const messageId of [...singles, ...members]) await shown(messageId)
      assert.equal(host.requests(), requests, 'nothing is fetched after the approval')
      for (const { messageId } of [pdf, buttons])
        assert.equal(String(await bytesOf(messageId)), '%PDF-1.4 approved')
      for (const { messageId } of [image, sticker, status]) assert.ok(await isRed(await bytesOf(messageId)))
      for (const messageId of members) assert.ok(await isRed(await bytesOf(messageId)))
      assert.equal((await shown(pdf.messageId)).media.fileName, 'offer.pdf')
      assert.equal((await shown(image.messageId)).media.caption, 'Look')
      const { preview } = await shown(text.messageId)
      assert.equal(preview.title, 'Page approved')
      assert.ok(preview.thumbnailBytes > 100)
      const { interactive } = await shown(carousel.messageId)
      assert.deepEqual(
        interactive.cards.map(({ hasImage }: { hasImage: boolean }) => hasImage),
        [true, true],
      )
    })

    test('a forwarded message is sent as it was the first time', async () => {
      served = 'approved'
      const first = await api(gateway, 'POST /send/media', body({ mediaUrl: url('/offer.pdf') }))
      await shown(first.messageId)
      await until('the status', async () => {
        const { message } = await api(gateway, `GET /messages/${first.messageId}`)
        return ['queued', 'sending'].includes(message.status) ? undefined : true
      })
      served = 'exchanged'
      const again = await api(asAgent(), `POST /messages/${first.messageId}/forward`, { number: friend })
      await restart()
      await approve(again.messageId)
      await shown(again.messageId)
      assert.equal(String(await bytesOf(again.messageId)), '%PDF-1.4 approved')
    })

    test('400 names the field of a file that cannot be fetched, and nothing is left of the send', async () => {
      const before = await uploads()
      const listed = async () => (await api(gateway, 'GET /messages?limit=100')).messages.length
      const messages = await listed()
      const missing = url('/missing')
      const [single] = await refused('media', { type: 'image', mediaUrl: missing })
      assert.equal(single.path, 'mediaUrl')
      assert.equal((await refused('sticker', { mediaUrl: url('/offer.pdf') }))[0].path, 'mediaUrl')
      const cards = [card(url('/photo.jpg')), card(missing)]
      const [second] = await refused('carousel', { interactive: { body: 'x', cards } })
      assert.equal(second.path, 'interactive.cards.1.header.mediaUrl')
      const album = [{ mediaUrl: url('/photo.jpg') }, { mediaUrl: missing, type: 'image' }]
      const [inAlbum] = await refused('album', { files: album })
      assert.equal(inAlbum.path, 'files.1.mediaUrl')
      const known = new Set(before.map(({ id }) => id))
      assert.deepEqual(
        (await uploads()).filter(({ id }) => !known.has(id)),
        [],
      )
      assert.equal(await listed(), messages)
    })

    for (const point of ['accept.before', 'accept.after'] as const)
      test(`a kill at ${point} loses nothing: the repeated request is accepted once, with its file`, async () => {
        served = 'approved'
        const key = newKey()
        const request = () =>
          ask(asAgent(), 'POST /api/v1/send/media', body({ mediaUrl: url('/offer.pdf') }), {
            'idempotency-key': key,
          })
        const exited = once(gateway.child, 'exit')
        gateway.child.send({ arm: point, how: 'kill' })
        await assert.rejects(request())
        await exited
        gateway = await start()
        await untilState(gateway, name, 'open')
        const wasAccepted = point === 'accept.after'
        const requests = host.requests()
        const { json } = await request()
        assert.equal(json.status, 'awaiting_approval')
        assert.equal(host.requests() - requests, wasAccepted ? 0 : 1)
        served = 'exchanged'
        assert.equal((await request()).json.messageId, json.messageId)
        const held = (await uploads()).filter(({ held_message_id: id }) => id === json.messageId)
        assert.equal(held.length, 1)
        await restart()
        await approve(json.messageId)
        await shown(json.messageId)
        assert.equal(String(await bytesOf(json.messageId)), '%PDF-1.4 approved')
      })
  })
