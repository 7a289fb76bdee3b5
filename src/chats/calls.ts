// Phone calls: stored and reported as they progress, and rejected on request.
import type { z } from 'zod'
import type { Caller } from '../accounts/caller.ts'
import type { Deps } from '../context.ts'
import type { Call, CallStatus } from '../contract/calls.ts'
import { GatewayError } from '../errors.ts'
import { callUpdate } from '../events/rules-payloads.ts'
import { requireOpenInstance } from '../instances/instances.ts'
import { iso } from '../kernel/time.ts'
import type { NetworkCall } from '../network/calls.ts'
import { lockInstance } from '../store/locks.ts'
import { flag, type Row } from '../store/tables.ts'
import * as rows from './call-queries.ts'
import { isCallNews, isOpenCall } from './rules.ts'

type CallDeps = Pick<Deps, 'store' | 'clock'>

/** A repeated notice changes nothing. */
export async function recordCall(deps: CallDeps, instanceId: number, call: NetworkCall): Promise<void> {
  const { store, clock } = deps
  await store.transaction(async (tx) => {
    if (!(await lockInstance(tx, instanceId))) return
    const known = await rows.findCall(tx, instanceId, call.id)
    if (!isCallNews(known?.status as CallStatus | undefined, call.status)) return
    const row = toRow(instanceId, call, known)
    await rows.upsertCall(tx, row)
    await store.appendEvents(tx, [callUpdate(instanceId, toCall(row), clock())])
  })
}

export async function rejectCall(
  deps: CallDeps & Pick<Deps, 'sessions'>,
  caller: Caller,
  { instanceName, callId }: { instanceName: string; callId: string },
) {
  const instance = await requireOpenInstance(deps, caller, instanceName)
  const known = await rows.findCall(deps.store.db, instance.id, callId)
  if (!known) throw new GatewayError('call_not_found')
  if (!isOpenCall(known.status as CallStatus)) throw new GatewayError('call_over')
  await deps.sessions.rejectCall(instance.id, callId, known.creator)
  await recordCall(deps, instance.id, {
    id: callId,
    from: JSON.parse(known.caller) as NetworkCall['from'],
    creator: known.creator,
    status: 'rejected',
    atMs: deps.clock(),
    isVideo: null,
    isGroup: null,
    groupJid: null,
  })
  // The caller may have hung up meanwhile: the answer shows what is stored.
  return toCall((await rows.findCall(deps.store.db, instance.id, callId)) ?? known)
}

/** What only the offer said stays. */
const toRow = (instanceId: number, call: NetworkCall, known: Row<'calls'> | undefined): Row<'calls'> => ({
  instance_id: instanceId,
  id: call.id,
  caller: known?.caller ?? JSON.stringify(call.from),
  creator: known?.creator ?? call.creator,
  is_video: call.isVideo === null ? (known?.is_video ?? null) : flag(call.isVideo),
  is_group: call.isGroup === null ? (known?.is_group ?? null) : flag(call.isGroup),
  group_jid: call.groupJid ?? known?.group_jid ?? null,
  status: call.status,
  updated_at: call.atMs,
})

const toCall = (row: Row<'calls'>): z.output<typeof Call> => ({
  callId: row.id,
  from: JSON.parse(row.caller) as NetworkCall['from'],
  isVideo: row.is_video === null ? null : row.is_video === 1,
  isGroup: row.is_group === null ? null : row.is_group === 1,
  groupJid: row.group_jid,
  status: row.status as CallStatus,
  at: iso(row.updated_at),
})
