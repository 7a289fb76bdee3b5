// GET /contacts/{id}
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract, randomNumber } from '../support/gateway.ts'
import { withInstance } from './fixture.ts'

contract('GET /contacts/{id}', (gateway) => {
  const fixture = withInstance(gateway)

  test('200 returns the contact as in the list', async () => {
    const { mine, instance } = await fixture()
    const body = { instanceName: instance.name, phone: randomNumber(), name: 'Ana', notes: 'n' }
    const saved = await mine.call('saveContact', { body })
    const answer = await mine.call('getContact', { params: { id: saved.json.contact.id } })
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.json, saved.json)
    const list = await mine.call('listContacts', { query: { instanceName: instance.name } })
    assert.deepEqual(list.json.contacts, [answer.json.contact])
  })

  test('404 when the id never existed or is deleted', async () => {
    const { mine, instance } = await fixture()
    const body = { instanceName: instance.name, phone: randomNumber(), name: 'Ana' }
    const { id } = (await mine.call('saveContact', { body })).json.contact
    await mine.call('deleteContact', { params: { id } })
    for (const unknown of [id, 999_999_999_999_999]) {
      const answer = await mine.call('getContact', { params: { id: unknown } })
      assert.equal(answer.status, 404)
      assert.equal(answer.json.reason, 'contact_not_found')
    }
  })
})
