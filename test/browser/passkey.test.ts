// Linking with a passkey as a person does it: the page of the instance with the extension, and a one-time link with lines for the
// console. The official page is a stub under its own address; passkey, driver and network are real or simulated end to end.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../support/sandbox-world.ts'
import type { Account } from './chats.ts'
import { dashboard, skip } from './dashboard.ts'
import {
  awaitComparison,
  awaitPasskey,
  manifest,
  OFFICIAL,
  officialTab,
  panelReady,
  untilTrue,
} from './passkey-steps.ts'

const requestIn = (address: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(address.split('switchboard-passkey=')[1] ?? '', 'base64url').toString())
const addressOf = (request: object): string =>
  `${OFFICIAL}#switchboard-passkey=${Buffer.from(JSON.stringify(request)).toString('base64url')}`

describe('linking with a passkey', { skip }, () => {
  let account: Account
  let last = 0
  before(async () => {
    account = await (await dashboard()).world.otherAccount()
  })
  const waiting = (instanceName: string) =>
    awaitPasskey(account, `55119731000${String((last += 1)).padStart(2, '0')}`, instanceName)
  const untilOpen = (name: string) =>
    until(
      async () => (await account.api('instanceState', { query: { instanceName: name } })).instance.state,
      (state) => state === 'open',
      `${name} open`,
    )
  const openButton = (page: Page) => page.getByRole('link', { name: 'Open WhatsApp Web' })

  test('with the extension: the panel names gateway and instance, and after the click the instance opens', async () => {
    const { name, number } = await waiting('Shop')
    const { open, world } = await dashboard()
    const { page, close } = await open(`/instances/${name}`, { signedInAs: account.key })
    await page.getByText(`This links a device of your WhatsApp account to “Shop”`).waitFor()
    assert.equal(await openButton(page).getAttribute('rel'), 'noopener noreferrer')
    const address = (await openButton(page).getAttribute('href')) ?? ''
    const { gateway, instance, options } = requestIn(address)
    assert.deepEqual([gateway, instance], [world.app.url, 'Shop'])
    assert.ok((options as { challenge: string }).challenge)
    assert.ok(!address.includes(account.key))
    const { page: tab } = await officialTab(page.context(), account, number, { extension: true })
    await tab.goto(address)
    await panelReady(tab)
    assert.equal(tab.url(), OFFICIAL, 'the page does not see the request')
    await tab.screenshot({ path: join(import.meta.dirname, 'screenshots', 'passkey-extension.png') })
    await tab.keyboard.press('Enter')
    await tab.getByText('The result was handed over.').waitFor()
    assert.equal(tab.url(), `${world.app.url}/passkey/return`, 'the assertion does not stay in the address')
    await page.getByText(`Connected as +${number}`).waitFor()
    await tab.close()
    await close()
  })

  test('with a one-time link and the lines for the console: no sign-in is needed, and the page shows the result', async () => {
    const { name, number } = await waiting('Line 2')
    const { link } = await account.api('createPasskeyLink', { query: { instanceName: name } })
    const { open } = await dashboard()
    const { page, close } = await open(link.url.slice(new URL(link.url).origin.length))
    await page.getByText('your WhatsApp account to “Line 2” on 127.0.0.1').waitFor()
    await page.getByText('Without the extension').click()
    await page.getByText('Never paste into the console what you do not understand').waitFor()
    const snippet = await page.getByLabel('Lines for the console', { exact: true }).innerText()
    const { page: tab, session } = await officialTab(page.context(), account, number, { extension: false })
    await tab.goto(OFFICIAL)
    await session.send('Runtime.evaluate', {
      expression: snippet,
      replMode: true,
      includeCommandLineAPI: true,
    })
    await tab.getByRole('button', { name: 'Use my passkey for 127.0.0.1' }).click()
    const result = await tab.locator('textarea').inputValue()
    await page.getByLabel('Result of the passkey').fill('nonsense')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('This is not the result.').waitFor()
    await page.getByLabel('Result of the passkey').fill(result)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('The device is linked.').waitFor()
    await untilOpen(name)
    await tab.close()
    await close()
  })

  const compared = (instanceName: string) =>
    awaitComparison(account, `55119731000${String((last += 1)).padStart(2, '0')}`, instanceName)
  const codeOn = async (page: Page, number: string): Promise<string> => {
    await page.goto('/phone')
    const phone = page.getByRole('region', { name: 'Paula’s phone' }).filter({ hasText: number.slice(-4) })
    await phone.getByRole('button', { name: 'Devices' }).click()
    await phone.getByText('Compare this code with the one of the instance.').waitFor()
    return phone.getByText('Code on the phone').locator('strong').innerText()
  }

  test('without a proof the page and the phone show the same code, and the click opens the instance', async () => {
    const { name, number, code } = await compared('Compared')
    const { open } = await dashboard()
    const { page, close } = await open('/instances', { signedInAs: account.key })
    assert.equal(await codeOn(page, number), code)
    await page.goto(`/instances/${name}`)
    await page.getByText(code, { exact: true }).waitFor()
    const [request] = await Promise.all([
      page.waitForRequest('**/api/v1/instance/passkey/confirm?*'),
      page.getByRole('button', { name: 'The codes are the same' }).click(),
    ])
    assert.deepEqual(request.postDataJSON(), { code })
    await page.getByText(`Connected as +${number}`).waitFor()
    await close()
  })

  test('codes that differ are cancelled: the page says why, and shows a new QR code on request', async () => {
    const { name } = await compared('Differing')
    const { open } = await dashboard()
    const { page, close } = await open(`/instances/${name}`, { signedInAs: account.key })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByText('waiting for the code to be confirmed').waitFor()
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390, 'nothing sticks out')
    await page.getByRole('button', { name: 'The codes differ: cancel' }).click()
    await page.getByText('The link was cancelled, because the codes differed').waitFor()
    await page.getByRole('button', { name: 'New code' }).click()
    await page.getByRole('img', { name: 'Login code to scan with the phone' }).waitFor()
    await close()
  })

  test('the owner of the phone cancels with the one-time link, and the page shows the result', async () => {
    const { name } = await compared('By link')
    const { link } = await account.api('createPasskeyLink', { query: { instanceName: name } })
    const { open } = await dashboard()
    const { page, close } = await open(link.url.slice(new URL(link.url).origin.length))
    await page.getByRole('button', { name: 'The codes differ: cancel' }).click()
    await page.getByText('The link was cancelled. Nothing was linked.').waitFor()
    await close()
  })

  test('an invalid link says so, and a tab that comes back without a waiting tab shows the result', async () => {
    const { open } = await dashboard()
    const { page, close } = await open('/passkey#1.nonsense')
    await page.getByRole('alert').filter({ hasText: 'This link is not valid' }).waitFor()
    await page.goto('/passkey/return')
    await page.getByText('This page expects the result of a passkey').waitFor()
    const text = JSON.stringify({ rawId: 'AQ', response: { clientDataJSON: 'e30' } })
    await page.goto('about:blank')
    await page.goto(`/passkey/return#assertion=${Buffer.from(text).toString('base64url')}`)
    await page.getByText('is no longer open').waitFor()
    await page.getByText(text).waitFor()
    await close()
  })

  test('the extension does nothing without a request, or for another site, and sends nothing back over plain HTTP', async () => {
    const { number } = await waiting('Plain')
    const { open, world } = await dashboard()
    const { page, close } = await open('/passkey/return')
    const { page: tab } = await officialTab(page.context(), account, number, { extension: true })
    const options = { challenge: 'AAAA', rpId: 'whatsapp.com', userVerification: 'required' }
    const good = { version: 1, gateway: world.app.url, instance: 'Plain', options }
    const panels = () => tab.evaluate<number>('document.documentElement.children.length - 2')
    for (const address of [
      OFFICIAL,
      `${OFFICIAL}#switchboard-passkey=nonsense`,
      addressOf({ ...good, options: { ...options, rpId: 'example.com' } }),
      addressOf({ ...good, gateway: 'javascript:alert(1)' }),
      addressOf({ ...good, gateway: 'https://user@gateway.example' }),
      addressOf({ ...good, gateway: 'https://gateway.example/path' }),
    ]) {
      await tab.goto('about:blank')
      await tab.goto(address)
      assert.equal(await panels(), 0, address)
    }
    await tab.goto('about:blank')
    await tab.goto(addressOf({ ...good, gateway: 'http://gateway.example' }))
    await panelReady(tab)
    const left: string[] = []
    tab.on('request', (request) => void left.push(request.url()))
    await tab.evaluate(
      "document.addEventListener('switchboard-passkey-result', ({ detail }) => (globalThis.result = detail))",
    )
    await tab.keyboard.press('Enter')
    await untilTrue(tab, "globalThis.result?.includes('assertion') === true")
    assert.deepEqual([left, tab.url()], [[], OFFICIAL])
    await tab.close()
    await close()
  })

  test('the extension runs on the official page only, and asks for no permission', () => {
    const { content_scripts: scripts, ...rest } = manifest as unknown as Record<string, unknown> &
      typeof manifest
    for (const { matches, run_at: at } of scripts)
      assert.deepEqual([matches, at], [['https://web.whatsapp.com/*'], 'document_start'])
    for (const name of ['permissions', 'host_permissions', 'background', 'externally_connectable'])
      assert.equal(rest[name], undefined, name)
  })
})
