// The whole API as one table: whatever is served, documented or called is in here. Only the calls of the sandbox network,
// which another process answers, have a table of their own (sandbox.ts).
import * as account from './account.ts'
import * as admin from './admin.ts'
import * as contacts from './contacts.ts'
import * as deliveries from './deliveries.ts'
import * as events from './events.ts'
import * as instances from './instances.ts'
import * as messages from './messages.ts'
import * as sending from './sending.ts'
import * as session from './session.ts'
import * as system from './system.ts'
import * as webhooks from './webhooks.ts'

export const routes = {
  sendText: sending.sendText,
  sendMedia: sending.sendMedia,
  sendButton: sending.sendButton,
  sendList: sending.sendList,
  sendCta: sending.sendCta,
  sendCarousel: sending.sendCarousel,
  sendLocation: sending.sendLocation,
  sendPoll: sending.sendPoll,
  sendGroup: sending.sendGroup,
  listMessages: messages.listMessages,
  getMessage: messages.getMessage,
  cancelMessage: messages.cancelMessage,
  instanceState: instances.instanceState,
  listInstances: instances.listInstances,
  createInstance: instances.createInstance,
  connectInstance: instances.connectInstance,
  restartInstance: instances.restartInstance,
  logoutInstance: instances.logoutInstance,
  deleteInstance: instances.deleteInstance,
  qrImage: instances.qrImage,
  profilePicture: instances.profilePicture,
  listContacts: contacts.listContacts,
  saveContact: contacts.saveContact,
  getContact: contacts.getContact,
  updateContact: contacts.updateContact,
  deleteContact: contacts.deleteContact,
  listChats: contacts.listChats,
  listGroups: contacts.listGroups,
  checkNumber: contacts.checkNumber,
  accountLimits: account.accountLimits,
  listApiKeys: account.listApiKeys,
  createApiKey: account.createApiKey,
  revokeApiKey: account.revokeApiKey,
  rotateApiKey: account.rotateApiKey,
  saveWebhook: webhooks.saveWebhook,
  listWebhooks: webhooks.listWebhooks,
  getWebhook: webhooks.getWebhook,
  deleteWebhook: webhooks.deleteWebhook,
  rotateWebhookSecret: webhooks.rotateWebhookSecret,
  testWebhook: deliveries.testWebhook,
  listDeliveries: deliveries.listDeliveries,
  getDelivery: deliveries.getDelivery,
  replayDelivery: deliveries.replayDelivery,
  replayWebhook: deliveries.replayWebhook,
  listEvents: events.listEvents,
  streamEvents: events.streamEvents,
  adminListPlans: admin.adminListPlans,
  adminCreatePlan: admin.adminCreatePlan,
  adminGetPlan: admin.adminGetPlan,
  adminUpdatePlan: admin.adminUpdatePlan,
  adminDeletePlan: admin.adminDeletePlan,
  adminListAccounts: admin.adminListAccounts,
  adminCreateAccount: admin.adminCreateAccount,
  adminGetAccount: admin.adminGetAccount,
  adminUpdateAccount: admin.adminUpdateAccount,
  adminDeleteAccount: admin.adminDeleteAccount,
  adminUpdateSubscription: admin.adminUpdateSubscription,
  adminListUsers: admin.adminListUsers,
  adminCreateUser: admin.adminCreateUser,
  adminUpdateUser: admin.adminUpdateUser,
  adminDeleteUser: admin.adminDeleteUser,
  adminListKeys: admin.adminListKeys,
  adminCreateKey: admin.adminCreateKey,
  adminRevokeKey: admin.adminRevokeKey,
  adminRotateKey: admin.adminRotateKey,
  signIn: session.signIn,
  signedIn: session.signedIn,
  signOut: session.signOut,
  operatorSignIn: session.operatorSignIn,
  operatorSignedIn: session.operatorSignedIn,
  operatorSignOut: session.operatorSignOut,
  healthz: system.healthz,
  readyz: system.readyz,
  metrics: system.metrics,
} as const

export type Routes = typeof routes
export type RouteId = keyof Routes
