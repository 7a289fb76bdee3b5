import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startChatwootServer } from '../support/chatwoot-server.ts'
import { randomNumber } from '../support/gateway.ts'
import { png } from '../support/sample-files.ts'
import { dashboard, skip, untilGone, widthOf } from './dashboard.ts'
import { SCRIPT_STRINGS } from './markup-strings.ts'
import { choosePreference } from './preferences.ts'

describe('instances', { skip }, () => {
  test('an instance is created, scanned and connected without a reload', async () => {
    const { open, world } = await dashboard()
    const { page, close } = await open('/instances', { signedInAs: world.key })
    await page.getByRole('button', { name: 'New instance' }).first().click()
    await page.getByLabel('Name').fill('Support')
    await page.getByRole('button', { name: 'Create and connect' }).click()
    const image = page.getByAltText('Login code to scan with the phone')
    await image.waitFor()
    await page.getByText(/New code in \d+ s/).waitFor()
    assert.ok((await widthOf(image)) > 100)
    await page.evaluate('window.stillHere = true')
    const name = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? '')
    const number = randomNumber()
    await world.world.phone(number, 'Owner')
    await world.world.post(`/phones/${number}/scan`, { instanceName: name })
    await page.getByText(`Connected as +${number}`).waitFor()
    await image.waitFor({ state: 'detached' })
    assert.equal(await page.evaluate('window.stillHere'), true)
    await close()
  })

  test('the list shows names as text, even if they contain markup', async () => {
    const { open, world } = await dashboard()
    for (const instanceName of SCRIPT_STRINGS) await world.api('createInstance', { body: { instanceName } })
    const { page, close } = await open('/instances', { signedInAs: world.key })
    for (const text of SCRIPT_STRINGS)
      await page.getByRole('link', { name: text, exact: true }).first().waitFor()
    for (const text of SCRIPT_STRINGS) {
      await page.getByRole('link', { name: text, exact: true }).first().click()
      await page.getByRole('heading', { level: 1, name: text, exact: true }).waitFor()
      await page.getByRole('link', { name: 'All instances' }).click()
    }
    assert.equal(await page.evaluate('window.hit'), undefined)
    const { instances } = await world.api('listInstances')
    for (const { apiInstanceName, state } of instances) {
      if (state !== 'open') await world.api('deleteInstance', { query: { instanceName: apiInstanceName } })
    }
    await close()
  })

  test('activity is live: sent, received and failed messages, with the reason of the failure', async () => {
    const { open, world } = await dashboard()
    const paired = await world.pair(randomNumber())
    const friend = randomNumber()
    await world.world.phone(friend, 'Friend')
    const { page, close } = await open(`/instances/${paired.name}`, { signedInAs: world.key })
    await page.getByText('No message failed.').waitFor()
    await page.evaluate('window.stillHere = true')
    const send = (number: string) =>
      world.api('sendText', { body: { instanceName: paired.name, number, message: 'Hello', delay: 0 } })
    await send(friend)
    await world.world.post(`/phones/${friend}/send`, { to: paired.number, text: 'Hi' })
    await send(randomNumber())
    await page.getByText('this number is not on the network').waitFor()
    const count = (kind: string) =>
      page.getByRole('figure').getByRole('listitem').filter({ hasText: kind }).locator('strong')
    for (const kind of ['Sent', 'Received', 'Failed']) {
      await count(kind).filter({ hasText: /^1$/ }).waitFor()
    }
    await page.getByRole('img', { name: '3 messages in the last 24 hours, by hour' }).waitFor()
    assert.equal(await page.evaluate('window.stillHere'), true)
    await close()
  })

  test('settings and profile are changed, and a bad proxy is explained', async () => {
    const { open, world } = await dashboard()
    const paired = await world.pair(randomNumber())
    const { page, close } = await open(`/instances/${paired.name}`, { signedInAs: world.key })
    const dialog = page.getByRole('dialog')
    const actions = page.getByRole('button', { name: /^Actions for / })
    await actions.click()
    await page.getByRole('button', { name: 'Settings' }).click()
    await dialog.getByLabel('Reject incoming calls').check()
    await dialog.getByLabel(/^Message to the caller/).fill('Please write instead.')
    await dialog.getByLabel('Proxy').fill('ftp://proxy.example.com')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.locator('input:focus[aria-invalid=true]').waitFor()
    await dialog.getByLabel('Proxy').fill('')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const query = { instanceName: paired.name }
    const { settings } = await world.api('getSettings', { query })
    assert.deepEqual(
      [settings.rejectCalls, settings.rejectCallsText, settings.proxy],
      [true, 'Please write instead.', null],
    )
    await actions.click()
    await page.getByRole('button', { name: 'Profile' }).click()
    await dialog.getByLabel('Name that other people see').fill('The support team')
    await dialog.getByLabel('Last seen').selectOption('Contacts')
    const picture = { name: 'logo.png', mimeType: 'image/png', buffer: png(64, 64) }
    await dialog.getByLabel('Picture (JPEG or PNG)').setInputFiles(picture)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { profile } = await world.api('getProfile', { query })
    assert.deepEqual([profile.name, profile.privacy.lastSeen], ['The support team', 'contacts'])
    assert.notEqual(profile.profilePictureUrl, null)
    await close()
  })

  test('an instance is connected with Chatwoot, tested, given its history, changed and disconnected', async () => {
    const { open, world } = await dashboard()
    const [chatwoot, paired] = [await startChatwootServer(), await world.pair(randomNumber())]
    const friend = randomNumber()
    await world.world.phone(friend, 'Friend')
    await world.message(paired, await world.world.send(friend, { to: paired.number, text: 'Before' }))
    const { page, close } = await open(`/instances/${paired.name}`, { signedInAs: world.key })
    const dialog = page.getByRole('dialog')
    const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click()
    await page.getByRole('button', { name: 'Connect with Chatwoot' }).click()
    await press('Connect')
    await dialog.getByRole('alert').filter({ hasText: 'required' }).first().waitFor()
    await dialog.getByLabel('URL of Chatwoot').fill(chatwoot.url)
    await dialog.getByLabel('Account id').fill(String(chatwoot.accountId))
    await dialog.getByLabel('Access token').fill('not-the-token')
    await press('Connect')
    await dialog.getByText(/401/).waitFor()
    await dialog.getByLabel('Access token').fill(chatwoot.token)
    await press('Connect')
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByText('Chatwoot answers, and has the inbox.').waitFor()
    chatwoot.fault(/^GET \/inboxes/, 'fail')
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByRole('alert').filter({ hasText: '500' }).waitFor()

    await page.getByRole('button', { name: 'Hand over history' }).click()
    await press('Hand over')
    await dialog.getByText('1 message is in Chatwoot.').waitFor()
    assert.ok(chatwoot.messages.some(({ content }) => content === 'Before'))
    await press('Close')

    await page.getByRole('button', { name: 'Edit connection' }).click()
    assert.equal(await dialog.getByLabel('Access token').inputValue(), '')
    assert.ok(!(await page.content()).includes(chatwoot.token), 'the token is not shown again')
    await dialog.getByLabel('Put the name of the agent before each text').check()
    await press('Save')
    await dialog.waitFor({ state: 'detached' })
    const params = { instanceName: paired.name }
    const { bridge } = await world.api('getChatwoot', { params })
    assert.deepEqual([bridge.signAgentNames, chatwoot.inboxes.length], [true, 1])

    await page.getByRole('button', { name: 'Disconnect' }).click()
    await press('Disconnect')
    await page.getByRole('button', { name: 'Connect with Chatwoot' }).waitFor()
    assert.equal((await world.call('getChatwoot', { params })).json.reason, 'chatwoot_not_set')
    await close()
    await chatwoot.close()
  })

  test('deleting a connected instance explains why it is not possible', async () => {
    const { open, world } = await dashboard()
    const paired = await world.pair(randomNumber())
    const { page, close } = await open(`/instances/${paired.name}`, { signedInAs: world.key })
    await page.getByRole('button', { name: /^Actions for / }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('alert').filter({ hasText: 'instance_still_connected' }).waitFor()
    await dialog.getByRole('button', { name: 'Log out' }).click()
    await dialog.getByRole('alert').waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Instances', level: 1 }).waitFor()
    await untilGone(page, paired.name)
    await close()
  })

  test('a simulated phone scans the shown code at the press of a button, in each language', async () => {
    const { open, world } = await dashboard()
    const buttons = {
      English: 'Scan with a sandbox phone',
      Português: 'Ler com um telefone simulado',
      Español: 'Escanear con un teléfono simulado',
    }
    const account = await world.otherAccount()
    for (const [language, name] of Object.entries(buttons)) {
      const { instance } = await account.api('createInstance', { body: { instanceName: 'By button' } })
      const path = `/instances/${instance.apiInstanceName}`
      const { page, close } = await open(path, { signedInAs: account.key })
      await choosePreference(page, language)
      const button = page.getByRole('button', { name })
      await button.click()
      await button.waitFor({ state: 'detached' })
      await page
        .getByText(/\+55119\d{8}/)
        .first()
        .waitFor()
      await close()
    }
    const { instances } = await account.api('listInstances')
    assert.deepEqual(new Set(instances.map(({ state }: { state: string }) => state)), new Set(['open']))
    const numbers = new Set(instances.map(({ number }: { number: string }) => number))
    assert.equal(numbers.size, instances.length, 'a phone that is linked is not used again')
  })

  test('on the real network there is no such button', async () => {
    const { open, world } = await dashboard()
    const { instance } = await world.api('createInstance', { body: { instanceName: 'Real' } })
    const { page, close } = await open('/instances', { signedInAs: world.key })
    await page.route('**/session', async (route) => {
      const answer = await route.fetch()
      const json = (await answer.json()) as { signedIn: object }
      await route.fulfill({ json: { ...json, signedIn: { ...json.signedIn, network: 'whatsapp' } } })
    })
    await page.goto(`/instances/${instance.apiInstanceName}`)
    await page.getByText(/New code in \d+ s/).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Scan with a sandbox phone' }).count(), 0)
    await close()
  })

  test('an instance is connected with a pairing code', async () => {
    const { open, world } = await dashboard()
    const { instance } = await world.api('createInstance', { body: { instanceName: 'By code' } })
    const number = randomNumber()
    await world.world.phone(number, 'Owner')
    const { page, close } = await open(`/instances/${instance.apiInstanceName}`, { signedInAs: world.key })
    await page.getByText('Use a pairing code instead').click()
    await page.getByLabel('Phone number').fill('12')
    await page.getByRole('button', { name: 'Get code' }).click()
    await page.getByRole('alert').filter({ hasText: '7 to 15 digits' }).waitFor()
    await page.getByLabel('Phone number').fill(number)
    await page.getByRole('button', { name: 'Get code' }).click()
    const code = (await page.getByRole('status').locator('strong').textContent()) ?? ''
    await world.world.post(`/phones/${number}/enter-code`, { code })
    await page.getByText(`Connected as +${number}`).waitFor()
    await close()
  })
})
