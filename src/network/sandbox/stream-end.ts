/** The end of a client's stream: the network says why before it closes the socket. */
import type { Connection } from './connection.ts'
import { type Stanza, stanza } from './stanza.ts'

/** A code such as 515 (restart) or 401 (logged out), and for some a reason inside. */
export function endStream(connection: Connection, attributes: { code?: string }, reason?: Stanza): void {
  connection.send(stanza('stream:error', attributes, reason && [reason]))
  connection.close()
}
