import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startAgentClient } from './agent-client.ts'
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

  test('an agent is allowed by a person who has signed in, with the walls that are shown', async (t) => {
    const { open, world } = await dashboard()
    const { origin } = new URL(world.app.url)
    const client = await startAgentClient(origin)
    t.after(() => client.close())
    const { clientId, redirectUri, verifier, address } = client
    const { page, close } = await open(address())
    await page.getByLabel('API key').fill(world.key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Allow “Notes <b>7</b>” to use this account?' }).waitFor()
    for (const shown of [new URL(clientId).host, new URL(origin).host])
      await page.getByText(shown, { exact: true }).first().waitFor()
    assert.ok(await page.getByRole('checkbox', { name: 'Each send waits until' }).isChecked())
    await page.getByLabel('Messages per day').fill('7')
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL((url) => url.pathname === '/overview')
    const answer = new URL(page.url()).searchParams
    assert.deepEqual([answer.get('state'), answer.get('iss')], ['x&y', origin])
    const fields = { client_id: clientId, redirect_uri: redirectUri, code_verifier: verifier }
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code: answer.get('code') ?? '',
      ...fields,
    })
    const { access_token: key } = (await (
      await fetch(`${origin}/oauth/token`, { method: 'POST', body })
    ).json()) as { access_token: string }
    const { apiKey } = (await world.call('currentApiKey', { key })).json
    assert.deepEqual([apiKey.scopes, apiKey.approval, apiKey.messagesPerDay], [['read', 'send'], true, 7])

    await page.goto(address())
    await page.getByRole('button', { name: 'Refuse' }).click()
    await page.waitForURL((url) => url.pathname === '/overview')
    assert.equal(new URL(page.url()).searchParams.get('error'), 'access_denied')
    // An address of someone else gets nothing, not even a refusal.
    await page.goto(address({ redirect_uri: 'https://evil.example/back' }))
    await page.getByRole('alert').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Allow' }).count(), 0)
    await close()
  })
})
