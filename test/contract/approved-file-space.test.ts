// Sends with approval fetch their files when they are accepted. A file without room in the space of the account refuses the send.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { UPLOAD_QUOTA_BYTES } from '../../src/contract/media.ts'
import type { RouteId } from '../../src/contract/routes.ts'
import { insertUpload } from '../../src/files/upload-queries.ts'
import { type CallInput, contract } from '../support/gateway.ts'
import { RECEIVER_HOST } from '../support/receiver.ts'
import { png } from '../support/sample-files.ts'
import { startWebHost, type WebHost } from '../support/web-host.ts'
import { withInstance } from './fixture.ts'

const NUMBER = '5511912345678'

let host: Promise<WebHost> | undefined
after(async () => (await host)?.close())

async function pictureUrl(): Promise<string> {
  host ??= startWebHost(
    (_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(png(4, 4)),
    {
      tls: 'trusted',
    },
  )
  return `https://${RECEIVER_HOST}:${(await host).port}/a.png`
}

contract('Files of sends with approval', (gateway) => {
  const fixture = withInstance(gateway)

  test('403 upload_space_full when the file has no room, for each route that sends files', async () => {
    const running = await fixture()
    const { mine, instance } = running
    const mediaUrl = await pictureUrl()
    const to = { instanceName: instance.name, number: NUMBER }
    const photo = await mine.call('sendMedia', { body: { ...to, type: 'image', mediaUrl } })
    const agent = await mine.call('createApiKey', { body: { name: 'Agent', approval: true } })
    await insertUpload(running.store.db, {
      account_id: mine.id,
      media_id: `media-${randomBytes(16).toString('base64url')}`,
      mimetype: 'text/plain',
      size_bytes: UPLOAD_QUOTA_BYTES - 10,
      created_at: 0,
      expires_at: Number.MAX_SAFE_INTEGER,
      kept_until: Number.MAX_SAFE_INTEGER,
    })
    const card = { header: { type: 'image', mediaUrl }, body: 'Shoe', buttons: [button('buy')] }
    const calls: Partial<Record<RouteId, CallInput>> = {
      sendMedia: { body: { ...to, type: 'image', mediaUrl } },
      sendSticker: { body: { ...to, mediaUrl } },
      sendCarousel: {
        body: { ...to, type: 'interactive', interactive: { type: 'carousel', body: 'Shoes', cards: [card] } },
      },
      sendButton: {
        body: { ...to, interactive: { header: card.header, body: 'Shoe', buttons: card.buttons } },
      },
      sendCta: {
        body: {
          ...to,
          interactive: {
            header: card.header,
            body: 'Shoe',
            buttons: [{ urlButton: { displayText: 'Shop', url: 'https://example.com/' } }],
          },
        },
      },
      sendAlbum: { body: { ...to, files: [{ mediaUrl }, { mediaUrl }] } },
      sendStatus: { body: { instanceName: instance.name, type: 'image', mediaUrl } },
      forwardMessage: { params: { messageId: photo.json.messageId }, body: { number: NUMBER } },
    }
    for (const [id, input] of Object.entries(calls) as [RouteId, CallInput][]) {
      const answer = await mine.call(id, { ...input, key: agent.json.key })
      assert.deepEqual([answer.status, answer.json.reason], [403, 'upload_space_full'], id)
    }
    assert.equal((await mine.call('sendMedia', { ...calls.sendMedia })).status, 200)
  })
})

const button = (id: string) => ({ buttonId: id, buttonText: { displayText: id }, type: 1 })
