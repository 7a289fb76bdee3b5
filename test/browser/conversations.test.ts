import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { answers } from '../../src/contract/sandbox-world.ts'
import { randomNumber } from '../support/gateway.ts'
import { png } from '../support/sample-files.ts'
import type { SandboxWorld, Shown } from '../support/sandbox-world.ts'
import { bubble, chatOf, jidOf, lineAndPerson } from './chats.ts'
import { dashboard, skip, THEMES, widthOf } from './dashboard.ts'

/** Messages that would run as a script wherever text were taken for markup. */
const SCRIPT_STRINGS = [
  '<script>window.hit=1</script>',
  '<img src=x onerror="window.hit=1">',
  '"><svg onload=window.hit=1>',
  "'-window.hit=1-'",
  '<a href="javascript:window.hit=1">x</a>',
  '<iframe srcdoc="<script>top.hit=1">',
  '{{constructor.constructor("hit=1")()}}',
  '${window.hit=1}',
  '</title><script>hit=1</script>',
  '<style onload=hit=1>',
  '<details open ontoggle=hit=1>',
  '&lt;script&gt;hit=1&lt;/script&gt;',
]

const scrollUp = (page: Page): Promise<unknown> =>
  page.evaluate('document.querySelector(".log").scrollTop = -1_000_000')

describe('conversations', { skip }, () => {
  for (const theme of THEMES) {
    test(`what a phone writes appears by itself, and what is written here ticks until it is read (${theme})`, async () => {
      const { open, world } = await dashboard()
      const { line, person } = await lineAndPerson(world)
      const { page, look, close } = await open(`/conversations?instance=${line.name}`, {
        theme,
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
      await page.getByLabel('Typing, ms').fill('0')
      await page.getByLabel('Message', { exact: true }).fill('Yes, *come* by')
      await page.keyboard.press('Enter')
      const answer = bubble(page, 'Yes, come by')
      await answer.getByText('Delivered').waitFor()
      await world.world.post(`/phones/${person}/read`, { chat: line.number })
      await answer.getByText('Read').waitFor()
      assert.equal(await page.getByLabel('Message', { exact: true }).inputValue(), '')
      assert.equal(await page.evaluate('window.stillHere'), true)
      await look('conversation')
      await close()
    })

    test(`the forms, wide and narrow (${theme})`, async () => {
      const { open, world } = await dashboard()
      const { line, person } = await lineAndPerson(world)
      const at = chatOf(line, jidOf(person))
      const { page, look, close } = await open(at, { theme, signedInAs: world.key })
      for (const kind of ['Media', 'Buttons', 'List', 'Call to action', 'Carousel', 'Location', 'Poll']) {
        await page.getByRole('radio', { name: kind }).check()
        await page.getByRole('button', { name: 'Send' }).click()
        await page.getByRole('alert').first().waitFor()
        await look(`conversation-form-${kind.toLowerCase().replaceAll(' ', '-')}`)
      }
      await page.setViewportSize({ width: 390, height: 800 })
      await look('conversation-narrow')
      await page.getByRole('link', { name: 'All chats' }).click()
      await page.getByRole('searchbox', { name: 'Search chats' }).waitFor()
      await look('conversations-narrow')
      await close()
    })
  }

  test('who looks at a conversation has read it: the count falls, the ticks turn; who looks away has not', async () => {
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
    // The browser of a test is always in front: looking away is told to the page in its place.
    const look = (focused: boolean) =>
      page.evaluate(
        `document.hasFocus = () => ${focused}; dispatchEvent(new Event('${focused ? 'focus' : 'blur'}'))`,
      )
    await look(false)
    const second = await world.world.send(person, { to: line.number, text: 'two' })
    await bubble(page, 'two').waitFor()
    await listed.getByText('1 unread').waitFor()
    assert.equal(await unread(), 1)
    await look(true)
    await isRead(second)
    await listed.getByText('1 unread').waitFor({ state: 'detached' })
    await close()
  })

  test('script strings in names and messages are shown and never run', async () => {
    const { open, world } = await dashboard()
    const { line, person } = await lineAndPerson(world, SCRIPT_STRINGS[0])
    const { page, close } = await open(chatOf(line, jidOf(person)), { signedInAs: world.key })
    await page.getByRole('log').waitFor()
    for (const text of SCRIPT_STRINGS) await world.world.send(person, { to: line.number, text })
    for (const text of SCRIPT_STRINGS) {
      await page.locator('.bubble-text').filter({ hasText: text }).first().waitFor()
      await page.getByLabel('Message', { exact: true }).fill(text)
      assert.ok((await page.locator('.request pre').textContent())?.includes(JSON.stringify(text)))
    }
    const shown = await page.locator('.bubble-text').allTextContents()
    assert.deepEqual(shown, SCRIPT_STRINGS)
    await page.getByRole('heading', { name: SCRIPT_STRINGS[0] as string, exact: true }).waitFor()
    assert.equal(await page.evaluate('window.hit'), undefined)
    await close()
  })

  test('older messages come as one scrolls up, each once and in order', async () => {
    const { open, world } = await dashboard()
    const { line, person } = await lineAndPerson(world)
    const texts = Array.from({ length: 120 }, (_, index) => `number ${index + 1}.`)
    let last = ''
    for (const text of texts) last = await world.world.send(person, { to: line.number, text })
    await world.message(line, last)
    const { page, close } = await open(chatOf(line, jidOf(person)), { signedInAs: world.key })
    await bubble(page, 'number 120.').waitFor()
    assert.equal(await bubble(page, 'number 1.').count(), 0)
    const listed = () => page.locator('.bubble-text').allTextContents()
    await scrollUp(page)
    await bubble(page, 'number 70.').waitFor()
    // What was at the top is still in sight: nobody is carried off to the beginning.
    assert.deepEqual(await listed(), texts.slice(20))
    const seen = () =>
      page.evaluate<string>('document.elementFromPoint(...middleOfLog()).closest(".bubble").textContent')
    await page.evaluate(
      'window.middleOfLog = () => { const box = document.querySelector(".log").getBoundingClientRect(); ' +
        'return [box.left + 40, box.top + box.height / 2] }',
    )
    const before = await seen()
    await world.world.send(person, { to: line.number, text: 'meanwhile' })
    await bubble(page, 'meanwhile').waitFor()
    assert.equal(await seen(), before)
    texts.push('meanwhile')
    await scrollUp(page)
    await page.getByText('The conversation begins here.').waitFor()
    assert.deepEqual(await listed(), texts)
    await close()
  })

  test('what people do with messages is told at the message', async () => {
    const { open, world } = await dashboard()
    const { line, person } = await lineAndPerson(world)
    const { page, close } = await open(chatOf(line, jidOf(person)), { signedInAs: world.key })
    const body = { instanceName: line.name, number: person, delay: 0 }
    const asked = await world.api('sendPoll', {
      body: { ...body, pollName: 'Which day?', options: ['Monday', 'Tuesday'] },
    })
    const poll = bubble(page, 'Which day?')
    await poll.getByText('Delivered').waitFor()
    await world.world.post(`/phones/${person}/vote`, { messageId: asked.messageId, options: ['Tuesday'] })
    await poll.getByText('1 vote').waitFor()
    await world.world.post(`/phones/${person}/react`, { messageId: asked.messageId, emoji: '👍' })
    await poll.getByText('👍').waitFor()
    const first = await world.world.send(person, { to: line.number, text: 'Tusday', quoted: asked.messageId })
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
    await bubble(page, 'see')
      .getByText(/^image\//)
      .waitFor()
    assert.equal(await widthOf(page.locator('img.picture')), 4)
    await close()
  })

  test('the network is asked who a new number is before the chat is opened', async () => {
    const { open, world } = await dashboard()
    const { line, person } = await lineAndPerson(world)
    const { page, close } = await open(`/conversations?instance=${line.name}`, { signedInAs: world.key })
    await page.getByRole('button', { name: 'New chat' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Phone number').fill('12')
    await dialog.getByRole('button', { name: 'Check the number' }).click()
    await dialog.getByRole('alert').filter({ hasText: '7 to 15 digits' }).waitFor()
    const nobody = randomNumber()
    await dialog.getByLabel('Phone number').fill(nobody)
    await dialog.getByRole('button', { name: 'Check the number' }).click()
    await dialog.getByText(`Nobody on the network has the number +${nobody}.`).waitFor()
    await dialog.getByLabel('Phone number').fill(`+${person}`)
    await dialog.getByRole('button', { name: 'Check the number' }).click()
    await dialog.getByText(`+${person} is on the network.`).waitFor()
    await dialog.getByRole('button', { name: 'Open the chat' }).click()
    await page.getByText('Nothing has been written here yet.').waitFor()
    await page.getByRole('heading', { name: `+${person}`, exact: true }).waitFor()
    await close()
  })

  test('a queued message can be cancelled, and a failure says why', async () => {
    const { open, world } = await dashboard()
    const { line, person } = await lineAndPerson(world)
    const { page, close } = await open(chatOf(line, jidOf(person)), { signedInAs: world.key })
    const write = async (text: string, delay: string) => {
      await page.getByLabel('Typing, ms').fill(delay)
      await page.getByLabel('Message', { exact: true }).fill(text)
      await page.getByRole('button', { name: 'Send' }).click()
    }
    // The first one types for a minute; the second waits behind it.
    await write('slowly', '60000')
    await bubble(page, 'slowly').getByText('Sending').waitFor()
    await write('not this one', '0')
    const waiting = bubble(page, 'not this one')
    await waiting.getByText('Queued').waitFor()
    await waiting.getByRole('button', { name: 'Cancel' }).click()
    await waiting.getByText('Not sent: it was cancelled').waitFor()
    await write('', '0')
    await page.getByRole('alert').filter({ hasText: 'Fill this in.' }).waitFor()
    await write('x', '99999')
    await page.locator('.composer-foot').getByRole('alert').waitFor()

    await page.goto(chatOf(line, jidOf(randomNumber())))
    await write('anyone there?', '0')
    await bubble(page, 'anyone there?').getByText('Not sent: nobody on the network has this number').waitFor()
    const other = await world.world.phone(randomNumber(), 'Carol')
    await world.world.post('/faults', { number: line.number, kind: 'reject', code: 479 })
    await page.goto(chatOf(line, jidOf(other)))
    await write('refused', '0')
    await bubble(page, 'refused').getByText('Not sent: the network refused it (network code 479)').waitFor()
    await close()
  })

  test('a group: found among the groups, who wrote what, and a text to all', async () => {
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
    const { page, look, close } = await open('/conversations', { signedInAs: world.key })
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
    for (const phone of [person, other]) await shownText(world, phone, 'Hello everyone', group.jid)
    await look('conversation-group')
    await close()
  })

  test('an instance leads to its conversations; all instances are listed together; Portuguese and Spanish', async () => {
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
    await page.getByRole('combobox', { name: 'Language' }).selectOption('pt')
    await page.getByRole('heading', { level: 1, name: 'Conversas' }).waitFor()
    await page.getByRole('radio', { name: 'Enquete' }).check()
    await page.getByRole('combobox', { name: 'Idioma' }).selectOption('es')
    await page.getByRole('heading', { level: 1, name: 'Conversaciones' }).waitFor()
    await close()
  })
})

async function shownText(world: SandboxWorld, phone: string, text: string, chat: string): Promise<Shown> {
  const messages = await world.world.messages(phone, `?chat=${chat}&limit=200`)
  const found = messages.find((message) => message.text === text)
  assert.ok(found, `${phone} shows ${text}`)
  return found
}
