// An event as it is appended to the log.
import type { EventName } from '../../../contract/events.ts'
import type { EventRoute } from '../../../rules/event-route.ts'

export interface NewEvent {
  instanceId: number
  name: EventName
  /** As JSON. */
  data: string
  createdAt: number
  /** What the filters of webhooks look at. Absent: the event passes every filter. */
  route?: EventRoute | undefined
}

/** The columns that the filters of webhooks look at. */
export const routeColumns = ({ route }: Pick<NewEvent, 'route'>) => ({
  chat_kind: route?.chatKind ?? null,
  direction: route?.direction ?? null,
  sender: route?.sender ?? null,
  historical: route?.historical === true ? 1 : 0,
})
