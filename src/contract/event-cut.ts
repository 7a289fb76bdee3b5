// The fields by which an event that was cut to `MAX_EVENT_BYTES` says so.
import { z } from 'zod'

/** Of events whose texts and lists can be longer. */
export const eventCut = {
  truncated: z.literal(true).optional().meta({
    description: 'The event was longer than 256 KiB: its longest texts and lists are cut off at their end',
  }),
  rest: z
    .string()
    .optional()
    .meta({
      description:
        'Only with `truncated`: path of the whole below `/api/v1`, to be read with the `instanceName` of the event',
      examples: ['/messages/3EB0A1B2C3D4E5F60718'],
    }),
}
