import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startCloudReceiver } from '../support/cloud.ts'
import { randomNumber } from '../support/gateway.ts'
import type { PairedInstance } from '../support/sandbox-world.ts'
import { dashboard, skip, untilGone } from './dashboard.ts'
import { deliveryRows, openedDelivery } from './deliveries.ts'
import { type Receiver, signatureOf, startReceiver } from './receiver.ts'

const secretShown = async (page: Page): Promise<string> => {
  await page.getByRole('heading', { name: 'Signing secret' }).waitFor()
  const secret = (await page.getByRole('dialog').locator('code').textContent()) ?? ''
  await page.getByRole('button', { name: 'I have copied it' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  return secret
}
const chooseAction = async (page: Page, of: string, action: string): Promise<void> => {
  await page.getByRole('button', { name: `Actions for ${of}` }).click()
  await page.getByRole('button', { name: action, exact: true }).click()
}
const tested = async (page: Page, outcome: string): Promise<void> => {
  const dialog = page.getByRole('dialog')
  await dialog.getByText(outcome).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
}

describe('webhooks', { skip }, () => {
  let receiver: Receiver
  let line: PairedInstance
  const phone = randomNumber()
  before(async () => {
    receiver = await startReceiver()
    const { world } = await dashboard()
    line = await world.pair(randomNumber(), 'Owner')
    await world.world.phone(phone, 'Customer')
  })
  after(() => receiver.close())
  const write = async (text: string) => {
    const { world } = await dashboard()
    await world.world.post(`/phones/${phone}/send`, { to: line.number, text })
  }

  test('a webhook is created, tested, edited, given a new secret and deleted', async () => {
    const { open, world } = await dashboard()
    const url = `${receiver.url}/hooks`
    receiver.answer = { status: 200, body: 'taken' }
    const { page, close } = await open('/webhooks', { signedInAs: world.key })
    await page.getByRole('button', { name: 'New webhook' }).click()
    await page.getByRole('button', { name: 'Create webhook' }).click()
    await page.getByRole('alert').filter({ hasText: 'Enter the URL' }).waitFor()
    await page.getByLabel('URL').fill('http://hooks.example.com/hooks')
    await page.getByRole('button', { name: 'Create webhook' }).click()
    await page.getByRole('alert').filter({ hasText: 'not allowed' }).waitFor()
    await page.getByLabel('URL').fill(url)
    await page.getByLabel('Name').fill('Backend')
    await page.getByRole('checkbox', { name: 'All events' }).uncheck()
    await page.getByRole('checkbox', { name: 'messages.upsert' }).check()
    await page.getByLabel('Instance').selectOption(line.name)
    await page.getByRole('button', { name: 'Create webhook' }).click()
    const first = await secretShown(page)
    const row = page.getByRole('row', { name: 'Backend' })
    await row.getByText('Enabled').waitFor()
    assert.ok(!(await page.content()).includes(first), 'the secret is shown once')

    receiver.received.length = 0
    await chooseAction(page, 'Backend', 'Send test')
    await page.getByRole('dialog').getByText('HTTP 200').waitFor()
    await page.getByRole('dialog').locator('pre', { hasText: 'taken' }).waitFor()
    await tested(page, 'The receiver accepted the event.')
    const [test] = receiver.received
    assert.equal(receiver.received.length, 1, 'one test, one request')
    assert.ok(test)
    assert.equal(test.headers['x-service-signature'], signatureOf(test, first))

    await chooseAction(page, 'Backend', 'Edit')
    await page.getByLabel('Name').fill('Renamed')
    await page.getByRole('checkbox', { name: 'All events' }).check()
    await page.getByLabel('Chats', { exact: true }).selectOption('Only people')
    await page.getByLabel('Only from these numbers').fill('12')
    await page.getByRole('checkbox', { name: 'Sent', exact: true }).uncheck()
    await page.getByRole('checkbox', { name: 'Include messages from the history' }).check()
    await page.getByRole('checkbox', { name: 'Send several events in one request' }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').filter({ hasText: '7 to 15 digits' }).waitFor()
    await page.getByLabel('Only from these numbers').fill(`+${phone}, 5511987654321`)
    await page.getByLabel('Instance').selectOption('All instances')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('row', { name: 'Renamed' }).getByText('All events').waitFor()
    await page.getByRole('row', { name: 'Renamed' }).getByText('All instances').waitFor()
    const { webhooks: saved } = await world.api('listWebhooks')
    assert.equal(saved.find((one: { name: string }) => one.name === 'Renamed').batch, true)

    await chooseAction(page, 'Renamed', 'New secret')
    await page.getByLabel('Overlap in hours').fill('999')
    await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    await page.getByLabel('Overlap in hours').fill('2')
    await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click()
    const second = await secretShown(page)
    assert.notEqual(second, first)
    receiver.received.length = 0
    await chooseAction(page, 'Renamed', 'Send test')
    await tested(page, 'The receiver accepted the event.')
    const [rotated] = receiver.received
    assert.ok(rotated)
    assert.equal(rotated.headers['x-service-signature'], signatureOf(rotated, second))
    assert.equal(rotated.headers['x-service-signature-previous'], signatureOf(rotated, first))
    await chooseAction(page, 'Renamed', 'Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Deleted.').waitFor()
    await untilGone(page, 'Renamed')
    const { webhooks } = await world.api('listWebhooks')
    assert.ok(webhooks.every((webhook: { url: string }) => webhook.url !== url))
    await close()
  })

  test('a webhook in the format of the Cloud API is saved after the handshake with the verify token', async () => {
    const { open, world } = await dashboard()
    const cloud = await startCloudReceiver('the-token')
    const { page, close } = await open('/webhooks', { signedInAs: world.key })
    await page.getByRole('button', { name: 'New webhook' }).click()
    await page.getByLabel('URL').fill(cloud.url)
    await page.getByLabel('Name').fill('Help desk')
    await page.getByLabel('Format').selectOption('WhatsApp Cloud API')
    await page.getByRole('button', { name: 'Create webhook' }).click()
    await page.getByRole('alert').filter({ hasText: 'Enter the verify token' }).waitFor()
    await page.getByLabel('Verify token').fill('another')
    await page.getByRole('button', { name: 'Create webhook' }).click()
    await page.getByRole('alert').filter({ hasText: '403' }).waitFor()
    await page.getByLabel('Verify token').fill('the-token')
    await page.getByRole('button', { name: 'Create webhook' }).click()
    await secretShown(page)
    await page.getByRole('link', { name: 'Help desk' }).click()
    await page.getByText('WhatsApp Cloud API').waitFor()
    const { webhooks } = await world.api('listWebhooks')
    const { format, filter } = webhooks.find((one: { name: string }) => one.name === 'Help desk')
    assert.deepEqual([format, filter.chats], ['cloud', 'people'])
    await close()
    await cloud.close()
  })

  test('a delivery shows its attempts, request and response, and can be sent again', async () => {
    const { open, world } = await dashboard()
    receiver.answer = { status: 500, body: '<h1>down</h1>' }
    const { webhook } = await world.api('saveWebhook', {
      body: {
        url: `${receiver.url}/followed`,
        name: 'Followed',
        events: ['messages.upsert'],
        instanceName: line.name,
      },
    })
    const { page, close } = await open(`/webhooks/${webhook.id}`, { signedInAs: world.key })
    await page.getByText('No deliveries').waitFor()
    receiver.received.length = 0
    await write('Hello')
    const rows = deliveryRows(page)
    await rows.filter({ hasText: 'Retrying' }).first().click()
    const panel = openedDelivery(page)
    await panel.getByText('HTTP 500').first().waitFor()
    await panel.locator('pre', { hasText: '<h1>down</h1>' }).first().waitFor()
    await panel.getByText(/Next attempt/).waitFor()
    const shown = await panel.getByLabel('Body', { exact: true }).textContent()
    assert.deepEqual(JSON.parse(shown ?? ''), JSON.parse(receiver.received[0]?.body ?? ''))
    await panel.getByText('Headers').first().click()
    await panel.locator('pre', { hasText: 'X-Service-Signature' }).first().waitFor()
    await page.getByText('Failing', { exact: true }).waitFor()

    await page.getByLabel('Status').selectOption('delivered')
    await page.getByText('No deliveries').waitFor()
    await page.getByLabel('Status').selectOption('any')
    receiver.answer = { status: 200, body: '' }
    await rows.first().waitFor()
    await panel.getByRole('button', { name: 'Send again' }).click()
    await rows.filter({ hasText: 'Delivered' }).first().waitFor()
    // A retry that was due may have come beside the one that was asked for.
    await panel.getByText('HTTP 200').first().waitFor()
    await panel.getByText('The response was empty.').first().waitFor()
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']))
    assert.equal(ids.size, 1, 'every try is the same event')

    receiver.received.length = 0
    const actions = page.getByRole('button', { name: /^Actions for / })
    await actions.click()
    await page.getByRole('button', { name: 'Replay events…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click()
    await page
      .getByRole('dialog')
      .getByText(/\d+ events queued\./)
      .waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await panel.getByText('Attempt 3').or(panel.getByText('Attempt 4')).first().waitFor()
    assert.ok(receiver.received.some(({ headers }) => ids.has(headers['webhook-id'])))

    await actions.click()
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.locator('dl').first().getByText('Disabled').waitFor()
    await world.api('deleteWebhook', { params: { id: webhook.id } })
    await close()
  })

  test('a webhook that the gateway disabled shows the reason', async () => {
    const { open, world } = await dashboard()
    receiver.answer = { status: 410, body: '' }
    const { webhook } = await world.api('saveWebhook', {
      body: { url: `${receiver.url}/gone`, name: 'Gone', instanceName: line.name },
    })
    const { page, close } = await open('/webhooks', { signedInAs: world.key })
    await write('Anybody there?')
    const row = page.getByRole('row', { name: 'Gone' })
    await row.getByText('Disabled', { exact: true }).waitFor()
    await row.getByText('the receiver answered 410 Gone').waitFor()
    await world.api('deleteWebhook', { params: { id: webhook.id } })
    await close()
  })
})
