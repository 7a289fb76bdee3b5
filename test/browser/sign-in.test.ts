import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../support/engines.ts'
import { startGateway } from '../support/gateway.ts'
import { newKey } from '../support/started.ts'
import { dashboard, skip } from './dashboard.ts'
import { choosePreference } from './preferences.ts'

const [engine] = engines
assert.ok(engine)

describe('signing in', { skip }, () => {
  test('a key opens the requested page and is not stored in the browser', async () => {
    const { open, world } = await dashboard()
    const { page, close } = await open('/account')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByLabel('API key').fill(world.key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
    assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, '/account')
    const kept = await page.evaluate(
      'JSON.stringify([localStorage, sessionStorage, document.cookie, history.state])',
    )
    assert.ok(!String(kept).includes(world.key))
    assert.ok(!String(kept).includes('switchboard_session'), 'no script can read the cookie')
    await page.reload()
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
    await close()
  })

  test('a wrong key shows an error beside the field', async () => {
    const { open } = await dashboard()
    const { page, close } = await open('/instances')
    await page.getByLabel('API key').fill('sk_wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').filter({ hasText: 'not valid' }).waitFor()
    await close()
  })

  test('after twenty wrong keys the form shows how long to wait', async (t) => {
    const { open } = await dashboard()
    // A separate gateway, because the limit is per address and all tests share one.
    const key = newKey()
    const gateway = await startGateway(engine, { API_KEY: key })
    t.after(() => gateway.stop())
    const wrongSignIn = async () =>
      (await gateway.call('signIn', { key: null, body: { key: 'sk_wrong' } })).status
    for (let tries = 0; tries < 20; tries += 1) assert.equal(await wrongSignIn(), 401)
    const { page, close } = await open('/instances', { at: gateway.url })
    await page.getByLabel('API key').fill('sk_wrong')
    // The limit recovers by one attempt in three seconds, so the form may still get an attempt.
    const submit = async () => {
      const answered = page.waitForResponse((response) => response.request().method() === 'POST')
      await page.getByRole('button', { name: 'Sign in' }).click()
      return (await answered).status()
    }
    while ((await submit()) === 401) await wrongSignIn()
    await page.getByText(/^Too many wrong keys from your address\. Try again in \d+ s\.$/).waitFor()
    await close()
  })

  test('the cookie authorizes the event stream, and with the CSRF token the sandbox', async () => {
    const { open, world } = await dashboard()
    const { page, close } = await open('/instances', { signedInAs: world.key })
    await page.getByText('Live', { exact: true }).waitFor()
    const statuses = await page.evaluate(async () => {
      const address = '/sandbox/v1/phones'
      const { signedIn } = (await (await fetch('/session')).json()) as { signedIn: { csrfToken: string } }
      const { csrfToken } = signedIn
      const make = async (headers: Record<string, string>) => {
        const body = JSON.stringify({ number: '5511955500001', name: 'By cookie' })
        const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body }
        return (await fetch(address, init)).status
      }
      return [(await fetch(address)).status, await make({}), await make({ 'x-csrf-token': csrfToken })]
    })
    assert.deepEqual(statuses, [200, 403, 200])
    await close()
  })

  test('signing out removes the page and the cookie', async () => {
    const { open, world } = await dashboard()
    const { page, close } = await open('/instances', { signedInAs: world.key })
    await page.getByRole('heading', { name: 'Instances' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await close()
  })

  test('language and appearance are chosen by the reader and stored', async () => {
    const { open, world } = await dashboard()
    const { page, close } = await open('/instances', { signedInAs: world.key })
    await choosePreference(page, 'Português')
    await page.getByRole('heading', { name: 'Instâncias' }).waitFor()
    await choosePreference(page, 'Escuro')
    await page.reload()
    await page.getByRole('heading', { name: 'Instâncias' }).waitFor()
    assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark')
    assert.equal(await page.evaluate('document.documentElement.lang'), 'pt')
    await close()
  })

  test('only the texts of the chosen language are loaded, and a failed load keeps the language', async () => {
    const { open, world } = await dashboard()
    const { page, close } = await open('/account', { signedInAs: world.key })
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
    const languages = async () =>
      new Set(
        await page.evaluate(() =>
          performance
            .getEntriesByType('resource')
            .flatMap(({ name }) => /\/assets\/(en|pt|es)-[^/]+\.js$/.exec(name)?.[1] ?? []),
        ),
      )
    assert.deepEqual(await languages(), new Set(['en']))
    const isSpanish = (url: URL) => /\/assets\/es-/.test(url.pathname)
    await page.route(isSpanish, (route) => route.abort())
    await page.getByRole('button', { name: /^Language and appearance/ }).click()
    await page.getByRole('radio', { name: 'Español' }).click()
    await page.getByText('The gateway does not respond').waitFor()
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
    assert.ok(await page.getByRole('radio', { name: 'English' }).isChecked())
    await page.unroute(isSpanish)
    await choosePreference(page, 'Español')
    await page.getByRole('heading', { name: 'Cuenta', exact: true }).waitFor()
    assert.ok(!(await languages()).has('pt'))
    await close()
  })
})
