// Live sessions that a test controls: they replace the network in tests of the API.
import type { FileContent } from '../../src/contract/route.ts'
import { updateInstance } from '../../src/instances/instance-queries.ts'
import { clearLogin } from '../../src/instances/log-out.ts'
import { type StateEvent, stateAfter } from '../../src/instances/rules.ts'
import { CHAT_CALLS, type LiveChatCalls } from '../../src/network/chats.ts'
import { GROUP_CALLS, type LiveGroupCalls } from '../../src/network/groups.ts'
import { isLid, phoneOf } from '../../src/network/jid.ts'
import type {
  LiveSessions,
  NumberOnNetwork,
  QrCode,
  ReadMessage,
  ReceivedStatus,
} from '../../src/network/network.ts'
import { type LivePasskeyCalls, PASSKEY_CALLS } from '../../src/network/passkey.ts'
import { type LivePeopleCalls, PEOPLE_CALLS } from '../../src/network/people.ts'
import type { Store } from '../../src/store/store.ts'
import type { Vault } from '../../src/store/vault.ts'

export interface ScriptedSessions extends LiveSessions {
  /** What the next calls answer; a function may throw a NetworkError. */
  script: {
    qr: () => QrCode | null
    pairingCode: () => string
    checkNumber: (number: string) => NumberOnNetwork
    profilePicture: (chat: string) => FileContent | null
    downloadMedia: (instanceId: number, reference: unknown) => Uint8Array | null
    markRead: (messages: ReadMessage[], as?: ReceivedStatus) => void
    restart: () => void
    pair: () => void
    begin: () => void
    /** Whether the credentials can be destroyed at once. */
    logOut: () => boolean
    check: () => void
    rejectCall: (callId: string, creator: string) => void
    applySettings: (instanceId: number) => void
  } & LiveGroupCalls &
    LiveChatCalls &
    LivePeopleCalls &
    LivePasskeyCalls
  loggedOut: number[]
  /** As when the phone has scanned the code. */
  open(instanceId: number, number: string, profileName?: string): Promise<void>
  move(instanceId: number, event: StateEvent): Promise<void>
}

const ANSWERED = { code: 200, isInvited: false }

/** Every call succeeds. As a real session reports a group before it answers, a test stores the group itself. */
const groupScript: LiveGroupCalls = {
  refreshGroup: async () => undefined,
  createGroup: async (_instanceId, _subject, people) => ({
    jid: '120363000000000000@g.us',
    answers: people.map(() => ANSWERED),
  }),
  changeGroup: async () => undefined,
  setGroupPicture: async () => undefined,
  changeMembers: async (_instanceId, _jid, _action, people) => people.map(() => ANSWERED),
  groupInvite: async () => 'AbCdEfGhIjKlMnOpQrStUv',
  resetGroupInvite: async () => 'VuTsRqPoNmLkJiHgFeDcBa',
  previewInvite: async () => ({
    jid: '120363000000000000@g.us',
    subject: 'Team',
    description: null,
    ownerJid: null,
    createdAtMs: null,
    size: 2,
    joinApproval: false,
  }),
  joinGroup: async () => ({ jid: '120363000000000000@g.us', isMember: true }),
  leaveGroup: async () => undefined,
  listJoinRequests: async () => [],
  answerJoinRequests: async (_instanceId, _jid, _answer, people) => people.map(() => ANSWERED),
}

const chatScript: LiveChatCalls = {
  changeChat: async () => undefined,
  clearChat: async () => undefined,
  starMessage: async () => undefined,
  saveLabel: async () => undefined,
  labelChat: async () => undefined,
  requestHistory: async () => undefined,
  showPresence: async () => undefined,
}

const NO_PRIVACY = {
  lastSeen: 'all',
  online: 'all',
  profilePicture: 'all',
  about: 'all',
  readReceipts: 'all',
  groupAdd: 'all',
  calls: 'all',
  messages: null,
}

const peopleScript: LivePeopleCalls = {
  personFacts: async (_instanceId, jid) => ({
    jid,
    phone: phoneOf(jid),
    lid: isLid(jid) ? jid : null,
    about: null,
    aboutSetAtMs: null,
    isBlocked: false,
    business: null,
  }),
  setBlocked: async () => undefined,
  blocklist: async () => [],
  followPresence: async (_instanceId, jids) => jids.map((jid) => ({ jid, lid: null })),
  ownProfile: async () => ({
    name: null,
    about: null,
    aboutSetAtMs: null,
    privacy: NO_PRIVACY,
    defaultDisappearingSeconds: 0,
  }),
  changeProfile: async () => undefined,
}

/** As while the network demands no passkey. */
const passkeyScript: LivePasskeyCalls = {
  passkey: async () => null,
  answerPasskey: async () => 'not_expected',
  confirmPasskey: async () => 'not_expected',
  cancelPasskey: async () => 'not_expected',
  openPasskeyLink: async () => null,
  followPasskeyLink: async () => null,
}

type Passed = LiveGroupCalls & LiveChatCalls & LivePeopleCalls & LivePasskeyCalls

/** Looked up at each call, because a test changes the script. */
const scriptedCalls = (script: Passed): Passed =>
  Object.fromEntries(
    [...GROUP_CALLS, ...CHAT_CALLS, ...PEOPLE_CALLS, ...PASSKEY_CALLS].map((name) => [
      name,
      async (...args: unknown[]) => (script[name] as (...given: unknown[]) => unknown)(...args),
    ]),
  ) as unknown as Passed

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
    rejectCall: () => undefined,
    applySettings: () => undefined,
    ...groupScript,
    ...chatScript,
    ...peopleScript,
    ...passkeyScript,
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
    rejectCall: async (_instanceId, callId, creator) => script.rejectCall(callId, creator),
    applySettings: async (instanceId) => script.applySettings(instanceId),
    ...scriptedCalls(script),
    checkNumber: async (_instanceId, number) => script.checkNumber(number),
    profilePicture: async (_instanceId, chat) => script.profilePicture(chat),
    downloadMedia: async (instanceId, reference) => script.downloadMedia(instanceId, reference),
    markRead: async (_instanceId, messages, as) => script.markRead(messages, as),
    close: async () => undefined,
  }
}
