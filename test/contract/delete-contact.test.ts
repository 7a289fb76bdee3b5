// DELETE /contacts/{id}
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eachOf } from '../support/each-of.ts'
import { contractOnEachEngine, randomNumber } from '../support/gateway.ts'
import { withInstance } from './fixture.ts'

contractOnEachEngine('DELETE /contacts/{id}', (gateway) => {
  const fixture = withInstance(gateway)
  const saved = async (address: Record<string, string> = { phone: randomNumber() }): Promise<number> => {
    const { mine, instance } = await fixture()
    const body = { instanceName: instance.name, name: 'Ana', ...address }
    return (await mine.call('saveContact', { body })).json.contact.id
  }
  const used = async () => (await (await fixture()).mine.call('accountLimits')).json.limits.contacts.used

  test('200 deletes the contact, frees its quota and keeps its chat', async () => {
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

  test('200 allows saving it again as a new contact', async () => {
    const { mine } = await fixture()
    const phone = randomNumber()
    const id = await saved({ phone })
    await mine.call('deleteContact', { params: { id } })
    assert.notEqual(await saved({ phone }), id)
  })

  test('200 deletes 48 contacts with 8 clients while others update and save them', async () => {
    const { mine, instance } = await fixture()
    const phones = Array.from({ length: 48 }, randomNumber)
    const contacts: { phone: string; id: number }[] = []
    // A slow database answers 48 requests at once with 503.
    await eachOf(phones, 8, async (phone) => void contacts.push({ phone, id: await saved({ phone }) }))
    const statuses = new Set<number>()
    const note = async (answer: Promise<{ status: number }>) => void statuses.add((await answer).status)
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let next = contacts.shift(); next; next = contacts.shift()) {
          const { id, phone } = next
          await Promise.all([
            note(mine.call('updateContact', { params: { id }, body: { notes: 'Changed' } })),
            note(mine.call('deleteContact', { params: { id } })),
            note(mine.call('saveContact', { body: { instanceName: instance.name, name: 'Ana', phone } })),
          ])
        }
      }),
    )
    assert.deepEqual(
      [...statuses].filter((status) => status !== 200 && status !== 404),
      [],
    )
  })

  test('404 for all but one of ten concurrent deletions; the quota is freed once', async () => {
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
