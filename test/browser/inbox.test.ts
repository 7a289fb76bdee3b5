// The page of conversations as an inbox: the list says what was last, the composer is one line, messages are found by words.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { randomNumber } from '../support/gateway.ts'
import { png } from '../support/sample-files.ts'
import { until } from '../support/sandbox-world.ts'
import { bubble, chatOf, chooseKind, jidOf, lineAndPerson } from './chats.ts'
import { dashboard, skip } from './dashboard.ts'

const boxOf = async (page: Page, selector: string) => {
  const box = await page.locator(selector).boundingBox()
  assert.ok(box, selector)
  return box
}

describe('the inbox', { skip }, () => {
  test('the list names what was last, follows deletions, and shows ticks, authors and saved names', async () => {
    const { open, world } = await dashboard()
    const { line, person } = await lineAndPerson(world)
    const { page, close } = await open(`/conversations?instance=${line.name}`, { signedInAs: world.key })
    const row = (text: RegExp) => page.getByRole('link', { name: text })
    const media = { type: 'image', base64: png(4, 4).toString('base64') }
    await world.world.send(person, { to: line.number, media })
    await row(/Bob.*Photo/).waitFor()
    const text = await world.world.send(person, { to: line.number, text: 'a secret' })
    await row(/Bob.*a secret/).waitFor()
    await world.world.post(`/phones/${person}/delete`, { messageId: text })
    await row(/Bob.*This message was deleted\./).waitFor()
    await world.api('sendText', {
      body: { instanceName: line.name, number: person, message: 'on its way', delay: 0 },
    })
    await row(/Bob.*Delivered.*on its way/).waitFor()
    await world.world.post(`/phones/${person}/read`, { chat: line.number })
    await row(/Bob.*Read.*on its way/).waitFor()
    const other = await world.world.phone(randomNumber(), 'Carol')
    const { group } = (await world.world.post('/groups', {
      subject: 'Team',
      members: [line.number, other],
      admin: person,
    })) as { group: { jid: string } }
    await world.world.send(other, { to: group.jid, text: 'Lunch?' })
    await row(/Team.*Carol: Lunch\?/).waitFor()
    await world.api('saveContact', { body: { instanceName: line.name, phone: person, name: 'Robert Smith' } })
    await page.reload()
    await row(/Robert Smith.*on its way/).waitFor()
    await close()
  })

  test('the composer is one line; the rest is behind the plus and the switch for developers', async () => {
    const { open, world } = await dashboard()
    const { line, person } = await lineAndPerson(world)
    const { page, close } = await open(chatOf(line, jidOf(person)), {
      signedInAs: world.key,
      developer: false,
    })
    const message = page.getByLabel('Message', { exact: true })
    await message.waitFor()
    // The page has opened the chat to write in it.
    await until(
      () => page.evaluate<string>('document.activeElement.tagName'),
      (name) => name === 'TEXTAREA',
      'the focus in the message',
    )
    assert.ok((await boxOf(page, 'form[aria-label="Write a message"]')).height < 80)
    assert.equal(await page.getByLabel('Typing (ms)').count(), 0)
    await page.keyboard.type('Hi ')
    await page.getByRole('button', { name: 'Insert an emoji' }).click()
    await page.getByRole('searchbox', { name: 'Search emojis' }).fill('party')
    await page.getByRole('button', { name: 'party popper' }).click()
    assert.equal(await message.inputValue(), 'Hi 🎉')
    await page.getByRole('button', { name: 'Message type' }).click()
    await page.getByRole('button', { name: 'Developer' }).click()
    await page.getByLabel('Typing (ms)').fill('0')
    await page.getByRole('tabpanel', { name: 'JSON body' }).getByText('Hi 🎉').waitFor()
    await message.press('Enter')
    await bubble(page, 'Hi 🎉').getByText('Delivered').waitFor()
    await chooseKind(page, 'Poll')
    await page.getByLabel('Question').fill('Which day?')
    const options = page.getByRole('textbox', { name: 'Option', exact: true })
    for (const [index, day] of ['Mon', 'Tue'].entries()) await options.nth(index).fill(day)
    await page.getByRole('button', { name: 'Send' }).click()
    await bubble(page, 'Which day?').waitFor()
    await message.waitFor()
    await close()
  })

  test('on a narrow screen an open chat fills the screen, with the composer at its foot', async () => {
    const { open, world } = await dashboard()
    const { line, person } = await lineAndPerson(world)
    const { page, close } = await open(chatOf(line, jidOf(person)), {
      signedInAs: world.key,
      developer: false,
    })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByLabel('Message', { exact: true }).waitFor()
    const composer = await boxOf(page, 'form[aria-label="Write a message"]')
    assert.equal(Math.round(composer.y + composer.height), 844)
    assert.equal((await boxOf(page, '[data-open=thread][data-wide]')).y, 0)
    assert.equal(await page.evaluate('document.documentElement.scrollHeight'), 844)
    // The text has most of the line; a button for an empty one would take it away.
    const message = page.getByLabel('Message', { exact: true })
    assert.ok((await boxOf(page, 'form textarea')).width > 230)
    assert.equal(await page.getByRole('button', { name: 'Send', exact: true }).count(), 0)
    await message.fill('From the road')
    assert.ok((await boxOf(page, 'form textarea')).width > 220)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await bubble(page, 'From the road').waitFor()
    await page.getByRole('link', { name: 'All chats' }).click()
    await page.getByRole('heading', { level: 1, name: 'Conversations' }).waitFor()
    await page.setViewportSize({ width: 1280, height: 860 })
    await close()
  })

  test('words lead to messages of all chats and of the open one, far back as well', async () => {
    const { open, world } = await dashboard()
    const { line, person } = await lineAndPerson(world)
    const texts = ['The crème brûlée recipe', ...Array.from({ length: 70 }, (_, index) => `filler ${index}`)]
    let last = ''
    for (const text of [...texts, 'another recipe'])
      last = await world.world.send(person, { to: line.number, text })
    await world.message(line, last)
    const { page, close } = await open(`/conversations?instance=${line.name}`, { signedInAs: world.key })
    await page.getByRole('link', { name: /Bob/ }).waitFor()
    // The index follows the messages; a search that is typed again asks again.
    const box = page.getByRole('searchbox', { name: 'Search chats and messages' })
    const found = page.getByRole('region', { name: 'Messages' }).getByRole('link', { name: /crème brûlée/ })
    const listed = async () => {
      await box.fill('')
      await box.fill('CREME bru')
      await page.getByRole('region', { name: 'Messages' }).waitFor()
      return found.count()
    }
    await until(listed, (count) => count === 1, 'the message in the index')
    await found.click()
    const first = bubble(page, 'The crème brûlée recipe')
    await first.waitFor()
    await until(
      () => page.evaluate<string>('document.activeElement.textContent'),
      (text) => text.includes('crème brûlée'),
      'the focus on the message',
    )
    await page.getByRole('button', { name: 'Search in this chat' }).click()
    const inside = page.getByRole('searchbox', { name: 'Search in this chat' })
    await inside.fill('recipe')
    await page.getByText('1 of 2').waitFor()
    await inside.press('Enter')
    await page.getByText('2 of 2').waitFor()
    await inside.press('Escape')
    await inside.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Jump to the latest message' }).click()
    await page.getByRole('button', { name: 'Jump to the latest message' }).waitFor({ state: 'detached' })
    await close()
  })
})
