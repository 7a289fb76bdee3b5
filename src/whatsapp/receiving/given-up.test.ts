// Messages that the library gives up before it decrypts them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { initAuthCreds } from 'baileys'
import { ALICE, conversation, endpoint, memory } from '../../../test/support/arrival-endpoints.ts'
import type { ArrivalGuard } from '../../network/network.ts'
import { type BinaryNode, binaryNodeToString } from '../library/protocol.ts'

describe('a received message', () => {
  test('that the library gives up before it is decrypted is noted, once', async () => {
    const { bob, write } = await conversation()
    const { stanza } = await write('A1', 'hello')
    bob.keeper.noteStanza(stanza)
    bob.keeper.givenUp(binaryNodeToString({ ...stanza, attrs: { ...stanza.attrs, id: 'OTHER' } }))
    assert.deepEqual(bob.failed, [], 'another message')
    for (let times = 0; times < 2; times += 1) bob.keeper.givenUp(binaryNodeToString(stanza))
    assert.deepEqual(bob.failed, [['A1', 'decryption_failed']])
  })

  test('that the library gives up is found by its attributes: the content of the others that it handles is not read', async () => {
    const { bob, write } = await conversation()
    const { stanza } = await write('A1', 'hello')
    let reads = 0
    for (const count of [2, 3, 4]) {
      const other = { ...stanza, attrs: { ...stanza.attrs, id: `A${count}` } }
      bob.keeper.noteStanza(other)
      const { content } = other
      Object.defineProperty(other, 'content', { get: () => (reads++, content) })
    }
    bob.keeper.noteStanza(stanza)
    const longer = { ...stanza, attrs: { ...stanza.attrs, more: 'x' } }
    bob.keeper.givenUp(binaryNodeToString(longer))
    assert.deepEqual(bob.failed, [], 'its attributes begin with those of a message in hand')
    bob.keeper.givenUp(binaryNodeToString(stanza))
    assert.deepEqual([bob.failed, reads], [[['A1', 'decryption_failed']], 0])
    bob.keeper.givenUp(binaryNodeToString(stanza))
    assert.equal(bob.failed.length, 1)
  })

  test('that the library gives up after it was decrypted or noted is not noted again', async () => {
    const { bob, write } = await conversation()
    const read = await write('A1', 'hello')
    await read.readBy(bob)
    bob.keeper.givenUp(binaryNodeToString(read.stanza))
    assert.deepEqual(bob.failed, [])
    const broken = await write('A2', 'hello')
    const [part] = broken.stanza.content as [BinaryNode]
    const bytes = part.content as Buffer
    bytes[bytes.length - 16] = (bytes.at(-16) ?? 0) ^ 1
    await assert.rejects(broken.readBy(bob), { name: 'UnreadableMessage' })
    bob.keeper.givenUp(binaryNodeToString(broken.stanza))
    assert.deepEqual(bob.failed, [['A2', 'decryption_failed']])
  })

  test('of a group that the library gives up between its keys and its content is noted', async () => {
    const { bob, write } = await conversation()
    const { stanza, read } = await write('A1', 'keys')
    const content: BinaryNode = {
      tag: 'enc',
      attrs: { type: 'skmsg', v: '2' },
      content: Buffer.from('not reached'),
    }
    const group = {
      ...stanza,
      attrs: { ...stanza.attrs, from: '1@g.us', participant: ALICE },
      content: [...(stanza.content as BinaryNode[]), content],
    }
    bob.keeper.noteStanza(group)
    await read()
    bob.keeper.givenUp(binaryNodeToString(group))
    assert.deepEqual(bob.failed, [['A1', 'decryption_failed']])
  })

  test('with a certificate of a business that cannot be read is handled without it', async () => {
    const { bob, write } = await conversation()
    const { stanza, readBy } = await write('A1', 'hello')
    const certificate: BinaryNode = { tag: 'verified_name', attrs: {}, content: Buffer.from('not one') }
    stanza.content = [certificate, ...(stanza.content as BinaryNode[])]
    assert.equal(Buffer.from(await readBy(bob)).toString(), 'hello')
    assert.deepEqual(
      stanza.content.map(({ tag }) => tag),
      ['enc'],
    )
  })

  test('that names no author is set aside', async () => {
    const aside: [string, string][] = []
    const guard: ArrivalGuard = {
      isFatal: () => false,
      run: (_names, work) => work(),
      setAside: async ({ name, reason }) => void aside.push([name, reason]),
    }
    const bob = await endpoint(memory(), initAuthCreds(), guard)
    const stanza: BinaryNode = { tag: 'message', attrs: { from: '1@g.us', id: 'A1', t: '1' }, content: [] }
    bob.keeper.noteStanza(stanza)
    assert.deepEqual(
      aside.map(([, reason]) => reason),
      ['malformed'],
    )
    assert.deepEqual(bob.failed, [])
  })
})
