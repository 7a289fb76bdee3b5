// Sandbox phones: creating, linking, groups, faults and untrusted text.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { answers } from '../../src/contract/sandbox-world.ts'
import { type PairedInstance, until } from '../support/sandbox-world.ts'
import type { Account } from './chats.ts'
import { dashboard, type OpenPage, skip } from './dashboard.ts'
import { SCRIPT_STRINGS } from './markup-strings.ts'

const OWNER = '5511972000001'
const ANA = '5511972000002'
const BEN = '5511972000003'

describe('phones', { skip }, () => {
  let world: Account
  let line: PairedInstance
  before(async () => {
    world = await (await dashboard()).world.otherAccount()
    line = await world.pair(OWNER, 'Shop')
    await world.world.phone(ANA, 'Ana')
    await world.world.phone(BEN, 'Ben')
  })

  const openPhones = async (): Promise<OpenPage> =>
    (await dashboard()).open('/phone', { signedInAs: world.key })
  const phoneOf = (page: Page, name: string): Locator => page.getByRole('region', { name: `${name}’s phone` })
  const stateOf = async (name: string): Promise<{ state: string; stateReason: string | null }> => {
    const { instances } = await world.api('listInstances')
    return instances.find(({ apiInstanceName }: { apiInstanceName: string }) => apiInstanceName === name)
  }
  const faults = async () => (await world.world.get('/faults', answers.faults)).faults
  const write = async (phone: Locator, text: string) => {
    await phone.getByRole('textbox', { name: 'Message' }).fill(text)
    await phone.getByRole('button', { name: 'Send', exact: true }).click()
  }

  test('several phones follow one conversation: typing, messages, unread counts, ticks', async () => {
    const { page, close } = await openPhones()
    const [ana, ben] = [phoneOf(page, 'Ana'), phoneOf(page, 'Ben')]
    await ana.getByRole('button', { name: 'New chat' }).click()
    await ana.getByRole('button', { name: /Ben/ }).click()
    await write(ana, 'hello Ben')
    const row = ben.getByRole('button', { name: /Ana.*hello Ben.*1 unread/ })
    await row.waitFor()
    await ana.getByRole('img', { name: 'Delivered' }).waitFor()
    await row.click()
    await ana.getByRole('img', { name: 'Read' }).waitFor()
    await ben.getByRole('textbox', { name: 'Message' }).pressSequentially('hm')
    await ana.getByText('Ben is typing…').waitFor({ state: 'attached' })
    await close()
  })

  test('a phone that does not mark chats as read leaves messages unread', async () => {
    const { page, close } = await openPhones()
    const ben = phoneOf(page, 'Ben')
    await ben.getByRole('button', { name: 'Faults' }).click()
    await ben.getByRole('switch', { name: 'Mark open chats as read' }).click()
    await ben.getByRole('button', { name: 'Chats' }).click()
    await ben.getByRole('button', { name: /Ana/ }).click()
    const id = await world.world.send(ANA, { to: BEN, text: 'unread please' })
    await ben.getByRole('log').getByText('unread please').waitFor()
    assert.equal((await world.world.shown(BEN, id)).status, 'received')
    await close()
  })

  test('a new phone is created and shown; a hidden phone can be shown again', async () => {
    const { page, close } = await openPhones()
    await page.getByRole('button', { name: 'New phone' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Number').fill('12')
    await dialog.getByRole('button', { name: 'Add phone' }).click()
    await dialog.getByRole('alert').filter({ hasText: '7 to 15 digits' }).waitFor()
    await dialog.getByLabel('Number').fill('+55 11 97200-0009')
    await dialog.getByLabel('Name').fill('Dora')
    await dialog.getByRole('button', { name: 'Add phone' }).click()
    await phoneOf(page, 'Dora').getByText('+5511972000009').waitFor()
    await page.getByRole('button', { name: 'Hide Ana’s phone' }).click()
    await phoneOf(page, 'Ana').waitFor({ state: 'detached' })
    await page.reload()
    await phoneOf(page, 'Dora').waitFor()
    assert.equal(await phoneOf(page, 'Ana').count(), 0)
    await page.getByLabel('Show another phone').selectOption(ANA)
    await phoneOf(page, 'Ana').waitFor()
    await close()
  })

  test('one click scans the QR code of a waiting instance, which then opens', async () => {
    const { instance } = await world.api('createInstance', { body: { instanceName: 'Waiting' } })
    const { page, close } = await openPhones()
    const ben = phoneOf(page, 'Ben')
    await ben.getByRole('button', { name: 'Devices' }).click()
    await ben.getByText('No linked instance.').waitFor()
    await ben.getByRole('button', { name: 'Scan the QR code of Waiting' }).click()
    await ben.getByText('online').waitFor()
    const found = await until(
      () => stateOf(instance.apiInstanceName),
      ({ state }) => state === 'open',
      'open',
    )
    assert.equal((found as unknown as { number: string }).number, BEN)
    await ben.getByText('No instance is waiting for a scan.').waitFor()
    await close()
  })

  test('a pairing code is entered; a wrong one is rejected beside the field', async () => {
    const { instance } = await world.api('createInstance', { body: { instanceName: 'By code' } })
    const query = { instanceName: instance.apiInstanceName }
    const { pairingCode } = await world.api('connectInstance', { query, body: { number: ANA } })
    const { page, close } = await openPhones()
    const ana = phoneOf(page, 'Ana')
    await ana.getByRole('button', { name: 'Devices' }).click()
    await ana.getByLabel('Pairing code').fill('AAAAAAAA')
    await ana.getByRole('button', { name: 'Enter code' }).click()
    await ana.getByRole('alert').filter({ hasText: 'The pairing code is wrong' }).waitFor()
    await ana.getByLabel('Pairing code').fill(pairingCode)
    await ana.getByRole('button', { name: 'Enter code' }).click()
    await until(
      () => stateOf(instance.apiInstanceName),
      ({ state }) => state === 'open',
      'open',
    )
    await close()
  })

  test('groups are created on one phone, and joined and left on another', async () => {
    await world.world.phone('5511972000004', 'Carla')
    const { page, close } = await openPhones()
    await page.getByLabel('Show another phone').selectOption('5511972000004')
    const [ana, ben, carla] = ['Ana', 'Ben', 'Carla'].map((name) => phoneOf(page, name)) as [
      Locator,
      Locator,
      Locator,
    ]
    await ana.getByRole('button', { name: 'New chat' }).click()
    await ana.getByText('New group').click()
    await ana.getByLabel('Group name').fill('Book club')
    await ana.getByRole('checkbox', { name: 'Ben' }).check()
    await ana.getByRole('button', { name: 'Create group' }).click()
    await ana.getByRole('button', { name: '2 members' }).waitFor()
    await write(ana, 'welcome all')
    await ben.getByRole('button', { name: /Book club.*Ana: welcome all/ }).click()
    await ben.getByRole('log').getByText('Ana', { exact: true }).waitFor()
    await carla.getByRole('button', { name: 'New chat' }).click()
    await carla.getByRole('button', { name: 'Join Book club' }).click()
    await write(carla, 'I came too')
    await ana.getByRole('log').getByText('I came too').waitFor()
    await ana.getByRole('button', { name: '3 members' }).click()
    const member = ana
      .getByRole('dialog', { name: 'Book club' })
      .getByRole('listitem')
      .filter({ hasText: 'Carla' })
    await member.waitFor()
    await carla.getByRole('button', { name: '3 members' }).click()
    await carla.getByRole('button', { name: 'Leave group' }).click()
    await member.waitFor({ state: 'detached' })
    await close()
  })

  test('faults: each switch starts and ends its fault and shows its state', async () => {
    const { page, close } = await openPhones()
    const shop = phoneOf(page, 'Shop')
    await shop.getByRole('button', { name: 'Faults' }).click()
    const names = {
      offline: 'Phone off',
      restrict: 'Account restricted',
      reject: 'Messages rejected',
      refuse: 'Logins rejected',
      silent: 'Dead connection',
    }
    for (const [kind, name] of Object.entries(names)) {
      const control = shop.getByRole('switch', { name })
      await control.click()
      await until(faults, (all) => all.some((fault) => fault.number === OWNER && fault.kind === kind), kind)
      await control.and(page.locator(':checked')).waitFor()
      await control.click()
      await control.and(page.locator(':not(:checked)')).waitFor()
      await until(faults, (all) => !all.some((fault) => fault.kind === kind), `${kind} ended`)
    }
    await close()
  })

  test('faults work: a phone that is off gets its messages later; unlinking logs the instance out', async () => {
    const { page, close } = await openPhones()
    const ben = phoneOf(page, 'Ben')
    await ben.getByRole('button', { name: 'Faults' }).click()
    await ben.getByRole('switch', { name: 'Phone off' }).click()
    await until(faults, (all) => all.length === 1, 'off')
    const body = { instanceName: line.name, number: BEN, message: 'while away', delay: 0 }
    const { messageId } = await world.api('sendText', { body })
    const status = async () =>
      (await world.api('getMessage', { params: { messageId } })).message.status as string
    // The instance that is linked with the phone may confirm the message, which does not depend on the phone.
    await until(status, (seen) => seen === 'sent' || seen === 'delivered', 'sent')
    const onPhone = async () => (await world.world.messages(BEN)).some(({ id }) => id === messageId)
    assert.equal(await onPhone(), false, 'a phone that is off gets nothing')
    await ben.getByRole('switch', { name: 'Phone off' }).click()
    await until(onPhone, (isThere) => isThere, 'the phone has the message')
    await until(status, (seen) => seen === 'delivered', 'delivered')
    const { apiInstanceName } = (await world.api('listInstances')).instances.find(
      (instance: { number: string }) => instance.number === BEN,
    )
    await ben.getByRole('button', { name: 'Unlink', exact: true }).click()
    await until(
      () => stateOf(apiInstanceName),
      ({ state, stateReason }) => state === 'close' && stateReason === 'logged_out',
      'logged out',
    )
    await ben.getByText('Requires a linked instance.').waitFor()
    await close()
  })

  test('names, messages and replies are shown as text', async () => {
    const number = '5511972000021'
    await world.world.phone(number, SCRIPT_STRINGS[0] ?? '')
    for (const text of SCRIPT_STRINGS) await world.world.send(number, { to: ANA, text })
    const { group } = answers.group.parse(
      await world.world.post('/groups', { subject: SCRIPT_STRINGS[1], members: [number], admin: ANA }),
    )
    await world.world.send(number, { to: group.jid, contact: { name: SCRIPT_STRINGS[2], number: OWNER } })
    await world.world.send(number, {
      to: group.jid,
      poll: { name: SCRIPT_STRINGS[3], options: SCRIPT_STRINGS.slice(4, 7) },
    })
    const { page, close } = await openPhones()
    const ana = phoneOf(page, 'Ana')
    await ana
      .getByRole('button', { name: /<script>window\.hit/ })
      .first()
      .waitFor()
    await ana
      .getByRole('button', { name: /&lt;script&gt;/ })
      .first()
      .click()
    for (const text of SCRIPT_STRINGS) await ana.getByRole('log').getByText(text, { exact: true }).waitFor()
    await ana.getByRole('button', { name: 'Back' }).click()
    await ana
      .getByRole('button', { name: /onerror/ })
      .first()
      .click()
    for (const text of SCRIPT_STRINGS.slice(2, 7))
      await ana.getByText(text, { exact: true }).first().waitFor()
    await phoneOf(page, 'Shop').getByRole('button', { name: 'Devices' }).click()
    await phoneOf(page, 'Ben').getByRole('button', { name: 'Faults' }).click()
    await page.setViewportSize({ width: 390, height: 800 })
    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
    assert.equal(await page.evaluate('window.hit'), undefined)
    await close()
  })
})
