import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dashboard, skip, THEMES } from './dashboard.ts'

describe('operator', { skip }, () => {
  for (const theme of THEMES) {
    test(`accounts, plans, subscriptions and health (${theme})`, async () => {
      const { open, world } = await dashboard()
      const { page, look, close } = await open('/operator', { theme, operator: true })
      await page.getByRole('tab', { name: 'Plans' }).click()
      await page.getByRole('button', { name: 'New plan' }).click()
      await page.getByLabel('Name').fill(`Starter ${theme}`)
      await page.getByLabel('Instances').fill('3')
      await page.getByRole('button', { name: 'Create' }).click()
      await page.getByRole('cell', { name: `Starter ${theme}`, exact: true }).waitFor()
      await look('operator-plans')

      await page.getByRole('tab', { name: 'Accounts' }).click()
      await page.getByRole('button', { name: 'New account' }).click()
      await page.getByLabel('Name').fill(`Acme ${theme}`)
      await page.getByLabel('Plan').selectOption({ label: `Starter ${theme}` })
      await page.getByRole('button', { name: 'Create' }).click()
      const key = (await page.getByRole('dialog').locator('code').textContent()) ?? ''
      const limits = await world.api('accountLimits', { key })
      assert.equal(limits.account.teamName, `Acme ${theme}`)
      assert.equal(limits.limits.instances.limit, 3)
      await page.getByRole('button', { name: 'Done' }).click()

      await page.getByRole('button', { name: `Actions for Acme ${theme}` }).click()
      await page.getByRole('button', { name: 'Change subscription' }).click()
      await page.getByLabel('Status').selectOption('expired')
      await page.getByRole('button', { name: 'Save' }).click()
      await page
        .getByRole('row', { name: `Acme ${theme}` })
        .getByText('Expired')
        .waitFor()
      await look('operator-accounts')

      await page.getByRole('tab', { name: 'Health' }).click()
      await page.getByText('Ready', { exact: true }).waitFor()
      await look('operator-health')
      await close()
    })
  }

  test('the key of an account does not open it', async () => {
    const { open, world } = await dashboard()
    const { page, close } = await open('/operator', { signedInAs: world.key })
    await page.getByRole('heading', { name: 'Sign in as operator' }).waitFor()
    await page.getByLabel('Operator key').fill(world.key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    await close()
  })
})
