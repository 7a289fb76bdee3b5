// Group messages: against the network library's group cipher and a port of the official library, late and out of order, and with
// keys that the network library has stored.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as wasm from 'whatsapp-rust-bridge-wasm'
import { GroupCipher } from '../../../node_modules/baileys/lib/Signal/Group/group_cipher.js'
import { GroupSessionBuilder } from '../../../node_modules/baileys/lib/Signal/Group/group-session-builder.js'
import { SenderKeyDistributionMessage } from '../../../node_modules/baileys/lib/Signal/Group/sender-key-distribution-message.js'
import { SenderKeyName } from '../../../node_modules/baileys/lib/Signal/Group/sender-key-name.js'
import { SenderKeyRecord as LibraryRecord } from '../../../node_modules/baileys/lib/Signal/Group/sender-key-record.js'
import {
  createSenderKey,
  decryptFromGroup,
  distributionOf,
  encryptForGroup,
  ProtocolAddress,
  SenderKeyRecord,
  withDistribution,
} from '../src/index.ts'

interface Member {
  distribution(): Promise<Buffer>
  accept(distribution: Buffer): Promise<void>
  encrypt(text: string): Promise<Buffer>
  decrypt(message: Buffer): Promise<string>
  stored(): Buffer
}

/** Two roles in one: what it sends uses its own key, what it receives the key of the other. */
function ownMember(stored?: Buffer): Member {
  let sending = stored ? SenderKeyRecord.deserialize(stored) : createSenderKey()
  let receiving: SenderKeyRecord | null = null
  const reload = (record: SenderKeyRecord) => SenderKeyRecord.deserialize(record.toBytes())
  return {
    distribution: async () => distributionOf(sending),
    accept: async (distribution) => void (receiving = reload(withDistribution(receiving, distribution))),
    async encrypt(text) {
      const { record, body } = encryptForGroup(sending, Buffer.from(text))
      sending = reload(record)
      return body
    },
    async decrypt(message) {
      const { record, plain } = await decryptFromGroup(receiving as SenderKeyRecord, message)
      receiving = reload(record)
      return plain.toString()
    },
    stored: () => sending.toBytes(),
  }
}

function libraryMember(): Member {
  const stored = new Map<string, string>()
  const storage = {
    loadSenderKey: async (name: { toString(): string }) =>
      stored.has(name.toString())
        ? LibraryRecord.deserialize(Buffer.from(stored.get(name.toString()) as string))
        : new LibraryRecord(),
    storeSenderKey: async (name: { toString(): string }, record: { serialize(): unknown }) =>
      void stored.set(name.toString(), JSON.stringify(record.serialize())),
  } as never
  const [own, other] = ['own', 'other'].map(
    (name) => new SenderKeyName('group', new ProtocolAddress(name, 0) as never),
  ) as [SenderKeyName, SenderKeyName]
  const builder = new GroupSessionBuilder(storage)
  return {
    distribution: async () => Buffer.from((await builder.create(own)).serialize()),
    accept: (bytes) =>
      builder.process(other, new SenderKeyDistributionMessage(null, null, null, null, bytes)),
    encrypt: async (text) => Buffer.from(await new GroupCipher(storage, own).encrypt(Buffer.from(text))),
    decrypt: async (message) =>
      Buffer.from(await new GroupCipher(storage, other).decrypt(message)).toString(),
    stored: () => Buffer.from(stored.get(own.toString()) as string),
  }
}

function wasmMember(): Member {
  const stored = new Map<string, Uint8Array>()
  const storage = {
    loadSenderKey: (name: string) => stored.get(name),
    storeSenderKey: (name: string, record: Uint8Array) => void stored.set(name, record),
  } as unknown as wasm.SignalStorage
  const address = (name: string) => new wasm.ProtocolAddress(name, 0)
  const name = (of: string) => new wasm.SenderKeyName('group', address(of))
  const builder = new wasm.GroupSessionBuilder(storage)
  const cipher = (of: string) => new wasm.GroupCipher(storage, 'group', address(of))
  return {
    distribution: async () => Buffer.from((await builder.create(name('own'))).serialize()),
    accept: (bytes) => builder.process(name('other'), wasm.SenderKeyDistributionMessage.deserialize(bytes)),
    encrypt: async (text) => Buffer.from(await cipher('own').encrypt(Buffer.from(text))),
    decrypt: async (message) => Buffer.from(await cipher('other').decrypt(message)).toString(),
    stored: () => Buffer.from([...stored.values()][0] as Uint8Array),
  }
}

const MEMBERS = { own: ownMember, library: libraryMember, wasm: wasmMember }
const PAIRS = [
  ['own', 'own'],
  ['own', 'library'],
  ['library', 'own'],
  ['own', 'wasm'],
  ['wasm', 'own'],
] as const

for (const [from, to] of PAIRS)
  describe(`${from} writes to a group with ${to}`, () => {
    test('a hundred messages, and a member who joins later', async () => {
      const [sender, first, late] = [MEMBERS[from](), MEMBERS[to](), MEMBERS[to]()]
      await first.accept(await sender.distribution())
      for (let i = 0; i < 100; i += 1) {
        if (i === 50) await late.accept(await sender.distribution())
        const message = await sender.encrypt(`${i}`)
        assert.equal(await first.decrypt(message), `${i}`)
        if (i >= 50) assert.equal(await late.decrypt(message), `${i}`)
      }
    })

    test('a message decrypts once, and a changed one not at all', async () => {
      const [sender, receiver] = [MEMBERS[from](), MEMBERS[to]()]
      await receiver.accept(await sender.distribution())
      const message = await sender.encrypt('once')
      for (const index of [1, 5, message.length - 70, message.length - 1]) {
        const changed = Buffer.from(message)
        changed[index]! ^= 1
        await assert.rejects(receiver.decrypt(changed), `byte ${index}`)
      }
      assert.equal(await receiver.decrypt(message), 'once')
      await assert.rejects(receiver.decrypt(message))
    })
  })

test('late messages of a group, and a second distribution of the same key in between', async () => {
  const [sender, receiver] = [ownMember(), ownMember()]
  await receiver.accept(await sender.distribution())
  const messages: Buffer[] = []
  for (let i = 0; i < 6; i += 1) messages.push(await sender.encrypt(`${i}`))
  assert.equal(await receiver.decrypt(messages[4]!), '4')
  await receiver.accept(await sender.distribution())
  for (const index of [2, 0, 5, 1, 3]) assert.equal(await receiver.decrypt(messages[index]!), `${index}`)
})

test('keys that the network library stored are continued, by the sender', async () => {
  const [before, receiver] = [libraryMember(), ownMember()]
  await receiver.accept(await before.distribution())
  for (const text of ['0', '1', '2']) assert.equal(await receiver.decrypt(await before.encrypt(text)), text)
  const after = ownMember(before.stored())
  for (const text of ['3', '4']) assert.equal(await receiver.decrypt(await after.encrypt(text)), text)
})

test('a group message names a key that is unknown: the error asks for it', async () => {
  const { body } = encryptForGroup(createSenderKey(), Buffer.from('?'))
  await assert.rejects(decryptFromGroup(createSenderKey(), body), /No session found to decrypt message/)
})
