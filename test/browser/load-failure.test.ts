// A page whose script cannot be loaded: after an update of the gateway its name is different, or the network is down.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { chatOf, jidOf, lineAndPerson } from './chats.ts'
import { dashboard, skip } from './dashboard.ts'

describe('a script that cannot be loaded', { skip }, () => {
  for (const [cause, script, answer] of [
    ['a page of an earlier version', '**/assets/contacts-page-*.js', 404],
    ['the network is down', '**/assets/contacts-page-*.js', 'abort'],
    ['texts of an earlier version', '**/assets/en-*.js', 404],
  ] as const)
    test(`${cause}: the page says so and offers to reload, and the navigation stays usable`, async () => {
      const { open, world } = await dashboard()
      const { page, close } = await open('/account', { signedInAs: world.key })
      await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
      await page.route(script, (route) =>
        answer === 'abort' ? route.abort() : route.fulfill({ status: answer, body: '{}' }),
      )
      await page.getByRole('link', { name: 'Contacts' }).click()
      const failure = page.getByRole('alert').filter({ hasText: 'This page could not be shown' })
      await failure.waitFor()
      await page.getByRole('link', { name: 'Account' }).click()
      await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
      await page.getByRole('link', { name: 'Contacts' }).click()
      await failure.waitFor()
      await page.unroute(script)
      await page.setViewportSize({ width: 390, height: 800 })
      await failure.getByRole('button', { name: 'Reload' }).click()
      await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor()
      assert.equal(await failure.count(), 0)
      await close()
    })

  test('a part that is loaded later: the page does not turn blank', async () => {
    const { open, world } = await dashboard()
    const { line, person } = await lineAndPerson(world)
    const { page, close } = await open(`/conversations?instance=${line.name}`, { signedInAs: world.key })
    await page.getByText('Choose a chat').waitFor()
    await page.route('**/assets/thread-*.js', (route) => route.fulfill({ status: 404, body: '{}' }))
    await world.world.send(person, { to: line.number, text: 'Hello' })
    await page.getByRole('link', { name: /Bob.*Hello/ }).click()
    const reload = page.getByRole('alert').getByRole('button', { name: 'Reload' })
    await reload.waitFor()
    assert.equal(
      new URL(page.url()).search,
      new URL(chatOf(line, jidOf(person)), 'http://localhost').search,
      'the address is that of the chat',
    )
    await page.unroute('**/assets/thread-*.js')
    await reload.click()
    await page.getByRole('log').getByText('Hello').waitFor()
    await close()
  })
})
