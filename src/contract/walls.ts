// What the walls of an API key mean for each route: the answer to "may this key do that" begins here. A route without an entry is a
// compile error in routes.ts. accounts/rules.ts decides, accounts/walls.ts resolves the target of a request.
import { z } from 'zod'
import { chatJid, instanceName } from './fields.ts'
import type { Wall } from './route.ts'
import { MAX_MESSAGES_PER_DAY, MAX_WALL_CHATS, MAX_WALL_INSTANCES, WROTE_FIRST } from './wall-values.ts'

/** The walls of a key, as its fields. */
export const wallFields = {
  instances: z
    .array(instanceName)
    .min(1)
    .max(MAX_WALL_INSTANCES)
    .nullable()
    .default(null)
    .meta({ description: 'API names of the only instances that the key can use; null: all instances' }),
  chats: z
    .union([z.array(chatJid).min(1).max(MAX_WALL_CHATS), z.literal(WROTE_FIRST)], {
      error: `expected a list of 1 to ${MAX_WALL_CHATS} chats as events name them, or "${WROTE_FIRST}"`,
    })
    .nullable()
    .default(null)
    .meta({
      description:
        'The only chats that the key can see and write to, as events name them (`chat`); `wrote_first`: people from whom the ' +
        'instance has received a message; null: all chats',
    }),
  messagesPerDay: z
    .int()
    .min(1)
    .max(MAX_MESSAGES_PER_DAY)
    .nullable()
    .default(null)
    .meta({
      description:
        'How many sends of the key are accepted per day (UTC), changes of messages included; null: no limit. It counts a send when it is ' +
        'accepted, not when it is delivered, so it does not pace: a scheduled send counts on the day of the request, and all sends of a day ' +
        'can be accepted in one minute',
    }),
  approval: z
    .boolean()
    .default(false)
    .meta({
      description:
        'Whether each send of the key waits with the status `awaiting_approval` until a person approves it: with another key, on ' +
        'the dashboard, or on the phone',
    }),
  approvalOnPhone: z
    .boolean()
    .default(false)
    .meta({
      description:
        'With `approval`: each send is also shown in the chat of the instance with itself, where the owner of the phone answers ' +
        'it with "yes" or "no" and its code',
    }),
}

// biome-ignore format: one line per route, in the order of routes.ts
export const WALLS = {
  sendText:            'chat',
  sendMedia:           'chat',
  sendAlbum:           'chat',
  sendButton:          'chat',
  sendList:            'chat',
  sendCta:             'chat',
  sendCarousel:        'chat',
  sendPix:             'chat',
  sendLocation:        'chat',
  sendPoll:            'chat',
  sendSticker:         'chat',
  sendContact:         'chat',
  sendEvent:           'chat',
  sendStatus:          'instance',
  sendGroup:           'chat',
  uploadMedia:         'open',
  listMessages:        'list',
  getMessage:          'message',
  cancelMessage:       'message',
  cancelMessages:      'list',
  getApproval:         'refused',
  getApprovalFile:     'refused',
  approveMessage:      'refused',
  rejectMessage:       'refused',
  getPollVotes:        'message',
  getMessageMedia:     'message',
  reactToMessage:      'message',
  editMessage:         'message',
  deleteMessage:       'message',
  forwardMessage:      'forward',
  pinMessage:          'message',
  starMessage:         'message',
  markPlayed:          'message',
  instanceState:       'instance',
  instanceActivity:    'instance',
  listInstances:       'list',
  createInstance:      'account',
  connectInstance:     'instance',
  restartInstance:     'instance',
  logoutInstance:      'change',
  deleteInstance:      'change',
  qrImage:             'instance',
  profilePicture:      'instance',
  getPasskey:          'instance',
  answerPasskey:       'instance',
  confirmPasskey:      'instance',
  cancelPasskey:       'instance',
  createPasskeyLink:   'instance',
  getSettings:         'instance',
  updateSettings:      'change',
  getProfile:          'instance',
  updateProfile:       'change',
  listContacts:        'list',
  saveContact:         'chat',
  getContact:          'contact',
  updateContact:       'contact',
  deleteContact:       'contact',
  listChats:           'list',
  readChat:            'chat',
  showPresence:        'chat',
  updateChat:          'chat',
  clearChat:           'chatChange',
  chatHistory:         'chat',
  listLabels:          'instance',
  createLabel:         'change',
  updateLabel:         'change',
  deleteLabel:         'change',
  labelChat:           'chat',
  unlabelChat:         'chat',
  assignChat:          'chat',
  listUsers:           'open',
  listQuickReplies:    'open',
  createQuickReply:    'refused',
  updateQuickReply:    'refused',
  deleteQuickReply:    'refused',
  chatPicture:         'chat',
  listGroups:          'list',
  createGroup:         'change',
  getGroup:            'chat',
  updateGroup:         'change',
  setGroupPicture:     'change',
  deleteGroupPicture:  'change',
  changeGroupMembers:  'change',
  getGroupInvite:      'instance',
  resetGroupInvite:    'change',
  previewGroupInvite:  'instance',
  joinGroup:           'change',
  leaveGroup:          'change',
  listJoinRequests:    'instance',
  answerJoinRequests:  'change',
  rejectCall:          'change',
  getPerson:           'chat',
  blockPerson:         'change',
  unblockPerson:       'change',
  getBlocklist:        'instance',
  listPresence:        'instance',
  subscribePresence:   'instance',
  checkNumber:         'instance',
  checkNumbers:        'instance',
  accountLimits:       'account',
  getStatistics:       'counts',
  listApiKeys:         'refused',
  currentApiKey:       'open',
  createApiKey:        'refused',
  revokeApiKey:        'refused',
  rotateApiKey:        'refused',
  reviewAgentSignIn:   'refused',
  grantAgentSignIn:    'refused',
  listAudit:           'refused',
  saveWebhook:         'account',
  listWebhooks:        'account',
  getWebhook:          'account',
  deleteWebhook:       'account',
  rotateWebhookSecret: 'account',
  testWebhook:         'account',
  listDeliveries:      'account',
  getDelivery:         'account',
  replayDelivery:      'account',
  replayWebhook:       'account',
  saveDestination:     'account',
  listDestinations:    'account',
  getDestination:      'account',
  deleteDestination:   'account',
  testDestination:     'account',
  listDestinationDeliveries: 'account',
  getDestinationDelivery: 'account',
  replayDestinationDelivery: 'account',
  replayDestination:   'account',
  saveChatwoot:        'refused',
  getChatwoot:         'account',
  deleteChatwoot:      'refused',
  pushChatwootHistory: 'refused',
  listEvents:          'list',
  streamEvents:        'list',
} as const satisfies Record<string, Wall>
