// Work in a team on the page of conversations: details of a chat, labels, assignment, quick replies, drafts, and the palette.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { randomNumber } from '../support/gateway.ts'
import { png } from '../support/sample-files.ts'
import { until } from '../support/sandbox-world.ts'
import { bubble, chatOf, jidOf, lineAndPerson } from './chats.ts'
import { dashboard, skip, widthOf } from './dashboard.ts'
import { addUser } from './seeded-account.ts'
import { theDialog } from './visit.ts'

describe('people', { skip }, () => {
  test('a chat gets a name, notes, a label and a user in its details, and the list shows and filters by them', async () => {
    const { open, world } = await dashboard()
    const { line, person } = await lineAndPerson(world)
    await addUser(world, world.key, 'Eva')
    await world.world.post('/groups', { subject: 'Launch team', members: [line.number], admin: person })
    await world.message(line, await world.world.send(person, { to: line.number, text: 'Hello' }))
    const { mediaId } = await world.api('uploadMedia', { upload: png(5, 5) })
    const image = { instanceName: line.name, number: person, type: 'image', mediaId, delay: 0 }
    const { messageId } = await world.api('sendMedia', { body: image })
    await world.message(line, messageId, ({ status }) => status === 'delivered')
    const { page, close } = await open(chatOf(line, jidOf(person)), { signedInAs: world.key })
    await page.getByRole('button', { name: 'Details', exact: true }).click()
    const details = theDialog(page)
    await details.getByRole('link', { name: 'Launch team' }).waitFor()
    assert.equal(await widthOf(details.getByRole('link', { name: /^Open/ }).locator('img')), 5)
    await details.getByLabel('Name', { exact: true }).fill('Robert Smith')
    await details.getByLabel('Notes').fill('Prefers mornings')
    await details.getByRole('button', { name: 'Save' }).click()
    await details.getByLabel('New label').fill('Follow up')
    await details.getByRole('button', { name: 'Add label' }).click()
    await details.getByRole('checkbox', { name: 'Follow up', checked: true }).waitFor()
    await details.getByLabel('Assigned to').selectOption('Eva')
    await details.getByRole('button', { name: 'Block' }).click()
    await page
      .getByRole('dialog', { name: 'Block Robert Smith?' })
      .getByRole('button', { name: 'Block' })
      .click()
    await details.getByRole('button', { name: 'Unblock' }).waitFor()
    await page.keyboard.press('Escape')
    await details.waitFor({ state: 'detached' })
    assert.equal(await page.evaluate('document.activeElement.getAttribute("aria-label")'), 'Details')
    const row = page.getByRole('link', { name: /Robert Smith.*Follow up/ })
    await row.waitFor()
    await page.getByLabel('Filter by user').selectOption('No one')
    await page.getByText('No chat matches.').waitFor()
    await page.getByLabel('Filter by user').selectOption('Eva')
    await page.getByLabel('Filter by label').selectOption('Follow up')
    await row.waitFor()
    const { contacts } = (await world.api('listContacts', { query: { instanceName: line.name } })) as {
      contacts: { name: string; notes: string }[]
    }
    assert.deepEqual(
      contacts.map(({ name, notes }) => [name, notes]),
      [['Robert Smith', 'Prefers mornings']],
    )
    await close()
  })

  test('a slash offers quick replies, a draft lasts over a reload, and the palette jumps by keyboard', async () => {
    const { open, world } = await dashboard()
    // The palette has the chats of twenty instances, and other tests share those of the first account.
    const account = await world.otherAccount()
    const line = await account.pair(randomNumber())
    const person = await account.world.phone(randomNumber(), 'Beatriz')
    const [shortcut, text] = ['hours', 'We are open from 9 to 18.']
    await account.api('createQuickReply', { body: { shortcut, text } })
    await account.world.send(person, { to: line.number, text: 'When?' })
    const { page, close } = await open('/contacts', { signedInAs: account.key, developer: false })
    await until(
      () => page.title(),
      (title) => title === '(1) Contacts · Switchboard',
      'the unread chat in the title',
    )
    await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor()
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: 'Jump to a chat, a page or an action' })
    await field.fill(`beatriz ${person}`)
    await theDialog(page)
      .getByRole('option', { name: /Beatriz/, selected: true })
      .waitFor()
    await field.press('Enter')
    await bubble(page, 'When?').waitFor()
    const message = page.getByLabel('Message', { exact: true })
    await message.fill(`/${shortcut}`)
    await page.getByRole('option', { name: new RegExp(shortcut), selected: true }).waitFor()
    await message.press('Enter')
    assert.equal(await message.inputValue(), text)
    await page.reload()
    await until(
      () => message.inputValue(),
      (value) => value === text,
      'the draft',
    )
    await page.keyboard.press('Control+k')
    await field.fill('webhooks')
    await field.press('Escape')
    await field.waitFor({ state: 'detached' })
    await page.goto(`/conversations?instance=${line.name}`)
    await page.getByRole('link', { name: /Beatriz.*Draft: We are open/ }).click()
    await message.press('Enter')
    await bubble(page, text).waitFor()
    assert.equal(await message.inputValue(), '')
    await close()
  })
})
