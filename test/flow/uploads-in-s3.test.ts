// Uploaded files in an S3-compatible store: encrypted there, sent from there, also after a restart and while the store fails for a moment.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import type { StoreLocation } from '../support/engines.ts'
import { api, ask, linkedInstance, newNumber, until, untilState, world } from '../support/linked.ts'
import { type ObjectServer, objectSettings, startObjectServer } from '../support/object-server.ts'
import { onSharedSandbox } from '../support/shared-sandbox.ts'
import { newKey } from '../support/started.ts'
import { type StartedHere, startHere } from '../support/started-here.ts'

for (const engine of behaviourEngines('postgres'))
  describe(`uploaded files in an object store, on ${engine.name}`, () => {
    const [owner, friend] = [newNumber(), newNumber()]
    let storeLocation: StoreLocation
    let objects: ObjectServer
    let gateway: StartedHere
    let line = ''
    const settings = async () => ({ ...objectSettings(objects), ...(await onSharedSandbox()) })
    before(async () => {
      storeLocation = await engine.createLocation()
      objects = await startObjectServer()
      gateway = await startHere(storeLocation, newKey(), await settings())
      line = await linkedInstance(gateway, owner)
      await world(gateway, 'POST /phones', { number: friend })
    })
    after(async () => {
      await gateway.stop()
      await objects.close()
      await storeLocation.dispose()
    })

    const upload = async (bytes: Buffer) => {
      const answer = await fetch(`${gateway.url}/api/v1/media`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${gateway.key}`,
          'content-type': 'application/octet-stream',
        },
        body: new Uint8Array(bytes),
      })
      return { status: answer.status, json: (await answer.json()) as { mediaId: string; reason?: string } }
    }
    const send = async (mediaId: string): Promise<string> => {
      const body = { instanceName: line, number: friend, type: 'document', mediaId, delay: 0 }
      return (await api(gateway, 'POST /send/media', body)).messageId
    }
    const received = async (messageId: string): Promise<Buffer> => {
      await world(gateway, `GET /phones/${friend}/messages/${messageId}?waitMs=30000`)
      return (await ask(gateway, `GET /sandbox/v1/phones/${friend}/messages/${messageId}/media`)).bytes
    }
    const secretFile = () => Buffer.concat([randomBytes(2_200_000), Buffer.from('a private ending')])

    test('a file of several parts is stored encrypted, and arrives complete, also after a restart', async () => {
      const bytes = secretFile()
      const { status, json } = await upload(bytes)
      assert.equal(status, 200)
      assert.ok(objects.objects.size >= 3, `${objects.objects.size} objects`)
      for (const object of objects.objects.values()) assert.ok(!object.includes('a private ending'))
      assert.ok((await received(await send(json.mediaId))).equals(bytes))
      await gateway.stop()
      gateway = await startHere(storeLocation, gateway.key, await settings())
      await untilState(gateway, line, 'open')
      assert.ok((await received(await send(json.mediaId))).equals(bytes))
    })

    test('an upload that the store refuses is refused, and leaves nothing behind', async () => {
      const before = new Set(objects.objects.keys())
      objects.fault = 503
      const { status, json } = await upload(secretFile())
      objects.fault = undefined
      assert.deepEqual([status, json.reason], [503, 'unavailable'])
      assert.deepEqual(new Set(objects.objects.keys()), before)
    })

    test('a message waits while the store fails, and is sent when it answers again', async () => {
      const bytes = randomBytes(70_000)
      const { json } = await upload(bytes)
      objects.fault = 503
      const requested = objects.requests.length
      const messageId = await send(json.mediaId)
      await until('a try that fails', async () => (objects.requests.length > requested ? true : undefined))
      objects.fault = undefined
      assert.ok((await received(messageId)).equals(bytes))
    })
  })
