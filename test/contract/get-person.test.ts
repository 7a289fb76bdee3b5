// GET /people/{number}
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { png } from '../support/sample-files.ts'
import { faultPaths, scripted, withInstance } from './fixture.ts'
import { liveRules, sampleCall } from './group-rules.ts'

const JID = '5511912345678@s.whatsapp.net'

contract('GET /people/{number}', (gateway) => {
  const fixture = withInstance(gateway)
  const call = sampleCall(fixture, 'getPerson')
  liveRules(fixture, { id: 'getPerson', script: 'personFacts' })

  test('200 returns what the person shows', async () => {
    const running = await fixture()
    const business = { description: 'Fish', category: null, address: null, email: null, websites: [] }
    const facts = {
      jid: JID,
      phone: '5511912345678',
      lid: '111@lid',
      about: 'At sea',
      aboutSetAtMs: 1_700_000_000_000,
      isBlocked: true,
      business,
    }
    const requested: unknown[] = []
    const answer = await scripted(
      running,
      {
        async personFacts(instanceId, jid) {
          requested.push([instanceId, jid])
          return facts
        },
        profilePicture: () => null,
      },
      () => call(),
    )
    assert.deepEqual(requested, [[running.instance.id, JID]])
    assert.deepEqual(answer.json.person, {
      number: '5511912345678',
      isRegistered: true,
      jid: JID,
      chat: JID,
      lid: '111@lid',
      username: null,
      about: 'At sea',
      aboutSetAt: '2023-11-14T22:13:20.000Z',
      profilePictureUrl: null,
      isBlocked: true,
      business,
    })
  })

  test('200 with the URL of a picture that can be loaded without a chat', async () => {
    const running = await fixture()
    const bytes = png(2, 2)
    const params = { number: '5511912340000' }
    const profilePicture = () => ({ bytes, contentType: 'image/png' })
    const answer = await scripted(running, { profilePicture }, () => call({ params }))
    const url = new URL(answer.json.person.profilePictureUrl)
    const loaded = await running.mine.call('chatPicture', { query: Object.fromEntries(url.searchParams) })
    assert.equal(loaded.status, 200)
    assert.deepEqual(loaded.bytes, bytes)
  })

  test('200 for a number that is not registered', async () => {
    const checkNumber = (number: string) => ({ exists: false, jid: `${number}@s.whatsapp.net` })
    const answer = await scripted(await fixture(), { checkNumber }, () => call())
    const { isRegistered, jid, isBlocked } = answer.json.person
    assert.deepEqual([answer.status, isRegistered, jid, isBlocked], [200, false, null, false])
  })

  test('400 when number is not a phone number', async () => {
    const answer = await call({ params: { number: 'ana' } })
    assert.equal(answer.status, 400)
    assert.deepEqual(faultPaths(answer), ['number'])
  })
})
