// Live sessions that a test controls: they replace the network in tests of the API.
import type { FileContent } from '../../src/contract/route.ts'
import { clearLogin } from '../../src/domain/log-out.ts'
import type { LiveSessions, NumberOnNetwork, QrCode, ReadMessage } from '../../src/network/network.ts'
import { type StateEvent, stateAfter } from '../../src/rules/instance-state.ts'
import { updateInstance } from '../../src/store/queries/instances.ts'
import type { Store } from '../../src/store/store.ts'
import type { Vault } from '../../src/store/vault.ts'

export interface ScriptedSessions extends LiveSessions {
  /** What the next calls answer; a function may throw a NetworkError. */
  script: {
    qr: () => QrCode | null
    pairingCode: () => string
    checkNumber: (number: string) => NumberOnNetwork
    profilePicture: (chat: string) => FileContent | null
    downloadMedia: (instanceId: number) => Uint8Array | null
    markRead: (messages: ReadMessage[]) => void
    restart: () => void
    pair: () => void
    begin: () => void
    /** Whether the credentials can be destroyed at once. */
    logOut: () => boolean
    check: () => void
  }
  loggedOut: number[]
  /** As when the phone has scanned the code. */
  open(instanceId: number, number: string, profileName?: string): Promise<void>
  move(instanceId: number, event: StateEvent): Promise<void>
}

export function createScriptedSessions(store: Store): ScriptedSessions {
  const script: ScriptedSessions['script'] = {
    qr: () => ({
      code: 'https://wa.me/settings/linked_devices#ref,noise,identity',
      expiresAt: Date.now() + 20_000,
    }),
    pairingCode: () => 'ABCD1234',
    checkNumber: (number) => ({ exists: true, jid: `${number}@s.whatsapp.net` }),
    profilePicture: () => null,
    downloadMedia: () => null,
    markRead: () => undefined,
    restart: () => undefined,
    pair: () => undefined,
    begin: () => undefined,
    logOut: () => true,
    check: () => undefined,
  }
  const vault = {
    async destroy(tx, scope) {
      await tx.deleteFrom('data_keys').where('scope', '=', scope).execute()
    },
  } as Vault
  const move = async (instanceId: number, event: StateEvent) => {
    await updateInstance(store.db, instanceId, stateAfter(event))
  }
  const loggedOut: number[] = []
  return {
    script,
    loggedOut,
    move,
    async open(instanceId, number, profileName = 'Profile') {
      await updateInstance(store.db, instanceId, {
        ...stateAfter('opened'),
        logged_in: 1,
        number,
        profile_name: profileName,
      })
    },
    async start() {
      script.begin()
    },
    async pair(instanceId, number) {
      script.pair()
      await move(instanceId, 'code_shown')
      return number === undefined
        ? { qr: script.qr(), pairingCode: null }
        : { qr: null, pairingCode: script.pairingCode() }
    },
    qr: async () => script.qr(),
    restart: async () => script.restart(),
    async logOut(instanceId) {
      loggedOut.push(instanceId)
      if (!script.logOut()) return false
      await store.transaction((tx) => clearLogin({ store, vault, clock: Date.now }, tx, instanceId))
      return true
    },
    async end(instanceId) {
      loggedOut.push(instanceId)
    },
    check: async () => script.check(),
    checkNumber: async (_instanceId, number) => script.checkNumber(number),
    profilePicture: async (_instanceId, chat) => script.profilePicture(chat),
    downloadMedia: async (instanceId) => script.downloadMedia(instanceId),
    markRead: async (_instanceId, messages) => script.markRead(messages),
    close: async () => undefined,
  }
}
