// What every page has in common: accessibility, languages, console and keyboard. Each page, dialog and state is checked and
// photographed here, and nowhere else.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { randomNumber } from '../support/gateway.ts'
import { startAgentClient } from './agent-client.ts'
import { dashboard, type OpenPage, skip, untilFocused } from './dashboard.ts'
import { checkPage, lookNarrow } from './look.ts'
import { operatorPages, severalNodes, withSeveralNodes } from './operator-states.ts'
import { accountPages } from './page-states.ts'
import { awaitPasskey, withPasskeyStep } from './passkey-steps.ts'
import { phonePage } from './phone-states.ts'
import { type SeededAccount, seedAccount } from './seeded-account.ts'
import { closeAll, type Visit } from './visit.ts'

/** English is what the tests of pages and states below see. */
const HEADINGS = {
  pt: [
    'Visão geral',
    'Instâncias',
    'Conversas',
    'Contatos',
    'Webhooks',
    'Destinos',
    'Eventos',
    'Telefones',
    'Conta',
    'Operador',
  ],
  es: [
    'Resumen',
    'Instancias',
    'Conversaciones',
    'Contactos',
    'Webhooks',
    'Destinos',
    'Eventos',
    'Teléfonos',
    'Cuenta',
    'Operador',
  ],
}
const SCHEDULED = {
  pt: 'Mensagens agendadas',
  es: 'Mensajes programados',
}
const PATHS = [
  '/overview',
  '/instances',
  '/conversations',
  '/contacts',
  '/webhooks',
  '/destinations',
  '/events',
  '/phone',
  '/account',
  '/operator',
]

/** What a missing text or value looks like. */
const INCOMPLETE = /undefined|\[object|NaN|Invalid Date/

async function lookAt(
  { page, complaints }: Pick<OpenPage, 'page' | 'complaints'>,
  { name, address, ready, states = [] }: Visit,
): Promise<void> {
  const before = complaints.length
  await page.goto(address)
  await ready(page)
  await page.waitForLoadState('load')
  assert.deepEqual(complaints.slice(before), [], `${name} logs no error in the console`)
  assert.doesNotMatch(await page.locator('body').innerText(), INCOMPLETE, name)
  await checkPage(page, name)
  await lookNarrow(page, name)
  for (const { name: state, reach, part } of states) {
    await reach(page)
    await checkPage(page, state, part?.(page))
  }
  await closeAll(page)
}

describe('every page, dialog and state is complete, logs no error, is accessible, and fits a small screen', {
  skip,
}, () => {
  let seed: SeededAccount
  before(async () => void (seed = await seedAccount((await dashboard()).world)))
  after(() => seed?.stop())

  test('pages of an account', async () => {
    const { open } = await dashboard()
    const opened = await open('/account', { signedInAs: seed.key })
    for (const visit of accountPages(seed)) await lookAt(opened, visit)
    await opened.close()
  })

  test('phones of the sandbox', async () => {
    const { open } = await dashboard()
    const opened = await open('/account', { signedInAs: seed.key })
    await lookAt(opened, phonePage)
    await opened.close()
  })

  test('pages of the operator', async () => {
    const { open } = await dashboard()
    const opened = await open('/operator', { operator: true })
    for (const visit of operatorPages) await lookAt(opened, visit)
    await withSeveralNodes(opened.page)
    await lookAt(opened, severalNodes)
    await opened.close()
  })

  test('the sign-in page, before and after a wrong key', async () => {
    const { open } = await dashboard()
    const { page, close } = await open('/account')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await checkPage(page, 'sign-in')
    await lookNarrow(page, 'sign-in')
    await page.getByLabel('API key').fill('sk_wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    await checkPage(page, 'sign-in-refused', page.locator('form'))
    await close()
  })

  test('the first run, with an empty account, a linked instance and a delivered message', async () => {
    const { open, world } = await dashboard()
    const account = await world.otherAccount()
    const { page, close } = await open('/', { signedInAs: account.key })
    await page.getByText('0 of 4 done').waitFor()
    await checkPage(page, 'first-run')
    await lookNarrow(page, 'first-run')
    await account.pair(randomNumber())
    await page.getByText('2 of 4 done').waitFor()
    await checkPage(page, 'first-run-send')
    await page.getByRole('button', { name: 'Send', exact: true }).first().click()
    await page.getByText('4 of 4 done').waitFor()
    await checkPage(page, 'first-run-end')
    await close()
  })

  test('linking with a passkey: the step on the page of the instance, a one-time link, and the page that comes back', async () => {
    const { open, world } = await dashboard()
    const account = await world.otherAccount()
    const { name } = await awaitPasskey(account, randomNumber(), 'Shop')
    const { page, close } = await open(`/instances/${name}`, { signedInAs: account.key })
    await page.getByText('Without the extension').click()
    await page.getByText('Is someone else the owner of the phone?').click()
    await page.getByRole('button', { name: 'Create a link' }).click()
    const link = await page.getByText('/passkey#').innerText()
    await checkPage(page, 'passkey-instance')
    await lookNarrow(page, 'passkey-instance')
    await page.goto(link)
    await page.getByRole('link', { name: 'Open WhatsApp Web' }).waitFor()
    await checkPage(page, 'passkey-link')
    await lookNarrow(page, 'passkey-link')
    await page.goto('/passkey/return')
    await page.getByText('This page expects the result of a passkey').waitFor()
    await checkPage(page, 'passkey-return')
    await withPasskeyStep(page, { step: 'confirmation_needed', code: 'PYSL-SH11', options: null })
    await page.goto(`/instances/${name}`)
    await page.getByText('PYSL-SH11').waitFor()
    await checkPage(page, 'passkey-code', page.locator('main'))
    await close()
  })

  test('an agent that signs in', async (t) => {
    const { open, world } = await dashboard()
    const client = await startAgentClient(new URL(world.app.url).origin)
    t.after(() => client.close())
    const { page, close } = await open(client.address(), { signedInAs: seed.key })
    await page.getByRole('button', { name: 'Allow' }).waitFor()
    await checkPage(page, 'authorize')
    await lookNarrow(page, 'authorize')
    await close()
  })

  test('a page that could not be loaded', async () => {
    const { open } = await dashboard()
    const { page, close } = await open('/account', { signedInAs: seed.key })
    await page.route('**/assets/contacts-page-*.js', (route) => route.fulfill({ status: 404, body: '{}' }))
    await page.getByRole('link', { name: 'Contacts' }).click()
    await page.getByRole('alert').filter({ hasText: 'This page could not be shown' }).waitFor()
    await checkPage(page, 'load-failure')
    await lookNarrow(page, 'load-failure')
    await close()
  })

  test('a gateway on hold', async () => {
    const { open } = await dashboard()
    const { page, close } = await open('/account', { operator: true })
    await page.route('**/healthz', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), held: 'restored' } })
    })
    await page.goto('/operator')
    await page.getByText('This gateway is on hold.').waitFor()
    await checkPage(page, 'held')
    await lookNarrow(page, 'held')
    await page.getByRole('button', { name: 'Resume' }).click()
    await checkPage(page, 'held-resume', page.locator('dialog[open]'))
    await close()
  })

  test('no page is left out, and no other test does the same', () => {
    const table = readFileSync(join(import.meta.dirname, '..', '..', 'dashboard', 'app', 'pages.ts'), 'utf8')
    const paths = [...table.matchAll(/path: '([^']+)'/g)].map(([, path]) => path)
    const visited = [...accountPages(seed), phonePage, ...operatorPages].map(({ path }) => path)
    const tested = ['/', '/passkey', '/passkey/return', '/oauth/authorize']
    assert.deepEqual(new Set([...tested, ...visited]), new Set(paths))
    const users = globSync('*.ts', { cwd: import.meta.dirname }).filter((file) =>
      /from '(?:\.\/look\.ts|axe-core)'/.test(readFileSync(join(import.meta.dirname, file), 'utf8')),
    )
    assert.deepEqual(users.sort(), ['every-page.test.ts', 'look.ts'])
  })
})

describe('every page', { skip }, () => {
  for (const [language, headings] of Object.entries(HEADINGS)) {
    test(`is complete in ${language}`, async () => {
      const { open, world } = await dashboard()
      const paired = await world.pair(randomNumber())
      const body = { url: `https://${language}.example.com/hook`, name: 'Orders', enabled: false }
      const { webhook } = await world.api('saveWebhook', { body })
      const { page, close } = await open('/instances', { signedInAs: world.key, operator: true })
      await page.evaluate(`localStorage.setItem('switchboard.language', '${language}')`)
      const complete = async (path: string, heading: string) => {
        await page.goto(path)
        await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
        assert.equal(await page.evaluate('document.documentElement.lang'), language)
        const text = await page.locator('body').innerText()
        assert.doesNotMatch(text, INCOMPLETE, path)
      }
      for (const [index, path] of PATHS.entries()) await complete(path, headings[index] ?? '')
      for (const tab of ['instances', 'plans', 'nodes', 'health'])
        await complete(`/operator?tab=${tab}`, headings.at(-1) ?? '')
      const { instances } = await world.api('listInstances')
      const shown = instances.find((one: { id: number }) => one.id === paired.id)
      await complete(`/instances/${paired.name}`, shown.displayName)
      await complete('/conversations/scheduled', SCHEDULED[language as keyof typeof SCHEDULED])
      await complete(`/webhooks/${webhook.id}`, webhook.name)
      await complete('/operator/accounts/1', 'Default')
      await close()
    })
  }

  test('logs no console error without a sign-in', async () => {
    const { open } = await dashboard()
    const { page, complaints, close } = await open('/')
    for (const path of ['/instances', '/operator']) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('load')
      assert.deepEqual(complaints, [], path)
    }
    await close()
  })

  test('works with the keyboard: menus and dialogs open, Escape closes them, focus returns', async () => {
    const { open, world } = await dashboard()
    await world.api('createInstance', { body: { instanceName: 'By keyboard' } })
    const { page, close } = await open('/instances', { signedInAs: world.key })
    const menu = page.getByRole('button', { name: 'Actions for By keyboard' })
    await menu.waitFor()
    const item = page.getByRole('button', { name: 'Log out', exact: true })
    await menu.focus()
    await page.keyboard.press('Enter')
    await item.filter({ visible: true }).waitFor()
    await page.keyboard.press('Tab')
    // The menu follows its button.
    await untilFocused(page, 'Log out')
    await page.keyboard.press('Escape')
    await item.filter({ visible: true }).waitFor({ state: 'detached' })
    await untilFocused(page, 'Actions for By keyboard')

    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Log out By keyboard?' })
    await dialog.waitFor()
    assert.equal(
      await page.evaluate('document.querySelector("dialog").contains(document.activeElement)'),
      true,
    )
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await untilFocused(page, 'Actions for By keyboard')

    const create = page.getByRole('button', { name: 'New instance' })
    await create.focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Name').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await untilFocused(page, 'New instance')
    await close()
  })

  test('starts with a skip link, and every focused element has a visible outline', async () => {
    const { open, world } = await dashboard()
    const { page, close } = await open('/account', { signedInAs: world.key })
    await page.getByRole('button', { name: 'New key' }).waitFor()
    const stops: string[] = []
    for (let stop = 0; stop < 40; stop += 1) {
      await page.keyboard.press('Tab')
      const [name, outline] = (await page.evaluate(
        '[document.activeElement.textContent || document.activeElement.ariaLabel || "", getComputedStyle(document.activeElement).outlineStyle]',
      )) as [string, string]
      if (await page.evaluate('document.activeElement === document.body')) break
      assert.notEqual(outline, 'none', `the focus on “${name}” is seen`)
      stops.push(name)
    }
    assert.equal(stops[0], 'Skip to content')
    for (const wanted of ['Instances', 'Operator', 'Sign out', 'New key'])
      assert.ok(stops.includes(wanted), wanted)
    await close()
  })
})
