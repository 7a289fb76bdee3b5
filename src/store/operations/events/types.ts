// The columns of an event that is appended to the log.
import type { NewEvent } from '../../../rules/event-payloads.ts'

/** The columns that the filters of webhooks read. */
export const routeColumns = ({ route }: Pick<NewEvent, 'route'>) => ({
  chat_kind: route?.chatKind ?? null,
  direction: route?.direction ?? null,
  sender: route?.sender ?? null,
  historical: route?.historical === true ? 1 : 0,
})
