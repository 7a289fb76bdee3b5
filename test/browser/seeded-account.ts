// A further account of the shared gateway with something on every page.

import { routes } from '../../src/contract/routes.ts'
import { MUTED_FOR_EVER } from '../../src/contract/values.ts'
import { randomNumber } from '../support/gateway.ts'
import { png } from '../support/sample-files.ts'
import { type PairedInstance, type SandboxWorld, until } from '../support/sandbox-world.ts'
import type { Account } from './chats.ts'
import { type Receiver, startReceiver } from './receiver.ts'

export interface SeededAccount {
  key: string
  line: PairedInstance
  /** The API name of an instance that waits for a scan. */
  unlinked: string
  /** Bob, who has written and got an answer. */
  person: string
  /** The answer to Bob, which was edited. His message is pinned. */
  sentId: string
  group: string
  webhookId: number
  destinationId: number
  stop(): Promise<void>
}

export async function seedAccount(world: SandboxWorld): Promise<SeededAccount> {
  const account = await world.otherAccount()
  const line = await account.pair(randomNumber(), 'Shop')
  const receiver = await startReceiver()
  receiver.answer = { status: 500, body: '<h1>down</h1>' }
  const webhookId = await seedWebhook(account, line, receiver)
  const { instance } = await account.api('createInstance', { body: { instanceName: 'Unlinked' } })
  const unlinked: string = instance.apiInstanceName
  await account.api('connectInstance', { query: { instanceName: unlinked }, body: {} })
  await account.api('createApiKey', { body: { name: 'Shop' } })
  const { destination } = await account.api('saveDestination', {
    body: {
      type: 'rabbitmq',
      url: 'amqps://broker.example.com/crm',
      name: 'Broker',
      events: ['messages.upsert'],
    },
  })
  await account.api('saveContact', {
    body: { instanceName: line.name, phone: randomNumber(), name: 'Ana Souza', notes: 'Prefers mornings' },
  })
  const person = await account.world.phone(randomNumber(), 'Bob')
  const sentId = await seedConversation(account, line, person)
  await seedApproval(account, line, person)
  await seedTeam(world, account, line, person)
  const group = await seedGroup(account, line, person)
  await account.api('sendStatus', {
    body: { instanceName: line.name, type: 'text', message: 'Open until midnight', to: [person] },
  })
  return {
    key: account.key,
    line,
    unlinked,
    person,
    sentId,
    group,
    webhookId,
    destinationId: destination.id,
    stop: () => receiver.close(),
  }
}

async function seedWebhook({ api }: Account, line: PairedInstance, { url }: Receiver): Promise<number> {
  const body = { url: `${url}/hook`, name: 'Backend', instanceName: line.name, events: ['messages.upsert'] }
  return (await api('saveWebhook', { body })).webhook.id
}

/** A send that waits for the decision of a person. */
async function seedApproval({ api }: Account, line: PairedInstance, person: string): Promise<void> {
  const { key } = await api('createApiKey', { body: { name: 'Agent', scopes: ['send'], approval: true } })
  const body = { instanceName: line.name, number: person, message: 'A draft of the agent' }
  await api('sendText', { key, body })
}

/** A user of the account of the key. */
export async function addUser({ call, app }: SandboxWorld, key: string, name: string): Promise<number> {
  const operator = { key: app.operatorKey }
  const { json } = await call('accountLimits', { key })
  const id = json.account.teamId
  const body = { name, email: `${name.toLowerCase()}@example.com` }
  return (await call('adminCreateUser', { ...operator, params: { id }, body })).json.user.id
}

/** A user who answers the chat, a label that it has, and a quick reply. */
async function seedTeam(world: SandboxWorld, { api, key }: Account, line: PairedInstance, person: string) {
  const target = { instanceName: line.name, chat: `${person}@s.whatsapp.net` }
  await api('assignChat', { body: { ...target, userId: await addUser(world, key, 'Eva') } })
  const { label } = await api('createLabel', { body: { instanceName: line.name, name: 'Follow up' } })
  await api('labelChat', { params: { labelId: label.id }, body: target })
  await api('createQuickReply', { body: { shortcut: 'hours', text: 'We are open from 9 to 18.' } })
}

/** Messages of several kinds in both directions, a scheduled one, and an archived chat. */
async function seedConversation(account: Account, line: PairedInstance, person: string): Promise<string> {
  const { api, world } = account
  const to = { instanceName: line.name, number: person, delay: 0 }
  const requested = await world.send(person, { to: line.number, text: 'How *much* is it?' })
  const { messageId } = await api('sendText', { body: { ...to, message: 'Ten euros' } })
  await world.shown(person, messageId)
  await api('editMessage', {
    params: { messageId },
    body: { instanceName: line.name, message: 'Twelve euros' },
  })
  await received(account, line, requested)
  const pinned = { params: { messageId: requested }, body: { instanceName: line.name, seconds: 86_400 } }
  await api('pinMessage', pinned)
  await world.post(`/phones/${person}/react`, { messageId, emoji: '👍' })
  await api('sendPoll', { body: { ...to, pollName: 'Which day?', options: ['Mon', 'Tue'] } })
  await api('sendLocation', { body: { ...to, latitude: -23.5614, longitude: -46.6559, name: 'Our shop' } })
  for (const kind of ['sendButton', 'sendList', 'sendCta', 'sendContact', 'sendEvent'] as const) {
    const [example] = (routes[kind].body.meta()?.examples ?? []) as object[]
    await api(kind, { body: { ...example, instanceName: line.name, number: person } })
  }
  const sendAt = new Date(Date.now() + 3_600_000).toISOString()
  await api('sendText', { body: { ...to, message: 'Happy birthday', sendAt } })
  await sendCarousel(account, to)
  await api('starMessage', { params: { messageId }, body: { instanceName: line.name, starred: true } })
  await api('updateChat', {
    body: { instanceName: line.name, chat: `${person}@s.whatsapp.net`, disappearingSeconds: 604_800 },
  })
  const carol = await world.phone(randomNumber(), 'Carol')
  await received(account, line, await world.send(carol, { to: line.number, text: 'I am Carol' }))
  const chat = `${carol}@s.whatsapp.net`
  await api('updateChat', { body: { instanceName: line.name, chat, archived: true } })
  return messageId
}

async function sendCarousel({ api }: Account, to: { instanceName: string; number: string }): Promise<void> {
  const { mediaId } = await api('uploadMedia', { upload: png(4, 4) })
  const buttons = [{ buttonId: 'buy', buttonText: { displayText: 'Buy' }, type: 1 }]
  const cards = ['Shoe, 49', 'Boot, 79'].map((body) => ({ header: { mediaId }, body, buttons }))
  const interactive = { body: 'This week', cards }
  await api('sendCarousel', { body: { ...to, type: 'interactive', interactive } })
}

/** Waits until the gateway and the phone of the instance have the message. */
async function received({ api, world }: Account, line: PairedInstance, id: string): Promise<void> {
  await until(
    async () => (await api('listMessages', { query: { instanceName: line.name } })).messages,
    (messages: { messageId: string }[]) => messages.some(({ messageId }) => messageId === id),
    `message ${id}`,
  )
  await world.shown(line.number, id)
}

/** With every mark that the list of chats shows, and a person who wants to join. */
async function seedGroup(account: Account, line: PairedInstance, person: string): Promise<string> {
  const { world } = account
  const made = await world.post('/groups', { subject: 'Launch', members: [person], admin: line.number })
  const { jid } = (made as { group: { jid: string } }).group
  await received(account, line, await world.send(person, { to: jid, text: 'Welcome' }))
  const inGroup = { params: { groupJid: jid }, query: { instanceName: line.name } }
  await account.api('updateGroup', { ...inGroup, body: { joinApproval: true } })
  const { code } = await account.api('getGroupInvite', inGroup)
  await world.post(`/phones/${await world.phone(randomNumber(), 'Dora')}/join`, { code })
  const settings = { pinned: true, mutedUntil: MUTED_FOR_EVER, unread: true }
  await account.api('updateChat', { body: { instanceName: line.name, chat: jid, ...settings } })
  return jid
}
