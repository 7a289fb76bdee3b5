// Every operation that writes to the store, as the domain, the sessions and the workers call it, each with the rows it needs.
import * as accounts from '../../src/accounts/accounts.ts'
import * as keys from '../../src/accounts/api-keys.ts'
import * as users from '../../src/accounts/users.ts'
import { tidyUp } from '../../src/app/housekeeping.ts'
import { recordAllGroups, recordGroups } from '../../src/chats/group-reports.ts'
import { markChatRead, recordOwnerRead } from '../../src/chats/mark-read.ts'
import * as contacts from '../../src/contacts/contacts.ts'
import { followPresence, recordPresence } from '../../src/contacts/presence.ts'
import { removeFilePartsOf, writeFileParts } from '../../src/files/row-store.ts'
import { changeInstanceState } from '../../src/instances/change-instance-state.ts'
import {
  claimInstance,
  endInterruptedPairings,
  findInstanceById,
  freeSendLanes,
} from '../../src/instances/instance-queries.ts'
import { updateSettings } from '../../src/instances/instance-settings.ts'
import * as instances from '../../src/instances/instances.ts'
import { clearLogin, logoutInstance } from '../../src/instances/log-out.ts'
import { forgetRatchets } from '../../src/instances/restore-queries.ts'
import { cancelMessage, cancelMessages } from '../../src/messages/messages.ts'
import { receiveFile } from '../../src/receiving/conformance-arrivals.ts'
import { recordPeople, recordReceipt, reportsOf } from '../../src/receiving/received.ts'
import type { NetworkReport } from '../../src/receiving/report-store.ts'
import { freeLanesOf, makeLanesDue } from '../../src/sending/queue-queries.ts'
import * as deliveries from '../../src/webhooks/deliveries.ts'
import { freeDeliveryLocks } from '../../src/webhooks/delivery-queries.ts'
import * as webhooks from '../../src/webhooks/webhooks.ts'
import {
  anyDelivery,
  arrive,
  contactOf,
  ensureHook,
  ensureKey,
  ensureUser,
  first,
  GROUP,
  group,
  instanceName,
  JID,
  NEW_KEY,
  received,
  send,
  unique,
  type World,
} from './write-world.ts'

const OWNER = 'worker'

/** Looks up or makes the rows first, so that the returned call does nothing but the operation. */
export type WriteOperation = (world: World) => Promise<() => Promise<unknown>>

async function workOnSends({ deps: { store, clock } }: World): Promise<void> {
  const request = { owner: OWNER, now: clock(), lockMs: 1000, limit: 6, perInstance: 3, runLength: 2 }
  const claimed = await store.claimSends(request)
  await Promise.all(claimed.map((claim) => store.renewClaim({ ...claim, lockedUntil: clock() + 1000 })))
  await Promise.all(
    claimed.map(({ instanceId, lane, fence, rowId, messageId, chat }) =>
      store.settleSend({
        instanceId,
        lane,
        fence,
        rowId,
        messageId,
        chat,
        now: clock(),
        release: true,
        outcome: { kind: 'sent', chat, text: 'hi' },
      }),
    ),
  )
}

async function workOnDeliveries({ deps: { store, clock } }: World): Promise<void> {
  const request = { now: clock(), lockMs: 1000, limit: 4, perWebhook: 2, runLength: 2 }
  for (const { lock, deliveries: due } of await store.claimDeliveries(request)) {
    const attempt = { at: clock(), durationMs: 1, statusCode: 500, headers: '{}', answer: null, error: null }
    const outcome = { kind: 'retry', at: clock(), isEarly: false } as const
    const results = due.map(({ id }) => ({ deliveryId: id, attempt, outcome, isGone: false }))
    await store.settleDelivery({ lock, now: clock(), results: results.slice(0, 1), release: false })
    await store.settleDelivery({ lock, now: clock(), results: results.slice(1), release: true })
  }
}

async function saveSession(world: World): Promise<() => Promise<unknown>> {
  const { store } = world.deps
  const writes = await Promise.all(
    world.instanceIds.map(async (instanceId) => ({
      instanceId,
      fence: await claimInstance(store.db, instanceId),
      keys: ['b', 'a'].map((name) => ({ kind: 'session', name, sealed: new Uint8Array(1) })),
      arrivals: [{ name: unique(), sealed: new Uint8Array(), receivedAt: 0 }],
    })),
  )
  return () => Promise.all(writes.map((write) => store.saveSession(write)))
}

async function reportsFor(world: World, instanceId: number): Promise<NetworkReport[]> {
  const receiver = await findInstanceById(world.deps.store.db, instanceId)
  const read = { messages: [received(world)], people: [], chats: [], isHistory: false }
  return receiver ? reportsOf(world.deps, receiver, [{ name: unique(), read }]) : []
}

async function saveReceived(world: World): Promise<() => Promise<unknown>> {
  const { store } = world.deps
  const writes = await Promise.all(
    world.instanceIds.map(async (instanceId) => ({
      instanceId,
      fence: await claimInstance(store.db, instanceId),
      keys: [{ kind: 'session', name: 'a', sealed: new Uint8Array(1) }],
      arrivals: [],
      reports: await reportsFor(world, instanceId),
    })),
  )
  return () => Promise.all(writes.map((write) => store.saveReceived(write)))
}

export const WRITE_OPERATIONS: Record<string, WriteOperation> = {
  sends: async (world) => () => Promise.all(world.instanceIds.map((_, index) => send(world, index))),
  'cancel a message': async (world) => {
    const messageId = await send(world).catch(() => 'unknown')
    return () => cancelMessage(world.deps, world.caller, { messageId })
  },
  'cancel messages of a reference': async (world) => {
    await Promise.all(world.instanceIds.map((_, index) => send(world, index))).catch(() => undefined)
    const { deps, caller } = world
    await deps.store.db
      .updateTable('messages')
      .set({ reference: 'campaign' })
      .where('account_id', '=', caller.account.id)
      .execute()
    return () => cancelMessages(deps, caller, { reference: 'campaign' })
  },
  'work on sends': async (world) => {
    await send(world, 0, `55119${unique()}`).catch(() => undefined)
    await send(world, 1).catch(() => undefined)
    return () => workOnSends(world)
  },
  'make lanes due':
    async ({ deps, instanceIds }) =>
    () =>
      Promise.all(instanceIds.map((id) => makeLanesDue(deps.store, id, deps.clock()))),
  'free send lanes':
    async ({ deps, instanceIds }) =>
    () =>
      freeSendLanes(deps.store, instanceIds),
  'free lanes of a worker':
    async ({ deps }) =>
    () =>
      freeLanesOf(deps.store, OWNER, []),
  receipts: async (world) => {
    const messageIds = await Promise.all([send(world), send(world)]).catch(() => ['unknown'])
    return () =>
      recordReceipt(world.deps, first(world), {
        kind: 'receipt',
        messageIds,
        status: 'delivered',
        atMs: 0,
        chat: [JID],
        by: [JID],
      })
  },
  'session keys': saveSession,
  'a received message with its keys': saveReceived,
  'forget ratchets':
    async ({ deps: { store } }) =>
    () =>
      store.transaction((tx) => forgetRatchets(tx, store.engine)),
  'a received message': (world) => arrive(world, [received(world), received(world)]),
  'store a received file': async (world) => {
    const { store } = world.deps
    const instanceId = world.instanceIds[0] as number
    const receiver = { accountId: world.accountId, instanceId }
    const { rowId } = await receiveFile(store, receiver).catch(() => ({ rowId: 0 }))
    const write = () => writeFileParts(store, instanceId, rowId, new Uint8Array(10))
    await write()
    return () => Promise.all([write(), removeFilePartsOf(store.db, instanceId)])
  },
  'read on the phone': async (world) => {
    const message = received(world)
    await (await arrive(world, [message]))()
    return () =>
      recordOwnerRead(world.deps, first(world), {
        kind: 'owner_read',
        messageIds: [message.id],
        atMs: 0,
      })
  },
  'change settings': async (world) => () =>
    updateSettings(world.deps, world.caller, {
      instanceName: instanceName(world),
      change: { proxy: 'http://user:secret@proxy.example.com', readOnReply: true },
    }),
  'follow presence': async (world) => () =>
    followPresence(world.deps, world.caller, {
      instanceName: instanceName(world),
      numbers: ['5511912345678'],
    }),
  presence: async (world) => () =>
    recordPresence(world.deps, first(world), {
      person: received(world).from,
      presence: 'typing',
      lastSeenMs: null,
      atMs: 0,
    }),
  people: async (world) => () => recordPeople(world.deps, first(world), [received(world).from]),
  groups: async (world) => () =>
    recordAllGroups(world.deps, first(world), {
      groups: [group(GROUP), group('120363000000000001@g.us')],
      uncertain: [],
    }),
  'other groups': async (world) => () =>
    recordGroups(world.deps, first(world), {
      groups: [group('120363000000000001@g.us'), group(GROUP)],
    }),
  'read a chat': async (world) => () =>
    markChatRead(world.deps, world.caller, {
      instanceName: instanceName(world),
      chat: JID,
      viewed: world.random() < 0.5,
    }),
  'change of state': async (world) => () =>
    changeInstanceState(world.deps, first(world), {
      event: world.random() < 0.5 ? 'opened' : 'connection_lost',
    }),
  'end pairings':
    async ({ deps }) =>
    () =>
      deps.store.transaction(async (tx) => void (await endInterruptedPairings(tx, deps.clock()))),
  'create an instance':
    async ({ deps, caller }) =>
    () =>
      instances.createInstance(deps, caller, { instanceName: 'New' }),
  'save a contact': async (world) => () => contacts.saveContact(world.deps, world.caller, contactOf(world)),
  'save another contact': async (world) => () =>
    contacts.saveContact(world.deps, world.caller, {
      ...contactOf(world),
      phone: `55119${Math.floor(world.random() * 1e8)}`,
    }),
  'update a contact': async (world) => {
    const saved = await contacts
      .saveContact(world.deps, world.caller, contactOf(world))
      .catch(() => ({ id: 0 }))
    return () => contacts.updateContact(world.deps, world.caller, saved.id, { notes: unique() })
  },
  'delete a contact': async (world) => {
    const saved = await contacts
      .saveContact(world.deps, world.caller, contactOf(world))
      .catch(() => ({ id: 0 }))
    return () => contacts.deleteContact(world.deps, world.caller, saved.id)
  },
  'save a webhook':
    async ({ deps, caller }) =>
    () =>
      webhooks
        .saveWebhook(deps, caller, undefined, { url: `https://example.com/${unique()}` })
        .then(({ id }) => webhooks.deleteWebhook(deps, caller, id)),
  'change a webhook': async (world) => {
    const hook = await ensureHook(world)
    return () =>
      webhooks.saveWebhook(world.deps, world.caller, hook, {
        instanceName: instanceName(world),
        secret: unique(),
      })
  },
  'rotate a secret': async (world) => {
    const hook = await ensureHook(world)
    return () => webhooks.rotateSecret(world.deps, world.caller, hook, 1)
  },
  'delete a webhook': async (world) => {
    const hook = await ensureHook(world)
    return () => {
      world.hook = undefined
      return webhooks.deleteWebhook(world.deps, world.caller, hook)
    }
  },
  'replay a delivery': async (world) => {
    const delivery = await anyDelivery(world)
    const hook = world.hook as number
    return () => deliveries.replayDelivery(world.deps, world.caller, hook, delivery ?? 0, 'webhook')
  },
  'replay a webhook': async (world) => {
    const hook = await ensureHook(world)
    return () =>
      deliveries.replayWebhook(
        world.deps,
        world.caller,
        hook,
        new Date(world.deps.clock() - 20).toISOString(),
        'webhook',
      )
  },
  'work on deliveries': async (world) => {
    await anyDelivery(world).catch(() => undefined)
    return () => workOnDeliveries(world)
  },
  'free deliveries':
    async ({ deps }) =>
    () =>
      freeDeliveryLocks(deps.store),
  housekeeping:
    async ({ deps }) =>
    () =>
      tidyUp(deps.store, deps.clock() + 365 * 86_400_000),
  'create a key':
    async ({ deps, accountId }) =>
    () =>
      keys.createApiKey(deps, accountId, NEW_KEY),
  'rotate a key': async (world) => {
    const key = await ensureKey(world)
    return () => keys.rotateApiKey(world.deps, world.accountId, key, 1)
  },
  'revoke a key': async (world) => {
    const key = await ensureKey(world)
    return () => {
      world.key = undefined
      return keys.revokeApiKey(world.deps, world.accountId, key)
    }
  },
  'create a user':
    async ({ deps, accountId }) =>
    () =>
      users.createUser(deps, accountId, { name: 'Ana', email: `${unique()}@example.com` }),
  'change a user': async (world) => {
    const user = await ensureUser(world)
    return () => users.updateUser(world.deps, world.accountId, user, { email: 'same@example.com' })
  },
  'replace a user': async (world) => {
    const user = await ensureUser(world)
    return async () => {
      world.user = undefined
      await Promise.all([
        users.deleteUser(world.deps, world.accountId, user),
        users.createUser(world.deps, world.accountId, { name: 'Ana', email: 'same@example.com' }),
      ])
    }
  },
  'change the subscription':
    async ({ deps, accountId }) =>
    () =>
      accounts.updateSubscription(deps, accountId, { status: 'active' }),
}

/** These end what the others are about: each pair with one of them gets a world of its own. */
export const ENDING_OPERATIONS: Record<string, WriteOperation> = {
  'log out':
    async ({ deps, caller, instanceNames }) =>
    () =>
      logoutInstance(deps, caller, instanceNames[0] as string),
  'destroy a login': async (world) => () =>
    world.deps.store.transaction((tx) => clearLogin(world.deps, tx, first(world))),
  'delete an instance': async (world) => {
    const { store } = world.deps
    await store.db.updateTable('instances').set({ logged_in: 0 }).where('id', '=', first(world)).execute()
    return () => instances.deleteInstance(world.deps, world.caller, instanceName(world))
  },
  'delete the account': async (world) => {
    await world.deps.store.db
      .updateTable('instances')
      .set({ logged_in: 0, deleted_at: 1 })
      .where('account_id', '=', world.accountId)
      .execute()
    return () => accounts.deleteAccount(world.deps, world.accountId)
  },
}
