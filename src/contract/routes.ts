// The whole API on one screen: name, method, path and scopes of every endpoint. The file named in the last column declares what
// it takes and returns. The calls of the sandbox, which another process answers, have their own table in sandbox.ts.
import * as account from './account.ts'
import * as admin from './admin.ts'
import * as contacts from './contacts.ts'
import * as deliveries from './deliveries.ts'
import * as events from './events.ts'
import * as instances from './instances.ts'
import * as messages from './messages.ts'
import { routesOf } from './route.ts'
import * as sending from './sending.ts'
import * as session from './session.ts'
import * as system from './system.ts'
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
    sendLocation:        ['POST',   '/send-location',                                ['send'],                sending.sendLocation],
    sendPoll:            ['POST',   '/send-poll',                                    ['send'],                sending.sendPoll],
    sendGroup:           ['POST',   '/send-group',                                   ['send'],                sending.sendGroup],
    listMessages:        ['GET',    '/messages',                                     ['send'],                messages.listMessages],
    getMessage:          ['GET',    '/messages/{messageId}',                         ['send'],                messages.getMessage],
    cancelMessage:       ['POST',   '/messages/{messageId}/cancel',                  ['send'],                messages.cancelMessage],
    getMessageMedia:     ['GET',    '/messages/{messageId}/media',                   ['send'],                messages.getMessageMedia],
    instanceState:       ['GET',    '/instance/state',                               ['instances'],           instances.instanceState],
    instanceActivity:    ['GET',    '/instance/activity',                            ['instances'],           instances.instanceActivity],
    listInstances:       ['GET',    '/instance/list',                                ['instances'],           instances.listInstances],
    createInstance:      ['POST',   '/instance/create',                              ['instances'],           instances.createInstance],
    connectInstance:     ['POST',   '/instance/connect',                             ['instances'],           instances.connectInstance],
    restartInstance:     ['POST',   '/instance/restart',                             ['instances'],           instances.restartInstance],
    logoutInstance:      ['DELETE', '/instance/logout',                              ['instances'],           instances.logoutInstance],
    deleteInstance:      ['DELETE', '/instance/delete',                              ['instances'],           instances.deleteInstance],
    qrImage:             ['GET',    '/instance/qr/image',                            ['images', 'instances'], instances.qrImage],
    profilePicture:      ['GET',    '/instance/profile-picture',                     ['images', 'instances'], instances.profilePicture],
    listContacts:        ['GET',    '/contacts',                                     ['contacts'],            contacts.listContacts],
    saveContact:         ['POST',   '/contacts',                                     ['contacts'],            contacts.saveContact],
    getContact:          ['GET',    '/contacts/{id}',                                ['contacts'],            contacts.getContact],
    updateContact:       ['PATCH',  '/contacts/{id}',                                ['contacts'],            contacts.updateContact],
    deleteContact:       ['DELETE', '/contacts/{id}',                                ['contacts'],            contacts.deleteContact],
    listChats:           ['GET',    '/chats',                                        ['contacts'],            contacts.listChats],
    readChat:            ['POST',   '/chats/read',                                   ['contacts'],            contacts.readChat],
    chatPicture:         ['GET',    '/chats/picture',                                ['images', 'contacts'],  contacts.chatPicture],
    listGroups:          ['GET',    '/groups',                                       ['contacts'],            contacts.listGroups],
    checkNumber:         ['GET',    '/check-number',                                 ['contacts'],            contacts.checkNumber],
    accountLimits:       ['GET',    '/account/limits',                               ['account'],             account.accountLimits],
    listApiKeys:         ['GET',    '/api-keys',                                     ['keys'],                account.listApiKeys],
    createApiKey:        ['POST',   '/api-keys',                                     ['keys'],                account.createApiKey],
    revokeApiKey:        ['DELETE', '/api-keys/{id}',                                ['keys'],                account.revokeApiKey],
    rotateApiKey:        ['POST',   '/api-keys/{id}/rotate',                         ['keys'],                account.rotateApiKey],
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
    listEvents:          ['GET',    '/events',                                       ['webhooks'],            events.listEvents],
    streamEvents:        ['GET',    '/events/stream',                                ['webhooks'],            events.streamEvents],
  }),
  // /admin/v1, with the operator's key
  ...routesOf('admin', {
    adminResume:             ['POST',   '/resume',                                admin.adminResume],
    adminListPlans:          ['GET',    '/plans',                                 admin.adminListPlans],
    adminCreatePlan:         ['POST',   '/plans',                                 admin.adminCreatePlan],
    adminGetPlan:            ['GET',    '/plans/{id}',                            admin.adminGetPlan],
    adminUpdatePlan:         ['PATCH',  '/plans/{id}',                            admin.adminUpdatePlan],
    adminDeletePlan:         ['DELETE', '/plans/{id}',                            admin.adminDeletePlan],
    adminListInstances:      ['GET',    '/instances',                             admin.adminListInstances],
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
  // /session, which exchanges a key for a cookie
  ...routesOf('session', {
    signIn:           ['POST',   '',          session.signIn],
    signedIn:         ['GET',    '',          session.signedIn],
    signOut:          ['DELETE', '',          session.signOut],
    operatorSignIn:   ['POST',   '/operator', session.operatorSignIn],
    operatorSignedIn: ['GET',    '/operator', session.operatorSignedIn],
    operatorSignOut:  ['DELETE', '/operator', session.operatorSignOut],
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
