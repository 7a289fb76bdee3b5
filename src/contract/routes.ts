// The whole API on one screen: name, method, path, scopes of every endpoint, and what it is to a key with walls. The file named in the last
// column declares what it takes and returns. The calls of the sandbox, which another process answers, have their own table in sandbox.ts.
import * as account from './account.ts'
import * as actions from './actions.ts'
import * as admin from './admin.ts'
import * as agents from './agent-sign-in.ts'
import * as approvals from './approvals.ts'
import * as audit from './audit.ts'
import * as calls from './calls.ts'
import * as chats from './chats.ts'
import * as chatwoot from './chatwoot.ts'
import * as contacts from './contacts.ts'
import * as deliveries from './deliveries.ts'
import * as destinations from './destinations.ts'
import * as events from './events.ts'
import * as groups from './groups.ts'
import * as settings from './instance-settings.ts'
import * as instances from './instances.ts'
import * as labels from './labels.ts'
import * as media from './media.ts'
import * as messages from './messages.ts'
import * as nodes from './nodes.ts'
import * as passkey from './passkey.ts'
import * as people from './people.ts'
import * as profile from './profile.ts'
import { routesOf } from './route.ts'
import * as sending from './sending.ts'
import * as session from './session.ts'
import * as statistics from './statistics.ts'
import * as system from './system.ts'
import * as teamwork from './teamwork.ts'
import * as webhooks from './webhooks.ts'

// biome-ignore format: one line per endpoint, in columns
export const routes = {
  // /api/v1, with a key of the account that has one of the scopes, or a key without scopes
  ...routesOf('api', {
    sendText:                  ['POST',   '/send/text',                                         ['send'],                         'chat',       sending.sendText],
    sendMedia:                 ['POST',   '/send/media',                                        ['send'],                         'chat',       sending.sendMedia],
    sendButton:                ['POST',   '/send/button',                                       ['send'],                         'chat',       sending.sendButton],
    sendList:                  ['POST',   '/send/list',                                         ['send'],                         'chat',       sending.sendList],
    sendCta:                   ['POST',   '/send/cta',                                          ['send'],                         'chat',       sending.sendCta],
    sendCarousel:              ['POST',   '/send/carousel',                                     ['send'],                         'chat',       sending.sendCarousel],
    sendPix:                   ['POST',   '/send/pix',                                          ['send'],                         'chat',       sending.sendPix],
    sendLocation:              ['POST',   '/send-location',                                     ['send'],                         'chat',       sending.sendLocation],
    sendPoll:                  ['POST',   '/send-poll',                                         ['send'],                         'chat',       sending.sendPoll],
    sendSticker:               ['POST',   '/send/sticker',                                      ['send'],                         'chat',       sending.sendSticker],
    sendContact:               ['POST',   '/send/contact',                                      ['send'],                         'chat',       sending.sendContact],
    sendEvent:                 ['POST',   '/send/event',                                        ['send'],                         'chat',       sending.sendEvent],
    sendAlbum:                 ['POST',   '/send/album',                                        ['send'],                         'chat',       sending.sendAlbum],
    sendStatus:                ['POST',   '/send/status',                                       ['send'],                         'instance',   sending.sendStatus],
    sendGroup:                 ['POST',   '/send-group',                                        ['send'],                         'chat',       sending.sendGroup],
    uploadMedia:               ['POST',   '/media',                                             ['send'],                         'open',       media.uploadMedia],
    listMessages:              ['GET',    '/messages',                                          ['send', 'read'],                 'list',       messages.listMessages],
    getMessage:                ['GET',    '/messages/{messageId}',                              ['send', 'read'],                 'message',    messages.getMessage],
    cancelMessage:             ['POST',   '/messages/{messageId}/cancel',                       ['send'],                         'message',    messages.cancelMessage],
    cancelMessages:            ['POST',   '/messages/cancel',                                   ['send'],                         'list',       messages.cancelMessages],
    getApproval:               ['GET',    '/messages/{messageId}/approval',                     ['send'],                         'refused',    approvals.getApproval],
    getApprovalFile:           ['GET',    '/messages/{messageId}/approval/files/{mediaId}',     ['send'],                         'refused',    approvals.getApprovalFile],
    approveMessage:            ['POST',   '/messages/{messageId}/approve',                      ['send'],                         'refused',    approvals.approveMessage],
    rejectMessage:             ['POST',   '/messages/{messageId}/reject',                       ['send'],                         'refused',    approvals.rejectMessage],
    getPollVotes:              ['GET',    '/messages/{messageId}/votes',                        ['send', 'read'],                 'message',    messages.getPollVotes],
    getMessageMedia:           ['GET',    '/messages/{messageId}/media',                        ['send', 'read'],                 'message',    messages.getMessageMedia],
    reactToMessage:            ['POST',   '/messages/{messageId}/reaction',                     ['send'],                         'message',    actions.reactToMessage],
    editMessage:               ['POST',   '/messages/{messageId}/edit',                         ['send'],                         'message',    actions.editMessage],
    deleteMessage:             ['DELETE', '/messages/{messageId}',                              ['send'],                         'message',    actions.deleteMessage],
    forwardMessage:            ['POST',   '/messages/{messageId}/forward',                      ['send'],                         'forward',    actions.forwardMessage],
    pinMessage:                ['POST',   '/messages/{messageId}/pin',                          ['send'],                         'message',    actions.pinMessage],
    starMessage:               ['POST',   '/messages/{messageId}/star',                         ['send'],                         'message',    actions.starMessage],
    markPlayed:                ['POST',   '/messages/{messageId}/played',                       ['send'],                         'message',    actions.markPlayed],
    instanceState:             ['GET',    '/instance/state',                                    ['instances:use', 'read'],        'instance',   instances.instanceState],
    instanceActivity:          ['GET',    '/instance/activity',                                 ['instances:use', 'read'],        'instance',   instances.instanceActivity],
    listInstances:             ['GET',    '/instance/list',                                     ['instances:use', 'read'],        'list',       instances.listInstances],
    createInstance:            ['POST',   '/instance/create',                                   ['instances:manage'],             'account',    instances.createInstance],
    connectInstance:           ['POST',   '/instance/connect',                                  ['instances:manage'],             'instance',   instances.connectInstance],
    restartInstance:           ['POST',   '/instance/restart',                                  ['instances:use'],                'instance',   instances.restartInstance],
    logoutInstance:            ['DELETE', '/instance/logout',                                   ['instances:manage'],             'change',     instances.logoutInstance],
    deleteInstance:            ['DELETE', '/instance/delete',                                   ['instances:manage'],             'change',     instances.deleteInstance],
    qrImage:                   ['GET',    '/instance/qr/image',                                 ['images', 'instances:manage'],   'instance',   instances.qrImage],
    profilePicture:            ['GET',    '/instance/profile-picture',                          ['images', 'instances:use', 'read'], 'instance',   instances.profilePicture],
    getPasskey:                ['GET',    '/instance/passkey',                                  ['instances:manage'],             'instance',   passkey.getPasskey],
    answerPasskey:             ['POST',   '/instance/passkey/assertion',                        ['instances:manage'],             'instance',   passkey.answerPasskey],
    confirmPasskey:            ['POST',   '/instance/passkey/confirm',                          ['instances:manage'],             'instance',   passkey.confirmPasskey],
    cancelPasskey:             ['POST',   '/instance/passkey/cancel',                           ['instances:manage'],             'instance',   passkey.cancelPasskey],
    createPasskeyLink:         ['POST',   '/instance/passkey/link',                             ['instances:manage'],             'instance',   passkey.createPasskeyLink],
    getSettings:               ['GET',    '/instance/settings',                                 ['instances:use'],                'instance',   settings.getSettings],
    updateSettings:            ['PATCH',  '/instance/settings',                                 ['instances:manage'],             'change',     settings.updateSettings],
    getProfile:                ['GET',    '/profile',                                           ['instances:use'],                'instance',   profile.getProfile],
    updateProfile:             ['PATCH',  '/profile',                                           ['instances:manage'],             'change',     profile.updateProfile],
    listContacts:              ['GET',    '/contacts',                                          ['contacts', 'read'],             'list',       contacts.listContacts],
    saveContact:               ['POST',   '/contacts',                                          ['contacts'],                     'chat',       contacts.saveContact],
    getContact:                ['GET',    '/contacts/{id}',                                     ['contacts', 'read'],             'contact',    contacts.getContact],
    updateContact:             ['PATCH',  '/contacts/{id}',                                     ['contacts'],                     'contact',    contacts.updateContact],
    deleteContact:             ['DELETE', '/contacts/{id}',                                     ['contacts'],                     'contact',    contacts.deleteContact],
    listChats:                 ['GET',    '/chats',                                             ['contacts', 'read'],             'list',       contacts.listChats],
    readChat:                  ['POST',   '/chats/read',                                        ['contacts'],                     'chat',       chats.readChat],
    showPresence:              ['POST',   '/chats/presence',                                    ['contacts'],                     'chat',       chats.showPresence],
    updateChat:                ['PATCH',  '/chats',                                             ['contacts'],                     'chat',       chats.updateChat],
    clearChat:                 ['DELETE', '/chats',                                             ['contacts'],                     'chatChange', chats.clearChat],
    chatHistory:               ['GET',    '/chats/history',                                     ['contacts', 'read'],             'chat',       chats.chatHistory],
    listLabels:                ['GET',    '/labels',                                            ['contacts', 'read'],             'instance',   labels.listLabels],
    createLabel:               ['POST',   '/labels',                                            ['contacts'],                     'change',     labels.createLabel],
    updateLabel:               ['PATCH',  '/labels/{labelId}',                                  ['contacts'],                     'change',     labels.updateLabel],
    deleteLabel:               ['DELETE', '/labels/{labelId}',                                  ['contacts'],                     'change',     labels.deleteLabel],
    labelChat:                 ['POST',   '/labels/{labelId}/chats',                            ['contacts'],                     'chat',       labels.labelChat],
    unlabelChat:               ['DELETE', '/labels/{labelId}/chats',                            ['contacts'],                     'chat',       labels.unlabelChat],
    assignChat:                ['PUT',    '/chats/assignee',                                    ['contacts'],                     'chat',       teamwork.assignChat],
    listUsers:                 ['GET',    '/users',                                             ['contacts', 'read'],             'open',       teamwork.listUsers],
    listQuickReplies:          ['GET',    '/quick-replies',                                     ['send', 'contacts', 'read'],     'open',       teamwork.listQuickReplies],
    createQuickReply:          ['POST',   '/quick-replies',                                     ['contacts'],                     'refused',    teamwork.createQuickReply],
    updateQuickReply:          ['PATCH',  '/quick-replies/{id}',                                ['contacts'],                     'refused',    teamwork.updateQuickReply],
    deleteQuickReply:          ['DELETE', '/quick-replies/{id}',                                ['contacts'],                     'refused',    teamwork.deleteQuickReply],
    chatPicture:               ['GET',    '/chats/picture',                                     ['images', 'contacts', 'read'],   'chat',       contacts.chatPicture],
    listGroups:                ['GET',    '/groups',                                            ['contacts', 'read'],             'list',       contacts.listGroups],
    createGroup:               ['POST',   '/groups',                                            ['contacts'],                     'change',     groups.createGroup],
    getGroup:                  ['GET',    '/groups/{groupJid}',                                 ['contacts', 'read'],             'chat',       groups.getGroup],
    updateGroup:               ['PATCH',  '/groups/{groupJid}',                                 ['contacts'],                     'change',     groups.updateGroup],
    setGroupPicture:           ['PUT',    '/groups/{groupJid}/picture',                         ['contacts'],                     'change',     groups.setGroupPicture],
    deleteGroupPicture:        ['DELETE', '/groups/{groupJid}/picture',                         ['contacts'],                     'change',     groups.deleteGroupPicture],
    changeGroupMembers:        ['POST',   '/groups/{groupJid}/members',                         ['contacts'],                     'change',     groups.changeGroupMembers],
    getGroupInvite:            ['GET',    '/groups/{groupJid}/invite',                          ['contacts'],                     'instance',   groups.getGroupInvite],
    resetGroupInvite:          ['POST',   '/groups/{groupJid}/invite/reset',                    ['contacts'],                     'change',     groups.resetGroupInvite],
    previewGroupInvite:        ['GET',    '/groups/invite/{code}',                              ['contacts'],                     'instance',   groups.previewGroupInvite],
    joinGroup:                 ['POST',   '/groups/join',                                       ['contacts'],                     'change',     groups.joinGroup],
    leaveGroup:                ['POST',   '/groups/{groupJid}/leave',                           ['contacts'],                     'change',     groups.leaveGroup],
    listJoinRequests:          ['GET',    '/groups/{groupJid}/requests',                        ['contacts'],                     'instance',   groups.listJoinRequests],
    answerJoinRequests:        ['POST',   '/groups/{groupJid}/requests',                        ['contacts'],                     'change',     groups.answerJoinRequests],
    rejectCall:                ['POST',   '/calls/{callId}/reject',                             ['contacts'],                     'change',     calls.rejectCall],
    getPerson:                 ['GET',    '/people/{number}',                                   ['contacts'],                     'chat',       people.getPerson],
    blockPerson:               ['POST',   '/people/{number}/block',                             ['contacts'],                     'change',     people.blockPerson],
    unblockPerson:             ['POST',   '/people/{number}/unblock',                           ['contacts'],                     'change',     people.unblockPerson],
    getBlocklist:              ['GET',    '/blocklist',                                         ['contacts'],                     'instance',   people.getBlocklist],
    listPresence:              ['GET',    '/people/presence',                                   ['contacts'],                     'instance',   people.listPresence],
    subscribePresence:         ['POST',   '/people/presence',                                   ['contacts'],                     'instance',   people.subscribePresence],
    checkNumber:               ['GET',    '/check-number',                                      ['contacts'],                     'instance',   contacts.checkNumber],
    checkNumbers:              ['GET',    '/check-numbers',                                     ['contacts'],                     'instance',   contacts.checkNumbers],
    accountLimits:             ['GET',    '/account/limits',                                    ['account'],                      'account',    account.accountLimits],
    getStatistics:             ['GET',    '/statistics',                                        ['account', 'instances:use', 'read'], 'counts',     statistics.getStatistics],
    listApiKeys:               ['GET',    '/api-keys',                                          ['keys'],                         'refused',    account.listApiKeys],
    currentApiKey:             ['GET',    '/api-keys/current',                                  'any',                            'open',       account.currentApiKey],
    createApiKey:              ['POST',   '/api-keys',                                          ['keys'],                         'refused',    account.createApiKey],
    revokeApiKey:              ['DELETE', '/api-keys/{id}',                                     ['keys'],                         'refused',    account.revokeApiKey],
    rotateApiKey:              ['POST',   '/api-keys/{id}/rotate',                              ['keys'],                         'refused',    account.rotateApiKey],
    reviewAgentSignIn:         ['POST',   '/agent-sign-ins/review',                             ['keys'],                         'refused',    agents.reviewAgentSignIn],
    grantAgentSignIn:          ['POST',   '/agent-sign-ins',                                    ['keys'],                         'refused',    agents.grantAgentSignIn],
    listAudit:                 ['GET',    '/audit',                                             ['keys'],                         'refused',    audit.listAudit],
    saveWebhook:               ['POST',   '/webhooks',                                          ['webhooks'],                     'account',    webhooks.saveWebhook],
    listWebhooks:              ['GET',    '/webhooks',                                          ['webhooks'],                     'account',    webhooks.listWebhooks],
    getWebhook:                ['GET',    '/webhooks/{id}',                                     ['webhooks'],                     'account',    webhooks.getWebhook],
    deleteWebhook:             ['DELETE', '/webhooks/{id}',                                     ['webhooks'],                     'account',    webhooks.deleteWebhook],
    rotateWebhookSecret:       ['POST',   '/webhooks/{id}/rotate-secret',                       ['webhooks'],                     'account',    webhooks.rotateWebhookSecret],
    testWebhook:               ['POST',   '/webhooks/{id}/test',                                ['webhooks'],                     'account',    deliveries.testWebhook],
    listDeliveries:            ['GET',    '/webhooks/{id}/deliveries',                          ['webhooks'],                     'account',    deliveries.listDeliveries],
    getDelivery:               ['GET',    '/webhooks/{id}/deliveries/{deliveryId}',             ['webhooks'],                     'account',    deliveries.getDelivery],
    replayDelivery:            ['POST',   '/webhooks/{id}/deliveries/{deliveryId}/replay',      ['webhooks'],                     'account',    deliveries.replayDelivery],
    replayWebhook:             ['POST',   '/webhooks/{id}/replay',                              ['webhooks'],                     'account',    deliveries.replayWebhook],
    saveDestination:           ['POST',   '/destinations',                                      ['webhooks'],                     'account',    destinations.saveDestination],
    listDestinations:          ['GET',    '/destinations',                                      ['webhooks'],                     'account',    destinations.listDestinations],
    getDestination:            ['GET',    '/destinations/{id}',                                 ['webhooks'],                     'account',    destinations.getDestination],
    deleteDestination:         ['DELETE', '/destinations/{id}',                                 ['webhooks'],                     'account',    destinations.deleteDestination],
    testDestination:           ['POST',   '/destinations/{id}/test',                            ['webhooks'],                     'account',    destinations.testDestination],
    listDestinationDeliveries: ['GET',    '/destinations/{id}/deliveries',                      ['webhooks'],                     'account',    destinations.listDestinationDeliveries],
    getDestinationDelivery:    ['GET',    '/destinations/{id}/deliveries/{deliveryId}',         ['webhooks'],                     'account',    destinations.getDestinationDelivery],
    replayDestinationDelivery: ['POST',   '/destinations/{id}/deliveries/{deliveryId}/replay',  ['webhooks'],                     'account',    destinations.replayDestinationDelivery],
    replayDestination:         ['POST',   '/destinations/{id}/replay',                          ['webhooks'],                     'account',    destinations.replayDestination],
    saveChatwoot:              ['PUT',    '/chatwoot/{instanceName}',                           ['webhooks'],                     'refused',    chatwoot.saveChatwoot],
    getChatwoot:               ['GET',    '/chatwoot/{instanceName}',                           ['webhooks'],                     'account',    chatwoot.getChatwoot],
    deleteChatwoot:            ['DELETE', '/chatwoot/{instanceName}',                           ['webhooks'],                     'refused',    chatwoot.deleteChatwoot],
    pushChatwootHistory:       ['POST',   '/chatwoot/{instanceName}/history',                   ['webhooks'],                     'refused',    chatwoot.pushChatwootHistory],
    listEvents:                ['GET',    '/events',                                            ['webhooks', 'read'],             'list',       events.listEvents],
    streamEvents:              ['GET',    '/events/stream',                                     ['webhooks', 'read'],             'list',       events.streamEvents],
  }),
  // /admin/v1, with the operator's key
  ...routesOf('admin', {
    adminResume:             ['POST',   '/resume',                                admin.adminResume],
    adminListNodes:          ['GET',    '/nodes',                                 nodes.adminListNodes],
    adminDrainNode:          ['POST',   '/nodes/{nodeId}/drain',                  nodes.adminDrainNode],
    adminResumeNode:         ['POST',   '/nodes/{nodeId}/resume',                 nodes.adminResumeNode],
    adminListPlans:          ['GET',    '/plans',                                 admin.adminListPlans],
    adminCreatePlan:         ['POST',   '/plans',                                 admin.adminCreatePlan],
    adminGetPlan:            ['GET',    '/plans/{id}',                            admin.adminGetPlan],
    adminUpdatePlan:         ['PATCH',  '/plans/{id}',                            admin.adminUpdatePlan],
    adminDeletePlan:         ['DELETE', '/plans/{id}',                            admin.adminDeletePlan],
    adminListInstances:      ['GET',    '/instances',                             admin.adminListInstances],
    adminGetStatistics:      ['GET',    '/statistics',                            statistics.adminGetStatistics],
    adminListAccounts:       ['GET',    '/accounts',                              admin.adminListAccounts],
    adminCreateAccount:      ['POST',   '/accounts',                              admin.adminCreateAccount],
    adminGetAccount:         ['GET',    '/accounts/{id}',                         admin.adminGetAccount],
    adminUpdateAccount:      ['PATCH',  '/accounts/{id}',                         admin.adminUpdateAccount],
    adminDeleteAccount:      ['DELETE', '/accounts/{id}',                         admin.adminDeleteAccount],
    adminUpdateSubscription: ['PATCH',  '/accounts/{id}/subscription',            admin.adminUpdateSubscription],
    adminListUsers:          ['GET',    '/accounts/{id}/users',                   admin.adminListUsers],
    adminCreateUser:         ['POST',   '/accounts/{id}/users',                   admin.adminCreateUser],
    adminUpdateUser:         ['PATCH',  '/accounts/{id}/users/{userId}',          admin.adminUpdateUser],
    adminDeleteUser:         ['DELETE', '/accounts/{id}/users/{userId}',          admin.adminDeleteUser],
    adminListKeys:           ['GET',    '/accounts/{id}/api-keys',                admin.adminListKeys],
    adminCreateKey:          ['POST',   '/accounts/{id}/api-keys',                admin.adminCreateKey],
    adminRevokeKey:          ['DELETE', '/accounts/{id}/api-keys/{keyId}',        admin.adminRevokeKey],
    adminRotateKey:          ['POST',   '/accounts/{id}/api-keys/{keyId}/rotate', admin.adminRotateKey],
  }),
  // /session, which exchanges a key for a cookie, and takes the token of a one-time link
  ...routesOf('session', {
    signIn:               ['POST',   '',                   session.signIn],
    signedIn:             ['GET',    '',                   session.signedIn],
    signOut:              ['DELETE', '',                   session.signOut],
    operatorSignIn:       ['POST',   '/operator',          session.operatorSignIn],
    operatorSignedIn:     ['GET',    '/operator',          session.operatorSignedIn],
    operatorSignOut:      ['DELETE', '/operator',          session.operatorSignOut],
    readPasskeyLink:      ['POST',   '/passkey',           passkey.readPasskeyLink],
    answerPasskeyByLink:  ['POST',   '/passkey/assertion', passkey.answerPasskeyByLink],
    confirmPasskeyByLink: ['POST',   '/passkey/confirm',   passkey.confirmPasskeyByLink],
    cancelPasskeyByLink:  ['POST',   '/passkey/cancel',    passkey.cancelPasskeyByLink],
  }),
  // Without a key
  ...routesOf('system', {
    healthz: ['GET', '/healthz', system.healthz],
    readyz:  ['GET', '/readyz',  system.readyz],
    metrics: ['GET', '/metrics', system.metrics],
  }),
} as const

export type Routes = typeof routes
export type RouteId = keyof Routes
