// Rejects a call for an instance that takes none, and writes to the caller.

import { recordCall } from '../chats/calls.ts'
import type { Deps } from '../context.ts'
import { findInstanceById } from '../instances/instance-queries.ts'
import { findTextKey } from '../instances/instance-settings.ts'
import type { InstanceSettings } from '../instances/rules-settings.ts'
import type { NetworkCall } from '../network/calls.ts'
import type { NetworkSession } from '../network/network.ts'
import { sendAutomatically } from '../sending/automatic.ts'

type DeclineDeps = Pick<Deps, 'store' | 'clock' | 'wakeSending' | 'trace'>

/** Whether the call is an offer of another person. The network also reports calls that the owner makes. */
export async function isDeclined(
  { store }: Pick<Deps, 'store'>,
  instanceId: number,
  { rejectCalls }: Pick<InstanceSettings, 'rejectCalls'>,
  { status, from }: NetworkCall,
): Promise<boolean> {
  if (!rejectCalls || status !== 'offer') return false
  const instance = await findInstanceById(store.db, instanceId)
  return instance !== undefined && instance.number !== from.phone
}

/** Once per call, also if the network repeats the offer after a crash. The caller of a group call gets no text. */
export async function writeToCaller(
  deps: DeclineDeps,
  instanceId: number,
  { rejectCallsText: text }: Pick<InstanceSettings, 'rejectCallsText'>,
  { id, from, isGroup }: NetworkCall,
): Promise<void> {
  if (text === null || isGroup === true) return
  const to = from.phone === null ? { chat: from.jid } : { number: from.phone }
  const keyId = await findTextKey(deps, instanceId)
  await sendAutomatically(deps, instanceId, { to, text, key: `call\n${instanceId}\n${id}`, keyId })
}

/** The call may be over by now: the network then refuses, and the stored status stays. */
export async function declineCall(
  deps: Pick<Deps, 'store' | 'clock'>,
  instanceId: number,
  session: Pick<NetworkSession, 'rejectCall'>,
  call: NetworkCall,
): Promise<void> {
  await session.rejectCall(call.id, call.creator)
  await recordCall(deps, instanceId, { ...call, status: 'rejected', atMs: deps.clock() })
}
