// A logged-in client: its connection, account and device.
import type { Connection, Login } from './connection.ts'
import type { SandboxState } from './sandbox-state.ts'

export interface ConnectedClient extends Login {
  state: SandboxState
  connection: Connection
}
