// Ends a client's stream: sends the reason, then closes the socket.
import { type Stanza, stanza } from '../wire/stanza.ts'
import type { Connection } from './connection.ts'

const CLOSE_AFTER_MS = 200

/** The code is for instance 515 (restart) or 401 (logged out). Some codes carry a reason stanza. */
export function endStream(connection: Connection, attributes: { code?: string }, reason?: Stanza): void {
  connection.send(stanza('stream:error', attributes, reason && [reason]))
  // As the network does, so that a client reads the reason before it sees the close. Nothing else is exchanged meanwhile.
  connection.silent = true
  setTimeout(() => connection.close(), CLOSE_AFTER_MS).unref()
}
