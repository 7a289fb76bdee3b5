// The fields that every send takes beside its content: recipient, reply, mentions, times, reference.
import { z } from 'zod'
import { addressFields, personName, withAddress } from './chat-address.ts'
import { GROUP_SERVER, instanceName, plainText, reference } from './fields.ts'

/** A point in time, with `Z` or an offset; in milliseconds since 1970 once it is parsed. */
export const moment = z.iso
  .datetime({
    offset: true,
    error: ({ input }) =>
      input === undefined ? 'required' : 'expected an ISO 8601 time such as 2026-12-24T18:00:00+01:00',
  })
  .transform((text) => Date.parse(text))

/** Also taken by a forward. */
const ofEverySend = {
  reference: reference.optional().meta({
    description:
      'What your program calls this send, such as a campaign or an order. Messages are listed and cancelled by it; the recipient does ' +
      'not see it',
    examples: ['campaign-2026-12'],
  }),
  sendAt: moment.optional().meta({
    description: 'When to send the message, up to one year ahead; until then its status is `scheduled`',
    examples: ['2026-12-24T18:00:00+01:00'],
  }),
  expiresAt: moment.optional().meta({
    description:
      'The message is not sent after this time, but fails as `expired`. Every message expires 24 hours after it was due',
    examples: ['2026-12-24T19:00:00+01:00'],
  }),
}

const replyFields = {
  quotedMessageId: plainText(1, 128)
    .optional()
    .meta({
      description: 'The message to reply to, sent or received in the same chat',
      examples: ['3EB0A1B2C3D4E5F60718'],
    }),
  mentions: z
    .array(
      z.union([z.literal('all'), personName], {
        error: 'expected a phone number, the `chat` of a person, or `all`',
      }),
    )
    .min(1)
    .max(1024)
    .optional()
    .meta({
      description:
        'People to mention in a group: numbers, the `chat` of people, or `["all"]`. The text names each as `@` and the digits',
      examples: [['5511912345678']],
    }),
}

interface CommonFields {
  groupJid?: string | undefined
  chat?: string | undefined
  mentions?: string[] | undefined
  sendAt?: number | undefined
  expiresAt?: number | undefined
}

const isForMentions = ({ groupJid, chat, mentions }: CommonFields): boolean =>
  mentions === undefined || groupJid !== undefined || chat?.endsWith(GROUP_SERVER) === true
const allIsAlone = ({ mentions }: CommonFields): boolean =>
  !mentions?.includes('all') || mentions.length === 1
const isInOrder = ({ sendAt, expiresAt }: CommonFields): boolean =>
  sendAt === undefined || expiresAt === undefined || expiresAt > sendAt

const check =
  (isValid: (body: CommonFields) => boolean) =>
  (body: unknown): boolean =>
    isValid(body as CommonFields)

const withTimes = <Body extends z.ZodType>(schema: Body): Body =>
  schema.refine(check(isInOrder), { path: ['expiresAt'], error: 'must be later than sendAt' })

const withMentions = <Body extends z.ZodType>(schema: Body): Body =>
  schema
    .refine(check(isForMentions), {
      path: ['mentions'],
      error: 'only a message to a group can mention people',
    })
    .refine(check(allIsAlone), { path: ['mentions'], error: '`all` must be the only mention' })

/** The body of an endpoint that sends something that exists already. */
export const forwardBody = <const Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  withTimes(withAddress(z.strictObject({ ...addressFields, ...ofEverySend, ...shape })))

/** The body of an endpoint that sends a new message. */
export const sendBody = <const Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  withMentions(
    withTimes(
      withAddress(
        z.strictObject({ instanceName, ...addressFields, ...replyFields, ...ofEverySend, ...shape }),
      ),
    ),
  )

/** The same for a status post, which has an audience instead of a recipient. */
export const statusBody = <const Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  withTimes(z.strictObject({ instanceName, ...ofEverySend, ...shape }))

/** The same for an endpoint that sends to groups only. */
export const groupBody = <const Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  withMentions(withTimes(z.strictObject({ instanceName, ...replyFields, ...ofEverySend, ...shape })))
