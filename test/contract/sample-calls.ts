// One valid call of every route, for tests that loop over the route table.
import { fullPath, type Route } from '../../src/contract/route.ts'
import { type RouteId, routes } from '../../src/contract/routes.ts'
import { newLinkToken } from '../../src/instances/rules-passkey.ts'
import type { Account, CallInput, Gateway } from '../support/gateway.ts'
import { signedAssertion } from '../support/passkey-assertion.ts'
import { png } from '../support/sample-files.ts'

/** The records that sample calls use, all of one account. */
export interface Things {
  instance: string
  messageId: string
  contact: number
  quickReply: number
  webhook: number
  destination: number
  delivery: number
  destinationDelivery: number
  key: number
  account: number
  plan: number
  user: number
  node: string
}

export const UNKNOWN: Things = {
  instance: 'support-00000000',
  messageId: '3EB0000000000000000000',
  contact: 999_999_999,
  quickReply: 999_999_999,
  webhook: 999_999_999,
  destination: 999_999_999,
  delivery: 999_999_999,
  destinationDelivery: 999_999_999,
  key: 999_999_999,
  account: 999_999_999,
  plan: 999_999_999,
  user: 999_999_999,
  node: '999999999',
}

const NUMBER = '5511912345678'
const to = ({ instance }: Things) => ({ instanceName: instance, number: NUMBER })
const byName = ({ instance }: Things): CallInput => ({ query: { instanceName: instance } })
const inGroup = (things: Things): CallInput => ({
  ...byName(things),
  params: { groupJid: '120363000000000000@g.us' },
})
const ofPerson = (things: Things): CallInput => ({ ...byName(things), params: { number: NUMBER } })
const interactive = (things: Things, content: object): CallInput => ({
  body: { ...to(things), type: 'interactive', interactive: content },
})
const reply = (id: string) => ({ buttonId: id, buttonText: { displayText: id }, type: 1 })

/** Its document cannot be read here. */
const AGENT = {
  responseType: 'code',
  clientId: 'https://agent.example.com/client.json',
  redirectUri: 'https://agent.example.com/callback',
  codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  codeChallengeMethod: 'S256',
}

export const sampleCalls: Record<RouteId, (things: Things) => CallInput> = {
  sendText: (things) => ({ body: { ...to(things), message: 'hi' } }),
  sendMedia: (things) => ({
    body: { ...to(things), type: 'image', mediaUrl: 'https://example.com/photo.jpg' },
  }),
  sendButton: (things) => interactive(things, { type: 'button', body: 'Yes?', buttons: [reply('yes')] }),
  sendList: (things) =>
    interactive(things, {
      type: 'list',
      text: 'What?',
      buttonText: 'Open',
      sections: [{ title: 'Drinks', rows: [{ title: 'Coffee', rowId: 'coffee' }] }],
    }),
  sendCta: (things) =>
    interactive(things, {
      type: 'cta',
      body: 'Help?',
      buttons: [{ index: 0, urlButton: { displayText: 'Site', url: 'https://example.com' } }],
    }),
  sendCarousel: (things) =>
    interactive(things, {
      type: 'carousel',
      body: 'This week',
      cards: [
        {
          header: { type: 'image', mediaUrl: 'https://example.com/shoe.jpg' },
          body: 'Shoe',
          buttons: [reply('buy')],
        },
      ],
    }),
  reactToMessage: ({ messageId }) => ({ params: { messageId }, body: { emoji: '👍' } }),
  editMessage: ({ messageId }) => ({ params: { messageId }, body: { message: 'hi again' } }),
  deleteMessage: ({ messageId }) => ({ params: { messageId } }),
  forwardMessage: ({ messageId }) => ({ params: { messageId }, body: { number: NUMBER } }),
  pinMessage: ({ messageId }) => ({ params: { messageId }, body: { seconds: 86_400 } }),
  getApproval: ({ messageId }) => ({ params: { messageId } }),
  getApprovalFile: ({ messageId }) => ({ params: { messageId, mediaId: `media-${'0'.repeat(22)}` } }),
  approveMessage: ({ messageId }) => ({ params: { messageId } }),
  rejectMessage: ({ messageId }) => ({ params: { messageId }, body: { reason: 'no' } }),
  getPollVotes: ({ messageId }) => ({ params: { messageId } }),
  markPlayed: ({ messageId }) => ({ params: { messageId }, body: {} }),
  starMessage: ({ messageId }) => ({ params: { messageId }, body: { starred: true } }),
  sendPix: (things) => ({
    body: { ...to(things), merchantName: 'Shop', keyType: 'email', key: 'shop@example.com' },
  }),
  sendLocation: (things) => ({ body: { ...to(things), latitude: -23.5614, longitude: -46.6559 } }),
  sendPoll: (things) => ({ body: { ...to(things), pollName: 'Which day?', options: ['Monday', 'Tuesday'] } }),
  sendGroup: ({ instance }) => ({
    body: { instanceName: instance, groupJid: '120363000000000000@g.us', message: 'hi' },
  }),
  sendSticker: (things) => ({ body: { ...to(things), mediaUrl: 'https://example.com/smile.webp' } }),
  sendContact: (things) => ({ body: { ...to(things), contacts: [{ name: 'Ana', phone: NUMBER }] } }),
  sendEvent: (things) => ({ body: { ...to(things), name: 'Tasting', startsAt: '2026-12-24T18:00:00Z' } }),
  sendAlbum: (things) => ({
    body: {
      ...to(things),
      files: [{ mediaUrl: 'https://example.com/a.jpg' }, { mediaUrl: 'https://example.com/b.mp4' }],
    },
  }),
  sendStatus: ({ instance }) => ({ body: { instanceName: instance, message: 'hi' } }),
  uploadMedia: () => ({ body: 'a file', headers: { 'content-type': 'text/plain' } }),
  listMessages: byName,
  getMessage: ({ messageId }) => ({ params: { messageId } }),
  getMessageMedia: ({ messageId }) => ({ params: { messageId } }),
  cancelMessage: ({ messageId }) => ({ params: { messageId } }),
  cancelMessages: ({ instance }) => ({ body: { reference: 'campaign', instanceName: instance } }),
  instanceState: byName,
  instanceActivity: byName,
  listInstances: () => ({}),
  createInstance: () => ({ body: { instanceName: 'Support' } }),
  connectInstance: byName,
  restartInstance: byName,
  logoutInstance: byName,
  deleteInstance: byName,
  qrImage: byName,
  profilePicture: byName,
  getPasskey: byName,
  answerPasskey: (things) => ({
    ...byName(things),
    body: { assertion: signedAssertion({ challenge: 'AAAA' }) },
  }),
  confirmPasskey: (things) => ({ ...byName(things), body: { code: 'ABCD-1234' } }),
  cancelPasskey: byName,
  createPasskeyLink: byName,
  readPasskeyLink: () => ({ body: { token: newLinkToken(1) } }),
  answerPasskeyByLink: () => ({
    body: { token: newLinkToken(1), assertion: signedAssertion({ challenge: 'AAAA' }) },
  }),
  confirmPasskeyByLink: () => ({ body: { token: newLinkToken(1), code: 'ABCD-1234' } }),
  cancelPasskeyByLink: () => ({ body: { token: newLinkToken(1) } }),
  listContacts: byName,
  saveContact: ({ instance }) => ({ body: { instanceName: instance, phone: NUMBER, name: 'Ana' } }),
  getContact: ({ contact }) => ({ params: { id: contact } }),
  updateContact: ({ contact }) => ({ params: { id: contact }, body: { notes: 'Changed' } }),
  deleteContact: ({ contact }) => ({ params: { id: contact } }),
  listChats: byName,
  readChat: (things) => ({ ...byName(things), body: { chat: `${NUMBER}@s.whatsapp.net` } }),
  showPresence: ({ instance }) => ({
    body: { instanceName: instance, chat: `${NUMBER}@s.whatsapp.net`, presence: 'typing' },
  }),
  updateChat: ({ instance }) => ({
    body: { instanceName: instance, chat: `${NUMBER}@s.whatsapp.net`, archived: true },
  }),
  listLabels: byName,
  createLabel: ({ instance }) => ({ body: { instanceName: instance, name: 'Follow up' } }),
  updateLabel: ({ instance }) => ({
    params: { labelId: '6' },
    body: { instanceName: instance, name: 'Call back' },
  }),
  deleteLabel: (things) => ({ ...byName(things), params: { labelId: '6' } }),
  labelChat: ({ instance }) => ({
    params: { labelId: '6' },
    body: { instanceName: instance, chat: `${NUMBER}@s.whatsapp.net` },
  }),
  unlabelChat: ({ instance }) => ({
    params: { labelId: '6' },
    query: { instanceName: instance, chat: `${NUMBER}@s.whatsapp.net` },
  }),
  assignChat: ({ instance, user }) => ({
    body: { instanceName: instance, chat: `${NUMBER}@s.whatsapp.net`, userId: user },
  }),
  listUsers: () => ({}),
  listQuickReplies: () => ({}),
  createQuickReply: () => ({ body: { shortcut: 'hours', text: 'We are open from 9 to 18.' } }),
  updateQuickReply: ({ quickReply }) => ({ params: { id: quickReply }, body: { text: 'Closed' } }),
  deleteQuickReply: ({ quickReply }) => ({ params: { id: quickReply } }),
  clearChat: ({ instance }) => ({ query: { instanceName: instance, chat: `${NUMBER}@s.whatsapp.net` } }),
  chatHistory: ({ instance }) => ({ query: { instanceName: instance, chat: `${NUMBER}@s.whatsapp.net` } }),
  chatPicture: ({ instance }) => ({ query: { instanceName: instance, chat: `${NUMBER}@s.whatsapp.net` } }),
  listGroups: byName,
  createGroup: ({ instance }) => ({ body: { instanceName: instance, subject: 'Team', members: [NUMBER] } }),
  getGroup: inGroup,
  updateGroup: (things) => ({ ...inGroup(things), body: { subject: 'Team' } }),
  setGroupPicture: (things) => ({ ...inGroup(things), upload: png(2, 2) }),
  deleteGroupPicture: inGroup,
  changeGroupMembers: (things) => ({ ...inGroup(things), body: { add: [NUMBER] } }),
  getGroupInvite: inGroup,
  resetGroupInvite: inGroup,
  previewGroupInvite: (things) => ({ ...byName(things), params: { code: 'AbCdEfGhIjKlMnOpQrStUv' } }),
  joinGroup: ({ instance }) => ({ body: { instanceName: instance, code: 'AbCdEfGhIjKlMnOpQrStUv' } }),
  leaveGroup: inGroup,
  listJoinRequests: inGroup,
  answerJoinRequests: (things) => ({ ...inGroup(things), body: { approve: [NUMBER] } }),
  getSettings: byName,
  updateSettings: (things) => ({ ...byName(things), body: { readOnReply: true } }),
  getProfile: byName,
  updateProfile: (things) => ({ ...byName(things), body: { about: 'At work' } }),
  getPerson: ofPerson,
  blockPerson: ofPerson,
  unblockPerson: ofPerson,
  getBlocklist: byName,
  listPresence: byName,
  subscribePresence: ({ instance }) => ({ body: { instanceName: instance, subscribe: [NUMBER] } }),
  rejectCall: (things) => ({ ...byName(things), params: { callId: '3EB0A1B2C3D4' } }),
  checkNumbers: ({ instance }) => ({ query: { instanceName: instance, numbers: NUMBER } }),
  checkNumber: ({ instance }) => ({ query: { instanceName: instance, number: NUMBER } }),
  accountLimits: () => ({}),
  getStatistics: byName,
  listApiKeys: () => ({}),
  currentApiKey: () => ({}),
  createApiKey: () => ({ body: { name: 'Shop' } }),
  reviewAgentSignIn: () => ({ body: AGENT }),
  grantAgentSignIn: () => ({ body: { ...AGENT, scopes: ['read'], approval: true } }),
  revokeApiKey: ({ key }) => ({ params: { id: key } }),
  rotateApiKey: ({ key }) => ({ params: { id: key }, body: { overlapHours: 1 } }),
  listAudit: () => ({}),
  saveWebhook: ({ webhook }) => ({ body: { id: webhook, name: 'Changed' } }),
  listWebhooks: byName,
  getWebhook: ({ webhook }) => ({ params: { id: webhook } }),
  saveChatwoot: ({ instance }) => ({
    params: { instanceName: instance },
    body: {
      url: 'https://chatwoot.example.com',
      accountId: 1,
      token: 'a-token-of-chatwoot',
      gatewayUrl: 'https://gateway.example.com',
    },
  }),
  getChatwoot: ({ instance }) => ({ params: { instanceName: instance } }),
  deleteChatwoot: ({ instance }) => ({ params: { instanceName: instance } }),
  pushChatwootHistory: ({ instance }) => ({ params: { instanceName: instance }, body: {} }),
  listEvents: byName,
  streamEvents: byName,
  deleteWebhook: ({ webhook }) => ({ params: { id: webhook } }),
  rotateWebhookSecret: ({ webhook }) => ({ params: { id: webhook }, body: { overlapHours: 1 } }),
  testWebhook: ({ webhook }) => ({ params: { id: webhook } }),
  listDeliveries: ({ webhook }) => ({ params: { id: webhook } }),
  getDelivery: ({ webhook, delivery }) => ({ params: { id: webhook, deliveryId: delivery } }),
  replayDelivery: ({ webhook, delivery }) => ({ params: { id: webhook, deliveryId: delivery } }),
  replayWebhook: ({ webhook }) => ({ params: { id: webhook }, body: { since: '2026-01-31T12:00:00.000Z' } }),
  saveDestination: ({ destination }) => ({ body: { id: destination, name: 'Changed' } }),
  listDestinations: byName,
  getDestination: ({ destination }) => ({ params: { id: destination } }),
  deleteDestination: ({ destination }) => ({ params: { id: destination } }),
  testDestination: ({ destination }) => ({ params: { id: destination } }),
  listDestinationDeliveries: ({ destination }) => ({ params: { id: destination } }),
  getDestinationDelivery: ({ destination, destinationDelivery }) => ({
    params: { id: destination, deliveryId: destinationDelivery },
  }),
  replayDestinationDelivery: ({ destination, destinationDelivery }) => ({
    params: { id: destination, deliveryId: destinationDelivery },
  }),
  replayDestination: ({ destination }) => ({
    params: { id: destination },
    body: { since: '2026-01-31T12:00:00.000Z' },
  }),
  adminResume: () => ({}),
  adminListNodes: () => ({}),
  adminDrainNode: ({ node }) => ({ params: { nodeId: node } }),
  adminResumeNode: ({ node }) => ({ params: { nodeId: node } }),
  adminListPlans: () => ({}),
  adminCreatePlan: () => ({ body: { name: 'Starter' } }),
  adminGetPlan: ({ plan }) => ({ params: { id: plan } }),
  adminUpdatePlan: ({ plan }) => ({ params: { id: plan }, body: { amount: 1 } }),
  adminDeletePlan: ({ plan }) => ({ params: { id: plan } }),
  adminListInstances: () => ({}),
  adminGetStatistics: () => ({}),
  adminListAccounts: () => ({}),
  adminCreateAccount: ({ plan }) => ({ body: { name: 'Acme', planId: plan } }),
  adminGetAccount: ({ account }) => ({ params: { id: account } }),
  adminUpdateAccount: ({ account }) => ({ params: { id: account }, body: { name: 'Acme' } }),
  adminDeleteAccount: ({ account }) => ({ params: { id: account } }),
  adminUpdateSubscription: ({ account }) => ({ params: { id: account }, body: { status: 'active' } }),
  adminListUsers: ({ account }) => ({ params: { id: account } }),
  adminCreateUser: ({ account }) => ({
    params: { id: account },
    body: { name: 'Ana', email: 'ana@example.com' },
  }),
  adminUpdateUser: ({ account, user }) => ({
    params: { id: account, userId: user },
    body: { name: 'Changed' },
  }),
  adminDeleteUser: ({ account, user }) => ({ params: { id: account, userId: user } }),
  adminListKeys: ({ account }) => ({ params: { id: account } }),
  adminCreateKey: ({ account }) => ({ params: { id: account }, body: { name: 'Shop' } }),
  adminRevokeKey: ({ account, key }) => ({ params: { id: account, keyId: key } }),
  adminRotateKey: ({ account, key }) => ({ params: { id: account, keyId: key }, body: { overlapHours: 1 } }),
  signIn: () => ({ body: { key: 'sk_unknown' } }),
  signedIn: () => ({}),
  signOut: () => ({}),
  operatorSignIn: () => ({ body: { key: 'sk_unknown' } }),
  operatorSignedIn: () => ({}),
  operatorSignOut: () => ({}),
  healthz: () => ({}),
  readyz: () => ({}),
  metrics: () => ({}),
}

export interface ListedRoute extends Route {
  id: RouteId
  /** As in the name of the contract tests. */
  title: string
}

export const listed: ListedRoute[] = Object.values(routes).map((route: Route) =>
  Object.assign({}, route, { id: route.id as RouteId, title: `${route.method} ${fullPath(route)}` }),
)
export const apiRoutes = listed.filter((route) => route.area === 'api')
export const adminRoutes = listed.filter((route) => route.area === 'admin')
export const keyedRoutes = [...apiRoutes, ...adminRoutes]

/** Creates one record of each kind in an account. */
export async function makeThings(gateway: Gateway, account: Account): Promise<Things> {
  const { name } = await gateway.openInstance(account)
  const webhook = await account.call('saveWebhook', { body: { url: 'https://example.com/hook' } })
  const destination = await account.call('saveDestination', {
    body: { type: 'redis', url: 'rediss://broker.example.com' },
  })
  const sent = await account.call('sendText', sampleCalls.sendText({ ...UNKNOWN, instance: name }))
  const contact = await account.call('saveContact', sampleCalls.saveContact({ ...UNKNOWN, instance: name }))
  const quickReply = await account.call('createQuickReply', {
    body: { shortcut: 'thanks', text: 'Thank you!' },
  })
  const deliveries = await account.call('listDeliveries', { params: { id: webhook.json.webhook.id } })
  const atDestination = await account.call('listDestinationDeliveries', {
    params: { id: destination.json.destination.id },
  })
  const key = await account.call('createApiKey', { body: { name: 'Second' } })
  const user = await gateway.call('adminCreateUser', {
    params: { id: account.id },
    body: { name: 'Ben', email: 'ben@example.com' },
  })
  const nodes = await gateway.call('adminListNodes')
  const [row] = await gateway.store.db
    .selectFrom('instances')
    .select('id')
    .where('api_name', '=', name)
    .execute()
  const label = { label_id: '6', name: 'Follow up', color: 5, predefined_id: null, updated_at: 0 }
  await gateway.store.db
    .insertInto('labels')
    .values({ instance_id: row?.id ?? 0, ...label })
    .execute()
  return {
    instance: name,
    messageId: sent.json.messageId,
    contact: contact.json.contact.id,
    quickReply: quickReply.json.quickReply.id,
    webhook: webhook.json.webhook.id,
    destination: destination.json.destination.id,
    delivery: deliveries.json.deliveries[0].id,
    destinationDelivery: atDestination.json.deliveries[0].id,
    key: key.json.apiKey.id,
    account: account.id,
    plan: account.planId,
    user: user.json.user.id,
    node: nodes.json.nodes[0].id,
  }
}
