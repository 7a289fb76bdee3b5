// Dispatches each stanza to the handler of its tag.
import { acceptMessage } from '../network/accept-message.ts'
import { acceptCallStanza } from '../network/calls.ts'
import type { ConnectedClient } from '../network/client.ts'
import type { Connection } from '../network/connection.ts'
import { acknowledge, logFrame } from '../network/delivery.ts'
import { acceptChatState, acceptPresence } from '../network/presence.ts'
import { acceptReceipt } from '../network/receipts.ts'
import type { SandboxState } from '../network/sandbox-state.ts'
import { answerQuery } from '../queries/answer-query.ts'
import type { Stanza } from '../wire/stanza.ts'

type Handler = (client: ConnectedClient, node: Stanza) => void | Promise<void>

const LOGGED = new Set(['message', 'receipt', 'ack', 'call'])

const HANDLERS: Record<string, Handler> = {
  message: acceptMessage,
  receipt: acceptReceipt,
  ack: acceptAck,
  call: acceptCallStanza,
  chatstate: acceptChatState,
  presence: acceptPresence,
}

export async function handleStanza(state: SandboxState, connection: Connection, node: Stanza): Promise<void> {
  if (node.tag === 'iq') {
    await handleQuery(state, connection, node)
    return
  }
  const login = connection.login
  const handler = HANDLERS[node.tag]
  // Before login only queries are handled. Stanzas without a handler, such as telemetry in `ib`, are ignored.
  if (!login || !handler) return
  if (LOGGED.has(node.tag)) logFrame(state.database, 'in', login.account.number, login.device.id, node)
  await handler({ state, connection, ...login }, node)
}

async function handleQuery(state: SandboxState, connection: Connection, node: Stanza): Promise<void> {
  const type = node.attrs['type']
  if (type === 'result' || type === 'error') connection.answer(node)
  else await answerQuery(state, connection, node)
}

/** Clients send acks for receipts, for notifications, and for messages that they could not decrypt. */
function acceptAck({ state, account, device }: ConnectedClient, node: Stanza): void {
  const { id = '', class: stanzaClass = '' } = node.attrs
  acknowledge(state.database, account, device.id, { class: stanzaClass, id })
}
