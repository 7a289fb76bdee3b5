// The calls behind a page that shows several phones: chats, the latest messages of a chat, and one long poll for changes.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createChanges } from '../../sandbox/model/changes.ts'
import { answers } from '../../src/contract/sandbox-world.ts'
import { PNG } from './support/content.ts'
import { World } from './support/world.ts'

const ALICE = '5511900000001'
const BOB = '5511900000002'
const CAROL = '5511900000003'

describe('the screen of a phone', () => {
  let world: World
  before(async () => {
    world = await World.start()
    await world.phone(ALICE, 'Alice')
    await world.phone(BOB, 'Bob')
    await world.phone(CAROL, 'Carol')
  })
  after(() => world.stop())

  const chats = (number: string, query = '') => world.get(`/phones/${number}/chats${query}`, answers.chats)
  const send = async (from: string, to: string, text: string) => {
    const id = await world.send(from, { to, text })
    await world.shown(to, id)
    return id
  }
  const changes = (query: string) => world.get(`/changes?${query}`, answers.changes)

  test('chats are listed latest first, with name, last message and unread count', async () => {
    const first = await send(BOB, ALICE, 'one')
    await send(BOB, ALICE, 'two')
    await send(CAROL, ALICE, 'three')
    const react = await world.post(`/phones/${BOB}/react`, { messageId: first, emoji: '👍' })
    await world.shown(ALICE, String(react['messageId']))
    await world.post(`/phones/${ALICE}/contacts`, { number: BOB, name: 'Bob from work' })
    const { group } = await world
      .post('/groups', { subject: 'Team', members: [BOB], admin: ALICE })
      .then((body) => answers.group.parse(body))
    const shown = (await chats(ALICE)).chats.map(({ chat, name, isGroup, unread, last }) => [
      chat,
      name,
      isGroup,
      unread,
      last?.text ?? null,
    ])
    assert.deepEqual(shown, [
      [CAROL, 'Carol', false, 1, 'three'],
      [BOB, 'Bob from work', false, 2, 'two'],
      [group.jid, 'Team', true, 0, null],
    ])
    await world.post(`/phones/${ALICE}/read`, { chat: BOB })
    assert.deepEqual(
      (await chats(ALICE)).chats.map(({ unread }) => unread),
      [1, 0, 0],
    )
    const page = await chats(ALICE, '?page=2&limit=2')
    assert.deepEqual([page.chats.map(({ name }) => name), page.hasMore], [['Team'], false])
    assert.equal((await chats(ALICE, '?limit=2')).hasMore, true)
  })

  test('a phone shows its own picture, and those of people and groups that it may see', async () => {
    const base64 = PNG.toString('base64')
    const pictureIn = async (number: string, chat: string) =>
      (await chats(number)).chats.find((each) => each.chat === chat)?.pictureId
    await send(ALICE, BOB, 'hello')
    const { phone } = answers.phone.parse(await world.post(`/phones/${BOB}/picture`, { base64 }))
    assert.ok(phone.pictureId)
    assert.deepEqual(await world.bytes(`/phones/${BOB}/picture`), PNG)
    assert.equal(await pictureIn(ALICE, BOB), phone.pictureId)
    const path = `/phones/${ALICE}/picture?of=${BOB}&id=${phone.pictureId}`
    assert.deepEqual(await world.bytes(path), PNG)
    assert.equal((await world.ask('GET', `/phones/${ALICE}/picture?of=${BOB}&id=0`)).status, 404)
    await world.ask('PATCH', `/phones/${BOB}`, { privacy: { profile: 'none' } })
    assert.equal((await world.ask('GET', path)).body['reason'], 'profile_picture_not_found')
    assert.equal(await pictureIn(ALICE, BOB), null)
    const { group } = answers.group.parse(
      await world.post('/groups', { subject: 'Pictured', members: [BOB], admin: ALICE }),
    )
    await world.ask('PATCH', `/groups/${group.jid}`, { pictureBase64: base64 })
    assert.deepEqual(await world.bytes(`/phones/${BOB}/picture?of=${group.jid}`), PNG)
    assert.equal((await world.ask('GET', `/phones/${CAROL}/picture?of=${group.jid}`)).status, 404)
  })

  test('the messages of a chat can be paged from the end; within a page the oldest comes first', async () => {
    await world.phone('5511900000009', 'Dora')
    for (const text of ['a', 'b', 'c', 'd', 'e']) await send('5511900000009', BOB, text)
    const texts = async (query: string) => {
      const found = await world.messages(BOB, `?chat=5511900000009&from=end&${query}`)
      return { texts: found.map(({ text }) => text), first: found[0]?.seq }
    }
    const end = await texts('limit=2')
    assert.deepEqual(end.texts, ['d', 'e'])
    const earlier = await texts(`limit=2&before=${end.first}`)
    assert.deepEqual(earlier.texts, ['b', 'c'])
    assert.deepEqual((await texts(`limit=2&before=${earlier.first}`)).texts, ['a'])
    assert.equal((await world.ask('GET', `/phones/${BOB}/messages?from=middle`)).status, 400)
  })

  test('one long poll reports messages, receipts, typing, phones, groups and faults of all phones', async () => {
    let { cursor } = await changes('')
    const next = async (wanted: Record<string, string>) => {
      for (;;) {
        const news = await changes(`after=${cursor}&waitMs=20000`)
        assert.equal(news.missed, false)
        assert.notDeepEqual(news.changes, [], `no change matched ${JSON.stringify(wanted)}`)
        cursor = news.cursor
        const fits = (change: Record<string, string>) =>
          Object.entries(wanted).every(([name, value]) => change[name] === value)
        if (news.changes.some((change) => fits(change))) return
      }
    }
    const id = await send(ALICE, CAROL, 'hello')
    await next({ about: 'messages', number: CAROL, chat: ALICE })
    await world.get(`/phones/${ALICE}/messages/${id}?status=delivered&waitMs=20000`, answers.message)
    cursor = (await changes('')).cursor
    await world.post(`/phones/${CAROL}/read`, { chat: ALICE })
    await next({ about: 'messages', number: ALICE, chat: CAROL })
    await world.post(`/phones/${CAROL}/typing`, { chat: ALICE, state: 'recording' })
    await next({ about: 'typing', number: ALICE, chat: CAROL, from: CAROL, state: 'recording' })
    for (const change of [
      () => world.phone('5511900000010', 'Eve'),
      () => world.post('/groups', { subject: 'Club', members: [BOB], admin: ALICE }),
      () => world.post('/faults', { number: ALICE, kind: 'offline' }),
      () => world.ask('DELETE', `/faults?number=${ALICE}`),
    ]) {
      cursor = (await changes('')).cursor
      await change()
      await next({ about: 'world' })
    }
  })

  test('an unknown cursor, or one of an earlier process, answers with missed', async () => {
    for (const after of ['', 'nonsense', 'ffffffff-0', 'x-y-z'])
      assert.equal((await changes(`after=${after}&waitMs=20000`)).missed, true, after)
    const { cursor } = await changes('')
    const far = `${cursor.split('-')[0]}-999999`
    assert.equal((await changes(`after=${far}&waitMs=20000`)).missed, true)
  })

  test('the log of changes is limited: an old cursor answers with missed, a recent one with each change once', () => {
    const log = createChanges('life', 3)
    const whole = log.feedOf(undefined)
    const begin = whole.after(undefined).cursor
    log.record({ about: 'messages', number: ALICE, chat: BOB }, [])
    log.record({ about: 'world' }, [])
    log.record({ about: 'messages', number: ALICE, chat: BOB }, [])
    assert.deepEqual(whole.after(begin), {
      changes: [{ about: 'world' }, { about: 'messages', number: ALICE, chat: BOB }],
      cursor: 'life-3',
      missed: false,
    })
    log.record({ about: 'world' }, [])
    assert.deepEqual(whole.after(begin), { changes: [], cursor: 'life-4', missed: true })
    assert.equal(whole.after('life-1').missed, false)
  })

  test('a page of long messages is limited to 4 MB, and its cursor leads to the rest', async () => {
    const text = 'x'.repeat(60_000)
    const sent: string[] = []
    for (let count = 0; count < 75; count += 1) sent.push(await world.send(BOB, { to: BOB, text }))
    const read: string[] = []
    let lists = 0
    for (let after = sent[0]; ; lists += 1) {
      const path = `/phones/${BOB}/messages?limit=1000&after=${after}`
      const { messages, cursor } = await world.get(path, answers.messages)
      if (messages.length === 0) break
      read.push(...messages.map(({ id }) => id))
      after = String(cursor)
    }
    assert.deepEqual(read, sent.slice(1))
    assert.equal(lists, 2)
  })

  test('the log of an account contains no changes of other accounts', () => {
    const log = createChanges('life', 3)
    const mine = log.feedOf('mine')
    const begin = mine.after(undefined).cursor
    for (let count = 0; count < 5; count += 1) log.record({ about: 'world' }, ['other', null, undefined])
    assert.deepEqual(mine.after(begin), { changes: [], cursor: begin, missed: false })
    log.record({ about: 'world' }, ['other', 'mine'])
    assert.deepEqual(mine.after(begin).changes, [{ about: 'world' }])
    assert.equal(log.feedOf(undefined).after('life-3').changes.length, 1)
  })

  test('clearing one fault of a number leaves its other faults', async () => {
    for (const kind of ['offline', 'reject', 'restrict', 'refuse'])
      await world.post('/faults', { number: BOB, kind })
    const left = async (query: string) => {
      const { body } = await world.ask('DELETE', `/faults?${query}`)
      return answers.faults
        .parse(body)
        .faults.map(({ kind }) => kind)
        .sort()
    }
    assert.deepEqual(await left(`number=${BOB}&kind=offline`), ['refuse', 'reject', 'restrict'])
    assert.deepEqual(await left(`number=${ALICE}&kind=reject`), ['refuse', 'reject', 'restrict'])
    assert.deepEqual(await left(`number=${BOB}&kind=refuse`), ['reject', 'restrict'])
    assert.equal((await world.ask('DELETE', '/faults?kind=fire')).status, 400)
    assert.deepEqual(await left(`number=${BOB}`), [])
  })
})
