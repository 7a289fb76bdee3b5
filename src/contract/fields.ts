// Fields that several endpoints share, each with its limits.
import { z } from 'zod'
import { STATUS_CHAT } from './message-values.ts'
import { isNumber, toDigits } from './phone-number.ts'
import { OVERLAP_HOURS } from './values.ts'

/** Control characters in a name could inject lines into headers and file names. */
// oxlint-disable-next-line no-control-regex -- matching control characters is the purpose
const CONTROL = /[\u0000-\u001f\u007f]/
export const plainText = (min: number, max: number) =>
  z
    .string()
    .min(min)
    .max(max)
    .refine((text) => !CONTROL.test(text), { error: 'must not contain control characters' })

/** What a program calls its own sends. */
export const reference = plainText(1, 128)

export const instanceName = plainText(1, 100).meta({
  description: 'Unique API name of the instance (`apiInstanceName`)',
  examples: ['support-k3v9x2ma'],
})

export const number = z
  .string()
  .max(64)
  .transform(toDigits)
  .refine(isNumber, {
    error: ({ input }) =>
      /@(g\.us|lid|newsletter)$/.test(String(input))
        ? 'expected the number of a person; a group, and a person without a known number, is named by `chat`'
        : 'expected 7 to 15 digits including the country code',
  })
  .meta({
    description:
      'Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us`',
    examples: ['5511912345678'],
  })

/** The end of every group identifier. */
export const GROUP_SERVER = '@g.us'

export const groupJid = z
  .string()
  .regex(/^\d{5,25}(-\d{5,15})?@g\.us$/, {
    error: 'expected a group identifier such as 120363000000000000@g.us',
  })
  .meta({ description: 'Group identifier', examples: ['120363000000000000@g.us'] })

/** Names what is missing, for the identifiers that a user of another gateway tries. */
const expected =
  (valid: string) =>
  ({ input }: { input?: unknown }): string =>
    String(input).endsWith('@newsletter')
      ? 'channels are not supported'
      : `expected a network identifier such as ${valid}`

/** Longer than any identifier of the network, whose digits the patterns limit. */
const JID_MAX = 100

export const personChat = z
  .string()
  .max(JID_MAX)
  .regex(/^\d{5,20}@(s\.whatsapp\.net|lid)$/, {
    error: expected('5511912345678@s.whatsapp.net or 111222333444555@lid'),
  })

export const chatJid = z
  .string()
  .max(JID_MAX)
  .regex(/^(\d{5,20}@(s\.whatsapp\.net|lid)|\d{5,25}(-\d{5,15})?@g\.us)$/, {
    error: expected('5511912345678@s.whatsapp.net, 111222333444555@lid or 120363000000000000@g.us'),
  })
  .meta({
    description: 'Network identifier of a person or a group',
    examples: ['5511912345678@s.whatsapp.net'],
  })

/** A chat with messages: also that of the status posts. */
export const messageChat = z
  .union([chatJid, z.literal(STATUS_CHAT)], {
    error: expected('5511912345678@s.whatsapp.net, 120363000000000000@g.us or status@broadcast'),
  })
  .meta({
    description: 'Network identifier of a person or a group, or `status@broadcast` for status posts',
    examples: ['5511912345678@s.whatsapp.net'],
  })

export const timestamp = z.iso
  .datetime()
  .meta({ description: 'ISO 8601, UTC', examples: ['2026-01-31T12:00:00.000Z'] })

/** Query values are text: digits become a number, anything else is refused. */
export const queryInteger = (min: number, max: number, fallback: number) =>
  z
    .string()
    .regex(/^-?\d{1,15}$/, { error: 'expected a whole number' })
    .transform(Number)
    .pipe(z.number().int().min(min).max(max))
    .default(fallback)

export const page = queryInteger(1, 1_000_000, 1).meta({
  description: 'Page number, starting at 1',
  examples: [1],
})
export const limit = queryInteger(1, 100, 50).meta({
  description: 'Items per page, 1 to 100',
  examples: [50],
})

export const queryFlag = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .pipe(z.boolean())
  .default(false)

/** A filter: both values restrict the list, and without it nothing is left out. */
export const queryFilter = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .pipe(z.boolean())
  .optional()

export const pathId = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, { error: 'expected a positive whole number' })
  .transform(Number)
  .pipe(z.int().min(1).max(999_999_999_999_999))
  .meta({ examples: [1] })

/** Named, because the OpenAPI document needs a name for a recursive schema. */
export const jsonValue: z.ZodType<z.core.util.JSONType, z.core.util.JSONType> = z
  .lazy(() =>
    z.union([
      z.string(),
      z.number(),
      z.boolean(),
      z.null(),
      z.array(jsonValue),
      z.record(z.string(), jsonValue),
    ]),
  )
  .meta({ id: 'JsonValue', description: 'Any JSON value' })

export const keyInQuery = z
  .string()
  .optional()
  .meta({ description: 'API key, for image tags only; otherwise use the Authorization header' })
export const pictureVersion = z
  .string()
  .max(20)
  .optional()
  .meta({ description: 'Ignored. Changes with the picture, so that caches load the new one' })
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const

export const success = z.literal(true)

export const InstanceNames = z
  .object({
    instanceName: z.string().meta({ description: 'Display name' }),
    displayName: z.string(),
    apiInstanceName: z.string().meta({ description: 'Unique name for API calls' }),
    internalName: z.string(),
  })
  .meta({ id: 'InstanceNames' })

export const InstanceReference = z
  .object({ id: z.int(), ...InstanceNames.shape })
  .meta({ id: 'InstanceReference', description: 'The instance that the data belongs to' })

/** The body of a request that replaces a key or a secret, and keeps the old one valid for a time. */
export const rotationBody = (id: string, description: string) =>
  z
    .strictObject({
      overlapHours: z.int().min(0).max(OVERLAP_HOURS.most).default(OVERLAP_HOURS.usual).meta({ description }),
    })
    .default({ overlapHours: OVERLAP_HOURS.usual })
    .meta({ id, examples: [{ overlapHours: OVERLAP_HOURS.usual }] })
