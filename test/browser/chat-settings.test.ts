// What the owner does with chats and messages on the conversations page: on the phone of the instance and in the API.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { answers } from '../../src/contract/sandbox-world.ts'
import { randomNumber } from '../support/gateway.ts'
import { type PairedInstance, type SandboxWorld, until } from '../support/sandbox-world.ts'
import { bubble, chatOf, jidOf, lineAndPerson } from './chats.ts'
import { dashboard, skip, untilFocused } from './dashboard.ts'

const chooseChat = async (page: Page, action: string) => {
  await page.getByRole('button', { name: 'Chat actions' }).click()
  await page.getByRole('button', { name: action, exact: true }).click()
}
const listed = (page: Page, name: RegExp) =>
  page.getByRole('complementary', { name: 'Chats' }).getByRole('link', { name })
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click()

/** The chat as the phone of the instance shows it, once it fits. */
const onPhone = (
  world: SandboxWorld,
  line: PairedInstance,
  person: string,
  fits: (chat: (typeof answers)['chats']['_output']['chats'][number]) => boolean,
) =>
  until(
    async () =>
      (await world.world.get(`/phones/${line.number}/chats`, answers.chats)).chats.find(
        ({ chat }) => chat === person,
      ),
    (chat) => chat !== undefined && fits(chat),
    `the chat with ${person} on the phone`,
  )

/** A person whose message the instance and its phone have. */
async function writer(world: SandboxWorld, line: PairedInstance, name: string, text: string) {
  const person = await world.world.phone(randomNumber(), name)
  const id = await world.world.send(person, { to: line.number, text })
  await world.message(line, id)
  await world.world.shown(line.number, id)
  return { person, id }
}

describe('chats and what the owner does with them', { skip }, () => {
  test('archive, mute, pin and marks change the phone and the list, and follow the phone', async () => {
    const { open, world } = await dashboard()
    const { line } = await lineAndPerson(world)
    const bob = await writer(world, line, 'Bob', 'first')
    await writer(world, line, 'Carol', 'second')
    const { page, close } = await open(chatOf(line, jidOf(bob.person)), { signedInAs: world.key })
    const titles = () => listed(page, /Bob|Carol/).allTextContents()
    await listed(page, /Carol/).waitFor()
    assert.match((await titles())[0] ?? '', /Carol/, 'the latest chat is first')

    await chooseChat(page, 'Pin chat')
    await onPhone(world, line, bob.person, ({ pinned }) => pinned)
    await listed(page, /Bob.*Pinned/).waitFor()
    await until(titles, ([first]) => /Bob/.test(first ?? ''), 'a pinned chat is first')

    const header = page.getByRole('region', { name: 'Messages' }).locator('header')
    await chooseChat(page, 'Mute')
    await page.getByLabel('For how long').selectOption('1 week')
    await page.getByRole('dialog').getByRole('button', { name: 'Mute' }).click()
    await header.getByText('Muted until').waitFor()
    const muted = await onPhone(world, line, bob.person, ({ mutedUntil }) => mutedUntil !== null)
    const left = (muted?.mutedUntil ?? 0) - Date.now()
    assert.ok(left > 6 * 86_400_000 && left <= 7 * 86_400_000)
    await listed(page, /Bob.*Muted/).waitFor()
    await page.getByRole('button', { name: 'Chat actions' }).click()
    await page.getByRole('button', { name: 'Unmute', exact: true }).click()
    await onPhone(world, line, bob.person, ({ mutedUntil }) => mutedUntil === null)
    await header.getByText('Muted until').waitFor({ state: 'detached' })
    // By keyboard: the focus returns to the button of the menu.
    await page.getByRole('button', { name: 'Chat actions' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Mute', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('For how long').selectOption('Always')
    await page.getByRole('dialog').getByRole('button', { name: 'Mute' }).click()
    await header.getByText('Muted', { exact: false }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await untilFocused(page, 'Chat actions')
    assert.equal((await world.chat(line, jidOf(bob.person))).mutedUntil, '9999-12-31T00:00:00.000Z')

    await chooseChat(page, 'Archive chat')
    await onPhone(world, line, bob.person, ({ archived }) => archived)
    await listed(page, /Bob/).waitFor({ state: 'detached' })
    await tab(page, 'Archived')
    await listed(page, /Bob/).waitFor()
    assert.equal(await listed(page, /Carol/).count(), 0)
    await tab(page, 'Chats')
    await page.getByRole('searchbox', { name: 'Search chats and messages' }).fill('bob')
    await listed(page, /Bob.*Archived/).waitFor()
    await page.getByRole('searchbox', { name: 'Search chats and messages' }).fill('')
    await listed(page, /Bob/).waitFor({ state: 'detached' })
    await chooseChat(page, 'Move out of the archive')
    await onPhone(world, line, bob.person, ({ archived }) => !archived)
    await listed(page, /Bob/).waitFor()
    await chooseChat(page, 'Unpin chat')
    await onPhone(world, line, bob.person, ({ pinned }) => !pinned)

    await chooseChat(page, 'Mark as unread')
    await page.getByText('Choose a chat').waitFor()
    await listed(page, /Bob.*Marked as unread/).waitFor()
    await onPhone(world, line, bob.person, ({ markedUnread }) => markedUnread)
    await listed(page, /Bob/).click()
    await onPhone(world, line, bob.person, ({ markedUnread }) => !markedUnread)
    await listed(page, /Marked as unread/).waitFor({ state: 'detached' })

    // What the owner does on the phone appears without a reload.
    const change = await world.world.ask('PATCH', `/phones/${line.number}/chats`, {
      chat: bob.person,
      pinned: true,
      mutedUntil: null,
      unread: true,
    })
    assert.equal(change.status, 200)
    await listed(page, /Bob.*Pinned.*Marked as unread/).waitFor()
    await page.setViewportSize({ width: 390, height: 800 })
    await page.getByRole('button', { name: 'Chat actions' }).click()
    await page.getByRole('button', { name: 'Mark as read', exact: true }).click()
    await onPhone(world, line, bob.person, ({ markedUnread }) => !markedUnread)
    await page.getByRole('link', { name: 'All chats' }).click()
    await close()
  })

  test('the timer of disappearing messages reaches the other side, and is shown in the conversation', async () => {
    const { open, world } = await dashboard()
    const { line } = await lineAndPerson(world)
    const { person } = await writer(world, line, 'Bob', 'hello')
    const { page, close } = await open(chatOf(line, jidOf(person)), { signedInAs: world.key })
    await chooseChat(page, 'Disappearing messages')
    await page.getByLabel('Messages disappear after').selectOption('7 days')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await bubble(page, 'New messages disappear after 7 days.').waitFor()
    await page
      .getByRole('region', { name: 'Messages' })
      .locator('header')
      .getByText('Messages disappear after 7 days')
      .waitFor()
    const set = (seconds: number) =>
      until(
        () => world.chat(line, jidOf(person)),
        (chat) => chat.disappearingSeconds === seconds,
        'the timer',
      )
    await set(604_800)
    await until(
      async () => (await world.world.messages(person)).map((message) => message.seconds),
      (seconds) => seconds.includes(604_800),
      'the timer on the phone of the person',
    )
    await chooseChat(page, 'Disappearing messages')
    const save = page.getByRole('dialog').getByRole('button', { name: 'Save' })
    assert.equal(await save.isDisabled(), true, 'nothing is changed yet')
    await page.getByLabel('Messages disappear after').selectOption('Never')
    await save.click()
    await bubble(page, 'New messages no longer disappear.').waitFor()
    await set(0)
    await close()
  })

  test('a chat is cleared after a confirmation, here and on the phone', async () => {
    const { open, world } = await dashboard()
    const { line } = await lineAndPerson(world)
    const { person } = await writer(world, line, 'Bob', 'the secret')
    const { page, close } = await open(chatOf(line, jidOf(person)), { signedInAs: world.key })
    await bubble(page, 'the secret').waitFor()
    await page.getByLabel('Message', { exact: true }).fill('a draft')
    await chooseChat(page, 'Clear chat')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await bubble(page, 'the secret').waitFor()
    await chooseChat(page, 'Clear chat')
    await page.getByRole('dialog').getByRole('button', { name: 'Clear chat' }).click()
    await bubble(page, 'the secret').waitFor({ state: 'detached' })
    assert.equal(await page.getByLabel('Message', { exact: true }).inputValue(), 'a draft')
    await until(
      () => world.world.messages(line.number, `?chat=${person}`),
      (messages) => messages.length === 0,
      'no messages on the phone',
    )
    const query = { instanceName: line.name, chat: jidOf(person) }
    assert.deepEqual((await world.api('listMessages', { query })).messages, [])

    // The owner clears the chat on the phone.
    const later = await world.world.send(person, { to: line.number, text: 'another one' })
    await bubble(page, 'another one').waitFor()
    await world.world.shown(line.number, later)
    await world.world.post(`/phones/${line.number}/clear-chat`, { chat: person })
    await bubble(page, 'another one').waitFor({ state: 'detached' })
    await close()
  })

  test('a message is starred and the star removed, on the phone too', async () => {
    const { open, world } = await dashboard()
    const { line } = await lineAndPerson(world)
    const { person, id } = await writer(world, line, 'Bob', 'remember this')
    const { page, close } = await open(chatOf(line, jidOf(person)), { signedInAs: world.key })
    const message = bubble(page, 'remember this')
    const choose = async (action: string) => {
      await message.getByRole('button', { name: 'Message actions' }).click()
      await page.getByRole('button', { name: action, exact: true }).click()
    }
    const isStarred = (expected: boolean) =>
      until(
        async () => (await world.world.shown(line.number, id)).starred === true,
        (starred) => starred === expected,
        `the star on the phone: ${expected}`,
      )
    await choose('Star')
    await message.getByText('Starred').waitFor()
    await isStarred(true)
    await page.reload()
    await message.getByText('Starred').waitFor()
    await choose('Remove star')
    await message.getByText('Starred').waitFor({ state: 'detached' })
    await isStarred(false)
    assert.equal((await world.message(line, id)).starred, false)
    await close()
  })
})
