// Groups on the dashboard: creating and joining them, and everything that an admin does.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { randomNumber } from '../support/gateway.ts'
import { png } from '../support/sample-files.ts'
import { until } from '../support/sandbox-world.ts'
import { bubble, chatOf } from './chats.ts'
import { dashboard, skip } from './dashboard.ts'

interface PhoneGroup {
  jid: string
  subject: string
  description?: string
  announcement: boolean
  members: { number: string; role: string }[]
}

describe('groups', { skip }, () => {
  test('a group is created with an outcome per number; a message mentions a member; an admin changes everything', async () => {
    const { open, world } = await dashboard()
    const line = await world.pair(randomNumber())
    const bob = await world.world.phone(randomNumber(), 'Bob')
    const carol = await world.world.phone(randomNumber(), 'Carol')
    const unregistered = randomNumber()
    await world.message(line, await world.world.send(bob, { to: line.number, text: 'I am Bob' }))
    const { page, close } = await open(`/conversations?instance=${line.name}`, {
      signedInAs: world.key,
    })
    const dialog = page.getByRole('dialog')

    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('button', { name: 'New group' }).click()
    await dialog.getByLabel('Subject').fill('Launch')
    await dialog.getByLabel('Phone numbers').fill('12')
    await dialog.getByRole('button', { name: 'Create group' }).click()
    await dialog.getByRole('alert').filter({ hasText: '7 to 15 digits' }).waitFor()
    await dialog.getByLabel('Phone numbers').fill(`${bob}, ${unregistered}`)
    await dialog.getByRole('button', { name: 'Create group' }).click()
    await dialog.getByText('Not on the network').waitFor()
    await dialog.getByRole('button', { name: 'Open conversation' }).click()
    await page.getByRole('heading', { level: 2, name: 'Launch' }).waitFor()
    const jid = new URL(page.url()).searchParams.get('chat') ?? ''
    const onPhones = async () =>
      ((await world.world.ask('GET', `/groups/${jid}`)).body as unknown as { group: PhoneGroup }).group
    const role = async (number: string) =>
      (await onPhones()).members.find((member) => member.number === number)?.role

    await page.getByLabel('Message', { exact: true }).fill('Welcome')
    await page.getByRole('button', { name: 'Mention a member' }).click()
    await page.getByRole('searchbox', { name: 'Search members' }).fill('bo')
    await page.getByRole('button', { name: /^Bob/ }).click()
    assert.equal(await page.getByLabel('Message', { exact: true }).inputValue(), `Welcome @${bob} `)
    const answered = page.waitForResponse((response) => response.url().endsWith('/send-group'))
    await page.getByRole('button', { name: 'Send' }).click()
    const { messageId } = (await (await answered).json()) as { messageId: string }
    assert.equal((await world.world.shown(bob, messageId)).mentions?.length, 1)
    await bubble(page, 'Welcome @Bob').waitFor()
    await page.getByRole('button', { name: 'Mention a member' }).click()
    await page.getByRole('button', { name: 'Everyone', exact: true }).click()
    await page.getByText('Mentions everyone').waitFor()
    await page.getByLabel('Message', { exact: true }).fill('All of you')
    const toAll = page.waitForResponse((response) => response.url().endsWith('/send-group'))
    await page.getByRole('button', { name: 'Send' }).click()
    assert.deepEqual(((await toAll).request().postDataJSON() as { mentions: string[] }).mentions, ['all'])
    await bubble(page, 'All of you').getByText('@Everyone').waitFor()

    await page.getByRole('button', { name: 'Chat actions' }).click()
    await page.getByRole('button', { name: 'Group settings' }).click()
    await page.getByRole('heading', { level: 1, name: 'Launch' }).waitFor()
    const card = (title: string) =>
      page.locator('[data-card]').filter({ has: page.getByRole('heading', { name: title }) })
    const about = card('About the group')
    await about.getByLabel('Subject').fill('Launch team')
    await about.getByLabel('Description').fill('Everything about it')
    await about.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Launch team' }).waitFor()
    await about
      .locator('input[type=file]')
      .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: png(8, 8) })
    await about.getByRole('button', { name: 'Remove picture' }).click()
    await about.getByRole('button', { name: 'Remove picture' }).waitFor({ state: 'detached' })
    const rules = card('Settings')
    await rules.getByLabel('Only admins may write').check()
    await rules.getByLabel('An admin approves new members').check()
    await rules.getByLabel('Who may add members').selectOption('Only admins')
    await rules.getByLabel('Disappearing messages').selectOption('After 7 days')
    await rules.getByRole('button', { name: 'Save' }).click()
    await until(onPhones, ({ announcement }) => announcement, 'the settings')
    const { subject, description } = await onPhones()
    assert.deepEqual([subject, description], ['Launch team', 'Everything about it'])
    const { group } = await world.api('getGroup', {
      params: { groupJid: jid },
      query: { instanceName: line.name },
    })
    assert.deepEqual(
      [group.joinApproval, group.memberAdd, group.disappearingSeconds, group.profilePictureUrl],
      [true, 'admins', 604_800, null],
    )

    const members = card('Members')
    const row = (number: string) => members.getByRole('row').filter({ hasText: number })
    const change = async (number: string, action: string) => {
      await row(number)
        .getByRole('button', { name: /^Actions for/ })
        .click()
      await page.getByRole('button', { name: action, exact: true }).click()
    }
    await members.getByRole('button', { name: 'Add members' }).click()
    await dialog.getByLabel('Phone numbers').fill(`${carol}\n${unregistered}`)
    await dialog.getByRole('button', { name: 'Add members' }).click()
    await members.getByRole('list', { name: 'Outcome' }).getByText('Not on the network').waitFor()
    await row(carol).getByText('Member', { exact: true }).waitFor()
    await change(carol, 'Make admin')
    await row(carol).getByText('Admin', { exact: true }).waitFor()
    assert.equal(await role(carol), 'admin')
    await change(carol, 'Remove as admin')
    await row(carol).getByText('Member', { exact: true }).waitFor()
    await change(carol, 'Remove from group')
    await dialog.getByRole('button', { name: 'Remove from group' }).click()
    await row(carol).waitFor({ state: 'detached' })
    assert.equal(await role(carol), undefined)

    const invite = card('Invite link')
    const link = (await invite.locator('code').first().textContent()) ?? ''
    assert.match(link, /^https:\/\/chat\.whatsapp\.com\/[\w-]{22}$/)
    await world.world.post(`/phones/${carol}/join`, { code: link.split('/').at(-1) })
    await page.reload()
    await page.getByRole('button', { name: `Approve +${carol}` }).click()
    await card('Requests to join').getByText('Approved').waitFor()
    await row(carol).waitFor()
    assert.equal(await role(carol), 'member')
    await invite.getByRole('button', { name: 'Replace link' }).click()
    await dialog.getByRole('button', { name: 'Replace link' }).click()
    await dialog.waitFor({ state: 'detached' })
    await invite.locator('code').filter({ hasNotText: link }).first().waitFor()
    await invite.getByText(link).waitFor({ state: 'detached' })

    // A change on a phone appears without a reload.
    await world.world.post(`/groups/${jid}/leave`, { number: carol })
    await row(carol).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Leave group' }).click()
    await dialog.getByRole('button', { name: 'Leave group' }).click()
    await page.getByRole('heading', { level: 1, name: 'Conversations' }).waitFor()
    assert.equal(await role(line.number), undefined)
    await close()
  })

  test('a group is joined with its link; a member who is not an admin sees the settings; also in Portuguese', async () => {
    const { open, world } = await dashboard()
    const line = await world.pair(randomNumber())
    const bob = await world.world.phone(randomNumber(), 'Bob')
    const made = await world.world.post('/groups', { subject: 'Book club', members: [bob], admin: bob })
    const { jid, inviteCode } = (made as { group: { jid: string; inviteCode: string } }).group
    const { page, close } = await open('/conversations', { signedInAs: world.key })
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('button', { name: 'Join a group' }).click()
    await dialog.getByLabel('Instance').selectOption({ value: line.name })
    await dialog.getByLabel('Invite link or code').fill('AbCdEfGhIjKlMnOpQrStUv')
    await dialog.getByRole('button', { name: 'Show group' }).click()
    await dialog.getByRole('alert').filter({ hasText: 'This invite code is not valid' }).waitFor()
    await dialog.getByLabel('Invite link or code').fill(`https://chat.whatsapp.com/${inviteCode}`)
    await dialog.getByRole('button', { name: 'Show group' }).click()
    await dialog.getByText('Book club').waitFor()
    await dialog.getByRole('button', { name: 'Join', exact: true }).click()
    await page.getByRole('heading', { level: 2, name: 'Book club' }).waitFor()
    const address = `/conversations/group?instance=${line.name}&group=${encodeURIComponent(jid)}`
    // A thousand further members: the page shows a part of them, and finds the others.
    await page.route(`**/api/v1/groups/${jid.replace('@', '%40')}?*`, async (route) => {
      const response = await route.fetch()
      const json = (await response.json()) as { group: { participants: unknown[] } }
      for (let index = 0; index < 1000; index += 1) {
        const phone = String(5_511_950_000_000 + index)
        json.group.participants.push({ jid: `${phone}@s.whatsapp.net`, phone, isAdmin: false })
      }
      await route.fulfill({ response, json })
    })
    await page.goto(address)
    await page.getByText('+5511950000001').first().waitFor()
    assert.ok((await page.locator('*').count()) < 2500, 'a bounded number of elements')
    await page.getByLabel('Search members').fill('5511950000999')
    await page.getByText('+5511950000999').first().waitFor()
    await page.evaluate("localStorage.setItem('switchboard.language', 'pt')")
    await page.goto(address)
    await page.getByRole('heading', { level: 1, name: 'Book club' }).waitFor()
    await page.getByText('A instância não é administradora deste grupo').waitFor()
    assert.equal(await page.getByRole('heading', { name: 'Link de convite' }).count(), 0)
    await world.world.send(bob, { to: jid, text: 'Olá a todos' })
    await page.goto(chatOf(line, jid))
    await bubble(page, 'Olá a todos').getByRole('button', { name: 'Ações da mensagem' }).click()
    await page.getByRole('button', { name: 'Responder' }).waitFor()
    await close()
  })
})
