// Stored messages in the dialect: searching them, their statuses, votes, and their files in base64.
import { z } from 'zod'
import type { Message, MessageType } from '../../contract/messages.ts'
import type { StreamedFile } from '../../contract/route.ts'
import { GatewayError, invalidField } from '../../errors.ts'
import { countMessages, listMessages } from '../../messages/messages.ts'
import { addressOf } from './addresses.ts'
import { type CallContext, call, looseFlag, messageKey, optionalText, text, wholeNumber } from './call.ts'
import { MAX_FILE_BYTES } from './deliver.ts'
import { bytesOf } from './file-bytes.ts'
import { evolutionMessage, fromListed, STATUSES } from './message-shape.ts'

type Listed = z.output<typeof Message>

/** The names of the dialect for types of messages. */
const TYPES: Readonly<Record<string, MessageType[]>> = {
  conversation: ['text'],
  extendedTextMessage: ['text'],
  imageMessage: ['image'],
  videoMessage: ['video'],
  documentMessage: ['document'],
  audioMessage: ['audio'],
  stickerMessage: ['sticker'],
  locationMessage: ['location'],
  contactMessage: ['contact'],
  contactsArrayMessage: ['contact'],
  pollCreationMessageV3: ['poll'],
  pollUpdateMessage: ['poll_vote'],
  orderMessage: ['order'],
  productMessage: ['product'],
  reactionMessage: ['reaction'],
  listMessage: ['list'],
  interactiveMessage: ['button', 'cta', 'carousel', 'pix'],
  templateButtonReplyMessage: ['button_reply'],
  listResponseMessage: ['list_reply'],
}

/** ISO 8601, or seconds since 1970. */
const moment = z
  .union([wholeNumber.transform((seconds) => seconds * 1000), z.string()])
  .transform((given) => {
    const ms = typeof given === 'number' ? given : Date.parse(given)
    if (Number.isNaN(ms))
      throw invalidField('where.messageTimestamp', 'expected ISO 8601 or seconds since 1970')
    return ms
  })

const where = z
  .object({
    key: messageKey.partial().nullish(),
    id: optionalText,
    /** Of rows with a status, for the id of the message. */
    keyId: optionalText,
    remoteJid: optionalText,
    messageType: optionalText,
    source: optionalText,
    messageTimestamp: z.object({ gte: moment.optional(), lte: moment.optional() }).nullish(),
  })
  .nullish()
type Where = z.output<typeof where>

const MAX_PAGE = 100
const PAGE = 50

function queryOf({ instanceName }: CallContext, given: Where) {
  const { fromMe } = given?.key ?? {}
  const remoteJid = given?.key?.remoteJid ?? given?.remoteJid
  const { gte, lte } = given?.messageTimestamp ?? {}
  const type = given?.messageType
  return {
    instanceName,
    ...(remoteJid ? addressOf(remoteJid) : {}),
    direction: fromMe == null ? undefined : fromMe ? ('outgoing' as const) : ('incoming' as const),
    kinds: type ? (TYPES[type] ?? [type]) : undefined,
    since: gte,
    until: lte,
  }
}

/** The message with this id, or none. */
async function messageById({ use, instanceName }: CallContext, messageId: string): Promise<Listed[]> {
  try {
    return [(await use('getMessage', { params: { messageId }, query: { instanceName } })).message]
  } catch (error) {
    if (error instanceof GatewayError && error.reason === 'message_not_found') return []
    throw error
  }
}

interface Found {
  total: number
  items: Listed[]
}

async function search(context: CallContext, given: Where, page: number, limit: number): Promise<Found> {
  const id = given?.key?.id ?? given?.keyId ?? given?.id
  if (id) {
    const items = await messageById(context, id)
    return { total: items.length, items }
  }
  const { parts, caller } = context
  const query = queryOf(context, given)
  const { items } = await listMessages(parts, caller, { ...query, page, limit })
  return { total: await countMessages(parts, caller, query), items }
}

const pageFields = {
  page: wholeNumber.min(1).max(1_000_000).nullish(),
  /** The size of a page, in spite of its name. */
  offset: wholeNumber.min(1).nullish(),
}

const recordOf = (item: Listed, instanceId: number) => ({
  id: item.messageId,
  ...evolutionMessage(fromListed(item), instanceId),
  MessageUpdate: [{ status: STATUSES[item.status] }],
})

export const findMessages = call({
  admission: 'listMessages',
  status: 200,
  body: z.object({ where, ...pageFields }),
  async handle(context, { body }) {
    const page = body.page ?? 1
    const limit = Math.min(body.offset ?? PAGE, MAX_PAGE)
    const { total, items } = await search(context, body.where, page, limit)
    const records = items.map((item) => recordOf(item, context.instance.id))
    return { messages: { total, pages: Math.ceil(total / limit), currentPage: page, records } }
  },
})

export const findStatusMessage = call({
  admission: 'listMessages',
  status: 200,
  body: z.object({ where, ...pageFields }),
  async handle(context, { body }) {
    const limit = Math.min(body.offset ?? PAGE, MAX_PAGE)
    const { items } = await search(context, body.where, body.page ?? 1, limit)
    return items.map((item) => ({
      id: item.messageId,
      keyId: item.messageId,
      messageId: item.messageId,
      remoteJid: item.chat,
      fromMe: item.direction === 'outgoing',
      participant: item.chat,
      status: STATUSES[item.status],
      instanceId: String(context.instance.id),
    }))
  },
})

interface StoredMedia {
  mimetype?: string
  fileName?: string | null
  sizeBytes?: number | null
  width?: number | null
  height?: number | null
}

/** `convertToMp4` has no effect: files are given as they were received. */
export const getBase64FromMediaMessage = call({
  admission: 'getMessageMedia',
  status: 201,
  body: z.object({
    message: z.object({ key: messageKey.pick({ id: true }) }),
    convertToMp4: looseFlag.nullish(),
  }),
  fields: { messageId: 'message.key.id' },
  async handle(context, { body }) {
    const { use, instanceName } = context
    const name = { params: { messageId: body.message.key.id }, query: { instanceName } }
    const { message } = await use('getMessage', name)
    const media = (message.content.media ?? {}) as StoredMedia
    context.holdInMemory()
    const file = (await use('getMessageMedia', name)) as unknown as StreamedFile
    const bytes = await bytesOf(file.chunks, MAX_FILE_BYTES)
    return {
      mediaType: evolutionMessage(fromListed(message), context.instance.id).messageType,
      fileName: media.fileName ?? message.messageId,
      size: {
        fileLength: String(bytes.byteLength),
        height: media.height ?? null,
        width: media.width ?? null,
      },
      mimetype: media.mimetype ?? file.contentType,
      base64: bytes.toString('base64'),
      buffer: null,
    }
  },
})

export const getPollVote = call({
  admission: 'getPollVotes',
  status: 200,
  body: z.object({
    message: z.object({ key: messageKey.pick({ id: true }) }),
    remoteJid: optionalText,
  }),
  fields: { messageId: 'message.key.id' },
  async handle({ use, instanceName }, { body }) {
    const name = { params: { messageId: body.message.key.id }, query: { instanceName } }
    const { poll } = await use('getPollVotes', name)
    const results = poll.options.map(({ name: option, votes, voters }) => [option, { votes, voters }])
    return { poll: { name: poll.name, totalVotes: poll.voters, results: Object.fromEntries(results) } }
  },
})

export const updateMessage = call({
  admission: 'editMessage',
  status: 200,
  body: z.object({ number: text, key: messageKey, text }),
  fields: { messageId: 'key.id', message: 'text' },
  async handle(context, { body }) {
    const answer = await context.use('editMessage', {
      params: { messageId: body.key.id },
      body: { instanceName: context.instanceName, message: body.text },
    })
    return changeAnswer(context, answer, { ...body.key, message: { conversation: body.text } })
  },
})

export const deleteMessageForEveryone = call({
  admission: 'deleteMessage',
  status: 201,
  body: messageKey,
  fields: { messageId: 'id' },
  async handle(context, { body }) {
    const answer = await context.use('deleteMessage', {
      params: { messageId: body.id },
      query: { instanceName: context.instanceName },
    })
    return changeAnswer(context, answer, { id: body.id })
  },
})

/** A change is a message of its own, which names the changed one. */
const changeAnswer = (
  { instance }: CallContext,
  answer: { messageId: string; chat: string; type: string; createdAt: string; status: Listed['status'] },
  { id, message }: { id: string; message?: object },
) => ({
  key: { remoteJid: answer.chat, fromMe: true, id: answer.messageId },
  status: STATUSES[answer.status],
  message: {
    protocolMessage: {
      key: { remoteJid: answer.chat, fromMe: true, id },
      type: answer.type === 'edit' ? 'MESSAGE_EDIT' : 'REVOKE',
      ...(message && { editedMessage: message }),
    },
  },
  messageType: 'protocolMessage',
  messageTimestamp: Math.floor(Date.parse(answer.createdAt) / 1000),
  instanceId: String(instance.id),
  source: 'unknown',
})
