// DELETE /contacts/{id} (decisions 7)
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract, randomNumber } from '../support/gateway.ts'
import { withInstance } from './fixture.ts'

contract('DELETE /contacts/{id}', (gateway) => {
  const fixture = withInstance(gateway)
  const saved = async (address: Record<string, string> = { phone: randomNumber() }): Promise<number> => {
    const { mine, instance } = await fixture()
    const body = { instanceName: instance.name, name: 'Ana', ...address }
    return (await mine.call('saveContact', { body })).json.contact.id
  }
  const used = async () => (await (await fixture()).mine.call('accountLimits')).json.limits.contacts.used

  test('200: the contact is forgotten, its quota comes back, its chat stays', async () => {
    const { mine, instance } = await fixture()
    for (const address of [{ phone: randomNumber() }, { remoteJid: '120363000000000009@g.us' }]) {
      const before = await used()
      const id = await saved(address)
      const answer = await mine.call('deleteContact', { params: { id } })
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.json, { success: true, id })
      assert.equal(await used(), before)
      const query = { instanceName: instance.name, includeGroups: true }
      assert.equal((await mine.call('listContacts', { query })).json.total, 0)
    }
    const chats = await mine.call('listChats', { query: { instanceName: instance.name } })
    assert.deepEqual(
      chats.json.chats.map((chat: { contactId: number | null }) => chat.contactId),
      [null, null],
    )
  })

  test('200: it can be saved again, as a new contact', async () => {
    const { mine } = await fixture()
    const phone = randomNumber()
    const id = await saved({ phone })
    await mine.call('deleteContact', { params: { id } })
    assert.notEqual(await saved({ phone }), id)
  })

  test('404: of ten deletions at once one deletes, and the quota comes back once', async () => {
    const { mine } = await fixture()
    const before = await used()
    const id = await saved()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => mine.call('deleteContact', { params: { id } })),
    )
    assert.equal(answers.filter((answer) => answer.status === 200).length, 1)
    const refused = answers.filter((answer) => answer.status === 404)
    assert.equal(refused.length, 9)
    assert.ok(refused.every((answer) => answer.json.reason === 'contact_not_found'))
    assert.equal(await used(), before)
  })
})
