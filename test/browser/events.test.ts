import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { randomNumber } from '../support/gateway.ts'
import { until } from '../support/linked.ts'
import type { PairedInstance, SandboxWorld } from '../support/sandbox-world.ts'
import { dashboard, skip } from './dashboard.ts'

describe('events', { skip }, () => {
  let line: PairedInstance
  let other: PairedInstance
  const phone = randomNumber()
  before(async () => {
    const { world } = await dashboard()
    line = await world.pair(randomNumber(), 'Owner')
    other = await world.pair(randomNumber(), 'Another owner')
    await world.world.phone(phone, 'Customer')
  })
  const write = async (to: PairedInstance, text: string) => {
    const { world } = await dashboard()
    await world.world.post(`/phones/${phone}/send`, { to: to.number, text })
  }

  test('events appear live and can be paused, filtered and opened', async () => {
    const { open, world } = await dashboard()
    const { page, close } = await open('/events', { signedInAs: world.key })
    const list = page.getByRole('listbox', { name: 'Events, newest first' })
    const eventWith = (text: string) => list.getByRole('option').filter({ hasText: text })
    await list.getByRole('option').first().waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    await write(line, 'First')
    await eventWith('First').first().waitFor()

    await page.getByRole('button', { name: 'Pause' }).click()
    await write(line, 'While paused')
    const resume = page.getByRole('button', { name: /Resume, \d+ new/ })
    await resume.waitFor()
    assert.equal(await eventWith('While paused').count(), 0)
    await resume.click()
    await eventWith('While paused').first().waitFor()

    await write(other, 'Elsewhere')
    await eventWith('Elsewhere').first().waitFor()
    await page.getByLabel('Instance').selectOption(line.name)
    await eventWith('Elsewhere').first().waitFor({ state: 'detached' })
    await eventWith('While paused').first().waitFor()
    await page.getByRole('button', { name: 'Events: All events' }).click()
    await page.getByRole('checkbox', { name: 'chats.update' }).uncheck()
    await page.keyboard.press('Escape')
    await list.getByRole('option').filter({ hasText: 'chats.update' }).first().waitFor({ state: 'detached' })
    await write(line, 'Filtered')
    await eventWith('Filtered').first().waitFor()
    assert.equal(await eventWith('Filtered').count(), 1, 'the message, and not its chat')

    await page.getByLabel('Text in the event').fill('WHILE paused')
    await eventWith('Filtered').first().waitFor({ state: 'detached' })
    assert.equal(await eventWith('While paused').count(), 1)
    await page.getByLabel('Text in the event').fill('')

    await eventWith('Filtered').click()
    const view = page.getByRole('region', { name: 'messages.upsert' })
    const body = JSON.parse((await view.locator('pre').textContent()) ?? '')
    assert.equal(body.data.text, 'Filtered')
    assert.equal(body.instance.apiInstanceName, line.name)
    await list.press('ArrowDown')
    await view.locator('pre', { hasText: `"${body.id}"` }).waitFor({ state: 'detached' })
    await close()
  })

  test('older events load from the log and keep the scroll position', async () => {
    const { open, world } = await dashboard()
    const { page, close } = await open('/events', { signedInAs: world.key })
    const list = page.getByRole('listbox')
    await list.getByRole('option').first().waitFor()
    await page.getByRole('button', { name: 'Events: All events' }).click()
    // Tests of other files share the account, and cause events of any name.
    await page.getByRole('button', { name: 'Choose none', exact: true }).click()
    for (const name of ['qrcode.updated', 'connection.update'])
      await page.getByRole('checkbox', { name }).check()
    await list.getByRole('option').filter({ hasText: 'connection.update' }).first().waitFor()
    await list.getByRole('option').filter({ hasText: 'chats.update' }).first().waitFor({ state: 'detached' })
    // Waiting instances renew their QR codes meanwhile.
    await until('as many as the log has', async () => {
      const count = await countInLog(world, 'connection.update,qrcode.updated')
      return (await page.getByText(`${count} shown`).count()) > 0 || undefined
    })
    for (const name of ['qrcode.updated', 'connection.update'])
      await page.getByRole('checkbox', { name }).uncheck()
    await page.getByText('No event matches these filters').waitFor()
    await close()
  })
})

/** A page reads this many events, even if few of them match the filter. */
async function countInLog(world: SandboxWorld, events: string): Promise<number> {
  let count = 0
  let from: { after?: string } = {}
  for (let hasMore = true; hasMore; ) {
    const answer = await world.api('listEvents', { query: { events, ...from, limit: 500 } })
    count += answer.events.length
    from = answer.next === null ? from : { after: String(answer.next) }
    hasMore = answer.hasMore
  }
  return count
}
