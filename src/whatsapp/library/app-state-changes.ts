// Changes of the owner's account (app state), made by this session. The network orders them: a change that is based on an old
// version is refused. The library takes that refusal for success, and stores a version that the network does not have.
import {
  type BinaryNode,
  type ChatModification,
  chatModificationToAppPatch,
  getBinaryNodeChild,
  getBinaryNodeChildren,
  type WASocket,
} from 'baileys'
import { createMutex } from '../../kernel/async/locks.ts'
import { realTimers, type Timers } from '../../kernel/async/timers.ts'
import { withTimeout as orLate } from '../../kernel/async/waiting.ts'
import { NetworkError } from '../../network/network.ts'
import { withTimeout } from './with-timeout.ts'

/** Each try applies the changes of the other devices first. */
const MAX_TRIES = 4
/** The library waits without a limit, and the changes behind this one would wait too. */
const ANSWER_MS = 15_000
const CONFLICT = 409
/** After a link the phone shares its key within a second or two, if WhatsApp is open on it. */
const KEY_MS = 5000
const VERSION = 'app-state-sync-version'

export interface AppStateChanges {
  /** Rejects if the network refuses the change. */
  change(modification: ChatModification, jid: string): Promise<void>
}

type Socket = Pick<WASocket, 'authState' | 'chatModify' | 'ev'> & { ws: Pick<WASocket['ws'], 'on'> }

export function createAppStateChanges(socket: Socket, timers: Timers = realTimers): AppStateChanges {
  const { keys } = socket.authState
  const mutex = createMutex()
  let refusal: number | undefined
  socket.ws.on('CB:iq', (answer: BinaryNode) => {
    refusal = refusalIn(answer) ?? refusal
  })

  async function tryOnce(modification: ChatModification, jid: string): Promise<number | undefined> {
    const { type } = chatModificationToAppPatch(modification, jid)
    const { [type]: before = null } = await keys.get(VERSION, [type])
    refusal = undefined
    await socket.chatModify(modification, jid)
    // The refused version is withdrawn: the next try reads what the other devices have changed since the one before.
    if (refusal !== undefined) await keys.set({ [VERSION]: { [type]: before } })
    return refusal
  }

  return {
    async change(modification, jid) {
      await keyShared(socket, timers)
      await mutex.runExclusive(async () => {
        for (let tries = 1; ; tries += 1) {
          const code = await withTimeout(tryOnce(modification, jid), ANSWER_MS, 'the change')
          if (code === undefined) return
          if (code !== CONFLICT) throw new NetworkError('refused', 'the change was refused', undefined, code)
          if (tries === MAX_TRIES)
            throw new NetworkError('unavailable', 'other devices keep changing the account', undefined, code)
        }
      })
    },
  }
}

/** Resolves when the phone has shared the key that changes are encrypted with. */
async function keyShared({ authState, ev }: Socket, timers: Timers): Promise<void> {
  if (authState.creds.myAppStateKeyId) return
  const shared = Promise.withResolvers<void>()
  const check = ({ myAppStateKeyId }: { myAppStateKeyId?: string }) => {
    if (myAppStateKeyId) shared.resolve()
  }
  ev.on('creds.update', check)
  const late = () => new NetworkError('keys_missing', 'the phone has not shared its app-state key yet')
  await orLate(shared.promise, KEY_MS, late, timers).finally(() => ev.off('creds.update', check))
}

/** The code of a refused patch; undefined for any other answer. */
function refusalIn(answer: BinaryNode): number | undefined {
  const sync = getBinaryNodeChild(answer, 'sync')
  const collections = sync ? getBinaryNodeChildren(sync, 'collection') : []
  const refused = collections.find(({ attrs }) => attrs.type === 'error')
  return refused && Number(getBinaryNodeChild(refused, 'error')?.attrs.code ?? CONFLICT)
}
