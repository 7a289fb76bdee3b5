import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../support/engines.ts'
import { freePort } from '../support/free-port.ts'
import { startGateway } from '../support/gateway.ts'
import { newKey } from '../support/started.ts'
import { dashboard, skip } from './dashboard.ts'

const [engine] = engines
assert.ok(engine)

describe('a page that loses its server', { skip }, () => {
  test('shows the loss, reconnects and then shows the missed events', async (t) => {
    const { open } = await dashboard()
    const key = newKey()
    const storeLocation = await engine.createLocation()
    t.after(() => storeLocation.dispose())
    const start = async (port = 0) => {
      const gateway = await startGateway(engine, { API_KEY: key, PORT: String(port) }, {}, storeLocation)
      // Also after a failure: a server that still runs keeps the process alive.
      t.after(() => gateway.app.stop())
      return gateway
    }
    // The page finds the gateway again where it was.
    const port = await freePort()
    const first = await start(port)
    const { page, close } = await open('/events', { signedInAs: key, at: first.url })
    const make = (gateway: typeof first, instanceName: string) =>
      gateway.call('createInstance', { key, body: { instanceName } })
    const events = page.getByRole('listbox', { name: 'Events, newest first' })
    const event = (text: string) => events.getByRole('option').filter({ hasText: text }).first()
    await page.getByText('Live', { exact: true }).waitFor()
    await page.evaluate('window.stillHere = true')
    await make(first, 'Before')
    await event('Before').waitFor()

    await first.app.stop()
    await page.getByText('Polling for updates').waitFor()
    // First on another port, so that the page misses these events.
    const hidden = await start()
    await make(hidden, 'Missed')
    await hidden.app.stop()

    const again = await start(port)
    await page.getByText('Live', { exact: true }).waitFor()
    await event('Missed').waitFor()
    await make(again, 'After')
    await event('After').waitFor()
    assert.equal(await page.evaluate('window.stillHere'), true)
    await page.getByRole('link', { name: 'Instances' }).click()
    for (const name of ['Before', 'Missed', 'After'])
      await page.getByRole('link', { name, exact: true }).waitFor()
    await close()
  })
})
