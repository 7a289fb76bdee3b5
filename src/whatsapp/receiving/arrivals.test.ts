import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ALICE, conversation, endpoint } from '../../../test/support/arrival-endpoints.ts'
import { promisesSettled } from '../../../test/support/manual-time.ts'
import type { Arrival } from '../../network/network.ts'
import type { BinaryNode } from '../library/protocol.ts'
import { decodeArrival } from './arrivals.ts'

describe('a received message', () => {
  test('is stored in one write with the keys it used up, before it is reported and before its receipt leaves', async () => {
    const { bob, write } = await conversation()
    const { readBy } = await write('A1', 'hello')
    const before = bob.kept.writes
    const disk = Promise.withResolvers<void>()
    bob.kept.writing = disk.promise
    assert.equal(Buffer.from(await readBy(bob)).toString(), 'hello')
    bob.send('receipt')
    await promisesSettled()
    assert.deepEqual([bob.kept.writes, bob.arrived, bob.kept.sent], [before, [], []])
    disk.resolve()
    await promisesSettled()
    assert.deepEqual([bob.kept.writes, bob.kept.sent], [before + 1, ['receipt']])
    assert.equal(bob.kept.keys.has('pre-key/7'), false, 'the one-time key is used up')
    const [arrival] = bob.arrived as [Arrival]
    assert.deepEqual(bob.kept.inbox.get(arrival.name), arrival.payload)
    const { attrs, plain } = decodeArrival(arrival.payload)
    assert.deepEqual([attrs.id, attrs.from, plain.toString()], ['A1', ALICE, 'hello'])
    assert.equal(bob.kept.lookups, 0)
  })

  test('is decrypted while those before it are written; those that wait share one write and keep their order', async () => {
    const { bob, write } = await conversation()
    const disk = Promise.withResolvers<void>()
    const before = bob.kept.writes
    bob.kept.writing = disk.promise
    for (const id of ['A1', 'A2', 'A3', 'A4']) {
      const { readBy } = await write(id, id)
      assert.equal(Buffer.from(await readBy(bob)).toString(), id)
      // The write of the first begins at the end of its turn.
      if (id === 'A1') await promisesSettled()
    }
    disk.resolve()
    await promisesSettled()
    assert.equal(bob.kept.writes, before + 2)
    assert.deepEqual(
      bob.arrived.map(({ payload }) => decodeArrival(payload).attrs.id),
      ['A1', 'A2', 'A3', 'A4'],
    )
  })

  test('that may be opened once, and only on the phone, is stored without content before it is acknowledged', async () => {
    const bob = await endpoint()
    const disk = Promise.withResolvers<void>()
    bob.kept.writing = disk.promise
    const placeholder: BinaryNode = { tag: 'unavailable', attrs: { type: 'view_once' } }
    bob.keeper.noteStanza({
      tag: 'message',
      attrs: { from: ALICE, id: 'A1', t: '1' },
      content: [placeholder],
    })
    bob.send('ack')
    await promisesSettled()
    assert.deepEqual([bob.arrived, bob.kept.sent], [[], []])
    disk.resolve()
    await promisesSettled()
    const [arrival] = bob.arrived as [Arrival]
    assert.deepEqual([bob.kept.inbox.get(arrival.name), bob.kept.sent], [arrival.payload, ['ack']])
    const { attrs, plain, isViewOnce } = decodeArrival(arrival.payload)
    assert.deepEqual([attrs.id, plain.length, isViewOnce], ['A1', 0, true])
    // The library does not ask the phone for a message of this type.
    assert.equal(placeholder.attrs.type, 'view_once_unavailable_fanout')
  })

  test('that has no part to decrypt is noted, and the library only acknowledges it', async () => {
    const bob = await endpoint()
    const note = (...content: BinaryNode[]) => {
      const stanza: BinaryNode = { tag: 'message', attrs: { from: ALICE, id: 'A1', t: '1' }, content }
      bob.keeper.noteStanza(stanza)
      return stanza.content
    }
    const skipped = [{ tag: 'unavailable', attrs: { type: 'view_once_unavailable_fanout' } }]
    const enc = (type: string): BinaryNode => ({
      tag: 'enc',
      attrs: { type, v: '2' },
      content: Buffer.from('x'),
    })
    const unavailable = (attrs: Record<string, string>): BinaryNode => ({ tag: 'unavailable', attrs })
    assert.deepEqual(note(unavailable({})), skipped)
    assert.deepEqual(note(unavailable({ type: 'bot_unavailable_fanout' })), skipped)
    assert.deepEqual(note(enc('msmsg')), skipped)
    assert.deepEqual(note(enc('later')), skipped)
    assert.deepEqual(note(), skipped)
    assert.deepEqual(
      bob.failed.map(([, reason]) => reason),
      ['no_content', 'only_on_phone', 'unsupported_encryption', 'unsupported_encryption', 'no_content'],
    )
    assert.deepEqual(bob.arrived, [])
  })

  test('that cannot be decrypted is noted, and the library stops handling it', async () => {
    const { bob, write } = await conversation()
    const { stanza, readBy } = await write('A1', 'hello')
    const [part] = stanza.content as [BinaryNode]
    const bytes = part.content as Buffer
    bytes[bytes.length - 16] = (bytes.at(-16) ?? 0) ^ 1
    await assert.rejects(readBy(bob), { name: 'UnreadableMessage' })
    assert.deepEqual([bob.failed, bob.arrived], [[['A1', 'decryption_failed']], []])
  })

  test('with a used key is confirmed if its id is known, and asked for again if not', async () => {
    const { bob, write } = await conversation()
    const { stanza, readBy } = await write('A1', 'hello')
    await readBy(bob)
    await promisesSettled()
    const [part] = stanza.content as [BinaryNode]
    const { type = '' } = part.attrs
    /** The same ciphertext under another id, as from a sender that uses a key twice. */
    const underId = (id: string) => {
      const content = Buffer.from(part.content as Uint8Array)
      bob.keeper.noteStanza({ ...stanza, attrs: { ...stanza.attrs, id }, content: [{ ...part, content }] })
      return bob.repository.decryptMessage({ jid: ALICE, type: type as 'pkmsg', ciphertext: content })
    }
    bob.known.add('A2')
    assert.deepEqual([...(await underId('A2'))], [1], 'an empty message')
    assert.deepEqual(bob.failed, [])
    await assert.rejects(underId('A3'), { name: 'UnreadableMessage' })
    assert.deepEqual(bob.failed, [['A3', 'decryption_failed']])
    assert.equal(bob.arrived.length, 1)
  })

  test('of which one part has the content is read, although another part fails', async () => {
    const { bob, write } = await conversation()
    const [broken, whole] = [await write('A1', 'broken'), await write('A1', 'whole')]
    const [first] = broken.stanza.content as [BinaryNode]
    const bytes = first.content as Buffer
    bytes[bytes.length - 16] = (bytes.at(-16) ?? 0) ^ 1
    const parts = [broken, whole].flatMap(({ stanza }) => stanza.content as BinaryNode[])
    bob.keeper.noteStanza({ ...broken.stanza, content: parts })
    assert.deepEqual([...(await broken.read())], [1])
    assert.equal(Buffer.from(await whole.read()).toString(), 'whole')
    assert.deepEqual([bob.failed, bob.resolved], [[], ['A1']])
  })

  test('that is delivered again is read from the store, and not reported again', async () => {
    const { bob, write, reconnect } = await conversation()
    const { readBy } = await write('A1', 'hello')
    const disk = Promise.withResolvers<void>()
    bob.kept.writing = disk.promise
    await readBy(bob)
    assert.equal(Buffer.from(await readBy(bob)).toString(), 'hello', 'while it is being stored')
    disk.resolve()
    await promisesSettled()
    const { writes } = bob.kept
    assert.equal(Buffer.from(await readBy(bob)).toString(), 'hello', 'on the same connection')
    const again = await reconnect()
    assert.equal(Buffer.from(await readBy(again)).toString(), 'hello', 'on the next connection')
    await promisesSettled()
    assert.deepEqual([bob.kept.writes, bob.kept.lookups], [writes, 2])
    assert.deepEqual([bob.arrived.length, again.arrived.length], [1, 0])
  })

  test('that cannot be stored is not acknowledged, nor any after it, and the next connection can decrypt all of them', async () => {
    const { bob, write, reconnect } = await conversation()
    const full = new Error('disk full')
    const disk = Promise.withResolvers<void>()
    bob.kept.writing = disk.promise
    bob.kept.failure = full
    const messages = [await write('A1', 'one'), await write('A2', 'two'), await write('A3', 'three')]
    for (const { readBy } of messages.slice(0, 2)) {
      await readBy(bob)
      bob.send('receipt')
    }
    disk.resolve()
    await promisesSettled()
    bob.kept.failure = undefined
    await messages[2]?.readBy(bob).catch(() => undefined)
    bob.send('receipt')
    await promisesSettled()
    assert.deepEqual(bob.kept.failures, [full])
    assert.deepEqual([bob.arrived, bob.kept.sent, bob.kept.inbox.size], [[], [], 0])
    assert.equal(bob.kept.keys.has('pre-key/7'), true)
    const again = await reconnect()
    const texts: string[] = []
    for (const { readBy } of messages) texts.push(Buffer.from(await readBy(again)).toString())
    assert.deepEqual(texts, ['one', 'two', 'three'])
  })

  test('waits if too many before it are in progress', async () => {
    const { bob, write } = await conversation()
    const disk = Promise.withResolvers<void>()
    bob.kept.writing = disk.promise
    for (let count = 1; count <= 500; count += 1) await (await write(`A${count}`, 'one of many')).readBy(bob)
    let isDecrypted = false
    const { readBy } = await write('A501', 'one too many')
    const reading = readBy(bob).then(() => (isDecrypted = true))
    for (let turn = 0; turn < 50; turn += 1) await promisesSettled()
    assert.equal(isDecrypted, false)
    disk.resolve()
    await reading
    await promisesSettled()
    assert.equal(bob.arrived.length, 501)
  })

  test('with two parts in one stanza is two arrivals', async () => {
    const { bob, write } = await conversation()
    const [one, two] = [await write('A1', 'one'), await write('A1', 'two')]
    const parts = [one, two].flatMap(({ stanza }) => stanza.content as BinaryNode[])
    bob.keeper.noteStanza({ ...one.stanza, content: parts })
    await one.read()
    await two.read()
    await promisesSettled()
    assert.equal(new Set(bob.arrived.map(({ name }) => name)).size, 2)
    assert.equal(bob.kept.inbox.size, 2)
  })

  test('whose stanza was not noted is decrypted but not stored', async () => {
    const { bob, write } = await conversation()
    const { read } = await write('A1', 'hello')
    assert.equal(Buffer.from(await read()).toString(), 'hello')
    assert.deepEqual([bob.arrived.length, bob.kept.inbox.size], [0, 0])
  })
})
