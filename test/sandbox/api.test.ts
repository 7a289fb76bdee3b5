import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { answers } from '../../src/contract/sandbox-world.ts'
import { World } from './support/world.ts'

const ALICE = '5511900000001'
const BOB = '5511900000002'

describe('the API of the sandbox', () => {
  let world: World
  before(async () => {
    world = await World.start()
    await world.phone(ALICE, 'Alice')
    await world.phone(BOB, 'Bob')
  })
  after(() => world.stop())

  test('200: phones send messages to each other without any client', async () => {
    const id = await world.send(ALICE, { to: '+55 (11) 90000-0002', text: 'hi' })
    assert.deepEqual((await world.shown(BOB, id)).text, 'hi')
    const path = `/phones/${ALICE}/messages/${id}?status=delivered&waitMs=20000`
    assert.equal((await world.get(path, answers.message)).message.status, 'delivered')
    const { phones } = await world.get('/phones', answers.phones)
    assert.deepEqual(
      phones.map((phone) => phone.name),
      ['Alice', 'Bob'],
    )
  })

  test('200: a long poll for messages answers when a message arrives, and at once when there is one', async () => {
    const { cursor } = await world.get(`/phones/${BOB}/messages`, answers.messages)
    const waiting = world.get(`/phones/${BOB}/messages?after=${cursor}&waitMs=10000`, answers.messages)
    const id = await world.send(ALICE, { to: BOB, text: 'news' })
    const { messages } = await waiting
    assert.deepEqual(
      messages.map((message) => message.id),
      [id],
    )
    const later = await world.get(`/phones/${BOB}/messages?after=${id}&waitMs=1`, answers.messages)
    assert.deepEqual(later.messages, [])
    assert.equal(later.cursor, messages[0]?.seq)
  })

  test('200: GET /network returns the address and key, POST /network sets the addressing mode', async () => {
    const network = await world.get('/network', answers.network)
    assert.equal(network.wsUrl, world.sandbox.wsUrl)
    assert.match(network.rootPublicKey, /^[0-9a-f]{64}$/)
    assert.equal((await world.post('/network', { addressing: 'pn' }))['addressing'], 'pn')
  })

  test('200: the page of the network announces the minimum version, or the version that is set', async () => {
    const page = async () => (await fetch(`${world.sandbox.url}/sw.js`)).text()
    const { announcedVersion: usual, minimumVersion: none } = await world.get('/network', answers.network)
    assert.equal(none, null)
    assert.match(await page(), new RegExp(`client_revision\\\\":${usual.split('.')[2]}`))
    await world.post('/network', { minimumVersion: '2.3000.1234567890' })
    assert.match(await page(), /client_revision\\":1234567890/)
    await world.post('/network', { announcedVersion: '2.3000.7' })
    assert.match(await page(), /client_revision\\":7\D/)
    const after = await world.post('/network', { minimumVersion: null, announcedVersion: null })
    assert.deepEqual([after['minimumVersion'], after['announcedVersion']], [null, usual])
  })

  test('200: the frame log contains every frame of a message', async () => {
    const id = await world.send(ALICE, { to: BOB, text: 'watch me' })
    await world.get(`/phones/${ALICE}/messages/${id}?status=delivered&waitMs=20000`, answers.message)
    const frames = (await world.frames(`id=${id}`)).map((frame) => [frame.direction, frame.number, frame.tag])
    assert.deepEqual(frames, [
      ['in', ALICE, 'message'],
      ['out', BOB, 'message'],
      ['in', BOB, 'receipt'],
      ['out', ALICE, 'receipt'],
    ])
  })

  test('400: the answer names an unknown field and every invalid one', async () => {
    const typo = await world.ask('POST', '/phones', { number: ALICE, nmae: 'A' })
    assert.equal(typo.status, 400)
    assert.deepEqual(typo.body['details'], [{ path: 'nmae', message: 'unknown field' }])
    assert.equal((await world.ask('POST', '/phones', { number: 'one' })).status, 400)
    const both = await world.ask('POST', `/phones/${ALICE}/send`, {
      to: BOB,
      text: 'x',
      location: { latitude: 1, longitude: 1 },
    })
    assert.match(String(both.body['error']), /exactly one of/)
    assert.equal((await world.ask('GET', '/frames?befor=1')).status, 400)
    assert.equal((await world.ask('POST', `/phones/${ALICE}/scan`, { instanceName: 'x' })).status, 400)
    assert.equal((await world.ask('POST', '/faults', { number: ALICE, kind: 'fire' })).status, 400)
  })

  test('401: a wrong or missing key is answered with a challenge', async () => {
    assert.equal((await world.ask('GET', '/phones', undefined, 'wrong')).status, 401)
    const response = await fetch(`${world.sandbox.url}/sandbox/v1/phones`)
    assert.equal(response.headers.get('www-authenticate'), 'Bearer')
  })

  test('404: unknown numbers, groups, messages and paths', async () => {
    const reasons = async (...requested: Parameters<World['ask']>[]) =>
      Promise.all(requested.map(async (args) => (await world.ask(...args)).body['reason']))
    assert.deepEqual(
      await reasons(
        ['GET', '/phones/5511999999999'],
        ['POST', `/phones/${ALICE}/send`, { to: '5511999999999', text: 'x' }],
        ['POST', `/phones/${ALICE}/send`, { to: '123@g.us', text: 'x' }],
        ['POST', `/phones/${ALICE}/react`, { messageId: 'none', emoji: '👍' }],
        ['GET', '/nothing'],
      ),
      ['phone_not_found', 'number_not_registered', 'group_not_found', 'message_not_found', 'not_found'],
    )
  })
})
