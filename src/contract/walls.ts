// The walls of an API key, as its fields. routes.ts says for each endpoint what they mean there; accounts/rules.ts decides, and
// accounts/walls.ts resolves the target of a request.
import { z } from 'zod'
import { chatJid, instanceName } from './fields.ts'
import { MAX_MESSAGES_PER_DAY, MAX_WALL_CHATS, MAX_WALL_INSTANCES, WROTE_FIRST } from './wall-values.ts'

/** The walls of a key, as its fields. */
export const wallFields = {
  instances: z
    .array(instanceName)
    .min(1)
    .max(MAX_WALL_INSTANCES)
    .nullable()
    .default(null)
    .meta({ description: 'API names of the only instances that the key can use; null: all instances' }),
  chats: z
    .union([z.array(chatJid).min(1).max(MAX_WALL_CHATS), z.literal(WROTE_FIRST)], {
      error: `expected a list of 1 to ${MAX_WALL_CHATS} chats as events name them, or "${WROTE_FIRST}"`,
    })
    .nullable()
    .default(null)
    .meta({
      description:
        'The only chats that the key can see and write to, as events name them (`chat`); `wrote_first`: people from whom the ' +
        'instance has received a message; null: all chats',
    }),
  messagesPerDay: z
    .int()
    .min(1)
    .max(MAX_MESSAGES_PER_DAY)
    .nullable()
    .default(null)
    .meta({
      description:
        'How many sends of the key are accepted per day (UTC), changes of messages included; null: no limit. It counts a send when it is ' +
        'accepted, not when it is delivered, so it does not pace: a scheduled send counts on the day of the request, and all sends of a day ' +
        'can be accepted in one minute',
    }),
  approval: z
    .boolean()
    .default(false)
    .meta({
      description:
        'Whether each send of the key waits with the status `awaiting_approval` until a person approves it: with another key, on ' +
        'the dashboard, or on the phone',
    }),
  approvalOnPhone: z
    .boolean()
    .default(false)
    .meta({
      description:
        'With `approval`: each send is also shown in the chat of the instance with itself, where the owner of the phone answers ' +
        'it with "yes" or "no" and its code',
    }),
}
