// Files that are uploaded to the network: they are in the data directory only while they are sent, and a start removes what a
// kill left.
import assert from 'node:assert/strict'
import { watch } from 'node:fs'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { engines, type StoreLocation } from '../support/engines.ts'
import { api, linkedInstance, until, world } from '../support/linked.ts'
import { png } from '../support/sample-files.ts'
import { onSharedSandbox } from '../support/shared-sandbox.ts'
import { newKey, type Started, startWithKey } from '../support/started.ts'
import { startWebHost, type WebHost } from '../support/web-host.ts'

const [sqlite] = engines as [(typeof engines)[number]]
const OWNER = '5511900000001'
const BOB = '5511900000002'
const LONG_AGO = new Date(Date.now() - 2 * 60 * 60 * 1000)

describe('files that are uploaded', () => {
  let storeLocation: StoreLocation
  let uploads: string
  let files: WebHost
  let gateway: Started
  before(async () => {
    storeLocation = await sqlite.createLocation()
    uploads = join(storeLocation.directory, 'media', 'uploads')
    // As a killed process leaves them: one long ago, one perhaps another's.
    await mkdir(uploads, { recursive: true })
    for (const name of ['image3EB0-enc', 'video3EB0-enc']) await writeFile(join(uploads, name), 'sealed')
    await utimes(join(uploads, 'image3EB0-enc'), LONG_AGO, LONG_AGO)
    files = await startWebHost((_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png' })
      response.end(png(3, 2))
    })
    const settings = { ALLOW_TARGETS: '127.0.0.1', ...(await onSharedSandbox()) }
    gateway = await startWithKey(storeLocation, newKey(), settings)
  })
  after(async () => {
    await gateway.stop()
    await files.close()
    await storeLocation.dispose()
  })

  test('a start removes only the old files that a killed process left', async () => {
    assert.deepEqual(await readdir(uploads), ['video3EB0-enc'])
  })

  test('a picture is in the directory only while it is sent', async () => {
    const instanceName = await linkedInstance(gateway, OWNER)
    await world(gateway, 'POST /phones', { number: BOB })
    const seen = new Set<string | null>()
    const watcher = watch(uploads, (_event, name) => void seen.add(name))
    const { messageId } = await api(gateway, 'POST /send/media', {
      instanceName,
      number: BOB,
      type: 'image',
      mediaUrl: `${files.url}/photo.png`,
      delay: 0,
    })
    await until('the picture is sent', async () => {
      const { message } = await api(gateway, `GET /messages/${messageId}`)
      return message.status === 'queued' || message.status === 'sending' ? undefined : message
    })
    await until('the file, as the watcher has seen it', async () =>
      [...seen].some((name) => name?.startsWith('image3EB')) ? true : undefined,
    )
    watcher.close()
    const left = async () => (await readdir(uploads)).join()
    await until('no file of the picture', async () => ((await left()) === 'video3EB0-enc' ? true : undefined))
  })
})
