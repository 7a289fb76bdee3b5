// The whole API on one screen: name, method, path and scopes of every endpoint. The file named in the last column declares what
// it takes and returns. The calls of the sandbox, which another process answers, have their own table in sandbox.ts.
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
import { WALLS } from './walls.ts'
import * as webhooks from './webhooks.ts'

// biome-ignore format: one line per endpoint, in columns
export const routes = {
  // /api/v1, with a key of the account that has one of the scopes, or a key without scopes
  ...routesOf('api', {
    sendText:            ['POST',   '/send/text',                                    ['send'],                sending.sendText],
    sendMedia:           ['POST',   '/send/media',                                   ['send'],                sending.sendMedia],
    sendButton:          ['POST',   '/send/button',                                  ['send'],                sending.sendButton],
    sendList:            ['POST',   '/send/list',                                    ['send'],                sending.sendList],
    sendCta:             ['POST',   '/send/cta',                                     ['send'],                sending.sendCta],
    sendCarousel:        ['POST',   '/send/carousel',                                ['send'],                sending.sendCarousel],
    sendPix:             ['POST',   '/send/pix',                                     ['send'],                sending.sendPix],
    sendLocation:        ['POST',   '/send-location',                                ['send'],                sending.sendLocation],
    sendPoll:            ['POST',   '/send-poll',                                    ['send'],                sending.sendPoll],
    sendSticker:         ['POST',   '/send/sticker',                                 ['send'],                sending.sendSticker],
    sendContact:         ['POST',   '/send/contact',                                 ['send'],                sending.sendContact],
    sendEvent:           ['POST',   '/send/event',                                   ['send'],                sending.sendEvent],
    sendAlbum:           ['POST',   '/send/album',                                   ['send'],                sending.sendAlbum],
    sendStatus:          ['POST',   '/send/status',                                  ['send'],                sending.sendStatus],
    sendGroup:           ['POST',   '/send-group',                                   ['send'],                sending.sendGroup],
    uploadMedia:         ['POST',   '/media',                                        ['send'],                media.uploadMedia],
    listMessages:        ['GET',    '/messages',                                     ['send', 'read'],        messages.listMessages],
    getMessage:          ['GET',    '/messages/{messageId}',                         ['send', 'read'],        messages.getMessage],
    cancelMessage:       ['POST',   '/messages/{messageId}/cancel',                  ['send'],                messages.cancelMessage],
    cancelMessages:      ['POST',   '/messages/cancel',                              ['send'],                messages.cancelMessages],
    getApproval:         ['GET',    '/messages/{messageId}/approval',                ['send'],                approvals.getApproval],
    getApprovalFile:     ['GET',    '/messages/{messageId}/approval/files/{mediaId}', ['send'],               approvals.getApprovalFile],
    approveMessage:      ['POST',   '/messages/{messageId}/approve',                 ['send'],                approvals.approveMessage],
    rejectMessage:       ['POST',   '/messages/{messageId}/reject',                  ['send'],                approvals.rejectMessage],
    getPollVotes:        ['GET',    '/messages/{messageId}/votes',                   ['send', 'read'],        messages.getPollVotes],
    getMessageMedia:     ['GET',    '/messages/{messageId}/media',                   ['send', 'read'],        messages.getMessageMedia],
    reactToMessage:      ['POST',   '/messages/{messageId}/reaction',                ['send'],                actions.reactToMessage],
    editMessage:         ['POST',   '/messages/{messageId}/edit',                    ['send'],                actions.editMessage],
    deleteMessage:       ['DELETE', '/messages/{messageId}',                         ['send'],                actions.deleteMessage],
    forwardMessage:      ['POST',   '/messages/{messageId}/forward',                 ['send'],                actions.forwardMessage],
    pinMessage:          ['POST',   '/messages/{messageId}/pin',                     ['send'],                actions.pinMessage],
    starMessage:         ['POST',   '/messages/{messageId}/star',                    ['send'],                actions.starMessage],
    markPlayed:          ['POST',   '/messages/{messageId}/played',                  ['send'],                actions.markPlayed],
    instanceState:       ['GET',    '/instance/state',                               ['instances:use', 'read'], instances.instanceState],
    instanceActivity:    ['GET',    '/instance/activity',                            ['instances:use', 'read'], instances.instanceActivity],
    listInstances:       ['GET',    '/instance/list',                                ['instances:use', 'read'], instances.listInstances],
    createInstance:      ['POST',   '/instance/create',                              ['instances:manage'],    instances.createInstance],
    connectInstance:     ['POST',   '/instance/connect',                             ['instances:manage'],    instances.connectInstance],
    restartInstance:     ['POST',   '/instance/restart',                             ['instances:use'],       instances.restartInstance],
    logoutInstance:      ['DELETE', '/instance/logout',                              ['instances:manage'],    instances.logoutInstance],
    deleteInstance:      ['DELETE', '/instance/delete',                              ['instances:manage'],    instances.deleteInstance],
    qrImage:             ['GET',    '/instance/qr/image',                            ['images', 'instances:manage'], instances.qrImage],
    profilePicture:      ['GET',    '/instance/profile-picture',                     ['images', 'instances:use', 'read'], instances.profilePicture],
    getPasskey:          ['GET',    '/instance/passkey',                             ['instances:manage'],    passkey.getPasskey],
    answerPasskey:       ['POST',   '/instance/passkey/assertion',                   ['instances:manage'],    passkey.answerPasskey],
    confirmPasskey:      ['POST',   '/instance/passkey/confirm',                     ['instances:manage'],    passkey.confirmPasskey],
    cancelPasskey:       ['POST',   '/instance/passkey/cancel',                      ['instances:manage'],    passkey.cancelPasskey],
    createPasskeyLink:   ['POST',   '/instance/passkey/link',                        ['instances:manage'],    passkey.createPasskeyLink],
    getSettings:         ['GET',    '/instance/settings',                            ['instances:use'],       settings.getSettings],
    updateSettings:      ['PATCH',  '/instance/settings',                            ['instances:manage'],    settings.updateSettings],
    getProfile:          ['GET',    '/profile',                                      ['instances:use'],       profile.getProfile],
    updateProfile:       ['PATCH',  '/profile',                                      ['instances:manage'],    profile.updateProfile],
    listContacts:        ['GET',    '/contacts',                                     ['contacts', 'read'],    contacts.listContacts],
    saveContact:         ['POST',   '/contacts',                                     ['contacts'],            contacts.saveContact],
    getContact:          ['GET',    '/contacts/{id}',                                ['contacts', 'read'],    contacts.getContact],
    updateContact:       ['PATCH',  '/contacts/{id}',                                ['contacts'],            contacts.updateContact],
    deleteContact:       ['DELETE', '/contacts/{id}',                                ['contacts'],            contacts.deleteContact],
    listChats:           ['GET',    '/chats',                                        ['contacts', 'read'],    contacts.listChats],
    readChat:            ['POST',   '/chats/read',                                   ['contacts'],            chats.readChat],
    showPresence:        ['POST',   '/chats/presence',                               ['contacts'],            chats.showPresence],
    updateChat:          ['PATCH',  '/chats',                                        ['contacts'],            chats.updateChat],
    clearChat:           ['DELETE', '/chats',                                        ['contacts'],            chats.clearChat],
    chatHistory:         ['GET',    '/chats/history',                                ['contacts', 'read'],    chats.chatHistory],
    listLabels:          ['GET',    '/labels',                                       ['contacts', 'read'],    labels.listLabels],
    createLabel:         ['POST',   '/labels',                                       ['contacts'],            labels.createLabel],
    updateLabel:         ['PATCH',  '/labels/{labelId}',                             ['contacts'],            labels.updateLabel],
    deleteLabel:         ['DELETE', '/labels/{labelId}',                             ['contacts'],            labels.deleteLabel],
    labelChat:           ['POST',   '/labels/{labelId}/chats',                       ['contacts'],            labels.labelChat],
    unlabelChat:         ['DELETE', '/labels/{labelId}/chats',                       ['contacts'],            labels.unlabelChat],
    assignChat:          ['PUT',    '/chats/assignee',                               ['contacts'],            teamwork.assignChat],
    listUsers:           ['GET',    '/users',                                        ['contacts', 'read'],    teamwork.listUsers],
    listQuickReplies:    ['GET',    '/quick-replies',                                ['send', 'contacts', 'read'], teamwork.listQuickReplies],
    createQuickReply:    ['POST',   '/quick-replies',                                ['contacts'],            teamwork.createQuickReply],
    updateQuickReply:    ['PATCH',  '/quick-replies/{id}',                           ['contacts'],            teamwork.updateQuickReply],
    deleteQuickReply:    ['DELETE', '/quick-replies/{id}',                           ['contacts'],            teamwork.deleteQuickReply],
    chatPicture:         ['GET',    '/chats/picture',                                ['images', 'contacts', 'read'], contacts.chatPicture],
    listGroups:          ['GET',    '/groups',                                       ['contacts', 'read'],    contacts.listGroups],
    createGroup:         ['POST',   '/groups',                                       ['contacts'],            groups.createGroup],
    getGroup:            ['GET',    '/groups/{groupJid}',                            ['contacts', 'read'],    groups.getGroup],
    updateGroup:         ['PATCH',  '/groups/{groupJid}',                            ['contacts'],            groups.updateGroup],
    setGroupPicture:     ['PUT',    '/groups/{groupJid}/picture',                    ['contacts'],            groups.setGroupPicture],
    deleteGroupPicture:  ['DELETE', '/groups/{groupJid}/picture',                    ['contacts'],            groups.deleteGroupPicture],
    changeGroupMembers:  ['POST',   '/groups/{groupJid}/members',                    ['contacts'],            groups.changeGroupMembers],
    getGroupInvite:      ['GET',    '/groups/{groupJid}/invite',                     ['contacts'],            groups.getGroupInvite],
    resetGroupInvite:    ['POST',   '/groups/{groupJid}/invite/reset',               ['contacts'],            groups.resetGroupInvite],
    previewGroupInvite:  ['GET',    '/groups/invite/{code}',                         ['contacts'],            groups.previewGroupInvite],
    joinGroup:           ['POST',   '/groups/join',                                  ['contacts'],            groups.joinGroup],
    leaveGroup:          ['POST',   '/groups/{groupJid}/leave',                      ['contacts'],            groups.leaveGroup],
    listJoinRequests:    ['GET',    '/groups/{groupJid}/requests',                   ['contacts'],            groups.listJoinRequests],
    answerJoinRequests:  ['POST',   '/groups/{groupJid}/requests',                   ['contacts'],            groups.answerJoinRequests],
    rejectCall:          ['POST',   '/calls/{callId}/reject',                        ['contacts'],            calls.rejectCall],
    getPerson:           ['GET',    '/people/{number}',                              ['contacts'],            people.getPerson],
    blockPerson:         ['POST',   '/people/{number}/block',                        ['contacts'],            people.blockPerson],
    unblockPerson:       ['POST',   '/people/{number}/unblock',                      ['contacts'],            people.unblockPerson],
    getBlocklist:        ['GET',    '/blocklist',                                    ['contacts'],            people.getBlocklist],
    listPresence:        ['GET',    '/people/presence',                              ['contacts'],            people.listPresence],
    subscribePresence:   ['POST',   '/people/presence',                              ['contacts'],            people.subscribePresence],
    checkNumber:         ['GET',    '/check-number',                                 ['contacts'],            contacts.checkNumber],
    checkNumbers:        ['GET',    '/check-numbers',                                ['contacts'],            contacts.checkNumbers],
    accountLimits:       ['GET',    '/account/limits',                               ['account'],             account.accountLimits],
    getStatistics:       ['GET',    '/statistics',                                   ['account', 'instances:use', 'read'], statistics.getStatistics],
    listApiKeys:         ['GET',    '/api-keys',                                     ['keys'],                account.listApiKeys],
    currentApiKey:       ['GET',    '/api-keys/current',                                                      account.currentApiKey],
    createApiKey:        ['POST',   '/api-keys',                                     ['keys'],                account.createApiKey],
    revokeApiKey:        ['DELETE', '/api-keys/{id}',                                ['keys'],                account.revokeApiKey],
    rotateApiKey:        ['POST',   '/api-keys/{id}/rotate',                         ['keys'],                account.rotateApiKey],
    reviewAgentSignIn:   ['POST',   '/agent-sign-ins/review',                        ['keys'],                agents.reviewAgentSignIn],
    grantAgentSignIn:    ['POST',   '/agent-sign-ins',                               ['keys'],                agents.grantAgentSignIn],
    listAudit:           ['GET',    '/audit',                                        ['keys'],                audit.listAudit],
    saveWebhook:         ['POST',   '/webhooks',                                     ['webhooks'],            webhooks.saveWebhook],
    listWebhooks:        ['GET',    '/webhooks',                                     ['webhooks'],            webhooks.listWebhooks],
    getWebhook:          ['GET',    '/webhooks/{id}',                                ['webhooks'],            webhooks.getWebhook],
    deleteWebhook:       ['DELETE', '/webhooks/{id}',                                ['webhooks'],            webhooks.deleteWebhook],
    rotateWebhookSecret: ['POST',   '/webhooks/{id}/rotate-secret',                  ['webhooks'],            webhooks.rotateWebhookSecret],
    testWebhook:         ['POST',   '/webhooks/{id}/test',                           ['webhooks'],            deliveries.testWebhook],
    listDeliveries:      ['GET',    '/webhooks/{id}/deliveries',                     ['webhooks'],            deliveries.listDeliveries],
    getDelivery:         ['GET',    '/webhooks/{id}/deliveries/{deliveryId}',        ['webhooks'],            deliveries.getDelivery],
    replayDelivery:      ['POST',   '/webhooks/{id}/deliveries/{deliveryId}/replay', ['webhooks'],            deliveries.replayDelivery],
    replayWebhook:       ['POST',   '/webhooks/{id}/replay',                         ['webhooks'],            deliveries.replayWebhook],
    saveDestination:      ['POST',   '/destinations',                                  ['webhooks'],            destinations.saveDestination],
    listDestinations:     ['GET',    '/destinations',                                  ['webhooks'],            destinations.listDestinations],
    getDestination:       ['GET',    '/destinations/{id}',                             ['webhooks'],            destinations.getDestination],
    deleteDestination:    ['DELETE', '/destinations/{id}',                             ['webhooks'],            destinations.deleteDestination],
    testDestination:      ['POST',   '/destinations/{id}/test',                        ['webhooks'],            destinations.testDestination],
    listDestinationDeliveries: ['GET',    '/destinations/{id}/deliveries',                  ['webhooks'],            destinations.listDestinationDeliveries],
    getDestinationDelivery: ['GET',    '/destinations/{id}/deliveries/{deliveryId}',     ['webhooks'],            destinations.getDestinationDelivery],
    replayDestinationDelivery: ['POST',   '/destinations/{id}/deliveries/{deliveryId}/replay', ['webhooks'],            destinations.replayDestinationDelivery],
    replayDestination:    ['POST',   '/destinations/{id}/replay',                      ['webhooks'],            destinations.replayDestination],
    saveChatwoot:        ['PUT',    '/chatwoot/{instanceName}',                      ['webhooks'],            chatwoot.saveChatwoot],
    getChatwoot:         ['GET',    '/chatwoot/{instanceName}',                      ['webhooks'],            chatwoot.getChatwoot],
    deleteChatwoot:      ['DELETE', '/chatwoot/{instanceName}',                      ['webhooks'],            chatwoot.deleteChatwoot],
    pushChatwootHistory: ['POST',   '/chatwoot/{instanceName}/history',              ['webhooks'],            chatwoot.pushChatwootHistory],
    listEvents:          ['GET',    '/events',                                       ['webhooks', 'read'],    events.listEvents],
    streamEvents:        ['GET',    '/events/stream',                                ['webhooks', 'read'],    events.streamEvents],
  }, WALLS),
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
