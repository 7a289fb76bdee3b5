// One call that sends a message, with what the page shows of it until the gateway has taken it.
import type { RouteId } from '../../../../src/contract/routes.ts'

export interface SendRequest {
  instanceName: string
  chat: string
  route: RouteId
  /** Relative to the base URL, for the view of the API request. */
  path: string
  body: Record<string, unknown>
  /** The text or the caption; empty if it has none. */
  text: string
}
