/** Messages from linked devices: taken, routed and acknowledged, or refused with an error code. */
import { isGroupJid } from './address.ts'
import { deliver, logFrame } from './delivery.ts'
import type { Client } from './dispatch.ts'
import { rejectionFor, restrictionOf } from './fault-state.ts'
import { routeMessage } from './routing.ts'
import { nowSeconds, type Stanza, stanza } from './stanza.ts'
import { hasWritten } from './store/messages.ts'
import { accountByJid } from './world.ts'

/** The code for "you may not start new chats", which the library reports as a restricted account. */
const RESTRICTED = '463'

/** Acknowledges once the message is committed; the client's next stanza is not held up by that. */
export function acceptMessage(client: Client, node: Stanza): void {
  const { exchange, account, device } = client
  const error = refusal(client, node)
  const routed = error ? { error } : routeMessage(exchange, { account, device: device.id }, node)
  if ('error' in routed) acknowledgeSend(client, node, routed.error)
  else void deliver(exchange, routed.deliveries).then(() => acknowledgeSend(client, node))
}

function acknowledgeSend({ exchange, connection, account, device }: Client, node: Stanza, error?: string) {
  const ack = stanza('ack', {
    id: node.attrs['id'],
    class: 'message',
    from: node.attrs['to'],
    t: nowSeconds(),
    error,
  })
  logFrame(exchange, 'out', account.number, device.id, ack)
  connection.send(ack)
}

function refusal({ exchange, account }: Client, node: Stanza): string | undefined {
  const rejected = rejectionFor(exchange.faults.rejected, account.number)
  if (rejected) return rejected
  if (!restrictionOf(exchange.faults, account.number)) return undefined
  const to = node.attrs['to'] ?? ''
  const recipient = accountByJid(exchange.world, to)
  if (isGroupJid(to) || !recipient || recipient === account) return undefined
  return hasWritten(exchange.database, account.number, recipient.number) ? undefined : RESTRICTED
}
