import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { answers } from '../../src/contract/sandbox-world.ts'
import { randomNumber } from '../support/gateway.ts'
import { png } from '../support/sample-files.ts'
import { type SandboxWorld, until } from '../support/sandbox-world.ts'
import { bubble, chatOf, chooseKind, jidOf, lineAndPerson, textsOf } from './chats.ts'
import { dashboard, skip, widthOf } from './dashboard.ts'
import { SCRIPT_STRINGS } from './markup-strings.ts'
import { choosePreference } from './preferences.ts'

const scrollUp = (page: Page): Promise<unknown> =>
  page.evaluate('document.querySelector("[role=log]").scrollTop = -1_000_000')

describe('conversations', { skip }, () => {
  test('incoming messages appear live; a sent message shows ticks until it is read', async () => {
    const { open, world } = await dashboard()
    const { line, person } = await lineAndPerson(world)
    const { page, close } = await open(`/conversations?instance=${line.name}`, {
      signedInAs: world.key,
    })
    await page.getByText('No chat yet').waitFor()
    await page.evaluate('window.stillHere = true')
    await world.world.send(person, { to: line.number, text: 'Is it still there?' })
    const listed = page.getByRole('link', { name: /Bob.*Is it still there\?.*1 unread/ })
    await listed.click()
    await bubble(page, 'Is it still there?').waitFor()
    await world.world.send(person, { to: line.number, text: 'Hello?' })
    await bubble(page, 'Hello?').waitFor()
    await page.getByLabel('Typing (ms)').fill('0')
    await page.getByLabel('Message', { exact: true }).fill('Yes, *come* by')
    await page.keyboard.press('Enter')
    const answer = bubble(page, 'Yes, come by')
    await answer.getByText('Delivered').waitFor()
    await world.world.post(`/phones/${person}/read`, { chat: line.number })
    await answer.getByText('Read').waitFor()
    assert.equal(await page.getByLabel('Message', { exact: true }).inputValue(), '')
    assert.equal(await page.evaluate('window.stillHere'), true)

    const picture = (bytes: Buffer | null) =>
      world.world.post(`/phones/${person}/picture`, { base64: bytes?.toString('base64') ?? null })
    await picture(png(8, 8))
    const head = page.getByRole('region', { name: 'Messages' }).locator('header')
    const list = page.getByRole('complementary', { name: 'Chats' })
    for (const part of [head, list]) assert.equal(await widthOf(part.locator('img').first()), 8)
    await picture(null)
    await head.getByText('B', { exact: true }).waitFor()
    await close()
  })

  test('a person whose number is hidden is answered in the chat', async () => {
    const { open, world } = await dashboard()
    const { line, person } = await lineAndPerson(world)
    const phone = `${world.app.url}/sandbox/v1/phones/${person}`
    const headers = { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ hidesNumber: true })
    assert.equal((await fetch(phone, { method: 'PATCH', headers, body })).status, 200)
    const { page, close } = await open(`/conversations?instance=${line.name}`, { signedInAs: world.key })
    await world.world.send(person, { to: line.number, text: 'Guess who' })
    await page.getByRole('link', { name: /Bob.*Guess who/ }).click()
    await bubble(page, 'Guess who').waitFor()
    assert.match(page.url(), /%40lid/)
    await page.getByLabel('Typing (ms)').fill('0')
    await page.getByLabel('Message', { exact: true }).fill('Bob?')
    await page.keyboard.press('Enter')
    await bubble(page, 'Bob?').getByText('Delivered').waitFor()
    await close()
  })

  test('a visible conversation is marked as read; a hidden one is not', async () => {
    const { open, world } = await dashboard()
    const { line, person } = await lineAndPerson(world)
    const isRead = (id: string) =>
      world.world.get(`/phones/${person}/messages/${id}?status=read&waitMs=20000`, answers.message)
    const unread = async () => (await world.chat(line, jidOf(person))).unreadCount
    const first = await world.world.send(person, { to: line.number, text: 'one' })
    await world.message(line, first)
    const { page, close } = await open(`/conversations?instance=${line.name}`, { signedInAs: world.key })
    const listed = page.getByRole('link', { name: /Bob/ })
    await listed.getByText('1 unread').waitFor()
    assert.equal(await unread(), 1, 'a list of chats reads none of them')
    await listed.click()
    await isRead(first)
    await listed.getByText('1 unread').waitFor({ state: 'detached' })
    assert.equal(await unread(), 0)
    // The browser of a test always has the focus, so the test simulates losing it.
    const checkPage = (focused: boolean) =>
      page.evaluate(
        `document.hasFocus = () => ${focused}; dispatchEvent(new Event('${focused ? 'focus' : 'blur'}'))`,
      )
    await checkPage(false)
    const second = await world.world.send(person, { to: line.number, text: 'two' })
    await bubble(page, 'two').waitFor()
    await listed.getByText('1 unread').waitFor()
    assert.equal(await unread(), 1)
    await checkPage(true)
    await isRead(second)
    await listed.getByText('1 unread').waitFor({ state: 'detached' })
    await close()
  })

  test('scripts in names and messages are shown as text and never run', async () => {
    const { open, world } = await dashboard()
    const { line, person } = await lineAndPerson(world, SCRIPT_STRINGS[0])
    const { page, close } = await open(chatOf(line, jidOf(person)), { signedInAs: world.key })
    await page.getByRole('log').waitFor()
    for (const text of SCRIPT_STRINGS) await world.world.send(person, { to: line.number, text })
    for (const text of SCRIPT_STRINGS) {
      await textsOf(page).filter({ hasText: text }).first().waitFor()
      await page.getByLabel('Message', { exact: true }).fill(text)
      assert.ok(
        (await page.getByRole('tabpanel', { name: 'JSON body' }).locator('pre').textContent())?.includes(
          JSON.stringify(text),
        ),
      )
    }
    const shown = await textsOf(page).allTextContents()
    assert.deepEqual(shown, SCRIPT_STRINGS)
    await page.getByRole('heading', { name: SCRIPT_STRINGS[0] as string, exact: true }).waitFor()
    assert.equal(await page.evaluate('window.hit'), undefined)
    await close()
  })

  test('scrolling up loads older messages once and in order', async () => {
    const { open, world } = await dashboard()
    const { line, person } = await lineAndPerson(world)
    const texts = Array.from({ length: 120 }, (_, index) => `number ${index + 1}.`)
    let last = ''
    for (const text of texts) last = await world.world.send(person, { to: line.number, text })
    await world.message(line, last)
    const { page, close } = await open(chatOf(line, jidOf(person)), { signedInAs: world.key })
    await bubble(page, 'number 120.').waitFor()
    assert.equal(await bubble(page, 'number 1.').count(), 0)
    const listed = () => textsOf(page).allTextContents()
    await scrollUp(page)
    // Older messages are mounted in steps, a frame each.
    await bubble(page, 'number 21.').waitFor()
    // The scroll position is kept when older messages load.
    assert.deepEqual(await listed(), texts.slice(20))
    const seen = () =>
      page.evaluate<string>('document.elementFromPoint(...middleOfLog()).closest("article").textContent')
    await page.evaluate(
      'window.middleOfLog = () => { const box = document.querySelector("[role=log]").getBoundingClientRect(); ' +
        'return [box.left + 40, box.top + box.height / 2] }',
    )
    const before = await seen()
    await world.world.send(person, { to: line.number, text: 'meanwhile' })
    await bubble(page, 'meanwhile').waitFor()
    // The browser corrects the position in the frame after the new message.
    await until(seen, (text) => text === before, 'the same message in the middle')
    texts.push('meanwhile')
    await scrollUp(page)
    await page.getByText('Start of the conversation.').waitFor()
    await bubble(page, 'number 1.').waitFor()
    assert.deepEqual(await listed(), texts)
    await close()
  })

  test('replies, reactions, edits and votes are shown at their message', async () => {
    const { open, world } = await dashboard()
    const { line, person } = await lineAndPerson(world)
    const { page, close } = await open(chatOf(line, jidOf(person)), { signedInAs: world.key })
    const body = { instanceName: line.name, number: person, delay: 0 }
    const question = await world.api('sendPoll', {
      body: { ...body, pollName: 'Which day?', options: ['Monday', 'Tuesday'] },
    })
    const poll = bubble(page, 'Which day?')
    await poll.getByText('Delivered').waitFor()
    await world.world.post(`/phones/${person}/vote`, { messageId: question.messageId, options: ['Tuesday'] })
    await poll.getByText('1 vote').waitFor()
    await world.world.post(`/phones/${person}/react`, { messageId: question.messageId, emoji: '👍' })
    await poll.getByText('👍').waitFor()
    const first = await world.world.send(person, {
      to: line.number,
      text: 'Tusday',
      quoted: question.messageId,
    })
    await bubble(page, 'Tusday').locator('blockquote').filter({ hasText: 'Which day?' }).waitFor()
    await world.world.post(`/phones/${person}/edit`, { messageId: first, text: 'Tuesday then' })
    await bubble(page, 'Tuesday then').getByText('edited').waitFor()
    await world.world.post(`/phones/${person}/delete`, { messageId: first })
    await page.getByText('This message was deleted.').waitFor()
    assert.equal(await bubble(page, 'Tuesday then').count(), 0)
    await world.world.send(person, {
      to: line.number,
      location: { latitude: -23.5, longitude: -46.6, name: 'Home' },
    })
    await bubble(page, 'Home').getByText('-23.5, -46.6').waitFor()
    await world.world.send(person, {
      to: line.number,
      media: { type: 'image', base64: png(4, 4).toString('base64'), caption: 'see' },
    })
    assert.equal(await widthOf(bubble(page, 'see').getByRole('img', { name: 'Picture' })), 4)
    await close()
  })

  test('a new number is checked on the network before the chat opens', async () => {
    const { open, world } = await dashboard()
    const { line, person } = await lineAndPerson(world)
    const { page, close } = await open(`/conversations?instance=${line.name}`, { signedInAs: world.key })
    await page.getByRole('button', { name: 'New chat' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Phone number').fill('12')
    await dialog.getByRole('button', { name: 'Check number' }).click()
    await dialog.getByRole('alert').filter({ hasText: '7 to 15 digits' }).waitFor()
    const unknown = randomNumber()
    await dialog.getByLabel('Phone number').fill(unknown)
    await dialog.getByRole('button', { name: 'Check number' }).click()
    await dialog.getByText(`+${unknown} is not on the network.`).waitFor()
    await dialog.getByLabel('Phone number').fill(`+${person}`)
    await dialog.getByRole('button', { name: 'Check number' }).click()
    await dialog.getByText(`+${person} is on the network.`).waitFor()
    await dialog.getByRole('button', { name: 'Open chat' }).click()
    await page.getByText('No messages yet.').waitFor()
    await page.getByRole('heading', { name: `+${person}`, exact: true }).waitFor()
    await close()
  })

  test('a queued message can be cancelled; a failed message shows the reason', async () => {
    const { open, world } = await dashboard()
    const { line, person } = await lineAndPerson(world)
    const { page, close } = await open(chatOf(line, jidOf(person)), { signedInAs: world.key })
    const write = async (text: string, delay: string) => {
      await page.getByLabel('Typing (ms)').fill(delay)
      await page.getByLabel('Message', { exact: true }).fill(text)
      await page.getByRole('button', { name: 'Send' }).click()
    }
    // The first message types for a minute; the second is queued behind it.
    await write('slowly', '60000')
    await bubble(page, 'slowly').getByText('Sending').waitFor()
    await write('not this one', '0')
    const waiting = bubble(page, 'not this one')
    await waiting.getByText('Queued').waitFor()
    await waiting.getByRole('button', { name: 'Cancel' }).click()
    await waiting.getByText('Not sent: it was cancelled').waitFor()
    await write('', '0')
    await page.getByRole('alert').filter({ hasText: 'Required.' }).waitFor()
    await write('x', '99999')
    await page.getByRole('form', { name: 'Write a message' }).getByRole('alert').waitFor()

    await page.goto(chatOf(line, jidOf(randomNumber())))
    await write('anyone there?', '0')
    await bubble(page, 'anyone there?').getByText('Not sent: this number is not on the network').waitFor()
    const other = await world.world.phone(randomNumber(), 'Carol')
    await world.world.post('/faults', { number: line.number, kind: 'reject', code: 405 })
    await page.goto(chatOf(line, jidOf(other)))
    await write('refused', '0')
    await bubble(page, 'refused').getByText('Not sent: the network rejected it (network code 405)').waitFor()
    await close()
  })

  test('a group is listed, names its senders and takes a text', async () => {
    const { open, world } = await dashboard()
    const { line, person } = await lineAndPerson(world)
    const other = await world.world.phone(randomNumber(), 'Carol')
    const { group } = (await world.world.post('/groups', {
      subject: 'Team & friends',
      members: [line.number, other],
      admin: person,
    })) as { group: { jid: string } }
    await world.world.send(person, { to: group.jid, text: 'Welcome' })
    await world.world.send(other, { to: group.jid, text: 'Thank you' })
    const { page, close } = await open('/conversations', { signedInAs: world.key })
    await page.getByRole('combobox', { name: 'Instance' }).selectOption(line.name)
    await page.getByRole('tab', { name: 'Groups' }).click()
    await page.getByRole('link', { name: /Team & friends.*3 members/ }).click()
    await bubble(page, 'Welcome').getByText('Bob').waitFor()
    await bubble(page, 'Thank you').getByText('Carol').waitFor()
    await page.getByLabel('Message', { exact: true }).fill('Hello everyone')
    await page.getByRole('button', { name: 'Send' }).click()
    await bubble(page, 'Hello everyone')
      .getByText(/Sent|Delivered/)
      .waitFor()
    for (const phone of [person, other]) await untilShown(world, phone, 'Hello everyone', group.jid)
    await close()
  })

  test('an instance links to its conversations; all instances are listed together; also in Portuguese and Spanish', async () => {
    const { open, world } = await dashboard()
    const [one, two] = [await lineAndPerson(world, 'Uma'), await lineAndPerson(world, 'Duas')]
    for (const { line, person } of [one, two]) {
      const id = await world.world.send(person, { to: line.number, text: 'Olá' })
      await world.message(line, id)
    }
    const { page, close } = await open(`/instances/${one.line.name}`, { signedInAs: world.key })
    await page.getByRole('main').getByRole('link', { name: 'Conversations' }).click()
    await page.getByRole('link', { name: /Uma/ }).waitFor()
    assert.equal(await page.getByRole('link', { name: /Duas/ }).count(), 0)
    assert.ok(page.url().endsWith(`/conversations?instance=${one.line.name}`))
    await page.getByRole('combobox', { name: 'Instance' }).selectOption('All instances')
    await page.getByRole('link', { name: /Uma/ }).waitFor()
    await page.getByRole('link', { name: /Duas/ }).click()
    await bubble(page, 'Olá').waitFor()
    await page.getByRole('searchbox').fill('uma')
    await page.getByRole('link', { name: /Duas/ }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: /Uma/ }).waitFor()
    await choosePreference(page, 'Português')
    await page.getByRole('heading', { level: 1, name: 'Conversas' }).waitFor()
    await chooseKind(page, 'Enquete', 'Tipo de mensagem')
    await choosePreference(page, 'Español')
    await page.getByRole('heading', { level: 1, name: 'Conversaciones' }).waitFor()
    await close()
  })
})

/** The network accepts a message before the phones show it. */
const untilShown = (world: SandboxWorld, phone: string, text: string, chat: string): Promise<unknown> =>
  until(
    () => world.world.messages(phone, `?chat=${chat}&limit=200`),
    (messages) => messages.some((message) => message.text === text),
    `${phone} shows ${text}`,
  )
