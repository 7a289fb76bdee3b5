// The state that an instance should have according to its session, and how it is saved.
import type { Logger } from 'pino'
import { type PasskeyNews, passkeyUpdate, qrUpdate } from '../events/rules-payloads.ts'
import { changeInstanceStateIn } from '../instances/change-instance-state.ts'
import { findInstanceById } from '../instances/instance-queries.ts'
import { clearLogin } from '../instances/log-out.ts'
import { lockOwnInstance } from '../instances/owner-queries.ts'
import type { StateEvent } from '../instances/rules.ts'
import type { OwnAccount, QrCode } from '../network/network.ts'
import type { OnRefusedWrite } from '../receiving/credentials.ts'
import type { Store } from '../store/store.ts'
import type { Db } from '../store/tables.ts'
import type { Vault } from '../store/vault.ts'

export interface WantedState {
  event: StateEvent
  /** The end of the state reason, if it is known. */
  until?: number | null
  /** A new QR code: each one is reported, although the state stays the same. */
  qr?: QrCode
  /** A step of linking with a passkey, or its end: each one is reported. */
  passkey?: PasskeyNews
  /** The account of the opened session. */
  account?: OwnAccount
  /** The login has ended: credentials and key are destroyed. */
  clearsLogin?: boolean
}

/** Whether saving the second one would change nothing. */
export const isSameState = (one: WantedState, other: WantedState | undefined): boolean =>
  one.event === other?.event && (one.until ?? null) === (other.until ?? null)

/** Combines two states that are still to be saved: the later one, with a login that came or went in the earlier one. */
export function supersede(earlier: WantedState, later: WantedState): WantedState {
  if (later.clearsLogin) return later
  const account = later.account ?? earlier.account
  return {
    ...later,
    ...(account === undefined ? {} : { account }),
    ...(earlier.clearsLogin ? { clearsLogin: true } : {}),
  }
}

export interface SaveDeps {
  store: Store
  vault: Vault
  clock: () => number
  logger: Logger
  onOpened: (instanceId: number) => void
  /** This node, if several may use the database. */
  nodeId?: number | undefined
  onRefusedWrite?: OnRefusedWrite | undefined
}

/** Saves the row and its events in one transaction. False: another node serves the instance, and nothing was saved. */
export async function saveState(deps: SaveDeps, instanceId: number, wanted: WantedState): Promise<boolean> {
  const { store, clock, logger, nodeId } = deps
  const { event, until, qr, passkey, account, clearsLogin } = wanted
  const save = async (tx: Db): Promise<boolean> => {
    if (nodeId !== undefined && !(await lockOwnInstance(tx, nodeId, instanceId))) return false
    if (clearsLogin) await clearLogin(deps, tx, instanceId)
    const change = account && { change: loginOf(account) }
    await changeInstanceStateIn(deps, tx, instanceId, { event, until, ...change, isFromSession: true })
    const instance = qr && (await findInstanceById(tx, instanceId))
    if (instance) await store.appendEvents(tx, [qrUpdate(instance, qr, clock())])
    if (passkey && (await findInstanceById(tx, instanceId)))
      await store.appendEvents(tx, [passkeyUpdate(instanceId, passkey, clock())])
    return true
  }
  // The end of a login also changes rows beside the instance.
  const isOwner = await (clearsLogin ? store.transaction(save) : store.instanceTransaction(instanceId, save))
  if (!isOwner) {
    deps.onRefusedWrite?.('state')
    return false
  }
  logger.info({ instanceId, event }, 'session: instance state changed')
  // An ended restriction counts too: sends to new chats were deferred.
  if (event === 'opened' || event === 'unrestricted') deps.onOpened(instanceId)
  return true
}

const loginOf = (account: OwnAccount) => ({
  logged_in: 1 as const,
  number: account.number,
  lid: account.lid,
  ...(account.name === null ? {} : { profile_name: account.name }),
})
