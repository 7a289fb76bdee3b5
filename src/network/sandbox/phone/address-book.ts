/** The address book of a phone: names that its companions learn through app state. */
import {
  chatModificationToAppPatch,
  decodePatches,
  encodeSyncdPatch,
  type LTHashState,
  newLTHashState,
  proto,
} from 'baileys'
import { lidJid, pnJid } from '../address.ts'
import { addPatch } from '../app-state.ts'
import type { Exchange } from '../exchange.ts'
import { patchesAfter } from '../store/app-state.ts'
import { writeAccount } from '../store/documents.ts'
import type { Account } from '../world.ts'
import type { Phone } from './phone.ts'

/** Contacts are in the collection that a new device reads first, so that chats have names at once. */
const COLLECTION = 'critical_unblock_low'

export function saveContact(exchange: Exchange, phone: Phone, person: Account, name: string): Promise<void> {
  return phone.inTurn(async () => {
    const { account } = phone
    const contact = {
      fullName: name,
      firstName: name.split(' ')[0] ?? name,
      lidJid: lidJid(person),
      saveOnPrimaryAddressbook: true,
    }
    const change = chatModificationToAppPatch({ contact }, pnJid(person))
    const keyId = account.phone.appStateKey.id.toString('base64')
    const state = await currentState(exchange, account)
    const { patch } = await encodeSyncdPatch(change, keyId, state, async () => keyData(account))
    account.addressBook[person.number] = name
    writeAccount(exchange.database, account)
    await addPatch(exchange, account, COLLECTION, proto.SyncdPatch.encode(patch).finish(), 0)
  })
}

/** The running hash over all patches so far, those of companions included: the next patch is signed over it. */
async function currentState(exchange: Exchange, account: Account): Promise<LTHashState> {
  const patches = patchesAfter(exchange.database, account.number, COLLECTION, 0).map((entry) =>
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
