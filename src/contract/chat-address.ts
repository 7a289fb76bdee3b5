// How a request names a person or a chat: by phone number, as a group, or by the `chat` that events and lists give. A person whose
// number is hidden has only the last one.
import { z } from 'zod'
import { chatJid, groupJid, number, personChat } from './fields.ts'

/** Exactly one of them, checked by `withAddress`. `chatOf` and `recipientOf` in chats/rules.ts read them. */
export const addressFields = {
  number: number.optional(),
  groupJid: groupJid.optional().meta({ description: 'The group, instead of `number`' }),
  chat: chatJid.optional().meta({
    description:
      'The person or the group as events and lists name it (`chat`), instead of `number`. The only name of a person whose number is hidden',
    examples: ['111222333444555@lid'],
  }),
}

type Given = Record<string, unknown>
const ADDRESS = Object.keys(addressFields)

const listed = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
const givenOf = (value: unknown, names: readonly string[]): number =>
  names.filter((name) => (value as Given)[name] !== undefined).length

/** Also when another field is wrong, so that a caller sees every fault at once. */
const counted = <Schema extends z.ZodType>(
  schema: Schema,
  names: readonly string[],
  [quantity, isValid]: readonly [string, (count: number) => boolean],
): Schema =>
  schema.refine((value) => isValid(givenOf(value, names)), {
    path: [names[0] as string],
    error: `expected ${quantity} one of ${listed(names)}`,
    when: ({ value }) => typeof value === 'object' && value !== null,
  })

/** `aliases` are further names of the same fields. */
export const withAddress = <Schema extends z.ZodType>(schema: Schema, aliases: string[] = []): Schema =>
  counted(schema, [...ADDRESS, ...aliases], ['exactly', (count) => count === 1])

/** For lists, which an address restricts. */
export const withAddressFilter = <Schema extends z.ZodType>(schema: Schema): Schema =>
  counted(schema, ADDRESS, ['at most', (count) => count <= 1])

const CONTAINS_NUMBER = /^(\d+)@s\.whatsapp\.net$/

/** A person in a list or a path: a number, or the `chat` of a person. Parsed into digits, or into the lid of a person without a number. */
export const personName = z
  .union([number, personChat.transform((chat) => CONTAINS_NUMBER.exec(chat)?.[1] ?? chat)], {
    error: 'expected a phone number or the `chat` of a person, such as 111222333444555@lid',
  })
  .meta({
    description: 'Phone number with country code, or the `chat` of a person',
    examples: ['5511912345678'],
  })

/** A list of different people. */
export const personNames = (max: number) =>
  z
    .array(personName)
    .min(1)
    .max(max)
    .refine((names) => new Set(names).size === names.length, { error: 'must not contain a person twice' })
    .meta({
      description: `Phone numbers, or the \`chat\` of people, at most ${max}`,
      examples: [['5511912345678']],
    })

/** The person of a list, in the answer about each. */
export const namedPerson = {
  number: z.string().nullable().meta({ description: 'As in the request; null for a person named by lid' }),
  chat: z.string().meta({ description: 'Network identifier, as in the request' }),
}
