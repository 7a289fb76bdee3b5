// The whole dialect on one screen: method, path and handler of every call.
import type { EvolutionCall } from './call.ts'
import * as chats from './chats.ts'
import * as groups from './groups.ts'
import * as instances from './instances.ts'
import * as interactive from './interactive-messages.ts'
import * as labels from './labels.ts'
import * as queries from './message-queries.ts'
import * as messages from './messages.ts'
import * as profile from './profile.ts'
import * as settings from './settings.ts'
import * as templates from './templates.ts'
import * as webhooks from './webhooks.ts'

type Method = 'GET' | 'POST' | 'DELETE'

// biome-ignore format: one line per call, in columns
export const CALLS: readonly (readonly [method: Method, path: string, call: EvolutionCall])[] = [
  ['POST',   '/instance/create',                        instances.createInstance],
  ['GET',    '/instance/fetchInstances',                instances.fetchInstances],
  ['GET',    '/instance/connect/:instanceName',         instances.connect],
  ['GET',    '/instance/connectionState/:instanceName', instances.connectionState],
  ['POST',   '/instance/restart/:instanceName',         instances.restart],
  ['POST',   '/instance/setPresence/:instanceName',     instances.setPresence],
  ['DELETE', '/instance/logout/:instanceName',          instances.logout],
  ['DELETE', '/instance/delete/:instanceName',          instances.deleteInstance],

  ['POST',   '/message/sendText/:instanceName',          messages.sendText],
  ['POST',   '/message/sendMedia/:instanceName',         messages.sendMedia],
  ['POST',   '/message/sendWhatsAppAudio/:instanceName', messages.sendWhatsAppAudio],
  ['POST',   '/message/sendPtv/:instanceName',           messages.sendPtv],
  ['POST',   '/message/sendSticker/:instanceName',       messages.sendSticker],
  ['POST',   '/message/sendLocation/:instanceName',      messages.sendLocation],
  ['POST',   '/message/sendContact/:instanceName',       messages.sendContact],
  ['POST',   '/message/sendReaction/:instanceName',      messages.sendReaction],
  ['POST',   '/message/sendPoll/:instanceName',          messages.sendPoll],
  ['POST',   '/message/sendList/:instanceName',          interactive.sendList],
  ['POST',   '/message/sendButtons/:instanceName',       interactive.sendButtons],
  ['POST',   '/message/sendCarousel/:instanceName',      interactive.sendCarousel],
  ['POST',   '/message/sendStatus/:instanceName',        messages.sendStatus],
  ['POST',   '/message/sendTemplate/:instanceName',      templates.sendTemplate],

  ['POST',   '/chat/whatsappNumbers/:instanceName',                  chats.whatsappNumbers],
  ['POST',   '/chat/markMessageAsRead/:instanceName',                chats.markMessageAsRead],
  ['POST',   '/chat/markMessageAsPlayed/:instanceName',              chats.markMessageAsPlayed],
  ['POST',   '/chat/archiveChat/:instanceName',                      chats.archiveChat],
  ['POST',   '/chat/markChatUnread/:instanceName',                   chats.markChatUnread],
  ['DELETE', '/chat/deleteMessageForEveryone/:instanceName',         queries.deleteMessageForEveryone],
  ['POST',   '/chat/updateMessage/:instanceName',                    queries.updateMessage],
  ['POST',   '/chat/sendPresence/:instanceName',                     chats.sendPresence],
  ['POST',   '/chat/updateBlockStatus/:instanceName',                chats.updateBlockStatus],
  ['POST',   '/chat/getBase64FromMediaMessage/:instanceName',        queries.getBase64FromMediaMessage],
  ['POST',   '/chat/findMessages/:instanceName',                     queries.findMessages],
  ['POST',   '/chat/findStatusMessage/:instanceName',                queries.findStatusMessage],
  ['POST',   '/chat/getPollVote/:instanceName',                      queries.getPollVote],
  ['POST',   '/chat/findChats/:instanceName',                        chats.findChats],
  ['POST',   '/chat/findContacts/:instanceName',                     chats.findContacts],
  ['GET',    '/chat/findChatByRemoteJid/:instanceName',              chats.findChatByRemoteJid],
  ['POST',   '/chat/findChannels/:instanceName',                     chats.findChannels],
  ['POST',   '/chat/fetchProfile/:instanceName',                     profile.fetchProfile],
  ['POST',   '/chat/fetchProfilePictureUrl/:instanceName',           profile.fetchProfilePictureUrl],
  ['POST',   '/chat/fetchBusinessProfile/:instanceName',             profile.fetchBusinessProfile],
  ['POST',   '/chat/updateProfileName/:instanceName',                profile.updateProfileName],
  ['POST',   '/chat/updateProfileStatus/:instanceName',              profile.updateProfileStatus],
  ['POST',   '/chat/updateProfilePicture/:instanceName',             profile.updateProfilePicture],
  ['DELETE', '/chat/removeProfilePicture/:instanceName',             profile.removeProfilePicture],
  ['GET',    '/chat/fetchPrivacySettings/:instanceName',             profile.fetchPrivacySettings],
  ['POST',   '/chat/updatePrivacySettings/:instanceName',            profile.updatePrivacySettings],

  ['POST',   '/group/create/:instanceName',                          groups.createGroup],
  ['POST',   '/group/updateGroupSubject/:instanceName',              groups.updateGroupSubject],
  ['POST',   '/group/updateGroupDescription/:instanceName',          groups.updateGroupDescription],
  ['POST',   '/group/updateGroupPicture/:instanceName',              groups.updateGroupPicture],
  ['GET',    '/group/findGroupInfos/:instanceName',                  groups.findGroupInfos],
  ['GET',    '/group/fetchAllGroups/:instanceName',                  groups.fetchAllGroups],
  ['GET',    '/group/participants/:instanceName',                    groups.participants],
  ['GET',    '/group/inviteCode/:instanceName',                      groups.inviteCode],
  ['GET',    '/group/inviteInfo/:instanceName',                      groups.inviteInfo],
  ['GET',    '/group/acceptInviteCode/:instanceName',                groups.acceptInviteCode],
  ['POST',   '/group/sendInvite/:instanceName',                      groups.sendInvite],
  ['POST',   '/group/revokeInviteCode/:instanceName',                groups.revokeInviteCode],
  ['POST',   '/group/updateParticipant/:instanceName',               groups.updateParticipant],
  ['POST',   '/group/updateSetting/:instanceName',                   groups.updateSetting],
  ['POST',   '/group/updateMemberAddMode/:instanceName',             groups.updateMemberAddMode],
  ['POST',   '/group/toggleEphemeral/:instanceName',                 groups.toggleEphemeral],
  ['DELETE', '/group/leaveGroup/:instanceName',                      groups.leaveGroup],

  ['POST',   '/webhook/set/:instanceName',   webhooks.setWebhook],
  ['GET',    '/webhook/find/:instanceName',  webhooks.findWebhook],
  ['POST',   '/settings/set/:instanceName',  settings.setSettings],
  ['GET',    '/settings/find/:instanceName', settings.findSettings],
  ['POST',   '/proxy/set/:instanceName',     settings.setProxy],
  ['GET',    '/proxy/find/:instanceName',    settings.findProxy],

  ['GET',    '/label/findLabels/:instanceName',  labels.findLabels],
  ['POST',   '/label/handleLabel/:instanceName', labels.handleLabel],

  ['POST',   '/template/create/:instanceName', templates.storeTemplate],
  ['GET',    '/template/find/:instanceName',   templates.findTemplates],
  ['DELETE', '/template/delete/:instanceName', templates.deleteTemplate],
]

const BOTS =
  'Chatbots are not part of this gateway. Subscribe to its webhooks, and answer from your own program.'
const CHATWOOT =
  'The bridge to Chatwoot is set up by the API of this gateway: PUT /api/v1/chatwoot/{instanceName}.'
const BROKERS = 'Use webhook/set, or a destination of this gateway for a broker: POST /api/v1/destinations.'
const EVENT_STREAM = 'Use webhook/set, or the event stream of this gateway: GET /api/v1/events/stream.'
const BUSINESS = 'Catalogues and collections need the Business API, which this gateway does not offer.'

/** Paths that are known and not offered, with the sentence of the 501. */
export const NOT_OFFERED: readonly (readonly [path: string, sentence: string])[] = [
  ...['typebot', 'dify', 'flowise', 'evolutionBot', 'openai', 'n8n', 'evoai'].map(
    (family) => [`/${family}/*`, BOTS] as const,
  ),
  ['/chatwoot/*', CHATWOOT],
  ...['rabbitmq', 'sqs', 'nats', 'kafka'].map((family) => [`/${family}/*`, BROKERS] as const),
  ...['websocket', 'pusher'].map((family) => [`/${family}/*`, EVENT_STREAM] as const),
  ['/template/*', 'Templates cannot be changed. Delete it, and create it again.'],
  ['/business/*', BUSINESS],
  ['/call/*', 'This gateway rejects calls, and cannot make them.'],
]
