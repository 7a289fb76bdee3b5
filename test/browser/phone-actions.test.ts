// What a person can do on a sandbox phone beside writing: on messages, chats and groups, status posts, calls and the profile.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { answers } from '../../src/contract/sandbox-world.ts'
import type { Answer } from '../support/gateway.ts'
import { png } from '../support/sample-files.ts'
import { type PairedInstance, until } from '../support/sandbox-world.ts'
import type { Account } from './chats.ts'
import { dashboard, type OpenPage, skip, untilFocused, widthOf } from './dashboard.ts'
import { choosePreference } from './preferences.ts'

const OWNER = '5511973000001'
const ANA = '5511973000002'
const BEN = '5511973000003'
const PICTURE = { name: 'a.png', mimeType: 'image/png', buffer: png(24, 24) }

describe('actions on a phone', { skip }, () => {
  let world: Account
  let line: PairedInstance
  let open: OpenPage
  let ana: Locator
  let ben: Locator
  let shop: Locator
  before(async () => {
    const shared = await dashboard()
    world = await shared.world.otherAccount()
    line = await world.pair(OWNER, 'Shop')
    await world.world.phone(ANA, 'Ana')
    await world.world.phone(BEN, 'Ben')
    await world.world.send(ANA, { to: OWNER, text: 'first words' })
    await received('text', (content) => content.text === 'first words')
    open = await shared.open('/phone', { signedInAs: world.key })
    const phoneOf = (name: string) => open.page.getByRole('region', { name: `${name}’s phone` })
    ana = phoneOf('Ana')
    ben = phoneOf('Ben')
    shop = phoneOf('Shop')
  })
  after(async () => {
    await open?.close()
  })

  const messagesOf = async (): Promise<Answer['json'][]> =>
    (await world.api('listMessages', { query: { instanceName: line.name, limit: 100 } })).messages
  /** The first matching message of that type that the gateway received. */
  const received = (type: string, fits: (content: Answer['json']) => boolean): Promise<Answer['json']> =>
    until(
      async () => (await messagesOf()).find((each) => each.type === type && fits(each.content)),
      (found) => found !== undefined,
      type,
    )
  const chatOf = async (number: string, chat: string) =>
    (await world.world.get(`/phones/${number}/chats`, answers.chats)).chats.find((each) => each.chat === chat)
  const tab = (phone: Locator, name: string) =>
    phone.getByRole('navigation').getByRole('button', { name }).click()
  const write = async (phone: Locator, text: string) => {
    await phone.getByRole('textbox', { name: 'Message' }).fill(text)
    await phone.getByRole('button', { name: 'Send', exact: true }).click()
    return phone.getByRole('log').locator('[data-author=mine]', { hasText: text })
  }
  const choose = async (bubble: Locator, action: string) => {
    await bubble.getByRole('button', { name: 'React or reply' }).click()
    await bubble.getByRole('button', { name: action, exact: true }).click()
  }

  test('messages: stickers, view-once media, events; forwarded, pinned, starred and deleted on the phone only', async () => {
    await ana.getByRole('button', { name: /Shop/ }).click()
    const sheet = ana.getByRole('dialog', { name: 'Attach' })
    const attach = async (kind: string) => {
      await ana.getByRole('button', { name: 'Attach' }).click()
      await sheet.getByRole('tab', { name: kind }).click()
    }
    await attach('File')
    await sheet.getByLabel('Choose a file').setInputFiles(PICTURE)
    await sheet.getByLabel('Send as').selectOption('sticker')
    await sheet.getByRole('button', { name: 'Send file' }).click()
    await received('sticker', () => true)
    await attach('File')
    await sheet.getByLabel('Choose a file').setInputFiles(PICTURE)
    await sheet.getByLabel('Caption').fill('only once')
    await sheet.getByRole('checkbox', { name: 'View once' }).check()
    await sheet.getByRole('button', { name: 'Send file' }).click()
    await shop.getByRole('button', { name: /Ana/ }).click()
    await shop.getByRole('button', { name: 'Open view-once media' }).click()
    await widthOf(shop.getByRole('img', { name: 'only once' }))
    await attach('Event')
    await sheet.getByLabel('Name of the event').fill('Street party')
    await sheet.getByLabel('Starts').fill('2031-05-01T18:00')
    await sheet.getByLabel('Place name').fill('Main street')
    await sheet.getByRole('button', { name: 'Send event' }).click()
    const event = ana.getByRole('log').locator('[data-author=mine]', { hasText: 'Main street' })
    await event
      .getByRole('img', { name: 'Delivered' })
      .or(event.getByRole('img', { name: 'Read' }))
      .waitFor()
    await shop.getByRole('log').getByText('Street party').waitFor()

    const mine = await write(ana, 'keep this')
    const { messageId } = await received('text', (content) => content.text === 'keep this')
    await choose(mine, 'Pin')
    await ana.getByRole('dialog', { name: 'Pin for' }).getByRole('button', { name: '7 days' }).click()
    await received('pin', (content) => content.targetMessageId === messageId)
    await ana.getByRole('button', { name: /Pinned message.*keep this/ }).click()
    await shop.getByRole('button', { name: /Pinned message.*keep this/ }).waitFor()
    await choose(mine, 'Star')
    await mine.getByRole('img', { name: 'Starred' }).waitFor()
    const body = { instanceName: line.name, number: ANA, message: 'pass it on', delay: 0 }
    await world.api('sendText', { body })
    await choose(ana.getByRole('log').locator('[data-author=theirs]', { hasText: 'pass it on' }), 'Forward')
    await ana.getByRole('dialog', { name: 'Forward to' }).getByRole('button', { name: 'Ben' }).click()
    await ben.getByRole('button', { name: /Ana.*pass it on/ }).click()
    await ben.getByRole('log').getByText('Forwarded').waitFor()
    await choose(mine, 'Unpin')
    await ana.getByRole('button', { name: /Pinned message/ }).waitFor({ state: 'detached' })
    await choose(event, 'Delete for me')
    await ana.getByText('Main street').waitFor({ state: 'detached' })
    await shop.getByRole('log').getByText('Main street').waitFor()
  })

  test('a chat: pinned, muted, archived, given a timer, saved, cleared and deleted; a person blocked', async () => {
    const { page } = open
    const info = ana.getByRole('dialog', { name: 'Chat info' })
    await ana.getByRole('button', { name: 'Chat info' }).click()
    await info.getByRole('switch', { name: 'Keep at the top' }).click()
    await info.getByLabel('Mute').selectOption('always')
    await info.getByLabel('Disappearing messages').selectOption('7 days')
    await until(
      () => chatOf(ANA, OWNER),
      (chat) => chat?.pinned === true && chat.mutedUntil !== null && chat.disappearingSeconds === 604_800,
      'the settings of the chat',
    )
    await info.getByLabel('Name in the address book').fill('My shop')
    await info.getByRole('button', { name: 'Save contact' }).click()
    await info.getByText('My shop', { exact: true }).waitFor()
    await info.getByRole('button', { name: 'Block' }).click()
    await info.getByRole('button', { name: 'Unblock' }).click()
    await info.getByRole('button', { name: 'Block' }).waitFor()
    await info.getByRole('switch', { name: 'Archive' }).click()
    await info.getByRole('switch', { name: 'Archive' }).and(page.locator(':checked')).waitFor()
    // Escape closes the sheet and restores the focus.
    await page.keyboard.press('Escape')
    await info.waitFor({ state: 'detached' })
    await untilFocused(page, 'Chat info')
    await ana.getByText('Messages disappear after 7 days.').waitFor()
    await ana.getByRole('button', { name: 'Back' }).click()
    await ana.getByText('Archived (1)').click()
    const row = ana.getByRole('button', { name: /My shop/ })
    for (const sign of ['Disappearing messages', 'Muted', 'Keep at the top'])
      await row.getByRole('img', { name: sign }).waitFor()
    await row.click()
    await ana.getByRole('button', { name: 'Chat info' }).click()
    await info.getByRole('button', { name: 'Clear messages' }).click()
    await ana.getByRole('log').getByText('first words').waitFor({ state: 'detached' })
    await ana.getByRole('log').getByText('keep this').waitFor()
    await ana.getByRole('button', { name: 'Chat info' }).click()
    await info.getByRole('button', { name: 'Mark as unread' }).click()
    await ana.getByText('Archived (1)').click()
    await ana.getByText('Marked as unread').waitFor({ state: 'attached' })
    await row.click()
    await ana.getByRole('button', { name: 'Chat info' }).click()
    await info.getByRole('button', { name: 'Delete chat' }).click()
    await row.waitFor({ state: 'detached' })
  })

  test('a group: settings, members, requests, the invite link, and a deletion by an admin', async () => {
    const { group } = answers.group.parse(
      await world.world.post('/groups', { subject: 'Hikers', members: [BEN], admin: ANA }),
    )
    const shown = async () => (await world.world.get(`/groups/${group.jid}`, answers.group)).group
    await tab(ben, 'Chats')
    await ana.getByRole('button', { name: /Hikers/ }).click()
    await ben.getByRole('button', { name: /Hikers/ }).click()
    await write(ben, 'a rude word')
    const rude = ana.getByRole('log').locator('[data-author=theirs]', { hasText: 'a rude word' })
    await choose(rude, 'Delete for everyone')
    await ben.getByText('This message was deleted').waitFor()

    await ana.getByRole('button', { name: '2 members' }).click()
    const sheet = ana.getByRole('dialog', { name: 'Hikers' })
    await sheet.getByRole('tab', { name: 'Info' }).click()
    await sheet.getByLabel('Description').fill('Every Sunday')
    await sheet.getByRole('button', { name: 'Save' }).click()
    await sheet.getByLabel('Picture').setInputFiles(PICTURE)
    await until(
      shown,
      ({ description, pictureId }) => description === 'Every Sunday' && pictureId !== null,
      'info',
    )
    await widthOf(sheet.locator('img'))
    await sheet.getByRole('tab', { name: 'Settings' }).click()
    for (const name of ['Announcements', 'Locked', 'Join approval']) {
      await sheet.getByRole('switch', { name }).click()
      await sheet.getByRole('switch', { name }).and(open.page.locator(':checked')).waitFor()
    }
    await ben.getByText('Only admins can send messages.').waitFor()
    const before = (await shown()).inviteCode
    await sheet.getByRole('button', { name: 'Replace link' }).click()
    const { inviteCode } = await until(shown, (now) => now.inviteCode !== before, 'a new link')
    await shop.getByRole('button', { name: 'Back' }).click()
    await shop.getByRole('button', { name: 'New chat' }).click()
    await shop.getByText('Join with an invite link').click()
    await shop.getByLabel('Invite link or code').fill(`https://chat.whatsapp.com/${inviteCode}`)
    await shop.getByRole('button', { name: 'Join', exact: true }).click()
    await sheet.getByRole('button', { name: 'Approve Shop' }).waitFor()
    await sheet.getByRole('button', { name: 'Approve Shop' }).click()
    await sheet.getByText('No requests.').waitFor()
    await sheet.getByRole('tab', { name: 'Members' }).click()
    await sheet.getByRole('button', { name: 'Actions for Ben' }).click()
    await open.page.getByRole('button', { name: 'Make admin' }).click()
    await until(
      shown,
      ({ members }) => members.some(({ number, role }) => number === BEN && role === 'admin'),
      'Ben is admin',
    )
    await ben.getByRole('textbox', { name: 'Message' }).waitFor()
    await sheet.getByRole('button', { name: 'Actions for Shop' }).click()
    await open.page.getByRole('button', { name: 'Remove from group' }).last().click()
    await sheet.getByLabel('Add a member').selectOption(OWNER)
    await sheet.getByRole('button', { name: 'Invite' }).click()
    await tab(shop, 'Chats')
    await shop.getByRole('button', { name: /Ana/ }).click()
    await shop.getByRole('button', { name: 'Join Hikers' }).click()
    await until(shown, ({ members }) => members.some(({ number }) => number === OWNER), 'Shop joined again')
    await open.page.keyboard.press('Escape')
  })

  test('a status post is seen by others, and its author sees that', async () => {
    await tab(ana, 'Status')
    await ana.getByRole('button', { name: 'New status' }).click()
    const sheet = ana.getByRole('dialog', { name: 'New status' })
    await sheet.getByRole('textbox', { name: 'Text' }).fill('On the beach')
    await sheet.getByLabel('Background').fill('#ffee88')
    await sheet.getByRole('button', { name: 'Post' }).click()
    await tab(ben, 'Status')
    await ben.getByRole('button', { name: /Ana.*On the beach.*new/ }).click()
    await ben.getByRole('dialog', { name: 'Status of Ana' }).getByText('On the beach').waitFor()
    await ana
      .getByRole('button', { name: /My status/ })
      .getByRole('img', { name: 'Read' })
      .waitFor()
    await ben.getByRole('button', { name: 'Close' }).click()
  })

  test('calls ring, and are rejected by the instance, answered and ended', async () => {
    await tab(ana, 'Calls')
    await ana.getByLabel('New call').selectOption(OWNER)
    await ana.getByRole('button', { name: 'Voice call' }).click()
    await shop.getByRole('status').getByText('Ana is calling').waitFor()
    const [call] = (await world.world.get(`/phones/${ANA}/calls`, answers.calls)).calls
    assert.ok(call)
    const gateway = (await dashboard()).world
    const input = { key: world.key, params: { callId: call.id }, query: { instanceName: line.name } }
    await until(
      async () => (await gateway.call('rejectCall', input)).status,
      (status) => status === 200,
      'the instance knows the call',
    )
    await ana.getByText('Outgoing, rejected').waitFor()
    await shop.getByRole('status').waitFor({ state: 'detached' })
    await ana.getByLabel('New call').selectOption(BEN)
    await ana.getByRole('button', { name: 'Video call' }).click()
    await ben.getByRole('button', { name: 'Answer' }).click()
    await ana.getByText('In a call with Ben').waitFor()
    await ben.getByRole('button', { name: 'Hang up' }).click()
    await ana.getByText('Outgoing, ended').waitFor()
  })

  test('the profile: name, about text, picture, presence and privacy; every screen in three languages', async () => {
    const { page } = open
    await ana.getByRole('button', { name: 'Profile' }).click()
    await ana.getByRole('textbox', { name: 'Name' }).fill('Ana Maria')
    await ana.getByLabel('About', { exact: true }).fill('At work')
    await ana.getByRole('button', { name: 'Save' }).click()
    const phone = page.getByRole('region', { name: 'Ana Maria’s phone' })
    await phone.getByLabel('Picture', { exact: true }).setInputFiles(PICTURE)
    await widthOf(phone.locator('img'))
    await phone.getByRole('switch', { name: 'App open' }).click()
    await phone.getByRole('img', { name: 'App closed' }).waitFor()
    await phone.getByLabel('Who can add me to groups').selectOption('Contacts')
    const found = await until(
      async () => (await world.world.get(`/phones/${ANA}`, answers.phone)).phone,
      ({ privacy }) => privacy['groupadd'] === 'contacts',
      'privacy',
    )
    assert.deepEqual([found.name, found.about, found.available], ['Ana Maria', 'At work', false])
    await page.setViewportSize({ width: 360, height: 780 })
    for (const language of ['Español', 'Português', 'English']) {
      await page.getByRole('button', { name: /^Men[uú]$/ }).click()
      await choosePreference(page, language)
      // Closes the choices and the menu.
      await page.keyboard.press('Escape')
      // The first navigation is that of the dashboard.
      const screens = page.getByRole('navigation').nth(1).getByRole('button')
      for (const screen of await screens.all()) {
        await screen.click()
        assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
      }
    }
  })
})
