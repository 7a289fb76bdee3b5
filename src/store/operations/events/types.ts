// An event as it is appended to the log.
import type { EventName } from '../../../contract/events.ts'

export interface NewEvent {
  instanceId: number
  name: EventName
  /** As JSON. */
  data: string
  createdAt: number
}
