// A phone's side of app state: it applies the patches of linked devices and adds its own. Both run in the phone's mutex.
import {
  chatModificationToAppPatch,
  decodePatches,
  encodeSyncdPatch,
  type LTHashState,
  newLTHashState,
  proto,
  type WAPatchName,
} from 'baileys'
import type { Account } from '../model/world.ts'
import { addPatch } from '../network/app-state.ts'
import type { DeliveryState } from '../network/sandbox-state.ts'
import { appStateVersion, patchesAfter } from '../store/app-state.ts'
import type { StoredWorld } from '../store/stored-world.ts'
import { applyMutation } from './app-state-actions.ts'
import type { Phone } from './phone.ts'

/** A change before it is encrypted, as the library builds it. */
type Change = ReturnType<typeof chatModificationToAppPatch>

/** The key under which the phone stores the running hash of each collection. */
const HASH = 'app-state-sync-version'

/** Applies the patches that other devices have added since the last call. The caller saves the phone's keys. */
export async function syncCollection(
  state: StoredWorld,
  phone: Phone,
  collection: WAPatchName,
): Promise<LTHashState> {
  const { account } = phone
  const known = (await phone.signal.keys.get(HASH, [collection]))[collection] ?? newLTHashState()
  const patches = patchesAfter(state.database, account.number, collection, known.version).map((entry) =>
    proto.SyncdPatch.decode(entry.patch),
  )
  if (patches.length === 0) return known
  const keyOf = async () => keyData(account)
  const { state: hash, mutationMap } = await decodePatches(collection, patches, known, keyOf, {})
  for (const { index, syncAction } of Object.values(mutationMap))
    applyMutation(state, phone, { index, value: syncAction.value ?? {} })
  await phone.signal.keys.set({ [HASH]: { [collection]: hash } })
  return hash
}

/** Adds a change of this phone, applies it here and sends it to the linked devices. */
export function pushChange(state: DeliveryState & StoredWorld, phone: Phone, change: Change): Promise<void> {
  return phone.runExclusive(async () => {
    const { account } = phone
    const keyId = account.phone.appStateKey.id.toString('base64')
    for (;;) {
      const hash = await syncCollection(state, phone, change.type)
      const encoded = await encodeSyncdPatch(change, keyId, hash, async () => keyData(account))
      // A linked device may have added a patch while this one was encrypted.
      if (appStateVersion(state.database, account.number, change.type) !== hash.version) continue
      const bytes = proto.SyncdPatch.encode(encoded.patch).finish()
      const delivered = addPatch(state, account, change.type, bytes, 0)
      await phone.signal.keys.set({ [HASH]: { [change.type]: encoded.state } })
      phone.signal.keys.save()
      applyMutation(state, phone, { index: change.index, value: change.syncAction })
      await delivered
      return
    }
  })
}

/** Puts the name of the account into its app state, unless a device has done so. */
export async function shareName(state: DeliveryState & StoredWorld, phone: Phone): Promise<void> {
  const { name, number } = phone.account
  const change = chatModificationToAppPatch({ pushNameSetting: name }, '')
  if (appStateVersion(state.database, number, change.type) === 0) await pushChange(state, phone, change)
}

function keyData(account: Account): proto.Message.IAppStateSyncKeyData {
  return { keyData: account.phone.appStateKey.data }
}
