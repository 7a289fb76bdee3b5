// GET /instance/state (spec 2.2, 4.2)
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { faultPaths, withInstance } from './fixture.ts'

contract('GET /instance/state', (gateway) => {
  const fixture = withInstance(gateway)
  const read = async (instanceName: string) =>
    (await fixture()).mine.call('instanceState', { query: { instanceName } })

  test('200: the normalized state and the raw one', async () => {
    const running = await fixture()
    const { name, id } = await running.openInstance(running.mine, '5511987654321')
    await running.store.db
      .updateTable('instances')
      .set({ profile_picture_url: 'https://pps.example/1.jpg' })
      .where('id', '=', id)
      .execute()
    const answer = await read(name)
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.json, {
      success: true,
      data: { instance: { instanceName: name, state: 'open' } },
      instance: {
        instanceName: 'Support',
        displayName: 'Support',
        apiInstanceName: name,
        internalName: name,
        state: 'open',
        stateReason: null,
        profileName: 'Profile',
        profilePictureUrl: 'https://pps.example/1.jpg',
        profilePicUrl: 'https://pps.example/1.jpg',
        number: '5511987654321',
        owner: '5511987654321@s.whatsapp.net',
        integration: 'whatsapp',
      },
    })
  })

  test('200: before the first login there is no number, owner or profile', async () => {
    const { mine } = await fixture()
    const created = await mine.call('createInstance', { body: { instanceName: 'New' } })
    const { instance } = (await read(created.json.instance.apiInstanceName)).json
    assert.deepEqual(
      [
        instance.number,
        instance.owner,
        instance.profileName,
        instance.profilePictureUrl,
        instance.profilePicUrl,
      ],
      [null, null, null, null, null],
    )
    assert.deepEqual([instance.state, instance.stateReason], ['connecting', null])
  })

  test('200: the internal name as profile name is shown as the display name (spec 2.1 rule 1)', async () => {
    const running = await fixture()
    const { name, id } = await running.openInstance(running.mine)
    await running.sessions.open(id, '5511987654321', name)
    assert.equal((await read(name)).json.instance.profileName, 'Support')
    const list = await running.mine.call('listInstances')
    const listed = list.json.instances.find((instance: { id: number }) => instance.id === id)
    assert.equal(listed.profileName, 'Support')
  })

  test('200: every state and its reason', async () => {
    const { instance, sessions } = await fixture()
    const expected = {
      started: ['connecting', null],
      code_shown: ['connecting', 'awaiting_scan'],
      code_expired: ['close', 'qr_expired'],
      opened: ['open', null],
      connection_lost: ['connecting', 'network_lost'],
      gave_up: ['close', 'network_lost'],
      restricted: ['open', 'restricted'],
      unrestricted: ['open', null],
      logged_out: ['close', 'logged_out'],
      replaced: ['close', 'replaced'],
      stopped: ['close', 'stopped'],
    } as const
    for (const [event, [state, reason]] of Object.entries(expected)) {
      await sessions.move(instance.id, event as keyof typeof expected)
      const { json } = await read(instance.name)
      assert.deepEqual(
        [json.instance.state, json.instance.stateReason, json.data.instance.state],
        [state, reason, state],
      )
    }
    await sessions.move(instance.id, 'opened')
  })

  test('400: instanceName is required', async () => {
    const { mine } = await fixture()
    for (const query of [{}, { instanceName: '' }]) {
      const answer = await mine.call('instanceState', { query })
      assert.equal(answer.status, 400)
      assert.deepEqual(faultPaths(answer), ['instanceName'])
    }
  })

  test('404: an instance that is not known, and the display name is no name for it', async () => {
    for (const name of ['nobody-00000000', 'Support', "' or 1=1 --"]) {
      const answer = await read(name)
      assert.equal(answer.status, 404)
      assert.equal(answer.json.reason, 'instance_not_found')
    }
  })
})
