import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dashboard, skip, untilGone } from './dashboard.ts'

describe('account', { skip }, () => {
  test('shows limits and plan; a key is shown once, replaced and revoked', async () => {
    const { open, world, untilRefused } = await dashboard()
    const { page, close } = await open('/account', { signedInAs: world.key })
    await page.getByRole('meter', { name: /^Instances/ }).waitFor()
    await page.getByText('Plan and subscription').waitFor()
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').fill('Shop')
    await page.getByRole('checkbox', { name: 'Contacts' }).check()
    await page.getByRole('button', { name: 'Create key' }).click()
    const shown = (await page.getByRole('dialog').locator('code').textContent()) ?? ''
    assert.equal((await world.call('listContacts', { key: shown, query: { instanceName: 'x' } })).status, 404)
    assert.equal((await world.call('listInstances', { key: shown })).status, 403)
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByRole('cell', { name: 'Shop', exact: true }).waitFor()
    await untilGone(page, shown)
    await page.setViewportSize({ width: 390, height: 800 })
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390, 'nothing sticks out')
    await page.setViewportSize({ width: 1280, height: 860 })

    await page.getByRole('button', { name: 'Actions for Shop' }).click()
    await page.getByRole('button', { name: 'Replace' }).click()
    await page.getByLabel('Overlap in hours').fill('0')
    await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
    const replaced = page.getByRole('dialog', { name: 'Your new key' })
    const next = (await replaced.locator('code').textContent()) ?? ''
    assert.notEqual(next, shown)
    const requested = { query: { instanceName: 'x' } }
    assert.equal(
      (await world.call('listContacts', { key: next, ...requested })).status,
      404,
      'same permissions',
    )
    await untilRefused(shown)
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByRole('row', { name: 'Shop' }).getByText('Expired').waitFor()
    await untilGone(page, next)

    await page.getByRole('button', { name: 'Actions for Shop' }).click()
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Key revoked.').waitFor()
    await page.getByRole('row', { name: 'Shop' }).getByText('Revoked').waitFor()
    await untilRefused(next)
    await close()
  })
})
