// Acknowledges `status` stanzas, which channels send and the library does not know: the network would deliver them with every connection.
import type { LibrarySocket } from '../library/library-socket.ts'
import type { BinaryNode } from '../library/protocol.ts'

/** Attributes that an acknowledgement returns. */
const RETURNED = ['type', 'participant'] as const

export function statusAck({ attrs }: BinaryNode): BinaryNode | undefined {
  const { id, from } = attrs
  if (!id || !from) return undefined
  const returned = RETURNED.flatMap((name) => (attrs[name] === undefined ? [] : [[name, attrs[name]]]))
  return { tag: 'ack', attrs: { class: 'status', id, to: from, ...Object.fromEntries(returned) } }
}

export function acknowledgeStatus(socket: Pick<LibrarySocket, 'onStanza' | 'sendNode'>): void {
  socket.onStanza('status', (stanza) => {
    const ack = statusAck(stanza)
    // If the connection has ended, the network delivers the stanza again.
    if (ack) void socket.sendNode(ack).catch(() => undefined)
  })
}
