// A restricted key as a sign-in: what it can do works, the rest is not there, and no request is refused.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { dashboard, type OpenPage, skip } from './dashboard.ts'
import { type SeededAccount, seedAccount } from './seeded-account.ts'

interface Desk {
  name: string
  limits(seeded: SeededAccount): Record<string, unknown>
  menu: string[]
}
const MENU = ['Overview', 'Instances', 'Conversations', 'Contacts', 'Events']
const DESKS: Desk[] = [
  {
    name: 'read and send',
    limits: () => ({ scopes: ['read', 'send'] }),
    menu: [...MENU.slice(0, 3), 'Approvals', ...MENU.slice(3)],
  },
  {
    name: 'one instance',
    limits: ({ line }) => ({ scopes: ['read', 'send', 'contacts', 'instances:use'], instances: [line.name] }),
    menu: MENU,
  },
]

describe('signed in with a restricted key', { skip }, () => {
  let seeded: SeededAccount
  before(async () => {
    seeded = await seedAccount((await dashboard()).world)
  })
  after(() => seeded.stop())

  const openWith = async (desk: Desk, path: string) => {
    const { open, world } = await dashboard()
    const body = { name: desk.name, ...desk.limits(seeded) }
    const { json } = await world.call('createApiKey', { key: seeded.key, body })
    const opened: OpenPage = await open('/passkey')
    const refused: string[] = []
    opened.page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url())
    })
    await opened.page.goto(path)
    await opened.page.getByLabel('API key').fill(json.key as string)
    await opened.page.getByRole('button', { name: 'Sign in' }).click()
    return { ...opened, refused }
  }

  for (const desk of DESKS)
    test(`${desk.name}: the inbox works, and every page is without a refusal`, async () => {
      const { page, close, refused } = await openWith(desk, '/')
      await page.getByRole('heading', { name: 'Conversations', level: 1 }).waitFor()
      const menu = page.getByRole('navigation').getByRole('link')
      assert.deepEqual(await menu.allTextContents(), [...desk.menu, 'Operator'])
      await page.getByText('Live', { exact: true }).waitFor()
      await page.getByRole('tabpanel').getByRole('link').filter({ hasText: 'Bob' }).first().click()
      const message = `From ${desk.name}`
      await page.getByRole('textbox', { name: 'Message', exact: true }).fill(message)
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await page.getByRole('log').getByText(message).waitFor()
      for (const title of desk.menu) {
        await menu.filter({ hasText: title }).click()
        await page.getByRole('heading', { name: title, level: 1 }).waitFor()
        await page.waitForLoadState('networkidle')
      }
      await page.goto(`/instances/${seeded.line.name}`)
      await page.getByRole('heading', { name: /^Line/, level: 1 }).waitFor()
      await page.goto('/webhooks')
      await page.getByText('Webhooks (webhooks)').waitFor()
      assert.deepEqual(refused, [])
      await close()
    })
})
