// Files that many messages share, and files that would take all time or memory. The files of one account do not delay those of another.
import assert from 'node:assert/strict'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { engines, type StoreLocation } from '../support/engines.ts'
import { fakeFfmpeg } from '../support/fake-ffmpeg.ts'
import {
  api,
  ask,
  callSuccessfully,
  type LinkedGateway,
  linkedInstance,
  newNumber,
  until,
  world,
} from '../support/linked.ts'
import { ogg, pixelBomb } from '../support/sample-files.ts'
import { onSharedSandbox } from '../support/shared-sandbox.ts'
import { newKey, type Started, startWithKey } from '../support/started.ts'
import { startWebHost } from '../support/web-host.ts'

const MB = 1024 * 1024
const song = (name: string) =>
  Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'), Buffer.from(name), Buffer.alloc(64)])

describe('files of messages', () => {
  let storeLocation: StoreLocation
  let server: Started
  let programs: string
  const operator = newKey()
  before(async () => {
    const [engine] = engines
    assert.ok(engine)
    storeLocation = await engine.createLocation()
    programs = (await fakeFfmpeg(storeLocation.directory)).path
    server = await startWithKey(storeLocation, newKey(), {
      ...(await onSharedSandbox()),
      PATH: `${programs}:${process.env.PATH}`,
      OPERATOR_KEY: operator,
      ALLOW_TARGETS: '127.0.0.1',
    })
  })
  after(async () => {
    await server.stop('SIGKILL')
    await storeLocation.dispose()
  })

  async function otherAccount(): Promise<LinkedGateway> {
    const asOperator = { url: server.url, key: operator }
    const { plan } = await callSuccessfully(asOperator, 'POST /admin/v1/plans', { name: 'Other' })
    const account = { name: 'Other', planId: plan.id }
    const { key } = await callSuccessfully(asOperator, 'POST /admin/v1/accounts', account)
    return { url: server.url, key }
  }
  const upload = async (gateway: LinkedGateway, bytes: Buffer, type: string): Promise<string> => {
    const answer = await fetch(`${gateway.url}/api/v1/media`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': type },
      body: new Uint8Array(bytes),
    })
    const json = (await answer.json()) as { mediaId: string }
    assert.equal(answer.status, 200, JSON.stringify(json))
    return json.mediaId
  }
  const send = async (gateway: LinkedGateway, path: string, body: object): Promise<string> =>
    (await api(gateway, `POST ${path}`, { delay: 0, ...body })).messageId
  const shown = (gateway: LinkedGateway, phone: string, messageId: string) =>
    until(`message ${messageId} on the phone`, async () => {
      const { messages } = await world(gateway, `GET /phones/${phone}/messages?limit=100`)
      return messages.find(({ id }: { id: string }) => id === messageId)
    })
  const failureOf = (gateway: LinkedGateway, messageId: string) =>
    until(`failure of ${messageId}`, async () => {
      const { message } = await api(gateway, `GET /messages/${messageId}`)
      return message.failure ?? undefined
    })
  const phones = async (gateway: LinkedGateway, count: number) => {
    const numbers = Array.from({ length: count }, newNumber)
    for (const number of numbers) await world(gateway, 'POST /phones', { number, name: `Phone ${number}` })
    return numbers
  }
  /** Conversions of files that contain `slow` wait until it is opened. */
  const closeGate = () =>
    Promise.all(['open', 'runs'].map((name) => rm(join(programs, name), { force: true })))
  const openGate = () => writeFile(join(programs, 'open'), '')
  const runs = async () => (await readFile(join(programs, 'runs'), 'utf8')).length

  test('one audio file to ten people is converted once, and all of them get the whole voice message', async () => {
    await closeGate()
    const line = await linkedInstance(server, newNumber())
    const people = await phones(server, 10)
    const mediaId = await upload(server, song('a slow one'), 'audio/mpeg')
    const body = { instanceName: line, type: 'audio', mediaId }
    const ids = await Promise.all(people.map((number) => send(server, '/send/media', { ...body, number })))
    await until('a conversion', () => runs().catch(() => undefined))
    await openGate()
    for (const [index, number] of people.entries()) {
      const messageId = ids[index] ?? ''
      const { media } = await shown(server, number, messageId)
      assert.deepEqual([media.mimetype, media.voiceNote], ['audio/ogg; codecs=opus', true])
      const { bytes } = await ask(server, `GET /sandbox/v1/phones/${number}/messages/${messageId}/media`)
      assert.ok(bytes.equals(ogg()), `${number} got ${bytes.length} bytes`)
    }
    assert.equal(await runs(), 1)
  })

  test('slow conversions of one account do not delay the files of another', async () => {
    await closeGate()
    const other = await otherAccount()
    const [line, theirs] = [
      await linkedInstance(server, newNumber()),
      await linkedInstance(other, newNumber()),
    ]
    const people = await phones(server, 5)
    const slow = await Promise.all(
      people.map(async (number, index) => {
        const mediaId = await upload(server, song(`slow ${index}`), 'audio/mpeg')
        return send(server, '/send/media', { instanceName: line, number, type: 'audio', mediaId })
      }),
    )
    await until('two conversions', async () => ((await runs().catch(() => 0)) >= 2 ? true : undefined))
    const [friend = ''] = await phones(other, 1)
    const mediaId = await upload(other, song('quick'), 'audio/mpeg')
    const body = { instanceName: theirs, number: friend, type: 'audio', mediaId }
    const quick = await send(other, '/send/media', body)
    assert.equal((await shown(other, friend, quick)).media.voiceNote, true)
    await openGate()
    for (const [index, number] of people.entries()) await shown(server, number, slow[index] ?? '')
  })

  test('audio of an hour fails with its reason, and is sent as it is when its type is set', async () => {
    const line = await linkedInstance(server, newNumber())
    const [friend = ''] = await phones(server, 1)
    const mediaId = await upload(server, song('an hour long'), 'audio/mpeg')
    const body = { instanceName: line, number: friend, type: 'audio', mediaId }
    const failure = await failureOf(server, await send(server, '/send/media', body))
    assert.equal(failure.reason, 'media_too_large')
    assert.match(failure.error, /longer than 30 minutes/)
    const plain = await send(server, '/send/media', { ...body, mimetype: 'audio/mpeg' })
    assert.equal((await shown(server, friend, plain)).media.mimetype, 'audio/mpeg')
  })

  /** The largest amount of memory that the process has had. */
  const peakBytes = async () =>
    Number(/VmHWM:\s+(\d+) kB/.exec(await readFile(`/proc/${server.child.pid}/status`, 'utf8'))?.[1]) * 1024

  test('a pixel bomb is refused on every route that takes a picture, without decoding it', async (t) => {
    if (process.platform !== 'linux') return t.skip('memory is read from /proc')
    const bomb = pixelBomb()
    assert.ok(bomb.length < MB)
    const host = await startWebHost((request, response) => {
      if (request.url === '/bomb.png') return response.end(bomb)
      response.setHeader('content-type', 'text/html')
      return response.end('<title>Bomb</title><meta property="og:image" content="/bomb.png">')
    })
    try {
      const line = await linkedInstance(server, newNumber())
      const [friend = ''] = await phones(server, 1)
      const mediaId = await upload(server, bomb, 'image/png')
      const { group } = await api(server, 'POST /groups', {
        instanceName: line,
        subject: 'Team',
        members: [friend],
      })
      const before = await peakBytes()
      const refusals = await Promise.all([
        fetch(`${server.url}/api/v1/groups/${group.groupJid}/picture?instanceName=${line}`, {
          method: 'PUT',
          headers: { authorization: `Bearer ${server.key}`, 'content-type': 'image/png' },
          body: new Uint8Array(bomb),
        }).then(async (answer) => ({ status: answer.status, json: (await answer.json()) as object })),
        ...[{ mediaId }, { mediaUrl: `${host.url}/bomb.png` }].flatMap((picture) => [
          ask(server, `PATCH /api/v1/profile?instanceName=${line}`, { picture }),
          ask(server, 'POST /api/v1/groups', {
            instanceName: line,
            subject: 'New',
            members: [friend],
            picture,
          }),
        ]),
      ])
      for (const [index, { status, json }] of refusals.entries()) {
        assert.equal(status, 400, `${index}: ${JSON.stringify(json)}`)
        assert.match(JSON.stringify(json), /"path":"(?:body|picture\.media(?:Id|Url))".*40 million pixels/)
      }
      const to = { instanceName: line, number: friend }
      const buttons = [{ buttonId: 'a', buttonText: { displayText: 'A' } }]
      const cards = [1, 2].map(() => ({ header: { mediaId }, body: 'A card', buttons }))
      for (const messageId of [
        await send(server, '/send/media', { ...to, type: 'image', mediaId }),
        await send(server, '/send/sticker', { ...to, mediaId }),
        await send(server, '/send/carousel', { ...to, interactive: { body: 'x', cards } }),
      ])
        assert.equal((await failureOf(server, messageId)).reason, 'media_too_large')
      const message = { ...to, message: `${host.url}/page`, linkPreview: true }
      const { preview } = await shown(server, friend, await send(server, '/send/text', message))
      assert.deepEqual([preview.title, preview.thumbnailBytes], ['Bomb', 0])
      const grownBytes = (await peakBytes()) - before
      assert.ok(grownBytes < 100 * MB, `the memory grew by ${Math.round(grownBytes / MB)} MB`)
    } finally {
      await host.close()
    }
  })
})
