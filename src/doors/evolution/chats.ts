// Chats, contacts and people in the dialect.
import { z } from 'zod'
import { MAX_PRESENCE_SECONDS } from '../../contract/chats.ts'
import type { AnswerOf } from '../../contract/route.ts'
import type { Routes } from '../../contract/routes.ts'
import { invalidField } from '../../errors.ts'
import { isChannelJid } from '../../network/jid.ts'
import { addressOf, personOf } from './addresses.ts'
import { type CallContext, call, looseFlag, messageKey, optionalText, text, wholeNumber } from './call.ts'

type Chat = AnswerOf<Routes['listChats']>['chats'][number]

export const whatsappNumbers = call({
  admission: 'checkNumbers',
  status: 200,
  body: z.object({ numbers: z.array(text) }),
  async handle({ use, instanceName }, { body }) {
    const numbers = body.numbers.map(personOf).join(',')
    const found = await use('checkNumbers', { query: { instanceName, numbers } })
    return found.numbers.map(({ jid, exists, number }) => ({ jid, exists, number, name: null, lid: null }))
  },
})

export const markMessageAsRead = call({
  admission: 'readChat',
  status: 201,
  body: z.object({ readMessages: z.array(messageKey).min(1).max(100) }),
  fields: {
    number: 'readMessages.remoteJid',
    chat: 'readMessages.remoteJid',
    groupJid: 'readMessages.remoteJid',
  },
  async handle({ use, instanceName }, { body }) {
    // This API marks a whole chat as read.
    for (const jid of new Set(body.readMessages.map(({ remoteJid }) => remoteJid ?? '')))
      await use('readChat', { query: { instanceName }, body: addressOf(jid) })
    return { message: 'Read messages', read: 'success' }
  },
})

export const markMessageAsPlayed = call({
  admission: 'markPlayed',
  status: 201,
  body: z.object({ playedMessages: z.array(messageKey).min(1).max(100) }),
  fields: { messageId: 'playedMessages.id' },
  async handle({ use, instanceName }, { body }) {
    for (const { id: messageId } of body.playedMessages)
      await use('markPlayed', { params: { messageId }, body: { instanceName } })
    return { message: 'Played messages', played: 'success' }
  },
})

const ofChat = {
  lastMessage: z.object({ key: messageKey.partial() }).nullish(),
  chat: optionalText,
}
type OfChat = z.output<z.ZodObject<typeof ofChat>>

function chatOf({ chat, lastMessage }: OfChat): string {
  const jid = chat || lastMessage?.key.remoteJid
  if (!jid) throw invalidField('chat', 'required, or lastMessage.key.remoteJid')
  return jid
}

const ADDRESS_FIELDS = { number: 'chat', groupJid: 'chat' }

export const archiveChat = call({
  admission: 'updateChat',
  status: 201,
  body: z.object({ ...ofChat, archive: looseFlag }),
  fields: ADDRESS_FIELDS,
  async handle({ use, instanceName }, { body }) {
    const { archive: archived } = body
    const { chat } = await use('updateChat', { body: { instanceName, ...addressOf(chatOf(body)), archived } })
    return { chatId: chat.chat, archived: true }
  },
})

export const markChatUnread = call({
  admission: 'updateChat',
  status: 201,
  body: z.object(ofChat),
  fields: ADDRESS_FIELDS,
  async handle({ use, instanceName }, { body }) {
    const unread = true
    const { chat } = await use('updateChat', { body: { instanceName, ...addressOf(chatOf(body)), unread } })
    return { chatId: chat.chat, markedChatUnread: true }
  },
})

/** The last two end what is shown in the chat: this API shows that an instance is online by a setting. */
const PRESENCES = {
  composing: 'typing',
  recording: 'recording',
  paused: 'paused',
  available: 'paused',
  unavailable: 'paused',
} as const
const MS = 1000

export const sendPresence = call({
  admission: 'showPresence',
  status: 201,
  body: z.object({
    number: text,
    presence: z.enum(['composing', 'recording', 'paused', 'available', 'unavailable']),
    delay: wholeNumber.min(0),
  }),
  async handle({ use, instanceName }, { body }) {
    const seconds = Math.min(Math.max(Math.ceil(body.delay / MS), 1), MAX_PRESENCE_SECONDS)
    const presence = PRESENCES[body.presence]
    await use('showPresence', { body: { instanceName, ...addressOf(body.number), presence, seconds } })
    return { presence: body.presence }
  },
})

export const updateBlockStatus = call({
  admission: 'blockPerson',
  status: 201,
  body: z.object({ number: text, status: z.enum(['block', 'unblock']) }),
  async handle({ use, instanceName }, { body }) {
    const input = { params: { number: personOf(body.number) }, query: { instanceName } }
    await use(body.status === 'block' ? 'blockPerson' : 'unblockPerson', input)
    return { [body.status]: 'success' }
  },
})

const where = z.object({ remoteJid: optionalText, id: optionalText, pushName: optionalText }).nullish()
type Where = z.output<typeof where>

const PAGE = 100
/** The dialect has no pages here. More chats are in the pages of this API. */
const MAX_CHATS = 1000

async function chatsWhere({ use, instanceName }: CallContext, given: Where): Promise<Chat[]> {
  const jid = given?.remoteJid || given?.id
  const found: Chat[] = []
  for (let page = 1; found.length < MAX_CHATS; page += 1) {
    const paging = { page: String(page), limit: String(PAGE) }
    const { chats, hasMore } = await use('listChats', {
      query: { instanceName, ...(jid ? addressOf(jid) : {}), ...paging },
    })
    found.push(...chats)
    if (!hasMore) break
  }
  const { pushName } = given ?? {}
  return pushName ? found.filter((chat) => nameOf(chat) === pushName) : found
}

const nameOf = ({ pushName, name }: Chat): string | null => pushName ?? name

const secondsOf = (time: string): number => Math.floor(Date.parse(time) / MS)

const shownChat = (chat: Chat) => ({
  id: String(chat.id),
  remoteJid: chat.chat,
  pushName: nameOf(chat),
  profilePicUrl: chat.profilePictureUrl,
  updatedAt: chat.lastMessageTimestamp,
  windowStart: null,
  windowExpires: null,
  windowActive: false,
  lastMessage:
    chat.lastMessageTimestamp === null
      ? null
      : {
          key: { remoteJid: chat.chat },
          message: { conversation: chat.lastMessageText ?? '' },
          messageType: 'conversation',
          messageTimestamp: secondsOf(chat.lastMessageTimestamp),
        },
  unreadCount: chat.unreadCount,
  unreadMessages: chat.unreadCount,
  isSaved: chat.contactId !== null,
})

export const findChats = call({
  admission: 'listChats',
  status: 200,
  body: z.object({ where }),
  fields: { number: 'where.remoteJid', groupJid: 'where.remoteJid', chat: 'where.remoteJid' },
  handle: async (context, { body }) => (await chatsWhere(context, body.where)).map(shownChat),
})

export const findChatByRemoteJid = call({
  admission: 'listChats',
  status: 200,
  query: z.object({ remoteJid: text }),
  fields: { number: 'remoteJid', groupJid: 'remoteJid', chat: 'remoteJid' },
  async handle(context, { query }) {
    const [chat] = await chatsWhere(context, query)
    return chat ? shownChat(chat) : null
  },
})

const MAX_PAGE = 1000
const CHANNELS_PER_PAGE = 50

/** As in the original, of the channels that are stored as chats. */
export const findChannels = call({
  admission: 'listChats',
  status: 200,
  body: z.object({ page: wholeNumber.min(1).nullish(), limit: wholeNumber.min(1).max(MAX_PAGE).nullish() }),
  async handle(context, { body }) {
    const [page, limit] = [body.page ?? 1, body.limit ?? CHANNELS_PER_PAGE]
    const channels = (await chatsWhere(context, null)).filter(({ chat }) => isChannelJid(chat))
    const records = channels.slice((page - 1) * limit, page * limit).map((chat) => ({
      remoteJid: chat.chat,
      pushName: nameOf(chat),
      lastMessageTimestamp: chat.lastMessageTimestamp && secondsOf(chat.lastMessageTimestamp),
    }))
    const pages = Math.ceil(channels.length / limit)
    return { total: channels.length, pages, currentPage: page, limit, records }
  },
})

/** The dialect takes everyone whom the instance has a chat with as a contact. */
export const findContacts = call({
  admission: 'listChats',
  status: 200,
  body: z.object({ where }),
  fields: { number: 'where.remoteJid', groupJid: 'where.remoteJid', chat: 'where.remoteJid' },
  async handle(context, { body }) {
    const chats = await chatsWhere(context, body.where)
    return chats.map((chat) => ({
      id: String(chat.id),
      remoteJid: chat.chat,
      pushName: nameOf(chat),
      profilePicUrl: chat.profilePictureUrl,
      createdAt: null,
      updatedAt: chat.lastMessageTimestamp,
      instanceId: String(context.instance.id),
      isGroup: chat.isGroup,
      isSaved: chat.contactId !== null,
      type: chat.isGroup ? 'group' : 'contact',
    }))
  },
})
