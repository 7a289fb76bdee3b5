// GET /profile
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordLinkPreviews } from '../../src/instances/instance-settings.ts'
import { contract } from '../support/gateway.ts'
import { faultPaths, scripted, withInstance } from './fixture.ts'
import { liveRules, sampleCall } from './group-rules.ts'

contract('GET /profile', (gateway) => {
  const fixture = withInstance(gateway)
  const call = sampleCall(fixture, 'getProfile')
  liveRules(fixture, { id: 'getProfile', script: 'ownProfile' })

  test('200 returns the profile that the network has', async () => {
    const running = await fixture()
    const { store, clock, instance } = running
    const before = await running.sessions.script.ownProfile(instance.id)
    const own = { ...before, name: 'Desk', about: 'Open', aboutSetAtMs: 1_700_000_000_000 }
    const ask = () => scripted(running, { ownProfile: async () => own }, () => call())
    const { profile } = (await ask()).json
    assert.deepEqual(
      [profile.name, profile.about, profile.aboutSetAt, profile.jid],
      ['Desk', 'Open', '2023-11-14T22:13:20.000Z', `${profile.number}@s.whatsapp.net`],
    )
    assert.deepEqual(profile.privacy, { ...own.privacy, defaultDisappearingSeconds: 0, linkPreviews: null })
    // The network reports this setting, and cannot be asked for it.
    await recordLinkPreviews({ store, clock: clock.now }, instance.id, false)
    assert.equal((await ask()).json.profile.privacy.linkPreviews, false)
  })

  test('200 with the stored name when the network has none', async () => {
    assert.equal((await call()).json.profile.name, 'Profile')
  })

  test('400 when the instance is missing', async () => {
    const answer = await call({ query: {} })
    assert.equal(answer.status, 400)
    assert.deepEqual(faultPaths(answer), ['instanceName'])
  })
})
