import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../support/engines.ts'
import { startGateway } from '../support/gateway.ts'
import { newKey } from '../support/started.ts'
import { dashboard, skip } from './dashboard.ts'

const [engine] = engines
assert.ok(engine)

describe('a page whose server goes away', { skip }, () => {
  test('says so, comes back by itself, and then has what it missed', async () => {
    const { open } = await dashboard()
    const key = newKey()
    const place = await engine.place()
    const first = await startGateway(engine, { API_KEY: key }, {}, place)
    const { page, close } = await open('/events', { signedInAs: key, at: first.url })
    const made = (name: string, gateway: typeof first) =>
      gateway.call('createInstance', { key, body: { instanceName: name } })
    await page.getByText('Live', { exact: true }).waitFor()
    await page.evaluate('window.stillHere = true')
    const before = await made('Before', first)
    await first.sessions.open(before.json.instance.id, '5511955500011')
    await page.getByRole('option').filter({ hasText: 'Before' }).first().waitFor()

    await first.app.stop()
    await page.getByText('Updates by polling').waitFor()
    // On another port first, which the page does not know: what happens here, it misses.
    const hidden = await startGateway(engine, { API_KEY: key }, {}, place)
    const missed = await made('Missed', hidden)
    await hidden.sessions.open(missed.json.instance.id, '5511955500012')
    await hidden.app.stop()

    const again = await startGateway(engine, { API_KEY: key, PORT: new URL(first.url).port }, {}, place)
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByRole('option').filter({ hasText: 'Missed' }).first().waitFor()
    const after = await made('After', again)
    await again.sessions.open(after.json.instance.id, '5511955500013')
    await page.getByRole('option').filter({ hasText: 'After' }).first().waitFor()
    assert.equal(await page.evaluate('window.stillHere'), true)
    await page.getByRole('link', { name: 'Instances' }).click()
    for (const name of ['Before', 'Missed', 'After'])
      await page.getByRole('link', { name, exact: true }).waitFor()
    await close()
    await again.stop()
  })
})
