// GET /instance/state
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updateInstance } from '../../src/instances/instance-queries.ts'
import { stateAfter } from '../../src/instances/rules.ts'
import { contract } from '../support/gateway.ts'
import { faultPaths, withInstance } from './fixture.ts'
import { reportPicture } from './known-picture.ts'

contract('GET /instance/state', (gateway) => {
  const fixture = withInstance(gateway)
  const read = async (instanceName: string) =>
    (await fixture()).mine.call('instanceState', { query: { instanceName } })

  test('404 names the instance that is meant when its display name is given', async () => {
    const running = await fixture()
    const mine = await running.account()
    const { name } = await running.openInstance(mine)
    const ask = async (account: typeof mine, instanceName: string) =>
      (await account.call('instanceState', { query: { instanceName } })).json
    for (const given of ['Support', 'support', 'SUPPORT'])
      assert.equal((await ask(mine, given)).error, `There is no such instance. Did you mean ${name}?`)
    for (const given of ['Sup', 'Support desk', '%', name.slice(0, -1), `${name}x`])
      assert.equal((await ask(mine, given)).error, 'There is no such instance.', given)
    const other = await running.openInstance(mine)
    const both = `There is no such instance. Did you mean one of ${name}, ${other.name}?`
    assert.equal((await ask(mine, 'Support')).error, both)
    assert.equal((await ask(await running.account(), 'Support')).error, 'There is no such instance.')
  })

  test('200 returns the normalized and the raw state', async () => {
    const running = await fixture()
    const { name, id } = await running.openInstance(running.mine, '5511987654321')
    await reportPicture(running, id, '5511987654321@s.whatsapp.net')
    const answer = await read(name)
    assert.equal(answer.status, 200)
    const { profilePictureUrl } = answer.json.instance
    const address = `${running.url}/api/v1/instance/profile-picture?instanceName=${name}&v=`
    assert.ok(profilePictureUrl.startsWith(address), profilePictureUrl)
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
        stateReasonUntil: null,
        profileName: 'Profile',
        profilePictureUrl,
        profilePicUrl: profilePictureUrl,
        number: '5511987654321',
        owner: '5511987654321@s.whatsapp.net',
        integration: 'whatsapp',
      },
      passkey: null,
    })
  })

  test('200 returns no picture URL without a picture or without a login', async () => {
    const running = await fixture()
    const { name, id } = await running.openInstance(running.mine, '5511987654322')
    const shown = async () => (await read(name)).json.instance.profilePictureUrl
    const own = '5511987654322@s.whatsapp.net'
    await reportPicture(running, id, own)
    const first = await shown()
    await reportPicture(running, id, own)
    assert.notEqual(await shown(), first, 'another picture has another address')
    await reportPicture(running, id, own, 'removed')
    assert.equal(await shown(), null)
    await reportPicture(running, id, own)
    await running.mine.call('logoutInstance', { query: { instanceName: name } })
    assert.equal(await shown(), null)
    const left = running.store.db.selectFrom('pictures').select('jid').where('instance_id', '=', id)
    assert.deepEqual(await left.execute(), [])
  })

  test('200 returns no number, owner or profile before the first login', async () => {
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

  test('200 returns the display name when the profile name is the internal name', async () => {
    const running = await fixture()
    const { name, id } = await running.openInstance(running.mine)
    await running.sessions.open(id, '5511987654321', name)
    assert.equal((await read(name)).json.instance.profileName, 'Support')
    const list = await running.mine.call('listInstances')
    const listed = list.json.instances.find((instance: { id: number }) => instance.id === id)
    assert.equal(listed.profileName, 'Support')
  })

  test('200 returns the end of the state reason, if known', async () => {
    const running = await fixture()
    const { name, id } = await running.openInstance(running.mine)
    assert.equal((await read(name)).json.instance.stateReasonUntil, null)
    const until = Date.UTC(2030, 0, 1)
    await updateInstance(running.store.db, id, stateAfter('banned', until))
    const { stateReason, stateReasonUntil } = (await read(name)).json.instance
    assert.deepEqual([stateReason, stateReasonUntil], ['temporarily_banned', '2030-01-01T00:00:00.000Z'])
  })

  test('200 returns every state and its reason', async () => {
    const { instance, sessions } = await fixture()
    const expected = {
      started: ['connecting', null],
      code_shown: ['connecting', 'awaiting_scan'],
      code_expired: ['close', 'qr_expired'],
      passkey_needed: ['connecting', 'awaiting_passkey'],
      passkey_sent: ['connecting', 'passkey_sent'],
      passkey_code_shown: ['connecting', 'awaiting_passkey_confirmation'],
      passkey_disabled: ['close', 'passkey_disabled'],
      passkey_expired: ['close', 'passkey_expired'],
      passkey_refused: ['close', 'passkey_refused'],
      passkey_unanswered: ['close', 'passkey_unanswered'],
      passkey_lost: ['close', 'passkey_lost'],
      passkey_cancelled: ['close', 'passkey_cancelled'],
      opened: ['open', null],
      connection_lost: ['connecting', 'network_lost'],
      unreachable: ['close', 'network_lost'],
      refused: ['close', 'bad_session'],
      banned: ['close', 'temporarily_banned'],
      outdated: ['close', 'client_outdated'],
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

  test('400 when instanceName is missing', async () => {
    const { mine } = await fixture()
    for (const query of [{}, { instanceName: '' }]) {
      const answer = await mine.call('instanceState', { query })
      assert.equal(answer.status, 400)
      assert.deepEqual(faultPaths(answer), ['instanceName'])
    }
  })

  test('404 when the instance does not exist, also for its display name', async () => {
    for (const name of ['unknown-00000000', 'Support', "' or 1=1 --"]) {
      const answer = await read(name)
      assert.equal(answer.status, 404)
      assert.equal(answer.json.reason, 'instance_not_found')
    }
  })
})
