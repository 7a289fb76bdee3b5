import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { randomNumber } from '../support/gateway.ts'
import { until } from '../support/sandbox-world.ts'
import { dashboard, skip } from './dashboard.ts'

describe('operator', { skip }, () => {
  test('plans are created and edited; accounts get a plan and a subscription', async () => {
    const { open, world } = await dashboard()
    const { page, close } = await open('/operator?tab=plans', { operator: true })
    await page.getByRole('button', { name: 'New plan' }).click()
    await page.getByLabel('Name').fill('Starter')
    await page.getByLabel('Instances').fill('3')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('cell', { name: 'Starter', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Actions for Starter' }).click()
    await page.getByRole('button', { name: 'Edit' }).click()
    assert.equal(await page.getByLabel('Instances').inputValue(), '3', 'the form shows what is there')
    await page.getByLabel('Instances').fill('7')
    await page.getByLabel('Count messages').uncheck()
    await page.getByRole('checkbox', { name: 'Campaigns' }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('row', { name: 'Starter' }).getByText('7 instances · unmetered messages').waitFor()

    await page.getByRole('tab', { name: 'Accounts' }).click()
    await page.getByRole('button', { name: 'New account' }).click()
    await page.getByLabel('Name').fill('Acme')
    await page.getByLabel('Plan').selectOption({ label: 'Starter' })
    await page.getByRole('button', { name: 'Create' }).click()
    const key = (await page.getByRole('dialog').locator('code').textContent()) ?? ''
    const limits = await world.api('accountLimits', { key })
    assert.equal(limits.account.teamName, 'Acme')
    assert.equal(limits.limits.instances.limit, 7)
    assert.equal(limits.limits.messages, null)
    assert.equal(limits.features.campaigns, true)
    await page.getByRole('button', { name: 'Done' }).click()

    await page.getByRole('link', { name: 'Acme' }).click()
    await page.getByRole('heading', { level: 1, name: 'Acme' }).waitFor()
    await page.getByRole('button', { name: 'Change subscription' }).click()
    await page.getByLabel('Status').selectOption('trialing')
    await page.getByLabel('Trial ends').fill('2001-02-03')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('This account has no access').waitFor()
    // The gateway remembers a caller for a second: the key may still show the earlier subscription.
    const subscription = await until(
      async () => (await world.api('accountLimits', { key })).subscription,
      ({ status }) => status === 'trialing',
      'the changed subscription',
    )
    assert.equal(subscription.hasAccess, false)
    assert.equal(new Date(subscription.trialEndsAt).getFullYear(), 2001)
    await close()
  })

  test('users and keys of an account are added, edited, replaced and removed', async () => {
    const { open, world, untilRefused } = await dashboard()
    const operator = { key: world.app.operatorKey }
    const { plans } = await world.api('adminListPlans', operator)
    const { account } = await world.api('adminCreateAccount', {
      ...operator,
      body: { name: 'Keys', planId: plans[0].id },
    })
    const { page, close } = await open(`/operator/accounts/${account.id}`, { operator: true })
    await page.getByText('No users yet.').waitFor()
    await page.getByRole('button', { name: 'Add user' }).click()
    await page.getByLabel('Name').fill('<b>Ana</b>')
    await page.getByLabel('E-mail address').fill('nonsense')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('E-mail address').fill('ana@example.com')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('<b>Ana</b>', { exact: true }).waitFor()

    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').fill('Back end')
    await page.getByRole('button', { name: 'Create key' }).click()
    const shown = page.getByRole('dialog', { name: 'Your new key' })
    const first = (await shown.locator('code').textContent()) ?? ''
    assert.equal((await world.call('listInstances', { key: first })).status, 200)
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByRole('button', { name: 'Actions for Back end' }).click()
    await page.getByRole('button', { name: 'Replace' }).click()
    await page.getByLabel('Overlap in hours').fill('0')
    await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
    const second = (await shown.locator('code').textContent()) ?? ''
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await untilRefused(first)
    assert.equal((await world.call('listInstances', { key: second })).status, 200)
    await page.setViewportSize({ width: 390, height: 800 })
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390, 'nothing sticks out')
    await page.setViewportSize({ width: 1280, height: 860 })
    await page.getByRole('button', { name: 'Actions for Back end' }).click()
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Key revoked.').waitFor()
    await untilRefused(second)

    await page.getByRole('button', { name: 'Actions for <b>Ana</b>' }).click()
    await page.getByRole('list', { name: 'Users' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No users yet.').waitFor()
    await close()
  })

  test('instances of all accounts are found by text and by state and link to their account', async () => {
    const { open, world } = await dashboard()
    const paired = await world.pair(randomNumber())
    const { instance } = await world.api('createInstance', { body: { instanceName: 'Unpaired one' } })
    const { page, close } = await open('/operator', { operator: true })
    await page.getByRole('tab', { name: 'Instances' }).click()
    const cell = (text: string) => page.getByRole('cell', { name: text })
    await cell(paired.name).waitFor()
    await cell(instance.apiInstanceName).waitFor()
    await page.getByLabel('State').selectOption('open')
    await cell(instance.apiInstanceName).waitFor({ state: 'detached' })
    await cell(paired.name).waitFor()
    await page.getByLabel('State').selectOption('any')
    await page.getByLabel('Search').fill(instance.apiInstanceName)
    await cell(instance.apiInstanceName).waitFor()
    await cell(paired.name).waitFor({ state: 'detached' })
    await page.getByLabel('Search').fill('nothing is called that')
    await page.getByText('No results.').waitFor()
    await page.getByLabel('Search').fill(paired.name)
    await page.getByRole('link', { name: 'Default' }).click()
    await page.getByRole('heading', { level: 1, name: 'Default' }).waitFor()
    await close()
  })

  test('instances of one account open from its row and its page, and lead back to all', async () => {
    const { open, world } = await dashboard()
    const operator = { key: world.app.operatorKey }
    const paired = await world.pair(randomNumber())
    const { plans } = await world.api('adminListPlans', operator)
    // A search for the other account would match this name too.
    const other = await world.api('adminCreateAccount', {
      ...operator,
      body: { name: 'Default two', planId: plans[0].id },
    })
    const body = { instanceName: 'Theirs' }
    const { instance } = await world.api('createInstance', { key: other.key, body })
    const { page, close } = await open('/operator', { operator: true })
    const cell = (text: string) => page.getByRole('cell', { name: text })
    await page.getByRole('button', { name: 'Actions for Default', exact: true }).click()
    await page.getByRole('button', { name: 'Instances', exact: true }).click()
    await page.getByText('Instances of Default', { exact: true }).waitFor()
    await cell(paired.name).waitFor()
    assert.equal(await cell(instance.apiInstanceName).count(), 0)
    await page.getByRole('link', { name: 'Show all accounts' }).click()
    await cell(instance.apiInstanceName).waitFor()
    await page.goto(`/operator/accounts/${other.account.id}`)
    await page.getByRole('main').getByRole('link', { name: 'Instances', exact: true }).click()
    await page.getByText('Instances of Default two').waitFor()
    await cell(instance.apiInstanceName).waitFor()
    assert.equal(await cell(paired.name).count(), 0)
    await page.goto('/operator?tab=instances&account=999999999')
    await page.getByText('This account does not exist.').waitFor()
    await close()
  })

  test('health shows the checks and live figures', async () => {
    const { open, world } = await dashboard()
    const { page, close } = await open('/operator?tab=health', { operator: true })
    await page.getByText('Ready', { exact: true }).waitFor()
    const figure = (name: string) => page.getByText(name, { exact: true }).locator('..').locator('strong')
    const requests = async () =>
      Number((await figure('Requests since start').textContent())?.replaceAll(/\D/g, ''))
    const before = await requests()
    for (let times = 0; times < 5; times += 1) await world.api('listInstances')
    await figure('Requests per second').filter({ hasText: /\d/ }).waitFor()
    await until(requests, (count) => count >= before + 5, 'the requests since then')
    assert.match((await figure('Memory').textContent()) ?? '', /^[1-9]\d* MB$/)
    await close()
  })

  test('an account key does not open the operator page', async () => {
    const { open, world } = await dashboard()
    const { page, close } = await open('/operator', { signedInAs: world.key })
    await page.getByRole('heading', { name: 'Sign in as operator' }).waitFor()
    await page.getByLabel('Operator key').fill(world.key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    await close()
  })
})
