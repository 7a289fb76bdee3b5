// Receipts are parsed with chat and sender, and forged ones are dropped.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { toReceipt, withAllNames } from './receipts.ts'

const ME = { id: '5511900000001:7@s.whatsapp.net', lid: '1:7@lid' }
const BOB = '5511900000002@s.whatsapp.net'
const GROUP = '1203@g.us'
const read = (attrs: Record<string, string>, ids: string[] = []) => {
  const content = ids.map((id) => ({ tag: 'item', attrs: { id } }))
  const list = ids.length > 0 ? { content: [{ tag: 'list', attrs: {}, content }] } : {}
  return toReceipt({ tag: 'receipt', attrs: { id: 'A', t: '10', ...attrs }, ...list }, ME)
}

describe('receipts', () => {
  test('of a person: all messages, and all identifiers of the chat, without devices', () => {
    const receipt = { kind: 'receipt', messageIds: ['A', 'B'], status: 'read', atMs: 10_000 }
    const names = [BOB, '2@lid']
    assert.deepEqual(
      read({ from: '5511900000002:3@s.whatsapp.net', type: 'read', sender_lid: '2@lid' }, ['B']),
      {
        ...receipt,
        chat: names,
        by: names,
      },
    )
    assert.equal(read({ from: BOB })?.kind, 'receipt')
    assert.equal(read({ from: BOB, type: 'retry' }), undefined)
    assert.equal(read({ from: BOB, type: 'inactive-or-new' }), undefined)
  })

  test('of a group member: the group and the sender', () => {
    const receipt = read({ from: GROUP, participant: '2:1@lid', participant_pn: BOB, type: 'played' })
    assert.deepEqual(receipt?.kind === 'receipt' && [receipt.chat, receipt.by], [[GROUP], ['2@lid', BOB]])
  })

  test('of a device of the account: messages read by the owner, and no receipt of a recipient', () => {
    const own = { kind: 'owner_read', messageIds: ['A'], atMs: 10_000 }
    assert.deepEqual(read({ from: ME.id, recipient: BOB, type: 'read' }), own)
    assert.deepEqual(read({ from: GROUP, participant: '1@lid', recipient: BOB, type: 'read-self' }), own)
    assert.equal(read({ from: GROUP, participant: '1@lid', type: 'read' }), undefined)
  })

  test('a forged receipt of a device of the account is dropped', () => {
    assert.equal(read({ from: BOB, recipient: BOB, type: 'read' }), undefined)
    assert.equal(read({ from: BOB, type: 'read-self' }), undefined)
    assert.equal(read({ from: BOB, type: 'played-self' }), undefined)
    assert.equal(read({ from: GROUP, participant: BOB, recipient: BOB, type: 'read-self' }), undefined)
  })

  test('the other identifier is looked up only if the stanza lacks it', async () => {
    const requested: string[] = []
    const knownNames = async (jids: readonly string[]) => {
      requested.push(...jids)
      return new Map(jids.map((jid) => [jid, '2:9@lid']))
    }
    const complete = async (attrs: Record<string, string>) => {
      const receipt = read(attrs)
      const all = receipt && (await withAllNames(receipt, knownNames))
      return all?.kind === 'receipt' && [all.chat, all.by]
    }
    assert.deepEqual(await complete({ from: BOB, sender_lid: '2@lid' }), [
      [BOB, '2@lid'],
      [BOB, '2@lid'],
    ])
    assert.deepEqual(requested, [])
    assert.deepEqual(await complete({ from: GROUP, participant: BOB }), [[GROUP], [BOB, '2@lid']])
    assert.deepEqual(requested, [BOB])
  })
})
