// Group messages with our own ciphers. Those of the network library keep a key for every sent message, read and write all of them
// with each message, and cannot decrypt messages that arrive out of order.
import type { SignalDataSet, SignalKeyStoreWithTransaction, SignalRepositoryWithLIDStore } from 'baileys'
import {
  createSenderKey,
  decryptFromGroup,
  distributionOf,
  encryptForGroup,
  SenderKeyRecord,
  withDistribution,
} from 'libsignal'

const KIND = 'sender-key'

/** One step per group at a time: the library's transaction with the name of the group is also a mutex. */
export function useGroupCiphers(
  repository: SignalRepositoryWithLIDStore,
  keys: SignalKeyStoreWithTransaction,
): void {
  const nameOf = (group: string, jid: string): string => {
    const [id, device] = repository.jidToSignalProtocolAddress(jid).split('.')
    return `${group}::${id}::${device}`
  }
  async function read(name: string): Promise<SenderKeyRecord | null> {
    const { [name]: stored } = await keys.get(KIND, [name])
    return stored ? SenderKeyRecord.deserialize(stored) : null
  }
  const write = async (name: string, record: SenderKeyRecord): Promise<void> => {
    await keys.set({ [KIND]: { [name]: record } } as unknown as SignalDataSet)
  }
  async function readOrCreate(name: string): Promise<SenderKeyRecord> {
    const known = await read(name)
    if (known) return known
    const created = createSenderKey()
    await write(name, created)
    return created
  }

  repository.encryptGroupMessage = ({ group, meId, data }) =>
    keys.transaction(async () => {
      const name = nameOf(group, meId)
      const before = await readOrCreate(name)
      const { record, body } = encryptForGroup(before, data)
      await write(name, record)
      // From before the step: a member who receives it with this message can decrypt this message.
      return { ciphertext: body, senderKeyDistributionMessage: distributionOf(before) }
    }, group)
  repository.hasSenderKey = async ({ group, meId }) => (await read(nameOf(group, meId))) !== null
  repository.getSenderKeyDistributionMessage = ({ group, meId }) =>
    keys.transaction(async () => distributionOf(await readOrCreate(nameOf(group, meId))), group)
  repository.decryptGroupMessage = ({ group, authorJid, msg }) =>
    keys.transaction(async () => {
      const name = nameOf(group, authorJid)
      const before = await read(name)
      if (!before) throw new Error('No session found to decrypt message')
      const { record, plain } = decryptFromGroup(before, msg)
      await write(name, record)
      return plain
    }, group)
  repository.processSenderKeyDistributionMessage = async ({ item, authorJid }) => {
    const { groupId, axolotlSenderKeyDistributionMessage: distribution } = item
    if (!groupId || !distribution) throw new Error('The sender key has no group or no content')
    const name = nameOf(groupId, authorJid)
    await keys.transaction(async () => write(name, withDistribution(await read(name), distribution)), groupId)
  }
}
