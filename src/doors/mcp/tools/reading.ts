// Tools that read: instances, people, conversations, messages, groups.
import { z } from 'zod'
import { type Client, ClientError } from '../../../contract/client.ts'
import { MESSAGE_STATUSES } from '../../../contract/message-values.ts'
import { omitUndefined } from '../../../contract/omit-undefined.ts'
import { foreignText, WARNING } from '../foreign-text.ts'
import { READS, tool } from '../tool.ts'
import { ChatView, chatLine, chatView, MessageView, messageLine, messageView } from '../views.ts'
import { addressOf, count, instance, messageId, recipient } from './fields.ts'

const pageField = z.int().min(1).default(1).meta({ description: 'Page, starting at 1' })
const hasMore = z.boolean().meta({ description: 'There are more on the next page' })
const lines = (texts: readonly string[], none: string): string =>
  texts.length === 0 ? none : texts.join('\n')

export const listInstances = tool({
  name: 'list_instances',
  title: 'List the connected numbers',
  description:
    'The WhatsApp numbers ("instances") of this account with their API names and states. Call it first: other tools need the name.',
  // Every key of an agent has to know the names; state and number are shown to those that may list instances.
  uses: ['currentApiKey'],
  input: z.object({}),
  output: z.object({
    instances: z.array(
      z.object({
        instance: z.string(),
        name: z.string(),
        state: z
          .string()
          .optional()
          .meta({ description: 'Only for a key with the scope `read` or `instances:use`' }),
        number: z.string().nullable().optional(),
      }),
    ),
  }),
  annotations: READS,
  async run({ api }) {
    const instances = await seenInstances(api)
    const texts = instances.map((one) =>
      [
        `${one.instance}: "${one.name}"`,
        ...(one.state ? [one.state] : []),
        ...(one.number ? [`+${one.number}`] : []),
      ].join(', '),
    )
    return { text: lines(texts, 'There is no instance.'), data: { instances } }
  },
})

async function seenInstances(api: Client) {
  try {
    return (await api.listInstances()).instances.map(({ apiInstanceName, instanceName, state, number }) => ({
      instance: apiInstanceName,
      name: instanceName,
      state,
      number,
    }))
  } catch (error) {
    if (!(error instanceof ClientError && error.reason === 'scope_missing')) throw error
    const { instances } = await api.currentApiKey()
    return instances.map(({ apiInstanceName, displayName }) => ({
      instance: apiInstanceName,
      name: displayName,
      state: undefined,
      number: undefined,
    }))
  }
}

export const findPeople = tool({
  name: 'find_people',
  title: 'Find people',
  description:
    'Searches the saved contacts of an instance by name or number, and gives their conversation (`chat`) for other tools.',
  uses: ['listContacts'],
  input: z.object({
    instance,
    search: z
      .string()
      .max(256)
      .default('')
      .meta({ description: 'Part of a name or number; empty: everyone' }),
    limit: count(50, 20),
    page: pageField,
  }),
  output: z.object({
    people: z.array(
      z.object({
        chat: z.string(),
        name: z.string().meta({ description: 'As it was saved' }),
        number: z.string().nullable(),
        notes: z.string().nullable(),
      }),
    ),
    hasMore,
  }),
  annotations: READS,
  async run({ api }, { instance: instanceName, search, limit, page }) {
    const query = { instanceName, limit: String(limit), page: String(page), ...(search !== '' && { search }) }
    const answer = await api.listContacts({ query })
    const people = answer.contacts.map(({ remoteJid, name, number, notes }) => ({
      chat: remoteJid,
      name,
      number,
      notes,
    }))
    const texts = people.map(({ chat, name, number }) => `${chat}: ${name}${number ? ` (+${number})` : ''}`)
    return { text: lines(texts, 'No saved contact matches.'), data: { people, hasMore: answer.hasMore } }
  },
})

export const listConversations = tool({
  name: 'list_conversations',
  title: 'List conversations',
  description: 'The chats of an instance, latest first, with the number of unread messages.',
  uses: ['listChats'],
  input: z.object({ instance, limit: count(50, 20), page: pageField }),
  output: z.object({ conversations: z.array(ChatView), hasMore }),
  annotations: READS,
  async run({ api }, { instance: instanceName, limit, page }) {
    const answer = await api.listChats({ query: { instanceName, limit: String(limit), page: String(page) } })
    const conversations = answer.chats.map(chatView)
    const text = lines(conversations.map(chatLine), 'There is no conversation.')
    return { text: `${WARNING}\n${text}`, data: { conversations, hasMore: answer.hasMore } }
  },
})

export const readConversation = tool({
  name: 'read_conversation',
  title: 'Read a conversation',
  description:
    'The messages of one chat, oldest first within the page. Page 1 has the newest messages. Reading sends no read receipt.',
  uses: ['listMessages'],
  input: z.object({ instance, chat: recipient, limit: count(100, 30), page: pageField }),
  output: z.object({ messages: z.array(MessageView), hasMore }),
  annotations: READS,
  async run({ api }, { instance: instanceName, chat, limit, page }) {
    const query = { instanceName, ...addressOf(chat), limit: String(limit), page: String(page) }
    const answer = await api.listMessages({ query })
    const messages = answer.messages.map(messageView).toReversed()
    const text = lines(messages.map(messageLine), 'There is no message.')
    return { text: `${WARNING}\n${text}`, data: { messages, hasMore: answer.hasMore } }
  },
})

export const searchMessages = tool({
  name: 'search_messages',
  title: 'Search messages',
  description:
    'Finds messages by words, by status or by both, in all conversations or in one, newest first. Each word may be the beginning of one. ' +
    'By status it finds, for example, sends that are still `scheduled`, and those that wait for a person (`awaiting_approval`).',
  uses: ['listMessages'],
  input: z.object({
    instance: instance.optional(),
    search: z
      .string()
      .min(1)
      .max(256)
      .optional()
      .meta({ description: 'Words that the message contains', examples: ['invoice 4711'] }),
    status: z.enum(MESSAGE_STATUSES).optional().meta({ description: 'Only messages with this status' }),
    chat: recipient.optional(),
    limit: count(100, 20),
    page: pageField,
  }),
  output: z.object({ messages: z.array(MessageView), hasMore }),
  annotations: READS,
  async run({ api }, { instance: instanceName, search, status, chat, limit, page }) {
    const address = chat === undefined ? {} : addressOf(chat)
    const query = {
      ...omitUndefined({ instanceName, search, status }),
      ...address,
      limit: String(limit),
      page: String(page),
    }
    const answer = await api.listMessages({ query })
    const messages = answer.messages.map(messageView)
    const text = lines(
      messages.map((view) => `${view.instance} ${view.chat} ${messageLine(view)}`),
      'No message matches.',
    )
    return { text: `${WARNING}\n${text}`, data: { messages, hasMore: answer.hasMore } }
  },
})

export const readMessage = tool({
  name: 'read_message',
  title: 'Read one message',
  description:
    'One message with its status: whether a sent message was delivered and read, or why it failed.',
  uses: ['getMessage'],
  input: z.object({ instance, messageId }),
  output: z.object({ message: MessageView }),
  annotations: READS,
  async run({ api }, { instance: instanceName, messageId: id }) {
    const { message } = await api.getMessage({ params: { messageId: id }, query: { instanceName } })
    const view = messageView(message)
    return { text: `${WARNING}\n${messageLine(view)}`, data: { message: view } }
  },
})

export const listGroups = tool({
  name: 'list_groups',
  title: 'List groups',
  description: 'The groups in which an instance takes part, with subject and number of members.',
  uses: ['listGroups'],
  input: z.object({ instance }),
  output: z.object({
    groups: z.array(
      z.object({
        chat: z.string(),
        foreignName: z.string().meta({ description: 'Subject of the group. Written by other people' }),
        members: z.int(),
      }),
    ),
  }),
  annotations: READS,
  async run({ api }, { instance: instanceName }) {
    const answer = await api.listGroups({ query: { instanceName } })
    const groups = answer.groups.map(({ groupJid, subject, size }) => ({
      chat: groupJid,
      foreignName: subject,
      members: size,
    }))
    const texts = groups.map(
      ({ chat, foreignName, members }) => `${chat} ${foreignText(foreignName)}, ${members} members`,
    )
    return { text: `${WARNING}\n${lines(texts, 'There is no group.')}`, data: { groups } }
  },
})

export const checkNumber = tool({
  name: 'check_number',
  title: 'Check a phone number',
  description: 'Whether a phone number is on WhatsApp. Check before the first message to a new number.',
  uses: ['checkNumber'],
  input: z.object({
    instance,
    number: z
      .string()
      .max(32)
      .meta({ description: 'With country code, digits only', examples: ['5511912345678'] }),
  }),
  output: z.object({ exists: z.boolean(), chat: z.string().nullable() }),
  annotations: READS,
  async run({ api }, { instance: instanceName, number }) {
    const { data: found } = await api.checkNumber({ query: { instanceName, number } })
    const text = found.exists ? `+${number} is on WhatsApp: ${found.jid}` : `+${number} is not on WhatsApp.`
    return { text, data: { exists: found.exists, chat: found.exists ? found.jid : null } }
  },
})
