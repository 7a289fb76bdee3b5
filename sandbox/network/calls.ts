// Calls: a phone rings another number. The linked devices of that number are notified, and may reject the call.
import { randomBytes } from 'node:crypto'
import { jidOf, shownPn } from '../model/address.ts'
import type { Call, PhoneCallStatus } from '../model/calls.ts'
import { Refusal } from '../model/refusal.ts'
import type { Account } from '../model/world.ts'
import {
  children,
  newStanzaId,
  nowSeconds,
  type Stanza,
  type StanzaAttributes,
  stanza,
} from '../wire/stanza.ts'
import type { ConnectedClient } from './client.ts'
import { deliverLater, enqueue } from './delivery.ts'
import type { RoutingState, SandboxState } from './sandbox-state.ts'

type CallState = RoutingState & Pick<SandboxState, 'calls' | 'changes' | 'limits'>

export function placeCall(state: CallState, from: Account, to: Account, isVideo: boolean): Call {
  if (from === to)
    throw new Refusal('invalid_request', 'A phone cannot call itself.', [
      { path: 'to', message: 'must be another number' },
    ])
  const call: Call = {
    id: randomBytes(16).toString('hex').toUpperCase(),
    from,
    to,
    isVideo,
    status: 'ringing',
    timestamp: Math.floor(Date.now() / 1000),
    ringing: undefined,
  }
  const media = isVideo ? [stanza('audio'), stanza('video')] : [stanza('audio')]
  notifyDevices(state, call, 'offer', {}, media)
  call.ringing = setTimeout(() => finish(state, call, 'missed', 'timeout'), state.limits.callRingMs)
  call.ringing.unref()
  state.calls.add(call)
  recordChange(state, call)
  return call
}

/** The person who is called answers on the phone. The linked devices stop ringing. */
export function answerCall(state: CallState, account: Account, callId: string): Call {
  const call = callOf(state, account, callId)
  if (call.status !== 'ringing' || call.to !== account)
    throw new Refusal('call_over', 'The call does not ring on this phone.')
  return finish(state, call, 'answered', 'accepted_elsewhere')
}

/** The caller gives up, or the person who is called rejects. After an answer, either side ends the call. */
export function hangUp(state: CallState, account: Account, callId: string): Call {
  const call = callOf(state, account, callId)
  if (call.status === 'answered') return finish(state, call, 'ended')
  if (call.status !== 'ringing') throw new Refusal('call_over', 'The call is over.')
  return call.from === account
    ? finish(state, call, 'missed')
    : finish(state, call, 'rejected', 'rejected_elsewhere')
}

/** A stanza of a client about a call. Rejecting has an effect, a new link is answered, and the others are only acknowledged. */
export function acceptCallStanza(client: ConnectedClient, node: Stanza): void {
  const { state, connection, account, device } = client
  const [info] = children(node)
  const call = state.calls.find(info?.attrs['call-id'] ?? '')
  if (info?.tag === 'reject' && call?.status === 'ringing' && call.to === account)
    finish(state, call, 'rejected', 'rejected_elsewhere', device.id)
  const { id, to } = node.attrs
  const answer = info?.tag === 'link_create' ? [callLink(info)] : undefined
  connection.send(stanza('ack', { id, class: 'call', type: info?.tag, from: to, t: nowSeconds() }, answer))
}

/** The token of a call link. The sandbox creates links, but no call can be joined with one. */
function callLink({ attrs: { media } }: Stanza): Stanza {
  return stanza('link_create', { token: randomBytes(16).toString('base64url'), media })
}

/** Changes the status and notifies the linked devices, except the one that caused the change. */
function finish(
  state: CallState,
  call: Call,
  status: PhoneCallStatus,
  reason?: string,
  author?: number,
): Call {
  clearTimeout(call.ringing)
  call.status = status
  notifyDevices(state, call, 'terminate', { reason }, undefined, author)
  recordChange(state, call)
  return call
}

/** Stanzas of calls are queued as messages are: a device that was offline learns of a missed call at its next login. */
function notifyDevices(
  state: CallState,
  { id, from, to }: Call,
  tag: 'offer' | 'terminate',
  attributes: StanzaAttributes,
  content?: Stanza[],
  except?: number,
): void {
  if (to.blocked.includes(from.number)) return
  const { addressing } = state.world
  const creator = {
    'call-id': id,
    'call-creator': jidOf(from, addressing),
    caller_pn: addressing === 'lid' ? shownPn(from) : undefined,
  }
  const info = stanza(tag, { ...creator, ...attributes }, content)
  const deliveries = [...to.devices.keys()]
    .filter((device) => device !== except)
    .map((device) => {
      const envelope = {
        from: jidOf(from, addressing),
        id: newStanzaId(),
        t: nowSeconds(),
        notify: from.name,
      }
      return enqueue(state.database, to, device, stanza('call', envelope, [info]))
    })
  deliverLater(state, deliveries)
}

function recordChange({ calls, changes }: CallState, { from, to }: Call): void {
  calls.notifier.notify()
  for (const { number, owner } of [from, to]) changes.record({ about: 'calls', number }, [owner])
}

function callOf({ calls }: CallState, account: Account, callId: string): Call {
  const call = calls.find(callId)
  if (!call || (call.from !== account && call.to !== account))
    throw new Refusal('call_not_found', 'This phone has no such call.')
  return call
}
