// Uploaded files, stickers and contact cards, from the API to the phone, also over a kill.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import type { StoreLocation } from '../support/engines.ts'
import { fakeFfmpeg } from '../support/fake-ffmpeg.ts'
import { api, ask, linkedInstance, newNumber, until, world } from '../support/linked.ts'
import { mp4, ogg, pdf, png } from '../support/sample-files.ts'
import { onSharedSandbox } from '../support/shared-sandbox.ts'
import { newKey, type Started, startWithKey } from '../support/started.ts'

const MB = 1024 * 1024

interface Stage {
  storeLocation: StoreLocation
  server: Started
  restart(): Promise<void>
}

for (const engine of behaviourEngines())
  describe(`uploaded files on ${engine.name}`, () => {
    let stage: Stage
    let line: string
    const [owner, bob] = [newNumber(), newNumber()]
    before(async () => {
      const storeLocation = await engine.createLocation()
      const sandbox = await onSharedSandbox()
      const key = newKey()
      const { path } = await fakeFfmpeg(storeLocation.directory)
      const more = { ...sandbox, PATH: `${path}:${process.env.PATH}` }
      stage = {
        storeLocation,
        server: await startWithKey(storeLocation, key, more),
        async restart() {
          await stage.server.stop('SIGKILL')
          stage.server = await startWithKey(storeLocation, key, more)
        },
      }
      line = await linkedInstance(stage.server, owner)
      await world(stage.server, 'POST /phones', { number: bob, name: 'Bob' })
    })
    after(async () => {
      await stage.server.stop('SIGKILL')
      await stage.storeLocation.dispose()
    })

    const upload = async (bytes: Buffer, type: string, fileName = 'file.bin'): Promise<string> => {
      const answer = await fetch(`${stage.server.url}/api/v1/media?fileName=${fileName}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${stage.server.key}`, 'content-type': type },
        body: new Uint8Array(bytes),
      })
      const json = (await answer.json()) as { mediaId: string; sha256: string }
      assert.equal(answer.status, 200, JSON.stringify(json))
      assert.equal(json.sha256, createHash('sha256').update(bytes).digest('hex'))
      return json.mediaId
    }
    const send = async (path: string, body: object): Promise<string> =>
      (await api(stage.server, `POST ${path}`, { instanceName: line, number: bob, delay: 0, ...body }))
        .messageId
    const shown = (messageId: string) =>
      until(`message ${messageId} on the phone`, async () => {
        const { messages } = await world(stage.server, `GET /phones/${bob}/messages?limit=100`)
        return messages.find(({ id }: { id: string }) => id === messageId)
      })
    const bytesOf = async (messageId: string) =>
      (await ask(stage.server, `GET /sandbox/v1/phones/${bob}/messages/${messageId}/media`)).bytes
    const failureOf = (messageId: string) =>
      until(`failure of ${messageId}`, async () => {
        const { message } = await api(stage.server, `GET /messages/${messageId}`)
        return message.failure ?? undefined
      })

    test('one upload is sent as image and document: the bytes arrive, the image has a preview', async () => {
      const bytes = await sharp({ create: { width: 600, height: 300, channels: 3, background: '#c00' } })
        .jpeg()
        .toBuffer()
      const mediaId = await upload(bytes, 'image/jpeg', 'Red.jpg')
      const image = await send('/send/media', { type: 'image', mediaId, message: 'red' })
      const { media } = await shown(image)
      assert.deepEqual([media.width, media.height, media.caption], [600, 300, 'red'])
      assert.ok(media.thumbnailBytes > 100 && media.thumbnailBytes < 32_768)
      assert.ok((await bytesOf(image)).equals(bytes))
      const document = await send('/send/media', { type: 'document', mediaId })
      assert.equal((await shown(document)).media.fileName, 'Red.jpg')
      assert.ok((await bytesOf(document)).equals(bytes))
      const [listed] = (await api(stage.server, `GET /messages?instanceName=${line}`)).messages
      assert.equal(listed.content.mediaId, mediaId)
    })

    test('a file of several parts arrives complete, and no part of it is readable in the data directory', async () => {
      const bytes = Buffer.concat([randomBytes(2 * MB), Buffer.from('a private ending'), randomBytes(MB)])
      const document = await send('/send/media', {
        type: 'document',
        mediaId: await upload(bytes, 'application/octet-stream', 'big.bin'),
      })
      await shown(document)
      assert.ok((await bytesOf(document)).equals(bytes))
      const folder = join(stage.storeLocation.directory, 'media', 'sendable')
      const entries = await readdir(folder, { recursive: true, withFileTypes: true })
      const parts = entries.filter((entry) => entry.isFile())
      assert.ok(parts.length >= 4)
      for (const { parentPath, name } of parts)
        assert.ok(!(await readFile(join(parentPath, name))).includes('a private ending'))
    })

    test('a carousel takes uploads and URLs', async () => {
      const mediaId = await upload(png(5, 5), 'image/png')
      const card = (header: object) => ({
        header,
        body: 'A card',
        buttons: [{ buttonId: 'a', buttonText: { displayText: 'A' } }],
      })
      const cards = [card({ mediaId }), card({ type: 'image', mediaId })]
      const { interactive } = await shown(await send('/send/carousel', { interactive: { body: 'x', cards } }))
      assert.deepEqual(
        interactive.cards.map(({ hasImage }: { hasImage: boolean }) => hasImage),
        [true, true],
      )
    })

    test('video and audio are prepared by ffmpeg', async () => {
      const film = await send('/send/media', { type: 'video', mediaId: await upload(mp4(), 'video/mp4') })
      const video = (await shown(film)).media
      assert.deepEqual([video.width, video.height], [640, 360])
      assert.ok(video.thumbnailBytes > 100)
      const mp3 = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'), Buffer.alloc(64)])
      const song = await send('/send/media', { type: 'audio', mediaId: await upload(mp3, 'audio/mpeg') })
      const { media } = await shown(song)
      assert.deepEqual(
        [media.mimetype, media.voiceNote, media.seconds, media.waveformBars],
        ['audio/ogg; codecs=opus', true, 1, 64],
      )
      assert.ok((await bytesOf(song)).equals(ogg()))
    })

    test('a WebP is a sticker as it is, and a PNG becomes one', async () => {
      const webp = await sharp(png(64, 64)).webp().toBuffer()
      const same = await send('/send/sticker', { mediaId: await upload(webp, 'image/webp') })
      const { kind, media } = await shown(same)
      assert.deepEqual([kind, media.mimetype, media.width], ['sticker', 'image/webp', 64])
      assert.ok((await bytesOf(same)).equals(webp))
      const made = await send('/send/sticker', { mediaId: await upload(png(30, 10), 'image/png') })
      assert.deepEqual([(await shown(made)).media.width, (await shown(made)).media.height], [512, 512])
      assert.equal((await sharp(await bytesOf(made)).metadata()).format, 'webp')
    })

    test('contact cards arrive with all their fields', async () => {
      const ana = {
        name: 'Ana; Souza, Dr.',
        phone: '+55 (11) 98765-4321',
        organisation: 'Acme',
        email: 'ana@example.com',
      }
      const one = await shown(await send('/send/contact', { contacts: [ana] }))
      assert.deepEqual([one.kind, one.contacts.length, one.contacts[0].name], ['contact', 1, ana.name])
      for (const text of [
        'waid=5511987654321:+5511987654321',
        'ORG:Acme',
        'EMAIL;type=INTERNET:ana@example.com',
      ])
        assert.ok(one.contacts[0].vcard.includes(text), text)
      const two = await shown(
        await send('/send/contact', { contacts: [ana, { name: 'Ben', phone: '5511900000001' }] }),
      )
      assert.deepEqual(
        two.contacts.map(({ name }: { name: string }) => name),
        [ana.name, 'Ben'],
      )
    })

    test('a decompression bomb and a file of another kind fail their message, and the process goes on', async () => {
      const bomb = await upload(png(16_384, 16_384), 'image/png')
      for (const [path, body] of [
        ['/send/media', { type: 'image' }],
        ['/send/sticker', {}],
      ] as const)
        assert.equal(
          (await failureOf(await send(path, { ...body, mediaId: bomb }))).reason,
          'media_too_large',
        )
      const paper = await upload(pdf(), 'application/pdf')
      const failure = await failureOf(await send('/send/media', { type: 'image', mediaId: paper }))
      assert.deepEqual([failure.reason, failure.error], ['media_unavailable', 'The file is not an image.'])
      await shown(await send('/send/text', { message: 'still there' }))
    })

    test('a message that was accepted before a kill is sent after it, with the uploaded bytes', async () => {
      const bytes = randomBytes(MB + 5)
      const mediaId = await upload(bytes, 'application/octet-stream')
      const messageId = await send('/send/media', { type: 'document', mediaId, delay: 2000 })
      await stage.restart()
      await shown(messageId)
      assert.ok((await bytesOf(messageId)).equals(bytes))
      const again = await send('/send/media', { type: 'document', mediaId })
      await shown(again)
      assert.ok((await bytesOf(again)).equals(bytes), 'the file can be used again')
    })
  })
