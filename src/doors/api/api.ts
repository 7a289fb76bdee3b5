// The whole API on one screen: method, path, scope and handler of every route. The declarations in src/contract are the source:
// types and a unit test keep the first three columns equal to them. The routes of the sandbox are in sandbox-proxy.ts.

import {
  type AuditDeps,
  accountAdminHandlers,
  accountHandlers,
  gatewayHandlers,
  keyAdminHandlers,
  planHandlers,
  type SessionDeps,
  sessionHandlers,
  userHandlers,
} from '../../accounts/handlers.ts'
import {
  callHandlers,
  chatHandlers,
  groupHandlers,
  labelHandlers,
  teamworkHandlers,
} from '../../chats/handlers.ts'
import {
  contactHandlers,
  numberHandlers,
  peopleHandlers,
  profileHandlers,
  settingsHandlers,
} from '../../contacts/handlers.ts'
import type { Deps } from '../../context.ts'
import type { Route } from '../../contract/route.ts'
import { type RouteId, type Routes, routes } from '../../contract/routes.ts'
import { type EventDeps, eventHandlers } from '../../events/handlers.ts'
import { mediaHandlers } from '../../files/handlers.ts'
import {
  type ImageDeps,
  imageHandlers,
  instanceHandlers,
  instanceReadHandlers,
} from '../../instances/handlers.ts'
import { passkeyHandlers, passkeyLinkHandlers } from '../../instances/handlers-passkey.ts'
import { type MessageDeps, messageHandlers } from '../../messages/handlers.ts'
import { nodeHandlers } from '../../nodes/handlers.ts'
import type { NodeDeps } from '../../nodes/nodes.ts'
import type { HandledRoute, Handlers } from '../../request-handler.ts'
import { type SendingDeps, sendingHandlers } from '../../sending/handlers.ts'
import { type StatisticsDeps, statisticsHandlers } from '../../statistics/handlers.ts'
import {
  type DestinationDeps,
  deliveryHandlers,
  destinationDeliveryHandlers,
  destinationHandlers,
  type WebhookDeps,
  webhookHandlers,
} from '../../webhooks/handlers.ts'
import { type ChatwootDeps, chatwootHandlers } from '../chatwoot/handlers.ts'
import { type SystemDeps, systemHandlers } from './handlers-system.ts'

export interface ApiDeps
  extends Deps,
    NodeDeps,
    AuditDeps,
    SendingDeps,
    ImageDeps,
    WebhookDeps,
    DestinationDeps,
    ChatwootDeps,
    EventDeps,
    SessionDeps,
    SystemDeps,
    StatisticsDeps,
    MessageDeps {}

type Joined<Scopes> = Scopes extends readonly [infer First extends string, ...infer Rest]
  ? Rest extends readonly []
    ? First
    : `${First}|${Joined<Rest>}`
  : never

/** One of the scopes; `any`: every key of an account; `operator`: the key of the operator; `none`: no key. */
type ScopeOf<R extends Route> = R['area'] extends 'api'
  ? R extends { scopes: infer Scopes }
    ? Joined<Scopes>
    : 'any'
  : R['area'] extends 'admin'
    ? 'operator'
    : 'none'

/** The last column creates the handlers of one file; the handler of a row has the name of its route. */
type Row<K extends RouteId> = readonly [
  method: Routes[K]['method'],
  path: `${string}${Routes[K]['path']}`,
  scope: ScopeOf<Routes[K]>,
  createHandlers: (deps: ApiDeps) => Handlers<K>,
]

// biome-ignore format: one line per route, in columns
export const API: { [K in RouteId]: Row<K> } = {
  //                        method    path                                                      scope               handlers
  // Sending
  sendText:                ['POST',   '/api/v1/send/text',                                      'send',             sendingHandlers],
  sendMedia:               ['POST',   '/api/v1/send/media',                                     'send',             sendingHandlers],
  sendButton:              ['POST',   '/api/v1/send/button',                                    'send',             sendingHandlers],
  sendList:                ['POST',   '/api/v1/send/list',                                      'send',             sendingHandlers],
  sendCta:                 ['POST',   '/api/v1/send/cta',                                       'send',             sendingHandlers],
  sendCarousel:            ['POST',   '/api/v1/send/carousel',                                  'send',             sendingHandlers],
  sendPix:                 ['POST',   '/api/v1/send/pix',                                       'send',             sendingHandlers],
  sendLocation:            ['POST',   '/api/v1/send-location',                                  'send',             sendingHandlers],
  sendPoll:                ['POST',   '/api/v1/send-poll',                                      'send',             sendingHandlers],
  sendSticker:             ['POST',   '/api/v1/send/sticker',                                   'send',             sendingHandlers],
  sendContact:             ['POST',   '/api/v1/send/contact',                                   'send',             sendingHandlers],
  sendEvent:               ['POST',   '/api/v1/send/event',                                     'send',             sendingHandlers],
  sendAlbum:               ['POST',   '/api/v1/send/album',                                     'send',             sendingHandlers],
  sendStatus:              ['POST',   '/api/v1/send/status',                                    'send',             sendingHandlers],
  sendGroup:               ['POST',   '/api/v1/send-group',                                     'send',             sendingHandlers],
  uploadMedia:             ['POST',   '/api/v1/media',                                          'send',             mediaHandlers],
  // Messages
  listMessages:            ['GET',    '/api/v1/messages',                                       'send|read',        messageHandlers],
  getMessage:              ['GET',    '/api/v1/messages/{messageId}',                           'send|read',        messageHandlers],
  cancelMessage:           ['POST',   '/api/v1/messages/{messageId}/cancel',                    'send',             messageHandlers],
  cancelMessages:          ['POST',   '/api/v1/messages/cancel',                                'send',             messageHandlers],
  getApproval:             ['GET',    '/api/v1/messages/{messageId}/approval',                  'send',             messageHandlers],
  getApprovalFile:         ['GET',    '/api/v1/messages/{messageId}/approval/files/{mediaId}',  'send',             messageHandlers],
  approveMessage:          ['POST',   '/api/v1/messages/{messageId}/approve',                   'send',             messageHandlers],
  rejectMessage:           ['POST',   '/api/v1/messages/{messageId}/reject',                    'send',             messageHandlers],
  getPollVotes:            ['GET',    '/api/v1/messages/{messageId}/votes',                     'send|read',        messageHandlers],
  getMessageMedia:         ['GET',    '/api/v1/messages/{messageId}/media',                     'send|read',        messageHandlers],
  reactToMessage:          ['POST',   '/api/v1/messages/{messageId}/reaction',                   'send',             sendingHandlers],
  editMessage:             ['POST',   '/api/v1/messages/{messageId}/edit',                      'send',             sendingHandlers],
  deleteMessage:           ['DELETE', '/api/v1/messages/{messageId}',                           'send',             sendingHandlers],
  forwardMessage:          ['POST',   '/api/v1/messages/{messageId}/forward',                   'send',             sendingHandlers],
  pinMessage:              ['POST',   '/api/v1/messages/{messageId}/pin',                       'send',             sendingHandlers],
  starMessage:             ['POST',   '/api/v1/messages/{messageId}/star',                      'send',             chatHandlers],
  markPlayed:              ['POST',   '/api/v1/messages/{messageId}/played',                    'send',             chatHandlers],
  // Instances
  instanceState:           ['GET',    '/api/v1/instance/state',                                 'instances:use|read', instanceReadHandlers],
  instanceActivity:        ['GET',    '/api/v1/instance/activity',                              'instances:use|read', instanceReadHandlers],
  listInstances:           ['GET',    '/api/v1/instance/list',                                  'instances:use|read', instanceReadHandlers],
  createInstance:          ['POST',   '/api/v1/instance/create',                                'instances:manage', instanceHandlers],
  connectInstance:         ['POST',   '/api/v1/instance/connect',                               'instances:manage', instanceHandlers],
  restartInstance:         ['POST',   '/api/v1/instance/restart',                               'instances:use',    instanceHandlers],
  logoutInstance:          ['DELETE', '/api/v1/instance/logout',                                'instances:manage', instanceHandlers],
  deleteInstance:          ['DELETE', '/api/v1/instance/delete',                                'instances:manage', instanceHandlers],
  getPasskey:              ['GET',    '/api/v1/instance/passkey',                               'instances:manage', passkeyHandlers],
  answerPasskey:           ['POST',   '/api/v1/instance/passkey/assertion',                     'instances:manage', passkeyHandlers],
  confirmPasskey:          ['POST',   '/api/v1/instance/passkey/confirm',                       'instances:manage', passkeyHandlers],
  cancelPasskey:           ['POST',   '/api/v1/instance/passkey/cancel',                        'instances:manage', passkeyHandlers],
  createPasskeyLink:       ['POST',   '/api/v1/instance/passkey/link',                          'instances:manage', passkeyHandlers],
  getSettings:             ['GET',    '/api/v1/instance/settings',                              'instances:use',    settingsHandlers],
  updateSettings:          ['PATCH',  '/api/v1/instance/settings',                              'instances:manage', settingsHandlers],
  getProfile:              ['GET',    '/api/v1/profile',                                        'instances:use',    profileHandlers],
  updateProfile:           ['PATCH',  '/api/v1/profile',                                        'instances:manage', profileHandlers],
  qrImage:                 ['GET',    '/api/v1/instance/qr/image',                              'images|instances:manage', imageHandlers],
  profilePicture:          ['GET',    '/api/v1/instance/profile-picture',                       'images|instances:use|read', imageHandlers],
  chatPicture:             ['GET',    '/api/v1/chats/picture',                                  'images|contacts|read', imageHandlers],
  // Contacts, chats, groups
  listContacts:            ['GET',    '/api/v1/contacts',                                       'contacts|read',    contactHandlers],
  saveContact:             ['POST',   '/api/v1/contacts',                                       'contacts',         contactHandlers],
  getContact:              ['GET',    '/api/v1/contacts/{id}',                                  'contacts|read',    contactHandlers],
  updateContact:           ['PATCH',  '/api/v1/contacts/{id}',                                  'contacts',         contactHandlers],
  deleteContact:           ['DELETE', '/api/v1/contacts/{id}',                                  'contacts',         contactHandlers],
  listChats:               ['GET',    '/api/v1/chats',                                          'contacts|read',    chatHandlers],
  readChat:                ['POST',   '/api/v1/chats/read',                                     'contacts',         chatHandlers],
  showPresence:            ['POST',   '/api/v1/chats/presence',                                 'contacts',         chatHandlers],
  updateChat:              ['PATCH',  '/api/v1/chats',                                          'contacts',         chatHandlers],
  clearChat:               ['DELETE', '/api/v1/chats',                                          'contacts',         chatHandlers],
  chatHistory:             ['GET',    '/api/v1/chats/history',                                  'contacts|read',    chatHandlers],
  listLabels:              ['GET',    '/api/v1/labels',                                         'contacts|read',    labelHandlers],
  createLabel:             ['POST',   '/api/v1/labels',                                         'contacts',         labelHandlers],
  updateLabel:             ['PATCH',  '/api/v1/labels/{labelId}',                               'contacts',         labelHandlers],
  deleteLabel:             ['DELETE', '/api/v1/labels/{labelId}',                               'contacts',         labelHandlers],
  labelChat:               ['POST',   '/api/v1/labels/{labelId}/chats',                         'contacts',         labelHandlers],
  unlabelChat:             ['DELETE', '/api/v1/labels/{labelId}/chats',                         'contacts',         labelHandlers],
  assignChat:              ['PUT',    '/api/v1/chats/assignee',                                 'contacts',         teamworkHandlers],
  listUsers:               ['GET',    '/api/v1/users',                                          'contacts|read',    teamworkHandlers],
  listQuickReplies:        ['GET',    '/api/v1/quick-replies',                                  'send|contacts|read', teamworkHandlers],
  createQuickReply:        ['POST',   '/api/v1/quick-replies',                                  'contacts',         teamworkHandlers],
  updateQuickReply:        ['PATCH',  '/api/v1/quick-replies/{id}',                             'contacts',         teamworkHandlers],
  deleteQuickReply:        ['DELETE', '/api/v1/quick-replies/{id}',                             'contacts',         teamworkHandlers],
  listGroups:              ['GET',    '/api/v1/groups',                                         'contacts|read',    groupHandlers],
  createGroup:             ['POST',   '/api/v1/groups',                                         'contacts',         groupHandlers],
  getGroup:                ['GET',    '/api/v1/groups/{groupJid}',                              'contacts|read',    groupHandlers],
  updateGroup:             ['PATCH',  '/api/v1/groups/{groupJid}',                              'contacts',         groupHandlers],
  setGroupPicture:         ['PUT',    '/api/v1/groups/{groupJid}/picture',                      'contacts',         groupHandlers],
  deleteGroupPicture:      ['DELETE', '/api/v1/groups/{groupJid}/picture',                      'contacts',         groupHandlers],
  changeGroupMembers:      ['POST',   '/api/v1/groups/{groupJid}/members',                      'contacts',         groupHandlers],
  getGroupInvite:          ['GET',    '/api/v1/groups/{groupJid}/invite',                       'contacts',         groupHandlers],
  resetGroupInvite:        ['POST',   '/api/v1/groups/{groupJid}/invite/reset',                 'contacts',         groupHandlers],
  previewGroupInvite:      ['GET',    '/api/v1/groups/invite/{code}',                           'contacts',         groupHandlers],
  joinGroup:               ['POST',   '/api/v1/groups/join',                                    'contacts',         groupHandlers],
  leaveGroup:              ['POST',   '/api/v1/groups/{groupJid}/leave',                        'contacts',         groupHandlers],
  listJoinRequests:        ['GET',    '/api/v1/groups/{groupJid}/requests',                     'contacts',         groupHandlers],
  answerJoinRequests:      ['POST',   '/api/v1/groups/{groupJid}/requests',                     'contacts',         groupHandlers],
  rejectCall:              ['POST',   '/api/v1/calls/{callId}/reject',                          'contacts',         callHandlers],
  getPerson:               ['GET',    '/api/v1/people/{number}',                                'contacts',         peopleHandlers],
  blockPerson:             ['POST',   '/api/v1/people/{number}/block',                          'contacts',         peopleHandlers],
  unblockPerson:           ['POST',   '/api/v1/people/{number}/unblock',                        'contacts',         peopleHandlers],
  getBlocklist:            ['GET',    '/api/v1/blocklist',                                      'contacts',         peopleHandlers],
  listPresence:            ['GET',    '/api/v1/people/presence',                                'contacts',         peopleHandlers],
  subscribePresence:       ['POST',   '/api/v1/people/presence',                                'contacts',         peopleHandlers],
  checkNumber:             ['GET',    '/api/v1/check-number',                                   'contacts',         numberHandlers],
  checkNumbers:            ['GET',    '/api/v1/check-numbers',                                  'contacts',         numberHandlers],
  // Account
  accountLimits:           ['GET',    '/api/v1/account/limits',                                 'account',          accountHandlers],
  getStatistics:           ['GET',    '/api/v1/statistics',                                     'account|instances:use|read', statisticsHandlers],
  listApiKeys:             ['GET',    '/api/v1/api-keys',                                       'keys',             accountHandlers],
  currentApiKey:           ['GET',    '/api/v1/api-keys/current',                               'any',              accountHandlers],
  createApiKey:            ['POST',   '/api/v1/api-keys',                                       'keys',             accountHandlers],
  revokeApiKey:            ['DELETE', '/api/v1/api-keys/{id}',                                  'keys',             accountHandlers],
  rotateApiKey:            ['POST',   '/api/v1/api-keys/{id}/rotate',                           'keys',             accountHandlers],
  reviewAgentSignIn:       ['POST',   '/api/v1/agent-sign-ins/review',                          'keys',             accountHandlers],
  grantAgentSignIn:        ['POST',   '/api/v1/agent-sign-ins',                                 'keys',             accountHandlers],
  listAudit:               ['GET',    '/api/v1/audit',                                          'keys',             accountHandlers],
  // Webhooks
  saveWebhook:             ['POST',   '/api/v1/webhooks',                                       'webhooks',         webhookHandlers],
  listWebhooks:            ['GET',    '/api/v1/webhooks',                                       'webhooks',         webhookHandlers],
  getWebhook:              ['GET',    '/api/v1/webhooks/{id}',                                  'webhooks',         webhookHandlers],
  deleteWebhook:           ['DELETE', '/api/v1/webhooks/{id}',                                  'webhooks',         webhookHandlers],
  rotateWebhookSecret:     ['POST',   '/api/v1/webhooks/{id}/rotate-secret',                    'webhooks',         webhookHandlers],
  testWebhook:             ['POST',   '/api/v1/webhooks/{id}/test',                             'webhooks',         webhookHandlers],
  listDeliveries:          ['GET',    '/api/v1/webhooks/{id}/deliveries',                       'webhooks',         deliveryHandlers],
  getDelivery:             ['GET',    '/api/v1/webhooks/{id}/deliveries/{deliveryId}',          'webhooks',         deliveryHandlers],
  replayDelivery:          ['POST',   '/api/v1/webhooks/{id}/deliveries/{deliveryId}/replay',   'webhooks',         deliveryHandlers],
  replayWebhook:           ['POST',   '/api/v1/webhooks/{id}/replay',                           'webhooks',         deliveryHandlers],
  // Destinations
  saveDestination:         ['POST',   '/api/v1/destinations',                                   'webhooks',         destinationHandlers],
  listDestinations:        ['GET',    '/api/v1/destinations',                                   'webhooks',         destinationHandlers],
  getDestination:          ['GET',    '/api/v1/destinations/{id}',                              'webhooks',         destinationHandlers],
  deleteDestination:       ['DELETE', '/api/v1/destinations/{id}',                              'webhooks',         destinationHandlers],
  testDestination:         ['POST',   '/api/v1/destinations/{id}/test',                         'webhooks',         destinationHandlers],
  listDestinationDeliveries: ['GET',    '/api/v1/destinations/{id}/deliveries',                   'webhooks',         destinationDeliveryHandlers],
  getDestinationDelivery:  ['GET',    '/api/v1/destinations/{id}/deliveries/{deliveryId}',      'webhooks',         destinationDeliveryHandlers],
  replayDestinationDelivery: ['POST',   '/api/v1/destinations/{id}/deliveries/{deliveryId}/replay', 'webhooks',         destinationDeliveryHandlers],
  replayDestination:       ['POST',   '/api/v1/destinations/{id}/replay',                       'webhooks',         destinationDeliveryHandlers],
  // Chatwoot
  saveChatwoot:            ['PUT',    '/api/v1/chatwoot/{instanceName}',                        'webhooks',         chatwootHandlers],
  getChatwoot:             ['GET',    '/api/v1/chatwoot/{instanceName}',                        'webhooks',         chatwootHandlers],
  deleteChatwoot:          ['DELETE', '/api/v1/chatwoot/{instanceName}',                        'webhooks',         chatwootHandlers],
  pushChatwootHistory:     ['POST',   '/api/v1/chatwoot/{instanceName}/history',                'webhooks',         chatwootHandlers],
  // Events
  listEvents:              ['GET',    '/api/v1/events',                                         'webhooks|read',    eventHandlers],
  streamEvents:            ['GET',    '/api/v1/events/stream',                                  'webhooks|read',    eventHandlers],
  // Operator
  adminResume:             ['POST',   '/admin/v1/resume',                                       'operator',         gatewayHandlers],
  adminListInstances:      ['GET',    '/admin/v1/instances',                                    'operator',         gatewayHandlers],
  adminGetStatistics:      ['GET',    '/admin/v1/statistics',                                   'operator',         statisticsHandlers],
  adminListNodes:          ['GET',    '/admin/v1/nodes',                                        'operator',         nodeHandlers],
  adminDrainNode:          ['POST',   '/admin/v1/nodes/{nodeId}/drain',                         'operator',         nodeHandlers],
  adminResumeNode:         ['POST',   '/admin/v1/nodes/{nodeId}/resume',                        'operator',         nodeHandlers],
  adminListPlans:          ['GET',    '/admin/v1/plans',                                        'operator',         planHandlers],
  adminCreatePlan:         ['POST',   '/admin/v1/plans',                                        'operator',         planHandlers],
  adminGetPlan:            ['GET',    '/admin/v1/plans/{id}',                                   'operator',         planHandlers],
  adminUpdatePlan:         ['PATCH',  '/admin/v1/plans/{id}',                                   'operator',         planHandlers],
  adminDeletePlan:         ['DELETE', '/admin/v1/plans/{id}',                                   'operator',         planHandlers],
  adminListAccounts:       ['GET',    '/admin/v1/accounts',                                     'operator',         accountAdminHandlers],
  adminCreateAccount:      ['POST',   '/admin/v1/accounts',                                     'operator',         accountAdminHandlers],
  adminGetAccount:         ['GET',    '/admin/v1/accounts/{id}',                                'operator',         accountAdminHandlers],
  adminUpdateAccount:      ['PATCH',  '/admin/v1/accounts/{id}',                                'operator',         accountAdminHandlers],
  adminDeleteAccount:      ['DELETE', '/admin/v1/accounts/{id}',                                'operator',         accountAdminHandlers],
  adminUpdateSubscription: ['PATCH',  '/admin/v1/accounts/{id}/subscription',                   'operator',         accountAdminHandlers],
  adminListUsers:          ['GET',    '/admin/v1/accounts/{id}/users',                          'operator',         userHandlers],
  adminCreateUser:         ['POST',   '/admin/v1/accounts/{id}/users',                          'operator',         userHandlers],
  adminUpdateUser:         ['PATCH',  '/admin/v1/accounts/{id}/users/{userId}',                 'operator',         userHandlers],
  adminDeleteUser:         ['DELETE', '/admin/v1/accounts/{id}/users/{userId}',                 'operator',         userHandlers],
  adminListKeys:           ['GET',    '/admin/v1/accounts/{id}/api-keys',                       'operator',         keyAdminHandlers],
  adminCreateKey:          ['POST',   '/admin/v1/accounts/{id}/api-keys',                       'operator',         keyAdminHandlers],
  adminRevokeKey:          ['DELETE', '/admin/v1/accounts/{id}/api-keys/{keyId}',               'operator',         keyAdminHandlers],
  adminRotateKey:          ['POST',   '/admin/v1/accounts/{id}/api-keys/{keyId}/rotate',        'operator',         keyAdminHandlers],
  // Sign-in of the dashboard
  signIn:                  ['POST',   '/session',                                               'none',             sessionHandlers],
  signedIn:                ['GET',    '/session',                                               'none',             sessionHandlers],
  signOut:                 ['DELETE', '/session',                                               'none',             sessionHandlers],
  operatorSignIn:          ['POST',   '/session/operator',                                      'none',             sessionHandlers],
  operatorSignedIn:        ['GET',    '/session/operator',                                      'none',             sessionHandlers],
  operatorSignOut:         ['DELETE', '/session/operator',                                      'none',             sessionHandlers],
  // The one-time link to the passkey step
  readPasskeyLink:         ['POST',   '/session/passkey',                                       'none',             passkeyLinkHandlers],
  answerPasskeyByLink:     ['POST',   '/session/passkey/assertion',                             'none',             passkeyLinkHandlers],
  confirmPasskeyByLink:    ['POST',   '/session/passkey/confirm',                               'none',             passkeyLinkHandlers],
  cancelPasskeyByLink:     ['POST',   '/session/passkey/cancel',                                'none',             passkeyLinkHandlers],
  // System
  healthz:                 ['GET',    '/healthz',                                               'none',             systemHandlers],
  readyz:                  ['GET',    '/readyz',                                                'none',             systemHandlers],
  metrics:                 ['GET',    '/metrics',                                               'none',             systemHandlers],
}

type AnyHandlers = Record<string, HandledRoute['handle']>

/** The routes of the table with their handlers, for the server. */
export function handledRoutes(deps: ApiDeps): HandledRoute[] {
  const created = new Map<unknown, AnyHandlers>()
  return Object.entries(API).map(([id, [, , , createHandlers]]) => {
    const handlers: AnyHandlers = created.get(createHandlers) ?? createHandlers(deps)
    created.set(createHandlers, handlers)
    return { route: routes[id as RouteId], handle: handlers[id] as HandledRoute['handle'] }
  })
}
