// The body of deliveries to webhooks with `batch`: several events in one request.
import { z } from 'zod'
import { Event } from './events.ts'

/** Events of one request at most. */
export const BATCH_LIMIT = 100
/** The name of a request with several events, in place of that of an event. */
export const BATCH_EVENT = 'batch'

export const EventBatch = z
  .object({
    id: z.string().meta({
      description: 'The same for the same events only. Drop duplicates by the ids of `events`',
    }),
    event: z.literal(BATCH_EVENT),
    events: z.array(Event).min(1).max(BATCH_LIMIT).meta({
      description: 'In the order of the log, of one or several instances',
    }),
  })
  .meta({ id: 'EventBatch' })
