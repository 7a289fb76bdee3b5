// The rows that write operations share: an account with instances, webhooks, contacts and messages, created through the domain.
import { randomBytes } from 'node:crypto'
import { createAccount } from '../../src/accounts/accounts.ts'
import * as keys from '../../src/accounts/api-keys.ts'
import type { Caller } from '../../src/accounts/caller.ts'
import { createPlan } from '../../src/accounts/plans.ts'
import { createUser } from '../../src/accounts/users.ts'
import type { Deps } from '../../src/context.ts'
import { findInstanceById } from '../../src/instances/instance-queries.ts'
import * as instances from '../../src/instances/instances.ts'
import type { NetworkGroup } from '../../src/network/groups.ts'
import type { ReceivedMessage } from '../../src/network/message.ts'
import { recordArrival } from '../../src/receiving/received.ts'
import { createSending } from '../../src/sending/accept.ts'
import type { ContentHold } from '../../src/sending/held-content.ts'
import * as webhooks from '../../src/webhooks/webhooks.ts'
import { seed } from './random-seed.ts'
import { randomFrom } from './seeded-random.ts'

export const PHONE = '5511912345678'
export const JID = `${PHONE}@s.whatsapp.net`
export const GROUP = '120363000000000000@g.us'

/** What the operations of one run are about: they all meet on the same rows. */
export interface World {
  deps: Deps
  caller: Caller
  accountId: number
  instanceIds: number[]
  instanceNames: string[]
  hook: number | undefined
  user: number | undefined
  key: number | undefined
  /** Choices that the printed seed repeats. */
  random: () => number
}

export const first = ({ instanceIds }: World): number => instanceIds[0] as number
export const instanceName = ({ instanceNames }: World, index = 0): string => instanceNames[index] as string
export const unique = (): string => randomBytes(6).toString('hex')

const bodyless = { notes: null, customData: {} }
export const contactOf = (world: World) => ({
  instanceName: instanceName(world),
  phone: PHONE,
  name: 'Ana',
  ...bodyless,
})

const outgoing = (world: World, index = 0, number = PHONE) => ({
  instanceName: instanceName(world, index),
  to: { number },
  kind: 'text' as const,
  content: { message: 'hi' },
  delayMs: 0,
  requestedDelayMs: 0,
  sendAt: null,
  expiresAt: null,
})

/** Keys of this world need no approval. */
const NOTHING_TO_HOLD: ContentHold = {
  hold: async ({ content }) => ({ content, files: [] }),
  discard: async () => undefined,
}

export async function send(world: World, index = 0, number = PHONE): Promise<string> {
  const message = outgoing(world, index, number)
  const sending = createSending({ ...world.deps, contentHold: NOTHING_TO_HOLD })
  const receipt = await sending.send(world.caller, message, { idempotencyKey: unique() })
  return receipt.answer.messageId
}

export const received = (world: World): ReceivedMessage =>
  ({
    id: unique(),
    chat: JID,
    fromMe: false,
    from: { jid: JID, lid: `${unique()}@lid`, phone: PHONE, pushName: `Ana ${unique()}` },
    addressedAs: { chat: JID, author: null },
    type: 'text',
    text: 'hello',
    content: {},
    media: null,
    quoted: null,
    interactiveReplyId: null,
    sentAtMs: world.deps.clock(),
  }) as unknown as ReceivedMessage

export async function ensureHook(world: World): Promise<number> {
  const { deps, caller } = world
  world.hook ??= (
    await webhooks.saveWebhook(deps, caller, undefined, { url: `https://example.com/${unique()}` })
  ).id
  return world.hook
}

export async function ensureUser(world: World): Promise<number> {
  const fields = { name: 'Ana', email: `${unique()}@example.com` }
  world.user ??= (await createUser(world.deps, world.accountId, fields)).id
  return world.user
}

export const NEW_KEY = { name: 'Shop', scopes: [], expiresAt: null }
export async function ensureKey(world: World): Promise<number> {
  world.key ??= (await keys.createApiKey(world.deps, world.accountId, NEW_KEY)).apiKey.id
  return world.key
}

export async function arrive(world: World, messages: ReceivedMessage[]): Promise<() => Promise<void>> {
  const { store } = world.deps
  const name = unique()
  const row = {
    instance_id: first(world),
    name,
    sealed: new Uint8Array(),
    received_at: 0,
    processed_at: null,
  }
  await store.db.insertInto('inbox').values(row).execute()
  const interpretation = { messages, people: [], chats: [], isHistory: false }
  return async () => {
    const receiver = await findInstanceById(store.db, first(world))
    if (receiver) await recordArrival(world.deps, receiver, { name, read: interpretation })
  }
}

export async function anyDelivery(world: World): Promise<number | undefined> {
  const hook = await ensureHook(world)
  await (await arrive(world, [received(world)]))()
  const row = await world.deps.store.db
    .selectFrom('deliveries')
    .select('id')
    .where('webhook_id', '=', hook)
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

export const group = (jid: string): NetworkGroup => ({
  jid,
  subject: unique(),
  description: null,
  ownerJid: null,
  createdAtMs: null,
  isAdmin: false,
  isAnnouncement: false,
  isLocked: false,
  joinApproval: false,
  memberAdd: 'admins',
  disappearingSeconds: 0,
  participants: [],
})

const LIMITS = {
  users: 'Unlimited',
  contacts: 'Unlimited',
  instances: 'Unlimited',
  messages: 'Unlimited',
} as const
const FEATURES = { ai: false, flowBuilder: false, campaigns: false, templates: false, voiceCalls: false }
const PLAN = {
  name: 'Plan',
  interval: 'month' as const,
  currency: 'usd',
  amount: 0,
  limits: LIMITS,
  features: FEATURES,
  requestsPerSecond: null,
}

/** An account with two open instances, a webhook for everything, and one for the first instance alone. */
export async function makeWorld(deps: Deps): Promise<World> {
  const plan = await createPlan(deps, PLAN)
  const { account, key } = await createAccount(deps, 'Account', { planId: plan.id })
  const caller = (await keys.findCaller(deps, key)) as Caller
  const made = [
    await instances.createInstance(deps, caller, { instanceName: 'One' }),
    await instances.createInstance(deps, caller, { instanceName: 'Two' }),
  ]
  await deps.store.db
    .updateTable('instances')
    .set({ logged_in: 1, state: 'open' })
    .where('account_id', '=', account.id)
    .execute()
  const world: World = {
    deps,
    caller,
    accountId: account.id,
    instanceIds: made.map(({ id }) => id),
    instanceNames: made.map(({ apiInstanceName }) => apiInstanceName),
    hook: undefined,
    user: undefined,
    key: undefined,
    random: randomFrom(seed),
  }
  await ensureHook(world)
  await webhooks.saveWebhook(deps, caller, undefined, {
    url: 'https://example.com/one',
    instanceName: instanceName(world),
  })
  return world
}
