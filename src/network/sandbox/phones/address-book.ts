// The address book of a phone, whose names reach its linked devices through app state.
import {
  chatModificationToAppPatch,
  decodePatches,
  encodeSyncdPatch,
  type LTHashState,
  newLTHashState,
  proto,
} from 'baileys'
import { lidJid, pnJid } from '../model/address.ts'
import type { Account } from '../model/world.ts'
import { addPatch } from '../network/app-state.ts'
import type { DeliveryState } from '../network/sandbox-state.ts'
import { patchesAfter } from '../store/app-state.ts'
import type { Database } from '../store/database.ts'
import { writeAccount } from '../store/documents.ts'
import type { Phone } from './phone.ts'

/** The collection that a new device reads first, so that its chats have names at once. */
const COLLECTION = 'critical_unblock_low'

export function saveContact(
  state: DeliveryState,
  phone: Phone,
  person: Account,
  name: string,
): Promise<void> {
  return phone.runExclusive(async () => {
    const { account } = phone
    const contact = {
      fullName: name,
      firstName: name.split(' ')[0] ?? name,
      lidJid: lidJid(person),
      saveOnPrimaryAddressbook: true,
    }
    const change = chatModificationToAppPatch({ contact }, pnJid(person))
    const keyId = account.phone.appStateKey.id.toString('base64')
    const hash = await currentHash(state.database, account)
    const { patch } = await encodeSyncdPatch(change, keyId, hash, async () => keyData(account))
    account.addressBook[person.number] = name
    writeAccount(state.database, account)
    await addPatch(state, account, COLLECTION, proto.SyncdPatch.encode(patch).finish(), 0)
  })
}

/** The running hash over all patches so far, including those of linked devices. The next patch is computed from it. */
async function currentHash(database: Database, account: Account): Promise<LTHashState> {
  const patches = patchesAfter(database, account.number, COLLECTION, 0).map((entry) =>
    proto.SyncdPatch.decode(entry.patch),
  )
  const fresh = newLTHashState()
  if (patches.length === 0) return fresh
  const { state } = await decodePatches(COLLECTION, patches, fresh, async () => keyData(account), {})
  return state
}

function keyData(account: Account): proto.Message.IAppStateSyncKeyData {
  return { keyData: account.phone.appStateKey.data }
}
