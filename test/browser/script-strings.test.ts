import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { World } from '../sandbox/support/world.ts'
import { callRoute, randomNumber } from '../support/gateway.ts'
import { type SandboxWorld, until } from '../support/sandbox-world.ts'
import { dashboard, skip } from './dashboard.ts'
import { deliveryRows, openedDelivery } from './deliveries.ts'
import { type Receiver, startReceiver } from './receiver.ts'

/** If one of these were treated as markup or code, a dialog would open, a canary would be requested, or an element would appear. */
const SCRIPT_STRINGS = [
  '<script src=//canary.test/1 data-canary=1></script>',
  '<img src=/canary/2 onerror=alert(2) data-canary=2>',
  '"><svg onload=alert(3) data-canary=3>',
  "'-alert(4)-'",
  '<a href="javascript:alert(5)" data-canary=5>x</a>',
  '<iframe src=//canary.test/6 data-canary=6></iframe>',
  '{{constructor.constructor("alert(7)")()}}',
  '${alert(8)}',
  '</title><script data-canary=9>alert(9)</script>',
  '<style data-canary=10>@import "//canary.test/10"</style>',
  '<details open ontoggle=alert(11) data-canary=11>',
  '&lt;img src=/canary/12 onerror=alert(12)&gt;',
]
const ANSWER = SCRIPT_STRINGS.join('\n')

interface Hostile {
  key: string
  instanceName: string
  /** One instance per string, with the string as display name. */
  instanceNames: string[]
  webhookIds: number[]
  people: string[]
}

async function makeHostile(world: SandboxWorld, receiver: Receiver): Promise<Hostile> {
  const operator = async (id: Parameters<typeof callRoute>[1], body: unknown) =>
    (await callRoute(world.app.url, id, { key: world.app.operatorKey, body })).json
  const keys: string[] = []
  for (const name of SCRIPT_STRINGS) {
    const { plan } = await operator('adminCreatePlan', { name })
    keys.push((await operator('adminCreateAccount', { name, planId: plan.id })).key)
  }
  const key = keys[0] as string
  const api: SandboxWorld['api'] = (id, input) => world.api(id, { key, ...input })
  const phones = new World(world.world.sandbox, undefined, key)
  const owner = randomNumber()
  await phones.phone(owner, SCRIPT_STRINGS[1] as string)
  const instanceNames: string[] = []
  for (const displayName of SCRIPT_STRINGS) {
    const { instance } = await api('createInstance', { body: { instanceName: displayName } })
    instanceNames.push(instance.apiInstanceName)
    await api('createApiKey', { body: { name: displayName } })
  }
  const instanceName = instanceNames[0] as string
  await api('connectInstance', { query: { instanceName }, body: {} })
  const scanned = await fetch(`${world.app.url}/sandbox/v1/phones/${owner}/scan`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ instanceName }),
  })
  assert.equal(scanned.status, 200, await scanned.text())
  await until(
    async () => (await api('instanceState', { query: { instanceName } })).instance.state as string,
    (state) => state === 'open',
    'open',
  )
  const webhookIds: number[] = []
  for (const [index, name] of SCRIPT_STRINGS.entries()) {
    const { webhook } = await api('saveWebhook', {
      body: { url: `${receiver.url}/${index}`, name, instanceName, events: ['messages.upsert'] },
    })
    webhookIds.push(webhook.id)
  }
  const people: string[] = []
  for (const text of SCRIPT_STRINGS) {
    const number = randomNumber()
    people.push(number)
    await phones.phone(number, text)
    await api('saveContact', { body: { instanceName, phone: number, name: text, notes: text } })
    await phones.post(`/phones/${number}/send`, { to: owner, text })
  }
  await until(
    async () =>
      (await api('listMessages', { query: { instanceName, limit: 100 } })).messages.length as number,
    (count) => count >= SCRIPT_STRINGS.length,
    'all messages',
  )
  return { key, instanceName, instanceNames, webhookIds, people }
}

const showsAll = async (page: Page): Promise<void> => {
  for (const text of SCRIPT_STRINGS) await page.getByText(text).filter({ visible: true }).first().waitFor()
}

/** An address, and what is done and checked there. */
type Step = [address: string, checkPage: (page: Page) => Promise<void>]

describe('untrusted text is shown as text', { skip, timeout: 600_000 }, () => {
  let receiver: Receiver
  let hostile: Hostile
  before(async () => {
    receiver = await startReceiver()
    receiver.answer = { status: 500, body: ANSWER }
    hostile = await makeHostile((await dashboard()).world, receiver)
  })
  after(() => receiver.close())

  /** Opens a page, and others after it, and checks at the end of each that none of the strings was executed. */
  const visit = async (...steps: Step[]): Promise<void> => {
    const { open } = await dashboard()
    const { page, close } = await open('/account', { signedInAs: hostile.key, operator: true })
    const seen: string[] = []
    page.on('dialog', (dialog) => {
      seen.push(`a dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    page.on('request', (request) => {
      if (/\/canary\/|\/\/canary\.test/.test(request.url())) seen.push(`a request: ${request.url()}`)
    })
    for (const [address, checkPage] of steps) {
      await page.goto(address)
      await checkPage(page)
      assert.equal(await page.locator('[data-canary], [onerror], [onload], [ontoggle], iframe').count(), 0)
      assert.equal(await page.locator('script:not([src])').count(), 0)
    }
    await close()
    assert.deepEqual(seen, [])
  }

  test('names of instances and of their profiles', async () => {
    const pages = hostile.instanceNames.map(
      (name, index): Step => [
        `/instances/${name}`,
        (page) => page.getByRole('heading', { name: SCRIPT_STRINGS[index] as string, exact: true }).waitFor(),
      ],
    )
    const profileName = (page: Page) =>
      page
        .locator('dl')
        .getByText(SCRIPT_STRINGS[1] as string)
        .first()
        .waitFor()
    await visit(['/instances', showsAll], ...pages, [`/instances/${hostile.instanceName}`, profileName])
  })

  test('names and notes of contacts', () => visit(['/contacts', showsAll]))

  test('messages and the names of their senders', async () => {
    const readAll = async (page: Page) => {
      await showsAll(page)
      for (const text of SCRIPT_STRINGS) {
        await page.getByRole('complementary', { name: 'Chats' }).getByText(text).first().click()
        await page.getByRole('log').getByText(text).first().waitFor()
        await page.getByRole('heading', { name: text, exact: true }).waitFor()
      }
    }
    await visit([`/conversations?instance=${hostile.instanceName}`, readAll])
  })

  test('events', async () => {
    const openAll = async (page: Page) => {
      await page.getByRole('button', { name: 'Events: All events' }).click()
      for (const name of ['chats.update', 'contacts.update', 'qrcode.updated', 'connection.update'])
        await page.getByRole('checkbox', { name }).uncheck()
      await page.keyboard.press('Escape')
      const rows = page.getByRole('option').filter({ hasText: 'messages.upsert' })
      for (const text of SCRIPT_STRINGS) {
        await rows.filter({ hasText: text }).first().click()
        await page
          .getByRole('main')
          .locator('section pre', { hasText: JSON.stringify(text) })
          .waitFor()
      }
    }
    await visit(['/events', openAll])
  })

  test('names of webhooks, request bodies and responses of receivers', async () => {
    const sendTest = async (page: Page) => {
      await showsAll(page)
      await page
        .getByRole('button', { name: /^Actions for/ })
        .first()
        .click()
      await page.getByRole('button', { name: 'Send test' }).click()
      await page.getByRole('dialog').locator('pre', { hasText: ANSWER }).first().waitFor()
    }
    const pages = hostile.webhookIds.map(
      (id, index): Step => [
        `/webhooks/${id}`,
        async (page) => {
          await page.getByRole('heading', { name: SCRIPT_STRINGS[index] as string, exact: true }).waitFor()
          await deliveryRows(page).first().click()
          await openedDelivery(page).locator('pre', { hasText: ANSWER }).first().waitFor()
        },
      ],
    )
    await visit(['/webhooks', sendTest], ...pages)
  })

  test('names of keys, plans and accounts', async () => {
    const plansAndAccounts = async (page: Page) => {
      await page.getByRole('tab', { name: 'Plans' }).click()
      await showsAll(page)
      await page.getByRole('tab', { name: 'Accounts' }).click()
      await showsAll(page)
    }
    await visit(['/account', showsAll], ['/operator', plansAndAccounts])
  })

  test('content of simulated phones', async () => {
    const openPhones = async (page: Page) => {
      for (const number of hostile.people.slice(-3)) {
        await page.getByLabel('Show another phone').selectOption(number)
      }
      for (const text of SCRIPT_STRINGS.slice(-3)) {
        await page.getByText(text).filter({ visible: true }).first().waitFor()
      }
    }
    await visit(['/phone', openPhones])
  })
})
