// The columns of an event that is appended to the log.
import { isLid, phoneOf } from '../network/jid.ts'
import type { NewEvent } from './rules-payloads.ts'

/** What the names of a person are looked up by; both null: the payload is complete. */
export const personColumns = ({ person }: Pick<NewEvent, 'person'>) => ({
  phone: person === undefined ? null : phoneOf(person),
  lid: person !== undefined && isLid(person) ? person : null,
})

/** The columns that the filters of webhooks read. */
export const routeColumns = ({ route }: Pick<NewEvent, 'route'>) => ({
  chat_kind: route?.chatKind ?? null,
  direction: route?.direction ?? null,
  sender: route?.sender ?? null,
  historical: route?.historical === true ? 1 : 0,
})
