import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../support/sandbox-world.ts'
import { bubble, chatOf, jidOf, lineAndPerson } from './chats.ts'
import { dashboard, skip } from './dashboard.ts'
import { deliveryRows, openedDelivery } from './deliveries.ts'
import { type LargeAccount, SIZES, seedConversation, seedLargeAccount } from './seed.ts'

/** More elements than a page of fifty rows needs, but far fewer than all records. */
const MOST_ELEMENTS = 2500

interface Visit {
  /** The path in the table of pages. */
  path: string
  address: string
  /** Waits until the page is usable. */
  ready(page: Page): Promise<void>
  /** Uses the page: finds one record among many. */
  use(page: Page): Promise<void>
}

const option = (page: Page, text: string | RegExp) => page.getByRole('option').filter({ hasText: text })
/** It is a select until the number of instances is known. */
const typedInstance = (page: Page) => page.getByLabel('Instance').and(page.locator('input'))

const visits = ({ id, instanceName, webhookId, chat }: LargeAccount): Visit[] => [
  {
    path: '/',
    address: '/',
    ready: (page) => page.getByRole('heading', { name: 'Instances', exact: true }).waitFor(),
    use: (page) => page.getByRole('link', { name: 'Branch 1', exact: true }).waitFor(),
  },
  {
    path: '/instances',
    address: '/instances',
    ready: (page) => page.getByRole('link', { name: 'Branch 1', exact: true }).waitFor(),
    async use(page) {
      await page.getByText(`${SIZES.instances} instances`).waitFor()
      await page.getByRole('button', { name: 'Next' }).click()
      await page.getByRole('link', { name: 'Branch 51', exact: true }).waitFor()
      await page.getByLabel('Search').fill('branch 77')
      await page.getByRole('link', { name: 'Branch 777', exact: true }).waitFor()
    },
  },
  {
    path: '/instances/:name',
    address: `/instances/${instanceName}`,
    ready: (page) => page.getByRole('heading', { name: 'Branch 1', exact: true }).waitFor(),
    use: (page) => page.getByText('Messages in the last 24 hours').waitFor(),
  },
  {
    path: '/conversations',
    address: `/conversations?instance=${instanceName}&chat=${encodeURIComponent(chat)}`,
    ready: (page) => page.getByRole('log').getByText(`Message ${SIZES.messages}`, { exact: true }).waitFor(),
    async use(page) {
      await page
        .getByRole('complementary', { name: 'Chats' })
        .getByText('Person 2', { exact: true })
        .first()
        .click()
      await page.getByRole('heading', { name: 'Person 2', exact: true }).waitFor()
    },
  },
  {
    path: '/conversations/scheduled',
    address: '/conversations/scheduled',
    ready: (page) => page.getByRole('row').filter({ hasText: 'Later' }).first().waitFor(),
    async use(page) {
      await page.getByRole('button', { name: 'Next' }).click()
      await page.getByText('Page 2').waitFor()
    },
  },
  {
    path: '/conversations/approvals',
    address: '/conversations/approvals',
    ready: (page) => page.getByRole('heading', { name: 'Approvals', exact: true }).waitFor(),
    use: (page) => page.getByRole('heading', { name: 'Approvals', exact: true }).waitFor(),
  },
  {
    path: '/conversations/group',
    address: `/conversations/group?instance=${instanceName}&group=120363000000000000%40g.us`,
    // The instance is offline. Many members are in groups.test.ts.
    ready: (page) => page.getByRole('alert').waitFor(),
    use: (page) => page.getByRole('link', { name: 'Conversation', exact: false }).first().waitFor(),
  },
  {
    path: '/contacts',
    address: '/contacts',
    ready: (page) => page.getByRole('row', { name: 'Person 1 ', exact: false }).first().waitFor(),
    async use(page) {
      await page.getByText('10,000 contacts').waitFor()
      await page.getByRole('button', { name: 'Next' }).click()
      await page.getByRole('cell', { name: 'Person 51', exact: true }).waitFor()
      await page.getByLabel('Search').fill('person 9876')
      await page.getByRole('cell', { name: 'Person 9876', exact: true }).waitFor()
      await page.getByText('1 contact', { exact: true }).waitFor()
    },
  },
  {
    path: '/oauth/authorize',
    address: '/oauth/authorize',
    // No program requests anything. The instances of the account are those of the form for a new key.
    ready: (page) => page.getByRole('alert').waitFor(),
    use: (page) => page.getByRole('alert').waitFor(),
  },
  {
    path: '/destinations',
    address: '/destinations',
    ready: (page) => page.getByRole('heading', { name: 'Destinations', exact: true }).waitFor(),
    use: (page) => page.getByRole('button', { name: 'New destination' }).first().waitFor(),
  },
  {
    path: '/destinations/:id',
    address: `/destinations/${webhookId}`,
    // A webhook is not a destination. Many deliveries are those of the page of a webhook, which has the same list.
    ready: (page) => page.getByRole('alert').waitFor(),
    use: (page) => page.getByRole('link', { name: 'All destinations', exact: false }).waitFor(),
  },
  {
    path: '/webhooks',
    address: '/webhooks',
    ready: (page) => page.getByRole('link', { name: 'Large' }).waitFor(),
    async use(page) {
      await page.getByRole('button', { name: 'New webhook' }).click()
      await typedInstance(page).fill('branch 999')
      await page.locator('datalist option[value="branch-999-large"]').waitFor({ state: 'attached' })
      await page.getByRole('button', { name: 'Cancel' }).click()
    },
  },
  {
    path: '/webhooks/:id',
    address: `/webhooks/${webhookId}`,
    ready: (page) => deliveryRows(page).first().waitFor(),
    async use(page) {
      await page.getByLabel('Status').selectOption('dead')
      await deliveryRows(page).filter({ hasText: 'Delivered' }).first().waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Next' }).click()
      await page.getByText('Page 2').waitFor()
      await deliveryRows(page).first().click()
      await openedDelivery(page).getByText('Attempt 1').waitFor()
    },
  },
  {
    path: '/overview',
    address: '/overview',
    ready: (page) => page.getByRole('img', { name: /^Messages over time/ }).waitFor(),
    use: (page) => page.getByText('Webhooks and destinations', { exact: true }).waitFor(),
  },
  {
    path: '/events',
    address: '/events',
    ready: (page) => option(page, `LARGE${SIZES.events - 1}`).waitFor(),
    async use(page) {
      for (const shown of [200, 300, 400]) {
        await page.getByRole('button', { name: 'Load older' }).click()
        await page.getByText(`${shown} shown`).waitFor()
      }
      await page.evaluate(
        '{ const list = document.querySelector("[role=listbox]"); list.scrollTo(0, list.scrollHeight) }',
      )
      await option(page, `LARGE${SIZES.events - 399}`).waitFor()
      await page.getByRole('button', { name: 'Events: All events' }).click()
      await page.getByRole('checkbox', { name: 'messages.update' }).uncheck()
      await page.keyboard.press('Escape')
      await option(page, 'connection.update').first().waitFor()
      await option(page, 'messages.update').first().waitFor({ state: 'detached' })
      await typedInstance(page).fill('branch-100-large')
      await page.getByText('100 shown').waitFor()
    },
  },
  {
    path: '/phone',
    address: '/phone',
    ready: (page) => page.getByRole('heading', { level: 1 }).waitFor(),
    use: async () => {},
  },
  {
    path: '/account',
    address: '/account',
    ready: (page) => page.getByRole('meter', { name: /^Instances/ }).waitFor(),
    use: (page) => page.getByText('API keys', { exact: false }).first().waitFor(),
  },
  {
    path: '/operator',
    address: '/operator',
    ready: (page) => page.getByRole('row', { name: 'Large' }).first().waitFor(),
    async use(page) {
      await page.getByRole('tab', { name: 'Health' }).click()
      await page.getByText('Ready', { exact: true }).waitFor()
      await page.getByRole('tab', { name: 'Instances' }).click()
      await page.getByLabel('Search').fill('branch-777-large')
      await page.getByText('branch-777-large').waitFor()
    },
  },
  {
    path: '/operator/accounts/:id',
    address: `/operator/accounts/${id}`,
    ready: (page) => page.getByRole('heading', { name: 'Large', exact: true }).waitFor(),
    use: (page) => page.getByRole('heading', { name: 'Users' }).waitFor(),
  },
]

describe('a large account', { skip, timeout: 600_000 }, () => {
  let large: LargeAccount
  before(async () => {
    const { world } = await dashboard()
    large = await seedLargeAccount(world)
  })

  test('every page renders a bounded part of the data and stays usable', async (t) => {
    const { open } = await dashboard()
    const { page, close } = await open('/account', { signedInAs: large.key, operator: true })
    for (const { address, ready, use } of visits(large)) {
      const began = performance.now()
      await page.goto(address)
      await ready(page)
      const readyMs = performance.now() - began
      const elements = async () => page.locator('*').count()
      const first = await elements()
      assert.ok(first < MOST_ELEMENTS, `${address} has ${first} elements`)
      await use(page)
      const then = await elements()
      assert.ok(then < MOST_ELEMENTS, `${address} has ${then} elements after use`)
      t.diagnostic(`${address}: usable after ${Math.round(readyMs)} ms, ${Math.max(first, then)} elements`)
    }
    await close()
  })

  test('every page is covered', () => {
    const table = readFileSync(join(import.meta.dirname, '..', '..', 'dashboard', 'app', 'pages.ts'), 'utf8')
    const paths = [...table.matchAll(/path: '([^']+)'/g)].map(([, path]) => path)
    assert.ok(paths.length > 5)
    // They show one step of one instance, whatever the account has.
    const small = ['/passkey', '/passkey/return']
    const visited = visits(large).map(({ path }) => path)
    assert.deepEqual([...visited, ...small].sort(), paths.sort())
  })
})

const LONG = 3000
/** All that a conversation mounts at a time. */
const MOST_MOUNTED = 240

interface SeenLog {
  /** The first visible message, and where it is on the screen. */
  id: string
  top: number
  oldest: string
  mounted: number
}

/** Scrolls the open conversation, and says what is seen then. */
const readLog = (page: Page, scroll = ''): Promise<SeenLog> =>
  page.evaluate<SeenLog>(`{
    const log = document.querySelector('[role=log]')
    const topOf = (element) => element.getBoundingClientRect().top
    ${scroll}
    const all = [...log.querySelectorAll('article')]
    const first = all.find((one) => one.getBoundingClientRect().bottom > topOf(log))
    ;({ id: first.dataset.message, top: topOf(first), oldest: all[0].dataset.message, mounted: all.length })
  }`)

const topOf = (page: Page, id: string): Promise<number> =>
  page
    .locator(`[data-message="${id}"]`)
    .evaluate(
      (element) =>
        (element as unknown as { getBoundingClientRect(): { top: number } }).getBoundingClientRect().top,
    )

const UP = 'log.scrollTop = 200 + log.clientHeight - log.scrollHeight'
const DOWN = 'log.scrollTop = -200'

/** The window moves, and what the reader sees stays where it is. */
async function scrollOn(page: Page, scroll: string): Promise<SeenLog> {
  const before = await readLog(page, scroll)
  const after = await until(
    () => readLog(page),
    (now) => now.oldest !== before.oldest,
    'other messages are mounted',
  )
  assert.ok(after.mounted <= MOST_MOUNTED, `${after.mounted} messages are mounted`)
  const moved = (await topOf(page, before.id)) - before.top
  assert.ok(Math.abs(moved) <= 1, `${before.id} moved by ${moved} pixels`)
  return after
}

describe('a long conversation', { skip }, () => {
  test('a part of it is mounted, which follows the reader up and down, and what is seen stays in its place', async () => {
    const { open, world } = await dashboard()
    const { line, person } = await lineAndPerson(world)
    await seedConversation(world, line.name, { number: person, count: LONG })
    const { page, close } = await open(chatOf(line, jidOf(person)), {
      signedInAs: world.key,
      developer: false,
    })
    await bubble(page, `Message ${LONG}`).waitFor()
    await page.getByLabel('Message', { exact: true }).waitFor()
    const oldest = (seen: SeenLog) => Number(seen.oldest.replace('LARGE', ''))
    for (let seen = await readLog(page); oldest(seen) > LONG - 600; ) seen = await scrollOn(page, UP)
    assert.equal(await bubble(page, `Message ${LONG}`).count(), 0)
    const up = await readLog(page)
    await world.message(line, await world.world.send(person, { to: line.number, text: 'meanwhile' }))
    await page.getByRole('complementary').getByText('meanwhile').waitFor()
    assert.deepEqual(await readLog(page), up)
    for (let turns = 0; turns < 4; turns += 1) await scrollOn(page, DOWN)
    await page.getByRole('button', { name: 'Jump to the latest message' }).click()
    await bubble(page, 'meanwhile').waitFor()
    await bubble(page, 'meanwhile').focus()
    await page.keyboard.press('Home')
    const first = await readLog(page)
    assert.equal(await page.evaluate('document.activeElement.dataset.message'), first.oldest)
    assert.ok(oldest(first) <= LONG - 600)
    await page.keyboard.press('End')
    assert.match(await page.evaluate<string>('document.activeElement.textContent'), /meanwhile/)
    await close()
  })
})
