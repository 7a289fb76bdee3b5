// The first run: an empty account sends its first message in four clicks. Progress is derived from the account.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { randomNumber } from '../support/gateway.ts'
import { dashboard, skip } from './dashboard.ts'

/** What a browser without any file of the dashboard receives, headers included, until the page is at rest. */
async function transferredBytes(page: Page): Promise<number> {
  const protocol = await page.context().newCDPSession(page)
  await protocol.send('Network.enable')
  await protocol.send('Network.setCacheDisabled', { cacheDisabled: true })
  let bytes = 0
  protocol.on('Network.loadingFinished', ({ encodedDataLength }) => void (bytes += encodedDataLength))
  await page.reload()
  await page.getByText('0 of 4 done').waitFor()
  // The watch of the inbox is loaded after the page.
  await page.waitForFunction(
    'performance.getEntriesByType("resource").some(({ name }) => name.includes("/assets/inbox-watch"))',
  )
  await page.waitForLoadState('load')
  await protocol.send('Network.setCacheDisabled', { cacheDisabled: false })
  return bytes
}

describe('the first run', { skip }, () => {
  test('the first page is at most 150 kB', async (t) => {
    const { open, world } = await dashboard()
    const { key } = await world.otherAccount()
    const { page, close } = await open('/', { signedInAs: key })
    const bytes = await transferredBytes(page)
    t.diagnostic(`${bytes} bytes`)
    assert.ok(bytes > 100_000 && bytes <= 150_000, `${bytes} bytes`)
    await close()
  })

  test('leads from an empty account to a delivered message, a reply and their events', async () => {
    const { open, world } = await dashboard()
    const account = await world.otherAccount()
    const { page, close } = await open('/', { signedInAs: account.key })
    await page.getByText('0 of 4 done').waitFor()
    // Skipping does not dismiss it: it comes back while the account is empty.
    await page.getByRole('link', { name: 'Skip for now' }).click()
    await page.getByRole('heading', { name: 'No instance yet' }).waitFor()
    await page.getByRole('link', { name: 'Show me how' }).click()

    await page.getByLabel('Name').fill('Our first')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('1 of 4 done').waitFor()
    await page.getByRole('button', { name: 'Scan with a sandbox phone' }).click()
    await page.getByText('2 of 4 done').waitFor()
    const ana = page.getByRole('region', { name: 'Ana’s phone' })
    await ana.waitFor()
    await page.reload()
    await page.getByText('2 of 4 done').waitFor()
    const step = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: 'Send a message' }) })
    await step.getByLabel('Message').fill('Hello *Ana*')
    await step.getByRole('button', { name: 'Send' }).click()
    await ana.getByText('My phone is typing…').waitFor({ state: 'attached' })
    await ana.getByRole('log').getByText('Hello Ana').waitFor()
    await page.getByText('4 of 4 done').waitFor()

    await ana.getByRole('textbox', { name: 'Message' }).fill('I read you')
    await ana.getByRole('button', { name: 'Send' }).click()
    const events = page.getByRole('list', { name: 'Events' })
    await events
      .getByText(/I read you/)
      .first()
      .waitFor()
    assert.equal(await page.getByRole('link', { name: 'Create a webhook' }).getAttribute('href'), '/webhooks')

    const { messages } = await account.api('listMessages', { query: { direction: 'incoming', limit: 10 } })
    assert.deepEqual(
      messages.map(({ content }: { content: { text: string } }) => content.text),
      ['I read you'],
    )
    // Finished: the start page redirects.
    await page.goto('/')
    await page.getByRole('heading', { name: 'Instances', level: 1 }).waitFor()
    await close()
  })

  test('is over once a message has arrived, also if more than a page of later ones is scheduled', async () => {
    const { open, world } = await dashboard()
    const account = await world.otherAccount()
    const line = await account.pair(randomNumber())
    const friend = await account.world.phone(randomNumber(), 'Friend')
    const body = { instanceName: line.name, number: friend, message: 'first', delay: 0 }
    const { messageId } = await account.api('sendText', { body })
    await account.world.shown(friend, messageId)
    const sendAt = new Date(Date.now() + 3_600_000).toISOString()
    for (let count = 0; count < 101; count += 1)
      await account.api('sendText', { body: { ...body, message: `later ${count}`, sendAt } })
    const { page, close } = await open('/', { signedInAs: account.key })
    await page.getByRole('heading', { name: 'Instances', level: 1 }).waitFor()
    await close()
  })
})
