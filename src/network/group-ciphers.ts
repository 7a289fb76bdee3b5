// Group messages with our own ciphers. Those of the network library keep a key for every sent message, read and write all of them
// with each message, and cannot decrypt messages that arrive out of order.
import type { SignalDataSet, SignalKeyStoreWithTransaction, SignalRepositoryWithLIDStore } from 'baileys'
import {
  createEffortLimit,
  createSenderKey,
  decryptFromGroup,
  distributionOf,
  encryptForGroup,
  SenderKeyRecord,
  withDistribution,
} from 'libsignal'

export const SENDER_KEYS = 'sender-key'
/** A message that takes more steps counts like one that fails: a member could send nothing but such messages. */
const COSTLY_STEPS = 2000

const MAX_CHAT_LENGTH = 100
/** Chats whose messages are encrypted with sender keys. The name comes from a stranger and becomes part of a key in the database. */
const KEYED_CHAT = /^(?:[\d-]+@g\.us|\w+@broadcast)$/
const isKeyedChat = (jid: string): boolean => jid.length <= MAX_CHAT_LENGTH && KEYED_CHAT.test(jid)

/** The name of a sender key in the store. `address` is the Signal address of its author. */
export function senderKeyName(group: string, address: string): string {
  const [id, device] = address.split('.')
  return `${group}::${id}::${device}`
}

/** One step per group at a time: the library's transaction with the name of the group is also a mutex. */
export function withGroupCiphers(
  repository: SignalRepositoryWithLIDStore,
  keys: SignalKeyStoreWithTransaction,
): SignalRepositoryWithLIDStore {
  const nameOf = (group: string, jid: string): string =>
    senderKeyName(group, repository.jidToSignalProtocolAddress(jid))
  const { read, readOrCreate, write } = senderKeysIn(keys)
  const limit = createEffortLimit()
  async function decrypt(before: SenderKeyRecord, message: Uint8Array, author: string) {
    const [sender] = repository.jidToSignalProtocolAddress(author).split('.') as [string]
    const decrypted = await limit.run(sender, ({ steps }) => decryptFromGroup(before, message, steps))
    if (decrypted.steps > COSTLY_STEPS) limit.noteCostly(sender)
    return decrypted
  }

  return {
    ...repository,
    encryptGroupMessage: ({ group, meId, data }) =>
      keys.transaction(async () => {
        const name = nameOf(group, meId)
        const before = await readOrCreate(name)
        const { record, body } = encryptForGroup(before, data)
        await write(name, record)
        // From before the step: a member who receives it with this message can decrypt this message.
        return { ciphertext: body, senderKeyDistributionMessage: distributionOf(before) }
      }, group),
    hasSenderKey: async ({ group, meId }) => (await read(nameOf(group, meId))) !== null,
    getSenderKeyDistributionMessage: ({ group, meId }) =>
      keys.transaction(async () => distributionOf(await readOrCreate(nameOf(group, meId))), group),
    decryptGroupMessage: ({ group, authorJid, msg }) =>
      keys.transaction(async () => {
        const name = nameOf(group, authorJid)
        const before = await read(name)
        if (!before) throw new Error('No session found to decrypt message')
        const { record, plain } = await decrypt(before, msg, authorJid)
        await write(name, record)
        return plain
      }, group),
    async processSenderKeyDistributionMessage({ item, authorJid }) {
      const { groupId, axolotlSenderKeyDistributionMessage: distribution } = item
      if (!groupId || !distribution) throw new Error('The sender key has no group or no content')
      if (!isKeyedChat(groupId))
        throw new Error('The sender key is not for a group, a broadcast list or a status')
      const name = nameOf(groupId, authorJid)
      await keys.transaction(
        async () => write(name, withDistribution(await read(name), distribution)),
        groupId,
      )
    },
  }
}

function senderKeysIn(keys: SignalKeyStoreWithTransaction) {
  async function read(name: string): Promise<SenderKeyRecord | null> {
    const { [name]: stored } = await keys.get(SENDER_KEYS, [name])
    const record = stored ? SenderKeyRecord.deserialize(stored) : null
    // Empty if all its keys had to be dropped.
    return record && record.keys.length > 0 ? record : null
  }
  const write = async (name: string, record: SenderKeyRecord): Promise<void> => {
    await keys.set({ [SENDER_KEYS]: { [name]: record } } as unknown as SignalDataSet)
  }
  async function readOrCreate(name: string): Promise<SenderKeyRecord> {
    const known = await read(name)
    if (known) return known
    const created = createSenderKey()
    await write(name, created)
    return created
  }
  return { read, readOrCreate, write }
}
