import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { randomNumber } from '../support/gateway.ts'
import { dashboard, skip } from './dashboard.ts'

describe('contacts', { skip }, () => {
  test('a contact is saved, found, edited and deleted', async () => {
    const { open, world } = await dashboard()
    const { instance } = await world.api('createInstance', { body: { instanceName: 'People' } })
    const instanceName: string = instance.apiInstanceName
    await world.api('saveContact', { body: { instanceName, phone: randomNumber(), name: 'Bruno Lima' } })
    const { page, close } = await open('/contacts', { signedInAs: world.key })
    await page.getByLabel('Instance').selectOption(instanceName)
    await page.getByText('Bruno Lima').waitFor()
    await page.getByRole('button', { name: 'New contact' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').filter({ hasText: 'Enter a name.' }).waitFor()
    await page.getByLabel('Name').fill('Ana Souza')
    await page.getByLabel('Phone number').fill('12')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').filter({ hasText: '7 to 15 digits' }).waitFor()
    await page.getByLabel('Phone number').fill(randomNumber())
    await page.getByLabel('Notes').fill('Prefers mornings')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('row', { name: 'Ana Souza' }).getByText('Prefers mornings').waitFor()
    await page.getByText('2 contacts').waitFor()

    await page.getByLabel('Search').fill('ana')
    await page.getByText('1 contact').waitFor()
    await page.getByRole('button', { name: 'Actions for Ana Souza' }).click()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Name').fill('Ana S.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('row', { name: 'Ana S.' }).waitFor()

    await page.getByRole('button', { name: 'Actions for Ana S.' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No contact matches this search').waitFor()
    const { contacts } = await world.api('listContacts', { query: { instanceName } })
    assert.deepEqual(
      contacts.map((contact: { name: string }) => contact.name),
      ['Bruno Lima'],
    )
    await world.api('deleteInstance', { query: { instanceName } })
    await close()
  })
})
