// Converts a phone call from the library's form to the port's.

import type { CallStatus } from '../../contract/calls.ts'
import { isStorableId } from '../../network/arrival-names.ts'
import type { NetworkCall } from '../../network/calls.ts'
import {
  isJidGroup,
  jidNormalizedUser,
  type WACallEvent,
  type WACallUpdateType,
} from '../library/protocol.ts'
import { toKnownPerson } from '../people/identifiers.ts'

/** The others are steps of setting up the line. */
const STATUSES: Partial<Record<WACallUpdateType, CallStatus>> = {
  offer: 'offer',
  ringing: 'ringing',
  preaccept: 'ringing',
  accept: 'accepted',
  reject: 'rejected',
  timeout: 'missed',
  terminate: 'ended',
}

/** Undefined: the step is not reported, or the caller is unknown. */
export function toNetworkCall(call: WACallEvent): NetworkCall | undefined {
  const status = STATUSES[call.status]
  // Only in a call of one person the chat is the caller.
  const creator = call.from ?? (isJidGroup(call.chatId) ? undefined : call.chatId)
  const from =
    creator && toKnownPerson({ id: creator, ...(call.callerPn ? { phoneNumber: call.callerPn } : {}) })
  if (!status || !creator || !from || !call.id || !isStorableId(call.id)) return undefined
  return {
    id: call.id,
    from,
    creator: jidNormalizedUser(creator),
    status,
    atMs: call.date.getTime(),
    isVideo: call.isVideo ?? null,
    isGroup: call.isGroup ?? null,
    groupJid: call.groupJid ?? null,
  }
}
