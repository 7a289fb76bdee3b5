// PATCH /contacts/{id}
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract, randomNumber } from '../support/gateway.ts'
import { faultPaths, withInstance } from './fixture.ts'

contract('PATCH /contacts/{id}', (gateway) => {
  const fixture = withInstance(gateway)
  const saved = async (fields: Record<string, unknown> = {}) => {
    const { mine, instance } = await fixture()
    const body = { instanceName: instance.name, phone: randomNumber(), name: 'Before', ...fields }
    return (await mine.call('saveContact', { body })).json.contact
  }
  const change = async (id: number, body: unknown) =>
    (await fixture()).mine.call('updateContact', { params: { id }, body })

  test('200 updates each field alone and keeps omitted fields', async () => {
    const { clock } = await fixture()
    let known = await saved({ notes: 'kept', customData: { kept: true } })
    const changes = {
      name: 'After',
      notes: 'changed',
      customData: { changed: [1] },
      assignedUserId: 3,
      assignedDepartmentId: 4,
      funnelStageId: 5,
      showTimeInStage: true,
    }
    for (const [name, value] of Object.entries(changes)) {
      clock.advance(2)
      const answer = await change(known.id, { [name]: value })
      assert.equal(answer.status, 200)
      const { contact } = answer.json
      assert.ok(contact.updatedAt > known.updatedAt)
      // The picture is looked up in the background, and may be there from one call to the next.
      const { updatedAt, profilePicUrl, profilePictureUrl } = contact
      assert.deepEqual(contact, { ...known, [name]: value, updatedAt, profilePicUrl, profilePictureUrl })
      known = contact
    }
    const cleared = {
      notes: null,
      assignedUserId: null,
      assignedDepartmentId: null,
      funnelStageId: null,
      customData: {},
      showTimeInStage: false,
    }
    const { contact } = (await change(known.id, cleared)).json
    for (const [name, value] of Object.entries(cleared)) assert.deepEqual(contact[name], value)
  })

  test('200 finds and sorts by the new name at once, and no longer by the old one', async () => {
    const { mine, instance } = await fixture()
    const { id } = await saved({ name: 'Zebra crossing' })
    await saved({ name: 'Middle' })
    await change(id, { name: 'Aardvark' })
    const search = async (text: string) => {
      const query = { instanceName: instance.name, search: text }
      return (await mine.call('listContacts', { query })).json.total
    }
    assert.deepEqual([await search('zebra'), await search('aardvark')], [0, 1])
    const list = await mine.call('listContacts', { query: { instanceName: instance.name } })
    assert.equal(list.json.contacts[0].name, 'Aardvark')
  })

  test('200 changes only updatedAt for an empty body', async () => {
    const known = await saved()
    const { contact } = (await change(known.id, {})).json
    assert.deepEqual({ ...contact, updatedAt: '' }, { ...known, updatedAt: '' })
  })

  test('400 when a field is out of range or cannot be changed', async () => {
    const { id } = await saved()
    const wrong: [Record<string, unknown>, string][] = [
      [{ name: '' }, 'name'],
      [{ name: null }, 'name'],
      [{ name: 'x'.repeat(257) }, 'name'],
      [{ notes: 'x'.repeat(10_001) }, 'notes'],
      [{ customData: 'x' }, 'customData'],
      [{ assignedUserId: -1 }, 'assignedUserId'],
      [{ showTimeInStage: null }, 'showTimeInStage'],
      [{ phone: '5511988880001' }, 'phone'],
      [{ remoteJid: '5511988880001@s.whatsapp.net' }, 'remoteJid'],
      [{ id: 5 }, 'id'],
    ]
    for (const [body, path] of wrong) {
      const answer = await change(id, body)
      assert.equal(answer.status, 400)
      assert.deepEqual(faultPaths(answer), [path])
    }
  })

  test('404 when the id does not exist', async () => {
    const answer = await change(999_999_999, { notes: 'x' })
    assert.equal(answer.status, 404)
    assert.equal(answer.json.reason, 'contact_not_found')
  })
})
