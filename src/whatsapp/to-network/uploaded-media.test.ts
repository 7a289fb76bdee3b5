import assert from 'node:assert/strict'
import { createDecipheriv, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { getMediaKeys, prepareWAMessageMedia, type WAMediaUploadFunction } from 'baileys'
import { receive, sendFacts } from '../../../test/support/wire-messages.ts'
import type { OutgoingContent } from '../../network/message.ts'
import { type MediaReference, mediaReference } from '../from-network/received-media.ts'
import { toNetwork } from './index.ts'
import { type MediaKind, mediaRequests, uploadedMedia, uploadInput } from './uploaded-media.ts'

/** The last bytes of an encrypted file are its authentication code. */
const CODE_BYTES = 10

async function opened({ mediaKey, type }: MediaReference, stored: Buffer): Promise<Buffer> {
  const { cipherKey, iv } = await getMediaKeys(mediaKey, type)
  const decipher = createDecipheriv('aes-256-cbc', cipherKey, iv)
  return Buffer.concat([decipher.update(stored.subarray(0, -CODE_BYTES)), decipher.final()])
}

describe('uploaded media', () => {
  for (const kind of ['image', 'video', 'document', 'audio'] satisfies MediaKind[]) {
    test(`${kind}: what the library uploads can be fetched from what the other side received`, async () => {
      const file = randomBytes(70_000)
      let stored = Buffer.alloc(0)
      const upload: WAMediaUploadFunction = async (path) => {
        stored = await readFile(path)
        return { mediaUrl: 'https://mmg.example/m/1', directPath: '/m/1' }
      }
      const facts = { mimetype: 'application/x-test' }
      const prepared = await prepareWAMessageMedia(uploadInput(kind, Readable.from([file]), facts), {
        upload,
      })
      const outgoing: OutgoingContent = { kind, content: { mediaUrl: 'https://example.com/x' } }
      const { message } = toNetwork(outgoing, sendFacts([uploadedMedia(prepared, facts)]))

      const { media } = receive(message)
      assert.equal(media?.sizeBytes, file.length)
      const reference = mediaReference(JSON.parse(JSON.stringify(media?.reference)))
      assert.equal(reference.directPath, '/m/1')
      assert.deepEqual(await opened(reference, stored), file)
    })
  }

  test('only media, headers of buttons and carousels need files, a carousel one a card in order', () => {
    const mediaUrl = 'https://example.com/a.jpg'
    assert.deepEqual(mediaRequests({ kind: 'text', content: { message: 'x' } }), [])
    assert.deepEqual(mediaRequests({ kind: 'audio', content: { mediaUrl } }), [
      { kind: 'audio', origin: { url: mediaUrl } },
    ])
    assert.deepEqual(mediaRequests({ kind: 'video', content: { mediaId: 'media-x' } }), [
      { kind: 'video', origin: { mediaId: 'media-x' } },
    ])
    const above = { type: 'document' as const, mediaId: 'media-y' }
    assert.deepEqual(
      mediaRequests({ kind: 'button', content: { interactive: { header: above, body: 'x', buttons: [] } } }),
      [{ kind: 'document', origin: { mediaId: 'media-y' } }],
    )
    const headers = [{ mediaUrl: 'https://example.com/a' }, { mediaId: 'media-b' }]
    const cards = ['a', 'b'].map((name, index) => ({
      header: headers[index] ?? {},
      body: name,
      buttons: [{ buttonId: name, buttonText: { displayText: name } }],
    }))
    assert.deepEqual(
      mediaRequests({ kind: 'carousel', content: { interactive: { body: 'x', cards } } }).map(
        ({ origin }) => origin,
      ),
      [{ url: 'https://example.com/a' }, { mediaId: 'media-b' }],
    )
  })

  test('an upload that lacks what a message needs is refused', () => {
    assert.throws(() => uploadedMedia({ imageMessage: { url: 'https://x' } }, { mimetype: 'image/png' }))
    assert.throws(() => uploadedMedia({ conversation: 'x' }, { mimetype: 'image/png' }))
  })
})
