// Messages from linked devices: accepted, routed and acknowledged, or refused with an error code.
import { isGroupJid } from '../model/address.ts'
import { accountByJid } from '../model/world.ts'
import { hasWritten } from '../store/messages.ts'
import { nowSeconds, type Stanza, stanza } from '../wire/stanza.ts'
import type { ConnectedClient } from './client.ts'
import { deliverLater, tryLogFrame } from './delivery.ts'
import { rejectionFor, restrictionOf } from './fault-state.ts'
import { routeMessage } from './routing.ts'

/** The code for an account that may not start new chats. The library reports it as a restriction. */
const RESTRICTED = '463'

/** Acknowledges the message after its commit. The client's next stanza does not wait for that. */
export function acceptMessage(client: ConnectedClient, node: Stanza): void {
  const { state, account, device } = client
  const error = refusal(client, node)
  const routed = error ? { error } : routeMessage(state, { account, device: device.id }, node)
  if ('error' in routed) acknowledgeSend(client, node, routed.error)
  else {
    // The client gets no acknowledgement and a closed connection, so it sends the message again.
    const failed = () => client.connection.close()
    deliverLater(state, routed.deliveries, { done: () => acknowledgeSend(client, node), failed })
  }
}

function acknowledgeSend(
  { state, connection, account, device }: ConnectedClient,
  node: Stanza,
  error?: string,
) {
  const ack = stanza('ack', {
    id: node.attrs['id'],
    class: 'message',
    from: node.attrs['to'],
    t: nowSeconds(),
    error,
  })
  tryLogFrame(state, 'out', account.number, device.id, ack)
  connection.send(ack)
}

function refusal({ state, account }: ConnectedClient, node: Stanza): string | undefined {
  const rejected = rejectionFor(state.faults.rejected, account.number)
  if (rejected) return rejected
  if (!restrictionOf(state.faults, account.number)) return undefined
  const to = node.attrs['to'] ?? ''
  const recipient = accountByJid(state.world, to)
  if (isGroupJid(to) || !recipient || recipient === account) return undefined
  return hasWritten(state.database, account.number, recipient.number) ? undefined : RESTRICTED
}
