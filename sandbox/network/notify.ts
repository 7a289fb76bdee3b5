// Sends a notification of the network itself to a client that is not linked yet. It is not queued.
import { newStanzaId, nowSeconds, SERVER_JID, type Stanza, stanza } from '../wire/stanza.ts'
import type { Connection } from './connection.ts'

export function notify(
  connection: Pick<Connection, 'send'>,
  type: string,
  content: Stanza[],
  madeAt = nowSeconds(),
): void {
  connection.send(stanza('notification', { from: SERVER_JID, type, id: newStanzaId(), t: madeAt }, content))
}
