// POST /groups
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { imageType } from '../../src/files/rules.ts'
import { NetworkError } from '../../src/network/network.ts'
import { contract } from '../support/gateway.ts'
import { pixelBomb, png } from '../support/sample-files.ts'
import type { ScriptedSessions } from '../support/scripted-sessions.ts'
import { faultPaths, scripted, withInstance } from './fixture.ts'
import { ANA, BEN, GROUP, liveRules, reportGroup, sampleCall } from './group-rules.ts'

contract('POST /groups', (gateway) => {
  const fixture = withInstance(gateway)
  const call = sampleCall(fixture, 'createGroup')
  liveRules(fixture, { id: 'createGroup', script: 'createGroup' })
  const create = async (body: Record<string, unknown>) => {
    const { instance } = await fixture()
    return call({ body: { instanceName: instance.name, subject: 'Team', members: [ANA.phone], ...body } })
  }

  test('200 returns the group and one outcome per number, in their order', async () => {
    const running = await fixture()
    const requested: unknown[] = []
    const answers = [
      { code: 200, isInvited: false },
      { code: 403, isInvited: true },
      { code: 403, isInvited: false },
    ]
    const answer = await scripted(
      running,
      {
        checkNumber: (number) => ({ exists: number !== '5511900000000', jid: `${number}@s.whatsapp.net` }),
        async createGroup(instanceId, subject, people) {
          requested.push(
            subject,
            people.map(({ jid }) => jid),
          )
          await reportGroup(running, instanceId, { subject })
          return { jid: GROUP, answers }
        },
      },
      () => create({ subject: 'New', members: [ANA.phone, '5511900000000', BEN.phone, '5511911111111'] }),
    )
    assert.equal(answer.status, 200)
    assert.deepEqual(requested, ['New', [ANA.jid, BEN.jid, '5511911111111@s.whatsapp.net']])
    assert.deepEqual(answer.json.members, [
      { number: ANA.phone, chat: ANA.jid, outcome: 'added', networkCode: null },
      {
        number: '5511900000000',
        chat: '5511900000000@s.whatsapp.net',
        outcome: 'not_on_network',
        networkCode: null,
      },
      { number: BEN.phone, chat: BEN.jid, outcome: 'invited', networkCode: null },
      { number: '5511911111111', chat: '5511911111111@s.whatsapp.net', outcome: 'refused', networkCode: 403 },
    ])
    const { groupJid, subject, size, participants } = answer.json.group
    assert.deepEqual([groupJid, subject, size, participants.length], [GROUP, 'New', 2, 2])
  })

  test('200 sets the description after the group was created', async () => {
    const running = await fixture()
    const changes: unknown[] = []
    await reportGroup(running, running.instance.id)
    const answer = await scripted(
      running,
      { changeGroup: async (_id, jid, settings) => void changes.push(jid, settings) },
      () => create({ description: 'About us' }),
    )
    assert.equal(answer.status, 200)
    assert.deepEqual(changes, [GROUP, { description: 'About us' }])
  })

  const upload = async (bytes: Uint8Array, type = 'image/png'): Promise<string> => {
    const { mine } = await fixture()
    const answer = await mine.call('uploadMedia', { body: bytes, headers: { 'content-type': type } })
    assert.equal(answer.status, 200, JSON.stringify(answer.json))
    return answer.json.mediaId
  }

  test('200 sets the picture of an uploaded file, and says so', async () => {
    const running = await fixture()
    const mediaId = await upload(png(4, 4))
    await reportGroup(running, running.instance.id)
    const types: unknown[] = []
    const withPicture = (setGroupPicture: ScriptedSessions['setGroupPicture']) =>
      scripted(running, { setGroupPicture }, () => create({ picture: { mediaId } }))
    const set = await withPicture(async (_id, _jid, bytes) => void types.push(bytes && imageType(bytes)))
    assert.deepEqual([set.status, set.json.picture, types], [200, 'set', ['image/jpeg']])
    const refused = await withPicture(() => Promise.reject(new NetworkError('refused', 'no', undefined, 406)))
    assert.deepEqual([refused.status, refused.json.picture], [200, 'failed'])
    assert.equal((await create({})).json.picture, null)
  })

  test('400 and no group when the picture cannot be used', async () => {
    const running = await fixture()
    const created: unknown[] = []
    const attempts: [picture: unknown, path: string][] = [
      [{}, 'picture.mediaUrl'],
      [{ mediaUrl: 'https://example.com/a.png', mediaId: `media-${'A'.repeat(22)}` }, 'picture.mediaUrl'],
      [{ mediaUrl: 'http://127.0.0.1/a.png' }, 'picture.mediaUrl'],
      [{ mediaUrl: 'https://nowhere.example/a.png' }, 'picture.mediaUrl'],
      [{ mediaId: await upload(Buffer.from('no image'), 'text/plain') }, 'picture.mediaId'],
      [{ mediaId: await upload(png(4, 4).subarray(0, 40)) }, 'picture.mediaId'],
      [{ mediaId: await upload(pixelBomb()) }, 'picture.mediaId'],
      ['https://example.com/a.png', 'picture'],
    ]
    for (const [picture, path] of attempts) {
      const answer = await scripted(
        running,
        { createGroup: async () => Promise.reject(new Error(String(created.push(picture)))) },
        () => create({ picture }),
      )
      assert.deepEqual([answer.status, faultPaths(answer)], [400, [path]], JSON.stringify(picture))
    }
    assert.deepEqual(created, [])
  })

  test('404 media_not_found when the uploaded picture does not exist or has expired', async () => {
    const { clock } = await fixture()
    const mediaId = await upload(png(4, 4))
    clock.advance(24 * 60 * 60 * 1000 + 1)
    for (const id of [`media-${'A'.repeat(22)}`, mediaId]) {
      const answer = await create({ picture: { mediaId: id } })
      assert.deepEqual([answer.status, answer.json.reason], [404, 'media_not_found'])
    }
  })

  test('400 when a field is missing or not valid', async () => {
    const wrong: [Record<string, unknown>, string[]][] = [
      [{ subject: undefined }, ['subject']],
      [{ subject: '' }, ['subject']],
      [{ subject: 'x'.repeat(101) }, ['subject']],
      [{ subject: 'a\nb' }, ['subject']],
      [{ members: undefined }, ['members']],
      [{ members: [] }, ['members']],
      [{ members: ['12'] }, ['members.0']],
      [{ members: [ANA.phone, `+${ANA.phone}`] }, ['members']],
      [
        { members: Array.from({ length: 101 }, (_, index) => String(5_511_900_000_000 + index)) },
        ['members'],
      ],
      [{ description: 'x'.repeat(2049) }, ['description']],
    ]
    for (const [body, paths] of wrong) {
      const answer = await create(body)
      assert.equal(answer.status, 400, JSON.stringify(body).slice(0, 80))
      assert.deepEqual(faultPaths(answer), paths)
    }
  })
})
