// One valid call of each sandbox route, and accounts with the records that the calls use.
import assert from 'node:assert/strict'
import type { App } from '../../src/app/start.ts'
import { statusOf } from '../../src/contract/reasons.ts'
import { ErrorBody, fullPath, type Route, reasonsOf } from '../../src/contract/route.ts'
import { type SandboxRoutes, sandboxRoutes } from '../../src/contract/sandbox.ts'
import { type Answer, callRoute } from '../support/gateway.ts'

export type SandboxRouteId = keyof SandboxRoutes
export const sandboxTable = Object.values<Route>(sandboxRoutes) as (Route & { id: SandboxRouteId })[]

/** The records that sample calls use: a phone, its contact, a group it administers, a message it shows. */
export interface SandboxThings {
  phone: string
  person: string
  group: string
  messageId: string
}

export interface SandboxInput {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  file?: Buffer
}

const onPhone =
  (body?: (things: SandboxThings) => unknown, query?: (things: SandboxThings) => Record<string, string>) =>
  (things: SandboxThings): SandboxInput => ({
    params: { number: things.phone },
    ...(body ? { body: body(things) } : {}),
    ...(query ? { query: query(things) } : {}),
  })
const onMessage = ({ phone, messageId }: SandboxThings): SandboxInput => ({
  params: { number: phone, id: messageId },
})

export const sandboxSamples: Record<SandboxRouteId, (things: SandboxThings) => SandboxInput> = {
  sandboxListPhones: () => ({}),
  sandboxCreatePhone: ({ phone }) => ({ body: { number: phone, name: 'Ana' } }),
  sandboxGetPhone: onPhone(),
  sandboxScan: onPhone(() => ({ qr: 'no code' })),
  sandboxEnterCode: onPhone(() => ({ code: 'ABCD1234' })),
  sandboxSetPasskey: onPhone(() => ({ demanded: false })),
  sandboxGetPasskey: onPhone(),
  sandboxSignAssertion: onPhone(() => ({ options: { challenge: 'AAAA' } })),
  sandboxSaveContact: onPhone(({ person }) => ({ number: person, name: 'Ben' })),
  sandboxSetPicture: onPhone(() => ({ base64: null })),
  sandboxGetPicture: onPhone(),
  sandboxChangePhone: onPhone(() => ({ privacy: { last: 'contacts' } })),
  sandboxBlock: onPhone(({ person }) => ({ number: person, blocked: false })),
  sandboxListMessages: onPhone(),
  sandboxGetMessage: onMessage,
  sandboxGetMedia: onMessage,
  sandboxListChats: onPhone(),
  sandboxListTyping: onPhone(),
  sandboxSend: onPhone(({ person }) => ({ to: person, text: 'Olá' })),
  sandboxSendMedia: ({ phone, person }) => ({
    params: { number: phone },
    query: { to: person, type: 'document' },
    file: Buffer.from('a file'),
  }),
  sandboxSendContent: onPhone(({ person }) => ({ to: person, content: { conversation: 'Olá' } })),
  sandboxEdit: onPhone(({ messageId }) => ({ messageId, text: 'Olá!' })),
  sandboxRemove: onPhone(({ messageId }) => ({ messageId })),
  sandboxRead: onPhone(({ person }) => ({ chat: person })),
  sandboxTap: onPhone(({ messageId }) => ({ messageId, buttonId: 'yes' })),
  sandboxVote: onPhone(({ messageId }) => ({ messageId, options: [] })),
  sandboxReact: onPhone(({ messageId }) => ({ messageId, emoji: '👍' })),
  sandboxType: onPhone(({ person }) => ({ chat: person })),
  sandboxPin: onPhone(({ messageId }) => ({ messageId, seconds: 86_400 })),
  sandboxForward: onPhone(({ messageId, person }) => ({ messageId, to: person })),
  sandboxSetDisappearing: onPhone(({ person }) => ({ chat: person, seconds: 86_400 })),
  sandboxSetPresence: onPhone(() => ({ available: true })),
  sandboxStar: onPhone(({ messageId }) => ({ messageId, starred: true })),
  sandboxDeleteForMe: onPhone(({ messageId }) => ({ messageId })),
  sandboxChangeChat: onPhone(({ person }) => ({ chat: person, archived: true })),
  sandboxListLabels: onPhone(),
  sandboxSaveLabel: onPhone(() => ({ name: 'Follow up' })),
  sandboxDeleteLabel: onPhone(undefined, () => ({ labelId: '1' })),
  sandboxLabelChat: onPhone(({ person }) => ({ chat: person, labelId: '1' })),
  sandboxClearChat: onPhone(({ person }) => ({ chat: person })),
  sandboxDeleteChat: onPhone(undefined, ({ person }) => ({ chat: person })),
  sandboxListCalls: onPhone(),
  sandboxPlaceCall: onPhone(({ person }) => ({ to: person })),
  sandboxAnswerCall: onPhone(() => ({ callId: 'A1B2C3D4E5F60718' })),
  sandboxHangUp: onPhone(() => ({ callId: 'A1B2C3D4E5F60718' })),
  sandboxPostStatus: onPhone(({ person }) => ({ text: 'On the beach', to: [person] })),
  sandboxExpireMedia: onPhone(({ messageId }) => ({ messageId })),
  sandboxListGroups: () => ({}),
  sandboxCreateGroup: ({ phone, person }) => ({ body: { subject: 'Team', members: [person], admin: phone } }),
  sandboxGetGroup: ({ group }) => ({ params: { jid: group } }),
  sandboxListPhoneGroups: onPhone(),
  sandboxChangeGroup: ({ group }) => ({ params: { jid: group }, body: { subject: 'Taken over' } }),
  sandboxChangeMembers: ({ group, person }) => ({
    params: { jid: group },
    body: { change: 'remove', members: [person] },
  }),
  sandboxLeaveGroup: ({ group, phone }) => ({ params: { jid: group }, body: { number: phone } }),
  sandboxAnswerRequests: ({ group, person }) => ({
    params: { jid: group },
    body: { action: 'approve', members: [person] },
  }),
  sandboxInvite: ({ group, person }) => ({ params: { jid: group }, body: { members: [person] } }),
  sandboxResetInvite: ({ group }) => ({ params: { jid: group }, body: {} }),
  sandboxJoinGroup: onPhone(() => ({ code: 'AbCdEfGhIjKlMnOpQrStUv' })),
  sandboxListFaults: () => ({}),
  sandboxCreateFault: ({ phone }) => ({ body: { number: phone, kind: 'offline' } }),
  sandboxInjectFrames: ({ phone }) => ({ body: { number: phone, frames: [{ as: 'frame', bytes: 'AAAA' }] } }),
  sandboxClearFaults: ({ phone }) => ({ query: { number: phone } }),
  sandboxGetNetwork: () => ({}),
  sandboxSetNetwork: () => ({ body: { addressing: 'lid' } }),
  sandboxListChanges: () => ({}),
  sandboxListFrames: ({ phone }) => ({ query: { number: phone } }),
}

/** Calls a route as a client would. An error response must have a reason that the route declares. */
export async function callSandbox(
  app: Pick<App, 'url'>,
  id: SandboxRouteId,
  key: string | null,
  { params = {}, query = {}, body, file }: SandboxInput,
): Promise<Answer> {
  const route: Route = sandboxRoutes[id]
  const path = fullPath(route).replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  const address = new URL(path, app.url)
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
  const response = await fetch(address, {
    method: route.method,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(file === undefined ? {} : { body: new Uint8Array(file) }),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  const json = isJson ? JSON.parse(bytes.toString()) : undefined
  if (response.status !== 200) {
    const { reason } = ErrorBody.parse(json)
    const isDeclared = reasonsOf(route).some((one) => one === reason && statusOf(one) === response.status)
    assert.ok(isDeclared, `${id}: ${response.status} ${reason}`)
  }
  return { status: response.status, headers: response.headers, json, bytes }
}

export interface SandboxAccount {
  id: number
  key: string
  call(id: SandboxRouteId, input?: SandboxInput): Promise<Answer>
}

export async function newAccount(
  app: App,
  plan: Record<string, unknown> = {},
  subscription: Record<string, unknown> = {},
): Promise<SandboxAccount> {
  const key = app.operatorKey
  const made = await callRoute(app.url, 'adminCreatePlan', { key, body: { name: 'Test', ...plan } })
  const body = { name: 'Test', planId: made.json.plan.id, ...subscription }
  const created = await callRoute(app.url, 'adminCreateAccount', { key, body })
  assert.equal(created.status, 200, JSON.stringify(created.json))
  return {
    id: created.json.account.id,
    key: created.json.key,
    call: (id, input = {}) => callSandbox(app, id, created.json.key, input),
  }
}

/** A phone, a contact it wrote to, and their group, all of the account. */
export async function makeWorld(account: SandboxAccount, phone: string): Promise<SandboxThings> {
  const person = `${phone}1`
  const done = async (id: SandboxRouteId, input: SandboxInput) => {
    const answer = await account.call(id, input)
    assert.equal(answer.status, 200, `${id}: ${JSON.stringify(answer.json)}`)
    return answer.json
  }
  await done('sandboxCreatePhone', { body: { number: phone, name: 'Ana' } })
  await done('sandboxCreatePhone', { body: { number: person, name: 'Ben' } })
  const { messageId } = await done('sandboxSend', {
    params: { number: phone },
    body: { to: person, text: 'between us' },
  })
  const { group } = await done('sandboxCreateGroup', {
    body: { subject: 'Private', members: [person], admin: phone },
  })
  await done('sandboxCreateFault', { body: { number: person, kind: 'restrict' } })
  return { phone, person, group: group.jid, messageId }
}
