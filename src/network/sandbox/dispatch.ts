/** The table from a stanza's tag to the function that handles it. */
import type { Connection, Login } from './connection.ts'
import { acknowledge, logFrame } from './delivery.ts'
import type { Exchange } from './exchange.ts'
import { acceptMessage } from './messages.ts'
import { acceptChatState, acceptPresence } from './presence.ts'
import { answerQuery } from './queries/queries.ts'
import { acceptReceipt } from './receipts.ts'
import type { Stanza } from './stanza.ts'

export type Client = { exchange: Exchange; connection: Connection } & Login
type Handler = (client: Client, node: Stanza) => void | Promise<void>

const LOGGED = new Set(['message', 'receipt', 'ack'])

const HANDLERS: Record<string, Handler> = {
  message: acceptMessage,
  receipt: acceptReceipt,
  ack: acceptAck,
  chatstate: acceptChatState,
  presence: acceptPresence,
}

export async function handleStanza(exchange: Exchange, connection: Connection, node: Stanza): Promise<void> {
  if (node.tag === 'iq') {
    await handleQuery(exchange, connection, node)
    return
  }
  const login = connection.login
  const handler = HANDLERS[node.tag]
  // Before login only queries count; telemetry such as `ib` is for nobody here.
  if (!login || !handler) return
  if (LOGGED.has(node.tag)) logFrame(exchange, 'in', login.account.number, login.device.id, node)
  await handler({ exchange, connection, ...login }, node)
}

async function handleQuery(exchange: Exchange, connection: Connection, node: Stanza): Promise<void> {
  const type = node.attrs['type']
  if (type === 'result' || type === 'error') connection.answer(node)
  else await answerQuery(exchange, connection, node)
}

/** Clients acknowledge receipts and notifications this way, and messages they could not read. */
function acceptAck({ exchange, account, device }: Client, node: Stanza): void {
  const { id = '', class: stanzaClass = '' } = node.attrs
  acknowledge(exchange, account, device.id, { class: stanzaClass, id })
}
