// `send`: sends every type of message. Simple fields have options; `--body` takes the JSON body of the API.
import type { z } from 'zod'
import type { CallOptions, Client } from '../../contract/client.ts'
import { PIX_KEY_TYPES } from '../../contract/message-values.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import type { SendAnswer } from '../../contract/sending.ts'
import { STATUS_FONTS } from '../../contract/status-body.ts'
import { type AnyCommand, command, type Option, parseWholeNumber, SERVER_OPTIONS } from './command.ts'
import { record } from './print.ts'
import { UsageError } from './usage-error.ts'

type SendRoute = Extract<keyof Client, `send${string}`>
type Send = (input: { body: unknown }, options: CallOptions) => Promise<z.output<typeof SendAnswer>>

/** An option that sets a field of the body. */
interface Field extends Option {
  type: 'string'
  field: string
  read?: (name: string, text: string) => unknown
}

const text = (field: string, value: string, help: string): Field => ({ type: 'string', field, value, help })
const integer = (field: string, help: string): Field => ({
  ...text(field, 'N', help),
  read: parseWholeNumber,
})
const decimal = (field: string, help: string): Field => ({ ...text(field, 'N', help), read: parseDecimal })

const instance = text('instanceName', 'API_NAME', 'Instance that sends the message')
const number = text('number', 'NUMBER', 'Recipient, with country code')
const delay = integer(
  'delay',
  'How long the recipient sees typing before the message is sent, in milliseconds',
)
const group = text('groupJid', 'JID', 'Group, such as 120363000000000000@g.us')
/** Options of every kind. */
const shared = {
  instance,
  delay,
  quote: text('quotedMessageId', 'ID', 'Message to reply to'),
  mention: {
    ...text('mentions', 'NUMBER', 'Member of the group to mention, by number or chat, or all'),
    multiple: true,
  },
  at: text('sendAt', 'TIME', 'When to send it, such as 2026-12-24T18:00:00+01:00'),
  expires: text('expiresAt', 'TIME', 'Not sent after this time'),
  reference: text('reference', 'TEXT', 'What you call this send, to list and cancel it by'),
}
const toChat = {
  ...shared,
  number,
  group: { ...group, help: 'Group to send to, instead of --number' },
  chat: text('chat', 'JID', 'Person or group as events name it, such as 111222333444555@lid'),
}

interface Kind {
  name: string
  route: SendRoute
  summary: string
  fields: Record<string, Field>
}

const KINDS: readonly Kind[] = [
  {
    name: 'text',
    route: 'sendText',
    summary: 'Send a text',
    fields: { ...toChat, message: text('message', 'TEXT', 'The text') },
  },
  {
    name: 'media',
    route: 'sendMedia',
    summary: 'Send an image, video, document or audio file',
    fields: {
      ...toChat,
      type: text('type', 'TYPE', 'image, video, document or audio; default: as the file shows'),
      'media-url': text('mediaUrl', 'URL', 'http or https URL of the file'),
      'media-id': text('mediaId', 'ID', 'File that was uploaded before, instead of --media-url'),
      message: text('message', 'TEXT', 'Caption'),
      'file-name': text('fileName', 'NAME', 'File name that the recipient sees'),
      mimetype: text('mimetype', 'TYPE', 'Overrides the detected media type'),
    },
  },
  {
    name: 'location',
    route: 'sendLocation',
    summary: 'Send a location',
    fields: {
      ...toChat,
      latitude: decimal('latitude', 'From -90 to 90; write --latitude=-23.5 for the south'),
      longitude: decimal('longitude', 'From -180 to 180; write --longitude=-46.6 for the west'),
      name: text('name', 'TEXT', 'Title of the location'),
      address: text('address', 'TEXT', 'Postal address'),
    },
  },
  {
    name: 'poll',
    route: 'sendPoll',
    summary: 'Send a poll',
    fields: {
      ...toChat,
      question: text('pollName', 'TEXT', 'The question'),
      option: { ...text('options', 'TEXT', 'An option to vote for'), multiple: true },
      'selectable-count': integer('selectableCount', 'How many options a voter may select; default: 1'),
    },
  },
  {
    name: 'group',
    route: 'sendGroup',
    summary: 'Send a text to a group',
    fields: { ...shared, group, message: text('message', 'TEXT', 'The text') },
  },
  {
    name: 'sticker',
    route: 'sendSticker',
    summary: 'Send a sticker',
    fields: {
      ...toChat,
      'media-url': text('mediaUrl', 'URL', 'http or https URL of a picture'),
      'media-id': text('mediaId', 'ID', 'Picture that was uploaded before, instead of --media-url'),
    },
  },
  {
    name: 'event',
    route: 'sendEvent',
    summary: 'Send an event',
    fields: {
      ...toChat,
      name: text('name', 'TEXT', 'Title of the event'),
      description: text('description', 'TEXT', 'What it is about'),
      starts: text('startsAt', 'TIME', 'When it begins, such as 2026-12-24T18:00:00+01:00'),
      ends: text('endsAt', 'TIME', 'When it ends'),
      place: text('place', 'TEXT', 'Name or address of the place'),
      latitude: decimal('latitude', 'Of the place; write --latitude=-23.5 for the south'),
      longitude: decimal('longitude', 'Of the place; write --longitude=-46.6 for the west'),
      call: text('call', 'KIND', 'Adds the link of an audio or video call'),
    },
  },
  {
    name: 'status',
    route: 'sendStatus',
    summary: 'Post a status to all saved contacts, or to the numbers of --to',
    fields: {
      instance,
      at: shared.at,
      expires: shared.expires,
      reference: shared.reference,
      type: text('type', 'TYPE', 'text, image or video; default: text'),
      message: text('message', 'TEXT', 'The text, or the caption'),
      background: text('backgroundColor', 'COLOR', 'Background of a text, such as #128c7e'),
      color: text('textColor', 'COLOR', 'Colour of a text'),
      font: text('font', 'NAME', `Font of a text: ${STATUS_FONTS.join(', ')}`),
      'media-url': text('mediaUrl', 'URL', 'http or https URL of the file'),
      'media-id': text('mediaId', 'ID', 'File that was uploaded before, instead of --media-url'),
      to: {
        ...text('to', 'NUMBER', 'Person who sees the status, by number or chat; default: all contacts'),
        multiple: true,
      },
    },
  },
  { name: 'album', route: 'sendAlbum', summary: 'Send images and videos as one album', fields: toChat },
  { name: 'contact', route: 'sendContact', summary: 'Send contact cards', fields: toChat },
  { name: 'button', route: 'sendButton', summary: 'Send reply buttons', fields: toChat },
  { name: 'list', route: 'sendList', summary: 'Send a list menu', fields: toChat },
  {
    name: 'cta',
    route: 'sendCta',
    summary: 'Send buttons that open, call, copy or reply, also mixed',
    fields: toChat,
  },
  { name: 'carousel', route: 'sendCarousel', summary: 'Send a carousel of cards', fields: toChat },
  {
    name: 'pix',
    route: 'sendPix',
    summary: 'Send a PIX key, for payments in Brazil',
    fields: {
      ...toChat,
      merchant: text('merchantName', 'NAME', 'Who is paid'),
      'key-type': text('keyType', 'TYPE', `What the key is: ${PIX_KEY_TYPES.join(', ')}`),
      'pix-key': text('key', 'KEY', 'The key of the account that is paid'),
    },
  },
]

function parseDecimal(name: string, value: string): number {
  if (!/^-?\d+(\.\d+)?$/.test(value)) throw new UsageError(`--${name}: expected a number`)
  return Number(value)
}

const commonOptions = {
  ...SERVER_OPTIONS,
  body: {
    type: 'string',
    value: 'FILE',
    help: 'JSON file with the body of the API request; - reads standard input. Options replace its fields',
  },
  'idempotency-key': {
    type: 'string',
    value: 'TEXT',
    help: 'Makes a retry safe: with the same key the message is sent only once',
  },
  wait: { type: 'string', value: 'N', help: 'Wait up to N seconds for the outcome, 1 to 60' },
} as const

function bodyOf(fields: Record<string, Field>, values: Record<string, string | string[] | undefined>) {
  const filled = Object.entries(fields).map(([name, { field, read }]) => {
    const value = values[name]
    return [field, typeof value === 'string' && read ? read(name, value) : value] as const
  })
  return omitUndefined(Object.fromEntries(filled))
}

const sendCommand = ({ name, route, summary, fields }: Kind): AnyCommand =>
  command({
    name: `send ${name}`,
    summary,
    parameters: [],
    options: { ...fields, ...commonOptions },
    async run(context, values) {
      const fromFile = values.body === undefined ? {} : await context.readJson(values.body)
      const body = { ...fromFile, ...bodyOf(fields, values) }
      if (Object.keys(body).length === 0) throw new UsageError('nothing to send; see --help')
      // Only the server validates the body, so the command line accepts everything the API does.
      const send = (await context.account())[route] as unknown as Send
      const waitSeconds = values.wait === undefined ? undefined : parseWholeNumber('wait', values.wait)
      const answer = await send(
        { body },
        omitUndefined({ idempotencyKey: values['idempotency-key'], waitSeconds }),
      )
      const { messageId, status, number: to, chat, createdAt, failure } = answer
      const shown = { id: messageId, status, to: to ?? chat, created: createdAt, failed: failure?.error }
      return { json: answer, text: record(omitUndefined(shown)) }
    },
  })

export const sendCommands = KINDS.map(sendCommand)
