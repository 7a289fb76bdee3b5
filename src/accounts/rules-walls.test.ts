import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { WALL_KINDS, type Wall } from '../contract/route.ts'
import { hasWalls, NO_WALLS, type Walls, wallAdmits } from '../contract/wall-values.ts'
import { chatOfEvent, reachesChat, wallVerdict } from './rules.ts'

const ANA = '5511912345678@s.whatsapp.net'
const ANA_LID = '111222333444555@lid'
const GROUP = '120363000000000000@g.us'
const walls = (change: Partial<Walls>): Walls => ({ ...NO_WALLS, ...change })
const chat = (hasWritten: boolean, ...forms: string[]) => ({ forms, hasWritten })

/** The kinds of routes that a key with these walls can use for something. */
const admitted = (given: Walls): Wall[] => WALL_KINDS.filter((wall) => wallAdmits(given, wall))

describe('walls: which routes a key can use', () => {
  test('a key without walls can use all of them', () => {
    assert.deepEqual(admitted(NO_WALLS), WALL_KINDS)
    assert.equal(hasWalls(NO_WALLS), false)
  })

  test('each wall closes the routes that lead around it', () => {
    const closed = (given: Walls) => WALL_KINDS.filter((wall) => !wallAdmits(given, wall))
    assert.deepEqual(closed(walls({ messagesPerDay: 1 })), ['refused'])
    assert.deepEqual(closed(walls({ approval: true })), ['chatChange', 'change', 'refused'])
    assert.deepEqual(closed(walls({ instances: ['a'] })), ['account', 'refused'])
    const beyondChats = ['instance', 'counts', 'change', 'account', 'refused']
    assert.deepEqual(closed(walls({ chats: [ANA] })), beyondChats)
    assert.deepEqual(closed(walls({ chats: 'wrote_first' })), beyondChats)
  })
})

describe('walls: the target of a request', () => {
  test('another instance is hidden, on every route that names one', () => {
    const given = walls({ instances: ['mine'] })
    for (const wall of [
      'list',
      'chat',
      'chatChange',
      'message',
      'forward',
      'instance',
      'counts',
      'change',
    ] as const) {
      assert.equal(wallVerdict(given, wall, { instance: 'other' }), 'hidden', wall)
      assert.equal(wallVerdict(given, wall, { instance: 'mine' }), 'allowed', wall)
    }
  })

  test('a request that does not name its instance or chat is refused', () => {
    assert.equal(wallVerdict(walls({ instances: ['mine'] }), 'instance', {}), 'refused')
    assert.equal(wallVerdict(walls({ chats: [ANA] }), 'chat', { instance: 'mine' }), 'refused')
  })

  test('a chat is inside by any of its identifiers', () => {
    const given = walls({ chats: [ANA_LID] })
    const about = (...forms: string[]) =>
      wallVerdict(given, 'chat', { instance: 'mine', chat: chat(false, ...forms) })
    assert.equal(about(ANA, ANA_LID), 'allowed')
    assert.equal(about(ANA), 'refused')
    assert.equal(about(GROUP), 'refused')
  })

  test('an instance outside is hidden even if the chat is inside', () => {
    const given = walls({ instances: ['mine'], chats: [ANA] })
    assert.equal(wallVerdict(given, 'chat', { instance: 'other', chat: chat(true, ANA) }), 'hidden')
  })

  test('wrote_first means people who have written, and no group', () => {
    const given = walls({ chats: 'wrote_first' })
    assert.equal(reachesChat(given, chat(true, ANA)), true)
    assert.equal(reachesChat(given, chat(false, ANA)), false)
    assert.equal(reachesChat(given, chat(true, GROUP)), false)
    assert.equal(reachesChat(given, chat(true, 'status@broadcast')), false)
  })
})

describe('walls: the chat of an event', () => {
  test('an event of linking or of the connection belongs to none', () => {
    const data = { state: 'open', stateReason: null, stateReasonUntil: null, number: null } as const
    assert.equal(chatOfEvent('connection.update', data), null)
  })

  test('a call of a group whose name is unknown belongs to none', () => {
    const call = { from: { jid: ANA }, groupJid: null }
    assert.equal(chatOfEvent('call', { ...call, isGroup: true } as never), null)
    assert.equal(chatOfEvent('call', { ...call, isGroup: false } as never), ANA)
    assert.equal(chatOfEvent('call', { ...call, isGroup: true, groupJid: GROUP } as never), GROUP)
  })
})
