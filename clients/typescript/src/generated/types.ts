// Generated from the OpenAPI document by scripts/clients.ts. Do not edit: run `npm run docs:clients`.

export type Account = {
  id: number
  name: string
  plan: {
    id: number
    name: string
  }
  subscription: Subscription
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
}

export type AccountLimits = {
  success: true
  account: {
    teamId: number
    teamName: string
  }
  plan: {
    id: number
    name: string
    interval: 'day' | 'week' | 'month' | 'year'
    /** Currency code in lower case */
    currency: string
    /** Price in the smallest unit of the currency */
    amount: number
  }
  subscription: Subscription
  limits: {
    users: ResourceLimit | null
    contacts: ResourceLimit | null
    instances: ResourceLimit | null
    /** Null if the plan does not meter messages */
    messages: ResourceLimit | null
  }
  features: Features
}

export type AlbumAnswer = {
  success: true
  /** The message id on the network; the same on every attempt */
  messageId: string
  status: 'awaiting_approval' | 'scheduled' | 'queued' | 'sending' | 'sent' | 'delivered' | 'read' | 'played' | 'failed'
  /** Unique API name of the instance */
  instanceName: string
  /** Recipient, digits only; absent for a group, a status, or a hidden number */
  number?: string | undefined
  /** Network identifier of the chat, as events name it */
  chat: string
  /** The group; absent for a number or a status */
  groupJid?: string | undefined
  type: 'text' | 'image' | 'video' | 'document' | 'audio' | 'button' | 'list' | 'cta' | 'carousel' | 'pix' | 'location' | 'poll' | 'sticker' | 'contact' | 'event' | 'album' | 'reaction' | 'edit' | 'delete' | 'pin' | 'disappearing'
  /** ISO 8601, UTC */
  createdAt: string
  /** When a scheduled message is sent */
  sendAt?: string | undefined
  /** As the request gave it */
  reference?: string | undefined
  /** Only with `Prefer: wait`, if the message failed */
  failure?: Failure | undefined
  /** The messages of the files, in their order */
  members: ({
    messageId: string
    type: 'image' | 'video'
  })[]
}

export type AnswerJoinRequests = {
  /** Phone numbers, or the `chat` of people, at most 100 */
  approve?: string[] | undefined
  /** Phone numbers, or the `chat` of people, at most 100 */
  reject?: string[] | undefined
}

export type AnswerPasskey = {
  assertion: PasskeyAssertion
}

export type ApiKey = {
  id: number
  name: string
  /** The first and last characters of the key */
  hint: string
  /** Empty means all scopes */
  scopes: ('send' | 'instances' | 'instances:use' | 'instances:manage' | 'contacts' | 'webhooks' | 'account' | 'keys' | 'images' | 'sandbox' | 'read')[]
  /** API names of the only instances that the key can use; null: all instances */
  instances: string[] | null
  /** The only chats that the key can see and write to, as events name them (`chat`); `wrote_first`: people from whom the instance has received a message; null: all chats */
  chats: string[] | 'wrote_first' | null
  /** How many sends of the key are accepted per day (UTC), changes of messages included; null: no limit. It counts a send when it is accepted, not when it is delivered, so it does not pace: a scheduled send counts on the day of the request, and all sends of a day can be accepted in one minute */
  messagesPerDay: number | null
  /** Whether each send of the key waits with the status `awaiting_approval` until a person approves it: with another key, on the dashboard, or on the phone */
  approval: boolean
  /** With `approval`: each send is also shown in the chat of the instance with itself, where the owner of the phone answers it with "yes" or "no" and its code */
  approvalOnPhone: boolean
  /** ISO 8601, UTC */
  createdAt: string
  expiresAt: string | null
  revokedAt: string | null
  lastUsedAt: string | null
}

export type Approval = {
  /** All of the send, as it is stored */
  message: Message
  /** ISO 8601, UTC */
  requestedAt: string
  /** Counts the changes of the send. The decision names it, so that only what was seen is approved */
  version: number
  /** The send fails as `expired` if it was not approved by then */
  approveBy: string
  /** The key that sends; `name` is null if the key does not exist any more */
  key: {
    id: number
    name: string | null
  }
  /** Name of the person or group, if known */
  chatName: string | null
  /** The text that `POST /messages/{messageId}/approve` can replace. Null: the send has none, or is forwarded as it was */
  text: {
    value: string
    /** The field of `content` that has the text */
    field: string
    minLength: number
    maxLength: number
  } | null
  /** The files of the send that are stored, in the order of the content */
  files: ({
    /** The field of `content` that names the file; `forwardOf` for the file of a forwarded message */
    field: string
    /** Null for the file of a forwarded message */
    mediaId: string | null
    /** Null: not known before the file is read */
    mimetype: string | null
    sizeBytes: number | null
    fileName: string | null
    /** Path of the file below `/api/v1` */
    path: string
  })[]
  /** The message that an `edit`, `delete`, `reaction` or `pin` changes; null for other types */
  target: Message | null
  /** The last messages of the chat, up to 10, newest first, without those of which nothing was sent; none for a status post */
  recentMessages: Message[]
}

export type ApproveSend = {
  /** `version` of the send as the person saw it; another one is refused */
  version?: number | undefined
  /** Replaces the text or caption of the send; empty removes a caption. The limits are those of `text` in the approval. Mentions stay, and a link preview stays if the first link is the same */
  text?: string | undefined
}

export type AssignChat = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number?: string | undefined
  /** The group, instead of `number` */
  groupJid?: string | undefined
  /** The person or the group as events and lists name it (`chat`), instead of `number`. The only name of a person whose number is hidden */
  chat?: string | undefined
  /** Id of the user (`GET /users`); null: the chat is assigned to none */
  userId: number | null
}

export type AuditEntry = {
  id: number
  /** ISO 8601, UTC */
  at: string
  /** Negative for what is not a key: the token of an instance in a dialect, or the address that Chatwoot posts to */
  keyId: number
  keyName: string | null
  /** Method and path of the call, without values */
  action: string
  /** API name, if the request named an instance */
  instanceName: string | null
  /** The chat or number, if the request named one */
  chat: string | null
  /** The id in the path, such as that of a message, or the `reference` of the request */
  subject: string | null
  /** HTTP status of the answer */
  status: number
  /** Why the call was refused; null if it was not */
  reason: string | null
}

export type Call = {
  callId: string
  /** The caller */
  from: Person
  /** Null if the offer of the call was not received */
  isVideo: boolean | null
  /** Null if the offer of the call was not received */
  isGroup: boolean | null
  /** Network identifier of the group of a group call, or of the caller */
  chat?: string | undefined
  /** Phone number, digits with country code; null if it is hidden, and for a group */
  number?: string | null | undefined
  /** The network's identifier that hides the phone number; null if it is not known */
  lid?: string | null | undefined
  /** Name that the person has chosen on the network; null if there is none */
  username?: string | null | undefined
  /** The group of a group call, if the network named it */
  groupJid: string | null
  /** `offer`: the call has started. `ringing`: the phone rings. `accepted`, `rejected`: on any device of the account. `missed`: not answered in time. `ended`: a side has hung up */
  status: 'offer' | 'ringing' | 'accepted' | 'rejected' | 'missed' | 'ended'
  /** ISO 8601, UTC */
  at: string
}

export type CanceledMessages = {
  success: true
  reference: string
  /** Messages that this call has cancelled */
  canceled: number
  /** Messages that are being sent, or wait for another try: too late to cancel them */
  sending: number
  /** Messages that were sent, whether they have arrived or not */
  sent: number
  /** Whether messages are left that can be cancelled, because there were more than 10000: call again */
  more: boolean
}

export type CancelMessages = {
  reference: string
  /** Only messages of this instance; default: of all instances of the account */
  instanceName?: string | undefined
}

export type ChangeGroupMembers = {
  /** Phone numbers, or the `chat` of people, at most 100 */
  add?: string[] | undefined
  /** Phone numbers, or the `chat` of people, at most 100 */
  remove?: string[] | undefined
  /** Make members admins */
  promote?: string[] | undefined
  /** Make admins ordinary members */
  demote?: string[] | undefined
}

/** The message in the same chat that an edit, delete, reaction or vote refers to. `from` is the person who made the change. `direction` and `author` are null if a reaction or vote refers to an unknown message. Edits are accepted only from the author, deletes from the author or a group admin; others are dropped */
export type ChangeTarget = {
  messageId: string
  /** Tells a sent and a received message with the same id apart */
  direction: 'outgoing' | 'incoming' | null
  /** Network identifier of the author of that message */
  author: string | null
}

export type Chat = {
  id: number
  /** Network identifier of the chat. Requests take it in the field `chat` */
  chat: string
  name: string | null
  /** Name chosen by the person */
  pushName: string | null
  /** Text of the last message, after edits; null if it has none or was deleted for everyone */
  lastMessageText: string | null
  lastMessageTimestamp: string | null
  unreadCount: number
  /** The same as `chat` */
  remoteJid: string
  /** The same as `number` */
  phone: string | null
  /** Phone number, digits with country code; null if it is hidden, and for a group */
  number: string | null
  /** The network's identifier that hides the phone number; null if it is not known */
  lid: string | null
  /** Name that the person has chosen on the network; null if there is none */
  username: string | null
  /** The group; null for a person */
  groupJid: string | null
  isGroup: boolean
  archived: boolean
  /** Until when the chat is muted; null: it is not. A past time: it was */
  mutedUntil: string | null
  /** Pinned to the top of the list of chats on the phone */
  pinned: boolean
  /** Has unread messages, or was marked as unread */
  unread: boolean
  /** How long new messages stay; 0: they do not disappear */
  disappearingSeconds: number
  /** Id of the user of the account who answers the chat (`GET /users`); null: none */
  assignedTo: number | null
  /** Labels that the owner has given to the chat */
  labels: ChatLabel[]
  /** Id of the saved contact; null if there is none */
  contactId: number | null
  /** Name of the saved contact; null if there is none */
  contactName: string | null
  /** The last message, with its edits; null if there is none or it is not stored any more */
  lastMessage: LastMessage | null
  /** URL of the picture on this gateway (`GET /chats/picture`); null if none is known */
  profilePictureUrl: string | null
}

export type ChatLabel = {
  /** Chosen by the phone or by this gateway; not used again */
  id: string
  name: string
  /** Number of a colour of the app, 0 to 19 */
  color: number
}

export type ChatsUpdateEvent = {
  /** Network identifier of the chat. Requests take it in the field `chat` */
  chat: string
  /** Phone number, digits with country code; null if it is hidden, and for a group */
  number?: string | null | undefined
  /** The network's identifier that hides the phone number; null if it is not known */
  lid?: string | null | undefined
  /** Name that the person has chosen on the network; null if there is none */
  username?: string | null | undefined
  /** The group; null for a person */
  groupJid?: string | null | undefined
  name: string | null
  unreadCount: number
  lastMessageText: string | null
  lastMessageTimestamp: string | null
  archived?: boolean | undefined
  /** Until when the chat is muted; null: it is not. A past time: it was */
  mutedUntil?: string | null | undefined
  /** Pinned to the top of the list of chats on the phone */
  pinned?: boolean | undefined
  /** Has unread messages, or was marked as unread */
  unread?: boolean | undefined
  /** How long new messages stay; 0: they do not disappear */
  disappearingSeconds?: number | undefined
  /** Id of the user of the account who answers the chat (`GET /users`); null: none */
  assignedTo?: number | null | undefined
  /** The event was longer than 256 KiB: its longest texts and lists are cut off at their end */
  truncated?: true | undefined
  /** Only with `truncated`: path of the whole below `/api/v1`, to be read with the `instanceName` of the event */
  rest?: string | undefined
}

export type ChatwootBridge = {
  instance: InstanceNames
  /** The webhook with the deliveries of this bridge */
  webhookId: number
  url: string
  accountId: number
  inboxId: number
  inboxName: string
  enabled: boolean
  /** Whether what Chatwoot posts is checked by its signature. False: by the secret path alone */
  isSigned: boolean
  /** How Chatwoot reaches this gateway */
  gatewayUrl: string
  signAgentNames: boolean
  ignoreGroups: boolean
  reopenConversation: boolean
  conversationPending: boolean
  /** As of every webhook */
  failingSince: string | null
  /** ISO 8601, UTC */
  updatedAt: string
}

export type ChatwootHistoryBody = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number?: string | undefined
  /** The group, instead of `number` */
  groupJid?: string | undefined
  /** The person or the group as events and lists name it (`chat`), instead of `number`. The only name of a person whose number is hidden */
  chat?: string | undefined
  /** Only messages of the last days */
  days?: number | undefined
  /** `next` of the answer before */
  cursor?: string | undefined
  /** Messages of this call at most */
  limit?: number | undefined
}

export type ConfirmPasskey = {
  /** The code that the owner has compared; the dash and the case do not matter */
  code: string
}

export type ConnectionUpdateEvent = {
  state: 'connecting' | 'open' | 'close'
  stateReason: 'awaiting_scan' | 'qr_expired' | 'awaiting_passkey' | 'passkey_sent' | 'awaiting_passkey_confirmation' | 'passkey_disabled' | 'passkey_expired' | 'passkey_refused' | 'passkey_unanswered' | 'passkey_lost' | 'passkey_cancelled' | 'logged_out' | 'replaced' | 'bad_session' | 'temporarily_banned' | 'client_outdated' | 'restricted' | 'network_lost' | 'proxy_unreachable' | 'proxy_refused' | 'stopped' | 'held' | null
  /** When the reason ends, if known */
  stateReasonUntil: string | null
  number: string | null
}

export type Contact = {
  id: number
  name: string
  /** Digits with country code; null for a group */
  phone: string | null
  remoteJid: string
  /** Phone number, digits with country code; null if it is hidden, and for a group */
  number: string | null
  /** The network's identifier that hides the phone number; null if it is not known */
  lid: string | null
  /** Name that the person has chosen on the network; null if there is none */
  username: string | null
  /** The group; null for a person */
  groupJid: string | null
  isGroup: boolean
  /** Alias of profilePictureUrl */
  profilePicUrl: string | null
  /** URL of the picture on this gateway (`GET /chats/picture`); null if none is known */
  profilePictureUrl: string | null
  chat: {
    id: number
    /** Network identifier of the chat. Requests take it in the field `chat` */
    chat: string
    name: string | null
    /** Name chosen by the person */
    pushName: string | null
    /** Text of the last message, after edits; null if it has none or was deleted for everyone */
    lastMessageText: string | null
    lastMessageTimestamp: string | null
    unreadCount: number
  }
  assignedUserId: number | null
  assignedDepartmentId: number | null
  funnelStageId: number | null
  notes: string | null
  customData: { [name: string]: JsonValue }
  showTimeInStage: boolean
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
}

/** A person who was known by lid only has shown the number. Messages, settings, unread count and contact of both chats are those of `chat` from now on */
export type ContactsMergedEvent = {
  /** Network identifier of the chat. Requests take it in the field `chat` */
  chat: string
  /** Phone number, digits with country code; null if it is hidden, and for a group */
  number?: string | null | undefined
  /** The network's identifier that hides the phone number; null if it is not known */
  lid?: string | null | undefined
  /** Name that the person has chosen on the network; null if there is none */
  username?: string | null | undefined
  /** The group; null for a person */
  groupJid?: string | null | undefined
  /** The chat of the lid, which no longer exists */
  mergedChat: string
  person: Person
  /** Id of the saved contact; null if there is none */
  contactId: number | null
  /** The contact of the lid, if the number was saved as a contact as well */
  removedContactId: number | null
}

export type ContactsUpdateEvent = {
  contactId: number | null
  /** Network identifier of the chat. Requests take it in the field `chat` */
  chat?: string | undefined
  /** Phone number, digits with country code; null if it is hidden, and for a group */
  number?: string | null | undefined
  /** The network's identifier that hides the phone number; null if it is not known */
  lid?: string | null | undefined
  /** Name that the person has chosen on the network; null if there is none */
  username?: string | null | undefined
  /** The group; null for a person */
  groupJid?: string | null | undefined
  person: Person
  name: string | null
}

export type CreateAccount = {
  name: string
  planId: number
  status?: 'active' | 'trialing' | 'past_due' | 'canceled' | 'expired' | 'pending' | undefined
  /** ISO 8601, UTC */
  currentPeriodStart?: string | undefined
  currentPeriodEnd?: string | null | undefined
  trialEndsAt?: string | null | undefined
  expiresAt?: string | null | undefined
}

export type CreateApiKey = {
  name: string
  /** Empty means all scopes */
  scopes?: ('send' | 'instances' | 'instances:use' | 'instances:manage' | 'contacts' | 'webhooks' | 'account' | 'keys' | 'images' | 'sandbox' | 'read')[] | undefined
  /** API names of the only instances that the key can use; null: all instances */
  instances?: string[] | null | undefined
  /** The only chats that the key can see and write to, as events name them (`chat`); `wrote_first`: people from whom the instance has received a message; null: all chats */
  chats?: string[] | 'wrote_first' | null | undefined
  /** How many sends of the key are accepted per day (UTC), changes of messages included; null: no limit. It counts a send when it is accepted, not when it is delivered, so it does not pace: a scheduled send counts on the day of the request, and all sends of a day can be accepted in one minute */
  messagesPerDay?: number | null | undefined
  /** Whether each send of the key waits with the status `awaiting_approval` until a person approves it: with another key, on the dashboard, or on the phone */
  approval?: boolean | undefined
  /** With `approval`: each send is also shown in the chat of the instance with itself, where the owner of the phone answers it with "yes" or "no" and its code */
  approvalOnPhone?: boolean | undefined
  /** A time in the future; null if the key does not expire */
  expiresAt?: string | null | undefined
}

export type CreateGroup = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  subject: string
  /** Phone numbers, or the `chat` of people, at most 100 */
  members: string[]
  description?: string | undefined
  /** A JPEG or PNG image of at most 5 MB, by URL or uploaded before (`POST /media`) */
  picture?: {
    /** http or https URL of the file. It is fetched when the message is sent; for a key whose sends a person approves, when the send is accepted */
    mediaUrl?: string | undefined
    /** An uploaded file (`POST /media`), instead of `mediaUrl` */
    mediaId?: string | undefined
  } | undefined
}

export type CreateInstance = {
  /** Display name */
  instanceName: string
  /** Name of the integration */
  integration?: string | undefined
}

export type CreateLabel = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  name: string
  /** By default one that no other label has */
  color?: number | undefined
}

export type CreatePlan = {
  name: string
  interval?: 'day' | 'week' | 'month' | 'year' | undefined
  currency?: string | undefined
  amount?: number | undefined
  limits?: PlanLimits | undefined
  features?: {
    ai: boolean
    flowBuilder: boolean
    campaigns: boolean
    templates: boolean
    voiceCalls: boolean
  } | undefined
  /** Per key. Applies if it is below `RATE_LIMIT`; null for no limit of the plan */
  requestsPerSecond?: number | null | undefined
}

export type CreateQuickReply = {
  /** What a person types after a slash to find the text. Letters are stored in lower case */
  shortcut: string
  text: string
}

export type CreateUser = {
  name: string
  email: string
}

export type Delivery = {
  id: number
  /** The event id in the body and in `webhook-id`; the same on every attempt */
  eventId: string
  event: 'messages.upsert' | 'messages.update' | 'messages.edited' | 'messages.deleted' | 'messages.reaction' | 'messages.set_aside' | 'contacts.update' | 'contacts.merged' | 'chats.update' | 'labels.update' | 'labels.association' | 'qrcode.updated' | 'passkey.updated' | 'connection.update' | 'groups.upsert' | 'groups.update' | 'group-participants.update' | 'call' | 'presence.update'
  sequence: number
  instance: InstanceReference
  /** `pending`: waiting for the first attempt · `delivered` · `retrying`: failed, will be retried · `dead`: no more retries */
  status: 'pending' | 'delivered' | 'retrying' | 'dead'
  /** Number of attempts since the delivery was queued or replayed */
  tries: number
  /** Time of the next attempt if the status is `retrying` */
  nextTryAt: string | null
  /** ISO 8601, UTC */
  createdAt: string
  deliveredAt: string | null
  /** All attempts, oldest first */
  attempts: DeliveryAttempt[]
}

export type DeliveryAttempt = {
  /** ISO 8601, UTC */
  at: string
  /** Duration of the whole request */
  durationMs: number
  /** HTTP status of the response; null if there was none */
  status: number | null
  /** The first 4 KiB of the response. The content is untrusted: show it as plain text only */
  answer: string | null
  /** Why the attempt failed; null if it succeeded */
  error: string | null
}

export type DeliveryDetail = {
  id: number
  /** The event id in the body and in `webhook-id`; the same on every attempt */
  eventId: string
  event: 'messages.upsert' | 'messages.update' | 'messages.edited' | 'messages.deleted' | 'messages.reaction' | 'messages.set_aside' | 'contacts.update' | 'contacts.merged' | 'chats.update' | 'labels.update' | 'labels.association' | 'qrcode.updated' | 'passkey.updated' | 'connection.update' | 'groups.upsert' | 'groups.update' | 'group-participants.update' | 'call' | 'presence.update'
  sequence: number
  instance: InstanceReference
  /** `pending`: waiting for the first attempt · `delivered` · `retrying`: failed, will be retried · `dead`: no more retries */
  status: 'pending' | 'delivered' | 'retrying' | 'dead'
  /** Number of attempts since the delivery was queued or replayed */
  tries: number
  /** Time of the next attempt if the status is `retrying` */
  nextTryAt: string | null
  /** ISO 8601, UTC */
  createdAt: string
  deliveredAt: string | null
  /** The request body as sent, byte for byte */
  body: string
  /** All attempts with their request headers, oldest first */
  attempts: ({
    /** ISO 8601, UTC */
    at: string
    /** Duration of the whole request */
    durationMs: number
    /** HTTP status of the response; null if there was none */
    status: number | null
    /** The first 4 KiB of the response. The content is untrusted: show it as plain text only */
    answer: string | null
    /** Why the attempt failed; null if it succeeded */
    error: string | null
    /** The request headers as sent, including signatures */
    headers: { [name: string]: string }
  })[]
}

/** Milliseconds from an event to its delivery, as estimates */
export type DeliveryTimes = {
  /** Half of the deliveries took at most this long */
  median: number
  /** 95 of 100 deliveries took at most this long */
  p95: number
}

export type Destination = {
  id: number
  /** `rabbitmq`: an exchange of RabbitMQ · `nats`: a subject of NATS JetStream · `mqtt`: a topic of an MQTT 5 broker · `redis`: a stream of Redis · `sqs`: a queue of Amazon SQS */
  type: 'rabbitmq' | 'nats' | 'mqtt' | 'redis' | 'sqs'
  name: string
  url: string
  username: string | null
  /** The password itself is never shown */
  hasPassword: boolean
  /** Null with the type `sqs` */
  topic: string | null
  /** Null unless the type is `rabbitmq` */
  exchange: string | null
  /** Null: the stream is not trimmed */
  maxLength: number | null
  /** Null unless the type is `sqs` */
  region: string | null
  homeAssistant: boolean
  events: ('*' | 'messages.upsert' | 'messages.update' | 'messages.edited' | 'messages.deleted' | 'messages.reaction' | 'messages.set_aside' | 'contacts.update' | 'contacts.merged' | 'chats.update' | 'labels.update' | 'labels.association' | 'qrcode.updated' | 'passkey.updated' | 'connection.update' | 'groups.upsert' | 'groups.update' | 'group-participants.update' | 'call' | 'presence.update')[]
  filter: WebhookFilter
  /** Whether messages from the history are delivered */
  history: boolean
  /** False: paused, by a request or by the gateway */
  enabled: boolean
  /** Time of the first failure since the last success; null if the last attempt succeeded or there was none */
  failingSince: string | null
  /** Why the gateway disabled the destination. `failing`: no delivery succeeded for 120 hours. Enabling it clears this field */
  disabledReason: 'gone' | 'failing' | null
  disabledAt: string | null
  /** Null for all instances of the account */
  instance: InstanceNames | null
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
}

export type Edit = {
  /** The instance that has the message; required if several instances have a message with this id */
  instanceName?: string | undefined
  /** The new text or caption */
  message: string
}

/** Every error response has this form. */
export type Error = {
  success: false
  /** A sentence for people */
  error: string
  /** A code for programs; it never changes */
  reason: string
  requestId: string
  /** With `invalid_request`: every invalid field */
  details?: ({
    path: string
    message: string
  })[] | undefined
}

export type Event = {
  /** The same on every attempt: use it to ignore duplicates */
  id: string
  event: 'messages.upsert'
  /** ISO 8601, UTC */
  timestamp: string
  /** Increases by 1 per event of the instance, without gaps */
  sequence: number
  instance: InstanceReference
  data: MessagesUpsertEvent
} | {
  /** The same on every attempt: use it to ignore duplicates */
  id: string
  event: 'messages.update'
  /** ISO 8601, UTC */
  timestamp: string
  /** Increases by 1 per event of the instance, without gaps */
  sequence: number
  instance: InstanceReference
  data: MessagesUpdateEvent
} | {
  /** The same on every attempt: use it to ignore duplicates */
  id: string
  event: 'messages.edited'
  /** ISO 8601, UTC */
  timestamp: string
  /** Increases by 1 per event of the instance, without gaps */
  sequence: number
  instance: InstanceReference
  data: MessagesEditedEvent
} | {
  /** The same on every attempt: use it to ignore duplicates */
  id: string
  event: 'messages.deleted'
  /** ISO 8601, UTC */
  timestamp: string
  /** Increases by 1 per event of the instance, without gaps */
  sequence: number
  instance: InstanceReference
  data: MessagesDeletedEvent
} | {
  /** The same on every attempt: use it to ignore duplicates */
  id: string
  event: 'messages.reaction'
  /** ISO 8601, UTC */
  timestamp: string
  /** Increases by 1 per event of the instance, without gaps */
  sequence: number
  instance: InstanceReference
  data: MessagesReactionEvent
} | {
  /** The same on every attempt: use it to ignore duplicates */
  id: string
  event: 'messages.set_aside'
  /** ISO 8601, UTC */
  timestamp: string
  /** Increases by 1 per event of the instance, without gaps */
  sequence: number
  instance: InstanceReference
  data: MessagesSetAsideEvent
} | {
  /** The same on every attempt: use it to ignore duplicates */
  id: string
  event: 'contacts.update'
  /** ISO 8601, UTC */
  timestamp: string
  /** Increases by 1 per event of the instance, without gaps */
  sequence: number
  instance: InstanceReference
  data: ContactsUpdateEvent
} | {
  /** The same on every attempt: use it to ignore duplicates */
  id: string
  event: 'contacts.merged'
  /** ISO 8601, UTC */
  timestamp: string
  /** Increases by 1 per event of the instance, without gaps */
  sequence: number
  instance: InstanceReference
  data: ContactsMergedEvent
} | {
  /** The same on every attempt: use it to ignore duplicates */
  id: string
  event: 'chats.update'
  /** ISO 8601, UTC */
  timestamp: string
  /** Increases by 1 per event of the instance, without gaps */
  sequence: number
  instance: InstanceReference
  data: ChatsUpdateEvent
} | {
  /** The same on every attempt: use it to ignore duplicates */
  id: string
  event: 'labels.update'
  /** ISO 8601, UTC */
  timestamp: string
  /** Increases by 1 per event of the instance, without gaps */
  sequence: number
  instance: InstanceReference
  data: LabelsUpdateEvent
} | {
  /** The same on every attempt: use it to ignore duplicates */
  id: string
  event: 'labels.association'
  /** ISO 8601, UTC */
  timestamp: string
  /** Increases by 1 per event of the instance, without gaps */
  sequence: number
  instance: InstanceReference
  data: LabelsAssociationEvent
} | {
  /** The same on every attempt: use it to ignore duplicates */
  id: string
  event: 'qrcode.updated'
  /** ISO 8601, UTC */
  timestamp: string
  /** Increases by 1 per event of the instance, without gaps */
  sequence: number
  instance: InstanceReference
  data: QrcodeUpdatedEvent
} | {
  /** The same on every attempt: use it to ignore duplicates */
  id: string
  event: 'passkey.updated'
  /** ISO 8601, UTC */
  timestamp: string
  /** Increases by 1 per event of the instance, without gaps */
  sequence: number
  instance: InstanceReference
  data: PasskeyUpdatedEvent
} | {
  /** The same on every attempt: use it to ignore duplicates */
  id: string
  event: 'connection.update'
  /** ISO 8601, UTC */
  timestamp: string
  /** Increases by 1 per event of the instance, without gaps */
  sequence: number
  instance: InstanceReference
  data: ConnectionUpdateEvent
} | {
  /** The same on every attempt: use it to ignore duplicates */
  id: string
  event: 'groups.upsert'
  /** ISO 8601, UTC */
  timestamp: string
  /** Increases by 1 per event of the instance, without gaps */
  sequence: number
  instance: InstanceReference
  data: GroupsUpsertEvent
} | {
  /** The same on every attempt: use it to ignore duplicates */
  id: string
  event: 'groups.update'
  /** ISO 8601, UTC */
  timestamp: string
  /** Increases by 1 per event of the instance, without gaps */
  sequence: number
  instance: InstanceReference
  data: GroupsUpdateEvent
} | {
  /** The same on every attempt: use it to ignore duplicates */
  id: string
  event: 'group-participants.update'
  /** ISO 8601, UTC */
  timestamp: string
  /** Increases by 1 per event of the instance, without gaps */
  sequence: number
  instance: InstanceReference
  data: GroupParticipantsUpdateEvent
} | {
  /** The same on every attempt: use it to ignore duplicates */
  id: string
  event: 'call'
  /** ISO 8601, UTC */
  timestamp: string
  /** Increases by 1 per event of the instance, without gaps */
  sequence: number
  instance: InstanceReference
  data: Call
} | {
  /** The same on every attempt: use it to ignore duplicates */
  id: string
  event: 'presence.update'
  /** ISO 8601, UTC */
  timestamp: string
  /** Increases by 1 per event of the instance, without gaps */
  sequence: number
  instance: InstanceReference
  data: PresenceUpdateEvent
}

export type EventBatch = {
  /** The same for the same events only. Drop duplicates by the ids of `events` */
  id: string
  event: 'batch'
  /** In the order of the log, of one or several instances */
  events: Event[]
}

/** Why a message failed */
export type Failure = {
  reason: 'number_not_on_network' | 'not_a_group_member' | 'rejected_by_network' | 'account_restricted' | 'media_unavailable' | 'media_too_large' | 'expired' | 'canceled' | 'rejected' | 'instance_deleted' | 'logged_out' | 'target_not_sent' | 'target_deleted' | 'no_recipients' | 'internal'
  /** A sentence for people */
  error: string
  /** The network's error code, for `rejected_by_network`, `not_a_group_member` and `account_restricted` */
  code: number | null
}

export type Features = {
  ai: boolean
  flowBuilder: boolean
  campaigns: boolean
  templates: boolean
  voiceCalls: boolean
}

export type Forward = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number?: string | undefined
  /** The group, instead of `number` */
  groupJid?: string | undefined
  /** The person or the group as events and lists name it (`chat`), instead of `number`. The only name of a person whose number is hidden */
  chat?: string | undefined
  /** What your program calls this send, such as a campaign or an order. Messages are listed and cancelled by it; the recipient does not see it */
  reference?: string | undefined
  /** When to send the message, up to one year ahead; until then its status is `scheduled` */
  sendAt?: string | undefined
  /** The message is not sent after this time, but fails as `expired`. Every message expires 24 hours after it was due */
  expiresAt?: string | undefined
  /** The instance that has the message; required if several instances have a message with this id */
  instanceName?: string | undefined
}

export type GrantAgentSignIn = {
  responseType: 'code'
  /** URL of the client metadata document of the agent */
  clientId: string
  redirectUri: string
  codeChallenge: string
  codeChallengeMethod: 'S256'
  state?: string | undefined
  resourceUrl?: string | undefined
  scope?: string | undefined
  scopes: ('read' | 'send' | 'contacts')[]
  /** API names of the only instances that the key can use; null: all instances */
  instances?: string[] | null | undefined
  /** The only chats that the key can see and write to, as events name them (`chat`); `wrote_first`: people from whom the instance has received a message; null: all chats */
  chats?: string[] | 'wrote_first' | null | undefined
  /** How many sends of the key are accepted per day (UTC), changes of messages included; null: no limit. It counts a send when it is accepted, not when it is delivered, so it does not pace: a scheduled send counts on the day of the request, and all sends of a day can be accepted in one minute */
  messagesPerDay?: number | null | undefined
  /** Whether each send of the key waits with the status `awaiting_approval` until a person approves it: with another key, on the dashboard, or on the phone */
  approval?: boolean | undefined
  /** With `approval`: each send is also shown in the chat of the instance with itself, where the owner of the phone answers it with "yes" or "no" and its code */
  approvalOnPhone?: boolean | undefined
  expiresAt?: string | null | undefined
}

export type Group = {
  id: string
  groupJid: string
  subject: string
  description: string | null
  ownerJid: string | null
  createdAt: string | null
  size: number
  /** Whether the instance is an admin of the group */
  isAdmin: boolean
  /** Only admins may write */
  isAnnouncement: boolean
  /** Only admins may change the settings of the group */
  isLocked: boolean
  /** An admin approves new members; null until the group was read again */
  joinApproval: boolean | null
  /** Who may add members; null until the group was read again */
  memberAdd: 'all' | 'admins' | null
  /** How long messages stay; 0: they do not disappear; null until the group was read again */
  disappearingSeconds: number | null
  /** URL of the picture on this gateway (`GET /chats/picture`); null if none is known */
  profilePictureUrl: string | null
  participants?: GroupParticipant[] | undefined
}

export type GroupParticipant = {
  jid: string
  phone: string | null
  /** Network identifier of the chat. Requests take it in the field `chat` */
  chat: string
  /** Phone number, digits with country code; null if it is hidden, and for a group */
  number: string | null
  /** The network's identifier that hides the phone number; null if it is not known */
  lid: string | null
  /** Name that the person has chosen on the network; null if there is none */
  username: string | null
  isAdmin: boolean
}

export type GroupParticipantsUpdateEvent = {
  /** Network identifier of the chat. Requests take it in the field `chat` */
  chat?: string | undefined
  /** Phone number, digits with country code; null if it is hidden, and for a group */
  number?: string | null | undefined
  /** The network's identifier that hides the phone number; null if it is not known */
  lid?: string | null | undefined
  /** Name that the person has chosen on the network; null if there is none */
  username?: string | null | undefined
  groupJid: string
  /** The event was longer than 256 KiB: its longest texts and lists are cut off at their end */
  truncated?: true | undefined
  /** Only with `truncated`: path of the whole below `/api/v1`, to be read with the `instanceName` of the event */
  rest?: string | undefined
  /** The person who made the change. Null if the network did not name one, as for changes made while the instance was offline */
  author: Person | null
  /** Also `remove` for a person who has left; then author and person are the same, if the network named the author */
  action: 'add' | 'remove' | 'promote' | 'demote'
  people: Person[]
}

export type GroupsUpdateEvent = {
  /** Network identifier of the chat. Requests take it in the field `chat` */
  chat?: string | undefined
  /** Phone number, digits with country code; null if it is hidden, and for a group */
  number?: string | null | undefined
  /** The network's identifier that hides the phone number; null if it is not known */
  lid?: string | null | undefined
  /** Name that the person has chosen on the network; null if there is none */
  username?: string | null | undefined
  groupJid: string
  /** The event was longer than 256 KiB: its longest texts and lists are cut off at their end */
  truncated?: true | undefined
  /** Only with `truncated`: path of the whole below `/api/v1`, to be read with the `instanceName` of the event */
  rest?: string | undefined
  /** The person who made the change. Null if the network did not name one, as for changes made while the instance was offline */
  author: Person | null
  /** Only the settings that have changed, with their new values */
  changes: {
    subject?: string | undefined
    description?: string | null | undefined
    announce?: boolean | undefined
    locked?: boolean | undefined
    joinApproval?: boolean | undefined
    memberAdd?: 'all' | 'admins' | undefined
    disappearingSeconds?: number | undefined
    picture?: 'set' | 'removed' | undefined
  }
}

/** The instance has created or joined the group, or was added to it */
export type GroupsUpsertEvent = {
  /** Network identifier of the chat. Requests take it in the field `chat` */
  chat?: string | undefined
  /** Phone number, digits with country code; null if it is hidden, and for a group */
  number?: string | null | undefined
  /** The network's identifier that hides the phone number; null if it is not known */
  lid?: string | null | undefined
  /** Name that the person has chosen on the network; null if there is none */
  username?: string | null | undefined
  groupJid: string
  /** The event was longer than 256 KiB: its longest texts and lists are cut off at their end */
  truncated?: true | undefined
  /** Only with `truncated`: path of the whole below `/api/v1`, to be read with the `instanceName` of the event */
  rest?: string | undefined
  /** The person who made the change. Null if the network did not name one, as for changes made while the instance was offline */
  author: Person | null
  subject: string
  description: string | null
  ownerJid: string | null
  createdAt: string | null
  size: number
  /** Whether the instance is an admin of the group */
  isAdmin: boolean
  announce: boolean
  locked: boolean
  joinApproval: boolean
  memberAdd: 'all' | 'admins'
  disappearingSeconds: number
}

export type HourOfMessages = {
  /** Start of the hour */
  hour: string
  /** Outgoing messages that did not fail */
  sent: number
  received: number
  /** Without messages that were canceled or rejected */
  failed: number
}

export type Instance = {
  id: number
  /** Display name */
  instanceName: string
  displayName: string
  /** Unique name for API calls */
  apiInstanceName: string
  internalName: string
  state: 'connecting' | 'open' | 'close'
  status: 'connecting' | 'open' | 'close'
  /** Why the instance is in this state; null if there is no particular reason */
  stateReason: 'awaiting_scan' | 'qr_expired' | 'awaiting_passkey' | 'passkey_sent' | 'awaiting_passkey_confirmation' | 'passkey_disabled' | 'passkey_expired' | 'passkey_refused' | 'passkey_unanswered' | 'passkey_lost' | 'passkey_cancelled' | 'logged_out' | 'replaced' | 'bad_session' | 'temporarily_banned' | 'client_outdated' | 'restricted' | 'network_lost' | 'proxy_unreachable' | 'proxy_refused' | 'stopped' | 'held' | null
  /** When the reason ends, if known: the end of a ban or restriction, the next attempt to connect after `replaced`, or the time left for a passkey */
  stateReasonUntil: string | null
  isConnected: boolean
  profileName: string | null
  /** URL of the profile picture on this gateway; null if none is known */
  profilePictureUrl: string | null
  /** Alias of profilePictureUrl */
  profilePicUrl: string | null
  /** Number of the connected account: digits with country code */
  number: string | null
  /** Network identifier of the connected account */
  owner: string | null
  integration: string | null
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
}

export type InstanceNames = {
  /** Display name */
  instanceName: string
  displayName: string
  /** Unique name for API calls */
  apiInstanceName: string
  internalName: string
}

/** The instance that the data belongs to */
export type InstanceReference = {
  id: number
  /** Display name */
  instanceName: string
  displayName: string
  /** Unique name for API calls */
  apiInstanceName: string
  internalName: string
}

export type InstanceSettings = {
  /** Incoming calls are rejected at once */
  rejectCalls: boolean
  /** Sent to the caller of a rejected call, once per call, and counted as a send of the key that has set it; null: nothing is sent */
  rejectCallsText: string | null
  /** A message that is sent to a chat marks its received messages as read */
  readOnReply: boolean
  /** A chat that is only looked at, as on the dashboard, is marked as read without read receipts */
  viewWithoutReceipts: boolean
  /** The account is shown as online. The phone of its owner then shows no notifications */
  alwaysOnline: boolean
  /** Messages of groups are neither stored nor reported */
  ignoreGroups: boolean
  /** How much history the phone transfers when the instance is paired */
  syncHistory: 'none' | 'recent' | 'full'
  /** The proxy of all connections to the network, with its credentials masked; null: none */
  proxy: string | null
  /** Name in the list of linked devices on the phone, from the next pairing on; null: the default */
  deviceName: string | null
}

/** Normalized state of an instance */
export type InstanceState = {
  /** Display name */
  instanceName: string
  displayName: string
  /** Unique name for API calls */
  apiInstanceName: string
  internalName: string
  state: 'connecting' | 'open' | 'close'
  /** Why the instance is in this state; null if there is no particular reason */
  stateReason: 'awaiting_scan' | 'qr_expired' | 'awaiting_passkey' | 'passkey_sent' | 'awaiting_passkey_confirmation' | 'passkey_disabled' | 'passkey_expired' | 'passkey_refused' | 'passkey_unanswered' | 'passkey_lost' | 'passkey_cancelled' | 'logged_out' | 'replaced' | 'bad_session' | 'temporarily_banned' | 'client_outdated' | 'restricted' | 'network_lost' | 'proxy_unreachable' | 'proxy_refused' | 'stopped' | 'held' | null
  /** When the reason ends, if known: the end of a ban or restriction, the next attempt to connect after `replaced`, or the time left for a passkey */
  stateReasonUntil: string | null
  profileName: string | null
  /** URL of the profile picture on this gateway; null if none is known */
  profilePictureUrl: string | null
  /** Alias of profilePictureUrl */
  profilePicUrl: string | null
  /** Number of the connected account: digits with country code */
  number: string | null
  /** Network identifier of the connected account */
  owner: string | null
  integration: string | null
}

export type JoinGroup = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** Code of an invite link, or the whole link */
  code: string
}

/** Any JSON value */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue }

export type Label = {
  /** Chosen by the phone or by this gateway; not used again */
  id: string
  name: string
  /** Number of a colour of the app, 0 to 19 */
  color: number
  /** How many chats have the label */
  chats: number
}

export type LabelChat = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number?: string | undefined
  /** The group, instead of `number` */
  groupJid?: string | undefined
  /** The person or the group as events and lists name it (`chat`), instead of `number`. The only name of a person whose number is hidden */
  chat?: string | undefined
}

/** A label was given to a chat, or taken from it */
export type LabelsAssociationEvent = {
  /** Network identifier of the chat. Requests take it in the field `chat` */
  chat: string
  /** Phone number, digits with country code; null if it is hidden, and for a group */
  number?: string | null | undefined
  /** The network's identifier that hides the phone number; null if it is not known */
  lid?: string | null | undefined
  /** Name that the person has chosen on the network; null if there is none */
  username?: string | null | undefined
  /** The group; null for a person */
  groupJid?: string | null | undefined
  labelId: string
  /** Name of the label; null if it is not known yet */
  name: string | null
  /** False: the label was taken from the chat */
  labeled: boolean
}

/** A label was created, changed or deleted */
export type LabelsUpdateEvent = {
  labelId: string
  name: string
  color: number
  deleted: boolean
}

export type LastMessage = {
  messageId: string
  direction: 'outgoing' | 'incoming'
  /** Type of the message. A message that only the phone of the account may open is `view_once_unavailable`, without content. A message that could not be decrypted is `undecryptable`, with `content.reason`; if its content arrives later, the message gets it under the same id. A received message can also be a tap (`button_reply`, `list_reply`), or refer to another message (`poll_vote`, `event_answer`, `reaction`, `edit`, `delete`, `pin`): `content.target` has the id, direction and author of that message, and `content.from` the person who made the change. `album` announces images and videos that are shown together: each of them has `content.album.messageId`. `disappearing` changes how long messages of the chat stay: `content.seconds`. `order` is an order from a catalogue, and `product` a product that a person shares or asks about; amounts are exact decimal numbers as text. `pix` is a key for payments in Brazil */
  type: 'text' | 'image' | 'video' | 'document' | 'audio' | 'button' | 'list' | 'cta' | 'carousel' | 'pix' | 'location' | 'poll' | 'sticker' | 'contact' | 'event' | 'album' | 'order' | 'product' | 'poll_vote' | 'event_answer' | 'reaction' | 'edit' | 'delete' | 'pin' | 'disappearing' | 'button_reply' | 'list_reply' | 'view_once_unavailable' | 'undecryptable' | 'unsupported'
  status: 'awaiting_approval' | 'scheduled' | 'queued' | 'sending' | 'sent' | 'delivered' | 'read' | 'played' | 'failed'
  /** The same as `lastMessageText`: after edits; null for a message without text and a deleted one */
  text: string | null
  /** The message was deleted for everyone */
  deleted: boolean
  /** Author of a received message; null for one that was sent */
  from: Person | null
  /** A voice message */
  voice: boolean
  /** Length of a received voice message, audio file or video */
  seconds: number | null
}

export type MarkPlayed = {
  /** The instance that has the message; required if several instances have a message with this id */
  instanceName?: string | undefined
}

export type MediaDescriptor = {
  kind: 'image' | 'video' | 'document' | 'audio' | 'sticker'
  mimetype: string
  fileName: string | null
  sizeBytes: number | null
  seconds: number | null
  width: number | null
  height: number | null
  /** SHA-256 of the file, in hex */
  sha256: string | null
  /** Path of the file on this gateway; null if the file is not available */
  downloadPath: string | null
}

export type MemberOutcome = {
  /** As in the request; null for a person named by lid */
  number: string | null
  /** Network identifier, as in the request */
  chat: string
  /** `invited`: the person does not let others add them; an invitation was sent as a message. `refused`: for another reason of the network */
  outcome: 'added' | 'removed' | 'promoted' | 'demoted' | 'already_member' | 'not_a_member' | 'invited' | 'not_on_network' | 'refused'
  /** The network's code, for `refused` */
  networkCode: number | null
}

export type Message = {
  messageId: string
  /** Unique API name of the instance */
  instanceName: string
  direction: 'outgoing' | 'incoming'
  /** Network identifier of the person or the group; `status@broadcast` for a status post */
  chat: string
  /** Phone number, digits with country code; null if it is hidden, and for a group */
  number: string | null
  /** The network's identifier that hides the phone number; null if it is not known */
  lid: string | null
  /** Name that the person has chosen on the network; null if there is none */
  username: string | null
  /** The group; null for a person */
  groupJid: string | null
  /** Type of the message. A message that only the phone of the account may open is `view_once_unavailable`, without content. A message that could not be decrypted is `undecryptable`, with `content.reason`; if its content arrives later, the message gets it under the same id. A received message can also be a tap (`button_reply`, `list_reply`), or refer to another message (`poll_vote`, `event_answer`, `reaction`, `edit`, `delete`, `pin`): `content.target` has the id, direction and author of that message, and `content.from` the person who made the change. `album` announces images and videos that are shown together: each of them has `content.album.messageId`. `disappearing` changes how long messages of the chat stay: `content.seconds`. `order` is an order from a catalogue, and `product` a product that a person shares or asks about; amounts are exact decimal numbers as text. `pix` is a key for payments in Brazil */
  type: 'text' | 'image' | 'video' | 'document' | 'audio' | 'button' | 'list' | 'cta' | 'carousel' | 'pix' | 'location' | 'poll' | 'sticker' | 'contact' | 'event' | 'album' | 'order' | 'product' | 'poll_vote' | 'event_answer' | 'reaction' | 'edit' | 'delete' | 'pin' | 'disappearing' | 'button_reply' | 'list_reply' | 'view_once_unavailable' | 'undecryptable' | 'unsupported'
  status: 'awaiting_approval' | 'scheduled' | 'queued' | 'sending' | 'sent' | 'delivered' | 'read' | 'played' | 'failed'
  /** Outgoing: the fields of the send request; a reply has `quoted`. Incoming: `from`, `text`, `media`, `quoted`, `interactiveReplyId`, and additional fields of the type; `referral` is the advertisement that led to the message */
  content: { [name: string]: JsonValue }
  failure: Failure | null
  /** When a scheduled message is due */
  sendAt: string | null
  /** The message is not sent after this time */
  expiresAt: string | null
  /** A scheduled message that was due while the gateway was not running */
  late: boolean
  /** What the sender calls this send; null for a received message */
  reference: string | null
  /** The owner of the instance has starred the message */
  starred: boolean
  /** From a history of the phone */
  historical: boolean
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
  sentAt: string | null
  deliveredAt: string | null
  readAt: string | null
}

export type MessagesDeletedEvent = {
  /** Id of the change itself */
  messageId: string
  /** Network identifier of the chat. Requests take it in the field `chat` */
  chat: string
  /** Phone number, digits with country code; null if it is hidden, and for a group */
  number?: string | null | undefined
  /** The network's identifier that hides the phone number; null if it is not known */
  lid?: string | null | undefined
  /** Name that the person has chosen on the network; null if there is none */
  username?: string | null | undefined
  /** The group; null for a person */
  groupJid?: string | null | undefined
  direction: 'outgoing' | 'incoming'
  /** The person who made the change */
  from: Person
  target: ChangeTarget
  /** ISO 8601, UTC */
  at: string
  /** The event was longer than 256 KiB: its longest texts and lists are cut off at their end */
  truncated?: true | undefined
  /** Only with `truncated`: path of the whole below `/api/v1`, to be read with the `instanceName` of the event */
  rest?: string | undefined
  deletedBy: 'author' | 'admin' | null
}

export type MessagesEditedEvent = {
  /** Id of the change itself */
  messageId: string
  /** Network identifier of the chat. Requests take it in the field `chat` */
  chat: string
  /** Phone number, digits with country code; null if it is hidden, and for a group */
  number?: string | null | undefined
  /** The network's identifier that hides the phone number; null if it is not known */
  lid?: string | null | undefined
  /** Name that the person has chosen on the network; null if there is none */
  username?: string | null | undefined
  /** The group; null for a person */
  groupJid?: string | null | undefined
  direction: 'outgoing' | 'incoming'
  /** The person who made the change */
  from: Person
  target: ChangeTarget
  /** ISO 8601, UTC */
  at: string
  /** The event was longer than 256 KiB: its longest texts and lists are cut off at their end */
  truncated?: true | undefined
  /** Only with `truncated`: path of the whole below `/api/v1`, to be read with the `instanceName` of the event */
  rest?: string | undefined
  /** The new text or caption */
  text: string | null
}

export type MessagesReactionEvent = {
  /** Id of the change itself */
  messageId: string
  /** Network identifier of the chat. Requests take it in the field `chat` */
  chat: string
  /** Phone number, digits with country code; null if it is hidden, and for a group */
  number?: string | null | undefined
  /** The network's identifier that hides the phone number; null if it is not known */
  lid?: string | null | undefined
  /** Name that the person has chosen on the network; null if there is none */
  username?: string | null | undefined
  /** The group; null for a person */
  groupJid?: string | null | undefined
  direction: 'outgoing' | 'incoming'
  /** The person who made the change */
  from: Person
  target: ChangeTarget
  /** ISO 8601, UTC */
  at: string
  /** The event was longer than 256 KiB: its longest texts and lists are cut off at their end */
  truncated?: true | undefined
  /** Only with `truncated`: path of the whole below `/api/v1`, to be read with the `instanceName` of the event */
  rest?: string | undefined
  /** Null: the reaction was withdrawn */
  emoji: string | null
}

/** Something that the network delivered was not processed. It is kept for 30 days and was acknowledged to the network */
export type MessagesSetAsideEvent = {
  /** `message`, `notice` (such as a receipt or a change of a group) or `key` (an encryption key) */
  what: 'message' | 'notice' | 'key'
  /** `ended_process`: the process ended twice while it handled this. `refused_by_store`: the database does not take it. `malformed`: an identifier is too long or contains a NUL */
  reason: 'ended_process' | 'refused_by_store' | 'malformed'
  messageId: string | null
  /** Network identifier of the chat, if known */
  chat: string | null
  /** Phone number, digits with country code; null if it is hidden, and for a group */
  number?: string | null | undefined
  /** The network's identifier that hides the phone number; null if it is not known */
  lid?: string | null | undefined
  /** Name that the person has chosen on the network; null if there is none */
  username?: string | null | undefined
  /** The group; null for a person */
  groupJid?: string | null | undefined
  /** ISO 8601, UTC */
  at: string
}

export type MessagesUpdateEvent = {
  messageId: string
  /** Network identifier of the chat. Requests take it in the field `chat` */
  chat: string
  /** Phone number, digits with country code; null if it is hidden, and for a group */
  number?: string | null | undefined
  /** The network's identifier that hides the phone number; null if it is not known */
  lid?: string | null | undefined
  /** Name that the person has chosen on the network; null if there is none */
  username?: string | null | undefined
  /** The group; null for a person */
  groupJid?: string | null | undefined
  status: 'awaiting_approval' | 'scheduled' | 'queued' | 'sending' | 'sent' | 'delivered' | 'read' | 'played' | 'failed'
  failure: Failure | null
  /** Only if a person has edited the message while approving it: the new text, null for a removed caption */
  text?: string | null | undefined
  /** Only together with `text`: the content of the message after the edit */
  content?: { [name: string]: JsonValue } | undefined
  /** ISO 8601, UTC */
  at: string
  /** The event was longer than 256 KiB: its longest texts and lists are cut off at their end */
  truncated?: true | undefined
  /** Only with `truncated`: path of the whole below `/api/v1`, to be read with the `instanceName` of the event */
  rest?: string | undefined
}

export type MessagesUpsertEvent = {
  messageId: string
  /** Network identifier of the chat. Requests take it in the field `chat` */
  chat: string
  /** Phone number, digits with country code; null if it is hidden, and for a group */
  number?: string | null | undefined
  /** The network's identifier that hides the phone number; null if it is not known */
  lid?: string | null | undefined
  /** Name that the person has chosen on the network; null if there is none */
  username?: string | null | undefined
  /** The group; null for a person */
  groupJid?: string | null | undefined
  direction: 'outgoing' | 'incoming'
  from: Person
  /** Type of the message. A message that only the phone of the account may open is `view_once_unavailable`, without content. A message that could not be decrypted is `undecryptable`, with `content.reason`; if its content arrives later, the message gets it under the same id. A received message can also be a tap (`button_reply`, `list_reply`), or refer to another message (`poll_vote`, `event_answer`, `reaction`, `edit`, `delete`, `pin`): `content.target` has the id, direction and author of that message, and `content.from` the person who made the change. `album` announces images and videos that are shown together: each of them has `content.album.messageId`. `disappearing` changes how long messages of the chat stay: `content.seconds`. `order` is an order from a catalogue, and `product` a product that a person shares or asks about; amounts are exact decimal numbers as text. `pix` is a key for payments in Brazil */
  type: 'text' | 'image' | 'video' | 'document' | 'audio' | 'button' | 'list' | 'cta' | 'carousel' | 'pix' | 'location' | 'poll' | 'sticker' | 'contact' | 'event' | 'album' | 'order' | 'product' | 'poll_vote' | 'event_answer' | 'reaction' | 'edit' | 'delete' | 'pin' | 'disappearing' | 'button_reply' | 'list_reply' | 'view_once_unavailable' | 'undecryptable' | 'unsupported'
  /** Text or caption */
  text: string | null
  media: MediaDescriptor | null
  quoted: {
    messageId: string
    text: string | null
    /** Author of the quoted message */
    participant: string | null
  } | null
  /** Id of the tapped button or list row */
  interactiveReplyId: string | null
  /** The message that an `edit`, `delete`, `reaction`, `poll_vote` or `event_answer` refers to; null for other types */
  target?: ChangeTarget | null | undefined
  /** Additional fields of the type */
  content: { [name: string]: JsonValue }
  status: 'awaiting_approval' | 'scheduled' | 'queued' | 'sending' | 'sent' | 'delivered' | 'read' | 'played' | 'failed' | null
  /** ISO 8601, UTC */
  sentAt: string
  /** When a scheduled message is due */
  sendAt?: string | null | undefined
  /** What the sender calls this send; absent for received messages */
  reference?: string | null | undefined
  /** From a history of the phone, not a new message */
  historical?: boolean | undefined
  /** The event was longer than 256 KiB: its longest texts and lists are cut off at their end */
  truncated?: true | undefined
  /** Only with `truncated`: path of the whole below `/api/v1`, to be read with the `instanceName` of the event */
  rest?: string | undefined
}

export type Node = {
  /** Id of one run of a process: a restart gets a new one */
  id: string
  /** Host name of the machine */
  name: string
  /** Where other nodes reach it (`NODE_URL`); null: it works alone */
  url: string | null
  status: 'standby' | 'live' | 'draining' | 'dead'
  /** The version of the program */
  version: string
  /** Number of instances it served at its last renewal */
  instances: number
  /** ISO 8601, UTC */
  startedAt: string
  /** Until its lease ends unless it is renewed, on the database's clock. Negative: it has ended. Null: it needs no lease, or is dead */
  leaseSecondsLeft: number | null
  endedAt: string | null
  /** Name of the node that took over; null: it has not ended, or it stopped itself */
  endedBy: string | null
  /** The node that answers this request */
  isThis: boolean
  /** Does what only one node does, such as removing old data: of the live and draining nodes, the one that started first */
  isLead: boolean
}

export type OperatorInstance = {
  id: number
  /** Display name */
  instanceName: string
  displayName: string
  /** Unique name for API calls */
  apiInstanceName: string
  internalName: string
  state: 'connecting' | 'open' | 'close'
  status: 'connecting' | 'open' | 'close'
  /** Why the instance is in this state; null if there is no particular reason */
  stateReason: 'awaiting_scan' | 'qr_expired' | 'awaiting_passkey' | 'passkey_sent' | 'awaiting_passkey_confirmation' | 'passkey_disabled' | 'passkey_expired' | 'passkey_refused' | 'passkey_unanswered' | 'passkey_lost' | 'passkey_cancelled' | 'logged_out' | 'replaced' | 'bad_session' | 'temporarily_banned' | 'client_outdated' | 'restricted' | 'network_lost' | 'proxy_unreachable' | 'proxy_refused' | 'stopped' | 'held' | null
  /** When the reason ends, if known: the end of a ban or restriction, the next attempt to connect after `replaced`, or the time left for a passkey */
  stateReasonUntil: string | null
  isConnected: boolean
  profileName: string | null
  /** URL of the profile picture on this gateway; null if none is known */
  profilePictureUrl: string | null
  /** Alias of profilePictureUrl */
  profilePicUrl: string | null
  /** Number of the connected account: digits with country code */
  number: string | null
  /** Network identifier of the connected account */
  owner: string | null
  integration: string | null
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
  account: {
    id: number
    name: string
  }
  /** Number of messages in the queue */
  queued: number
}

export type OperatorStatistics = {
  success: true
  /** ISO 8601, UTC */
  since: string
  /** The end of the last step, which may be in the future */
  until: string
  /** Length of a step: 1, 6 or 24 hours */
  stepHours: number
  totals: {
    /** Messages that the network accepted, changes of messages included */
    sent: number
    /** Messages that others sent to the instances, without history */
    received: number
    /** Messages that failed, without those that were canceled */
    failed: number
    /** Messages that were canceled, or rejected instead of approved */
    canceled: number
    /** Events that webhooks and destinations have accepted */
    delivered: number
    /** Attempts to deliver an event that failed and are repeated */
    retried: number
    /** Events that were given up after the last attempt */
    dead: number
    /** Null if nothing was delivered */
    deliveryMs: DeliveryTimes | null
  }
  steps: StatisticsStep[]
  /** Why messages failed, most frequent first */
  failures: ({
    reason: string
    count: number
  })[]
  /** Failed attempts by the status of the answer; `none`: there was no answer */
  deliveryFailures: ({
    reason: string
    count: number
  })[]
  /** Sessions that closed, by `stateReason`; `none`: without one */
  disconnections: ({
    reason: string
    count: number
  })[]
}

/** The result of `navigator.credentials.get` in its JSON form (`toJSON()`); other fields are ignored */
export type PasskeyAssertion = {
  id: string
  rawId: string
  type: 'public-key'
  response: {
    clientDataJSON: string
    authenticatorData: string
    signature: string
    userHandle?: string | null | undefined
  }
}

export type PasskeyDemand = {
  /** `assertion_needed`: the owner must use the passkey. `assertion_sent`: the phone has not answered yet. `confirmation_needed`: the owner must compare the code. `finishing`: the device is about to be linked */
  step: 'assertion_needed' | 'assertion_sent' | 'confirmation_needed' | 'finishing'
  /** The code to compare with the one that the phone shows, such as `ABCD-1234`; null before */
  code: string | null
  /** ISO 8601, UTC */
  expiresAt: string
  /** In `assertion_needed`: what the network sent, for `PublicKeyCredential.parseRequestOptionsFromJSON`. Null later */
  options: { [name: string]: JsonValue } | null
  /** The only page in which a browser makes the assertion */
  origin: string
}

export type PasskeyState = {
  /** `assertion_needed`: the owner must use the passkey. `assertion_sent`: the phone has not answered yet. `confirmation_needed`: the owner must compare the code. `finishing`: the device is about to be linked */
  step: 'assertion_needed' | 'assertion_sent' | 'confirmation_needed' | 'finishing'
  /** The code to compare with the one that the phone shows, such as `ABCD-1234`; null before */
  code: string | null
  /** ISO 8601, UTC */
  expiresAt: string
}

export type PasskeyUpdatedEvent = {
  /** What linking waits for. `assertion_needed`: the owner must use the passkey. `confirmation_needed`: the owner must compare the code. `ended`: see `result`. Events do not contain the challenge */
  step: 'assertion_needed' | 'assertion_sent' | 'confirmation_needed' | 'finishing' | 'ended'
  /** The code to compare with the one on the phone */
  code: string | null
  /** When the step expires */
  expiresAt: string | null
  /** How linking ended */
  result: 'linked' | 'disabled' | 'expired' | 'refused' | 'unanswered' | 'lost' | 'cancelled' | 'stopped' | null
}

export type Person = {
  /** Network identifier, based on the phone number if it is known */
  jid: string
  /** The network's identifier that hides the phone number */
  lid: string | null
  /** Digits with country code */
  phone: string | null
  pushName: string | null
  /** Network identifier of the chat. Requests take it in the field `chat` */
  chat?: string | undefined
  /** Phone number, digits with country code; null if it is hidden, and for a group */
  number?: string | null | undefined
  /** Name that the person has chosen on the network; null if there is none */
  username?: string | null | undefined
}

export type PersonDetails = {
  /** False: all other fields are null or false */
  isRegistered: boolean
  /** Network identifier, based on the phone number if it is known */
  jid: string | null
  chat: string | null
  /** As in the request; null if it is hidden */
  number: string | null
  /** The network's identifier that hides the phone number; null if it is not known */
  lid: string | null
  /** Name that the person has chosen on the network; null if there is none */
  username: string | null
  /** Null: there is none, or the instance cannot see it */
  about: string | null
  aboutSetAt: string | null
  /** URL of the picture on this gateway (`GET /chats/picture`); null if there is none */
  profilePictureUrl: string | null
  /** Whether the instance has blocked the person */
  isBlocked: boolean
  /** Null: the account is not a business account */
  business: {
    description: string | null
    category: string | null
    address: string | null
    email: string | null
    websites: string[]
  } | null
}

export type Pin = {
  /** The instance that has the message; required if several instances have a message with this id */
  instanceName?: string | undefined
  /** For how long; null removes the pin */
  seconds: 86400 | 604800 | 2592000 | null
}

export type Plan = {
  id: number
  name: string
  interval: 'day' | 'week' | 'month' | 'year'
  currency: string
  amount: number
  limits: PlanLimits
  features: {
    ai: boolean
    flowBuilder: boolean
    campaigns: boolean
    templates: boolean
    voiceCalls: boolean
  }
  /** Per key. Applies if it is below `RATE_LIMIT`; null for no limit of the plan */
  requestsPerSecond: number | null
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
}

export type PlanLimits = {
  users: number | 'Unlimited'
  contacts: number | 'Unlimited'
  instances: number | 'Unlimited'
  /** Per period; null if messages are not metered */
  messages: number | 'Unlimited' | null
}

export type PollResults = {
  /** The message with the poll */
  messageId: string
  instanceName: string
  name: string
  /** How many people have chosen at least one option */
  voters: number
  /** Votes that could not be decrypted; they are not counted */
  unreadable: number
  options: ({
    name: string
    votes: number
    /** Network identifiers of the people */
    voters: string[]
  })[]
}

export type PresenceSubscription = {
  jid: string
  phone: string | null
  /** Network identifier of the chat. Requests take it in the field `chat` */
  chat: string
  /** Phone number, digits with country code; null if it is hidden, and for a group */
  number: string | null
  /** The network's identifier that hides the phone number; null if it is not known */
  lid: string | null
  /** Name that the person has chosen on the network; null if there is none */
  username: string | null
  /** Null: the network has reported none yet */
  presence: 'available' | 'unavailable' | 'typing' | 'recording' | null
  /** With `unavailable`; null if the person does not show it */
  lastSeen: string | null
  /** ISO 8601, UTC */
  updatedAt: string
}

export type PresenceUpdateEvent = {
  person: Person
  /** Network identifier of the chat. Requests take it in the field `chat` */
  chat: string
  /** Phone number, digits with country code; null if it is hidden, and for a group */
  number?: string | null | undefined
  /** The network's identifier that hides the phone number; null if it is not known */
  lid?: string | null | undefined
  /** Name that the person has chosen on the network; null if there is none */
  username?: string | null | undefined
  /** The group; null for a person */
  groupJid?: string | null | undefined
  presence: 'available' | 'unavailable' | 'typing' | 'recording'
  /** With `unavailable`; null if the person does not show it */
  lastSeen: string | null
  /** ISO 8601, UTC */
  at: string
}

export type Privacy = {
  /** Who sees when the account was last online; null: the network does not say */
  lastSeen: string | null
  /** Who sees that the account is online; null: the network does not say */
  online: string | null
  /** Who sees the picture; null: the network does not say */
  profilePicture: string | null
  /** Who sees the about text; null: the network does not say */
  about: string | null
  /** `none`: read receipts are neither sent nor received; null: the network does not say */
  readReceipts: string | null
  /** Who may add the account to groups; null: the network does not say */
  groupAdd: string | null
  /** `known`: unknown callers are silenced; null: the network does not say */
  calls: string | null
  /** Who may write to the account; null: the network does not say */
  messages: string | null
  /** How long messages of new chats stay; 0: they do not disappear */
  defaultDisappearingSeconds: number | null
  /** Whether phones and clients create previews of links; null until it was set or changed once */
  linkPreviews: boolean | null
}

export type Profile = {
  number: string
  jid: string
  lid: string | null
  name: string | null
  about: string | null
  aboutSetAt: string | null
  /** URL of the picture on this gateway (`GET /instance/profile-picture`); null if there is none */
  profilePictureUrl: string | null
  privacy: Privacy
}

export type QrcodeUpdatedEvent = {
  /** Path of the QR code image on this gateway. Events do not contain the code itself, because it holds a login secret */
  imagePath: string | null
  /** The pairing code, if one was requested */
  pairingCode: string | null
  /** When the QR code expires */
  expiresAt: string | null
}

export type QuickReply = {
  id: number
  /** In lower case */
  shortcut: string
  text: string
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
}

export type React = {
  /** The instance that has the message; required if several instances have a message with this id */
  instanceName?: string | undefined
  /** One emoji; null withdraws the reaction */
  emoji: string | null
}

export type ReadChat = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number?: string | undefined
  /** The group, instead of `number` */
  groupJid?: string | undefined
  /** The person or the group as events and lists name it (`chat`), instead of `number`. The only name of a person whose number is hidden */
  chat?: string | undefined
  /** The chat was only looked at, as on the dashboard: no read receipts if the instance has the setting `viewWithoutReceipts` */
  viewed?: boolean | undefined
}

export type RejectSend = {
  /** Why, for the program that sends; it becomes `failure.error` */
  reason?: string | undefined
}

export type ReplayDestination = {
  /** ISO 8601, UTC */
  since: string
}

export type ReplayWebhook = {
  /** ISO 8601, UTC */
  since: string
}

export type RequestingAgent = {
  /** As the agent calls itself: not verified */
  name: string
  /** The host that published the document */
  clientHost: string
  /** The host that gets the code */
  redirectHost: string
  /** The code goes to a program on the computer of the person */
  isLocal: boolean
  scopes: ('read' | 'send' | 'contacts')[]
}

export type ResourceLimit = {
  limit: number | 'Unlimited'
  used: number
  remaining: number | 'Unlimited'
  isLimitReached: boolean
}

export type ReviewAgentSignIn = {
  responseType: 'code'
  /** URL of the client metadata document of the agent */
  clientId: string
  redirectUri: string
  codeChallenge: string
  codeChallengeMethod: 'S256'
  state?: string | undefined
  resourceUrl?: string | undefined
  scope?: string | undefined
}

export type RotateApiKey = {
  /** How many hours the old key stays valid */
  overlapHours?: number | undefined
}

export type RotateWebhookSecret = {
  /** How many hours deliveries are also signed with the old secret */
  overlapHours?: number | undefined
}

/** A WebAuthn assertion in its JSON form */
export type SandboxAssertion = {
  /** Base64url without padding */
  id: string
  /** Base64url without padding */
  rawId: string
  type: 'public-key'
  response: {
    /** Base64url without padding */
    clientDataJSON: string
    /** Base64url without padding */
    authenticatorData: string
    /** Base64url without padding */
    signature: string
    /** Base64url without padding */
    userHandle: string
  }
}

export type SandboxCall = {
  id: string
  from: string
  to: string
  video: boolean
  status: 'ringing' | 'answered' | 'rejected' | 'missed' | 'ended'
  timestamp: number
}

export type SandboxGroup = {
  jid: string
  subject: string
  description: string | null
  addressing: 'pn' | 'lid'
  announcement: boolean
  locked: boolean
  joinApproval: boolean
  memberAdd: 'admins' | 'all'
  disappearingSeconds: number
  /** Null on the phone of a member who is not an admin */
  inviteCode: string | null
  hasPicture: boolean
  /** Identifies the picture for `GET /phones/{number}/picture`; null without one */
  pictureId: string | null
  /** People who want to join, as admins see them. `by` is the applicant or the member who added them */
  requests: ({
    number: string
    by: string
    timestamp: number
  })[]
  members: ({
    number: string
    role: 'superadmin' | 'admin' | 'member'
  })[]
}

/** A message as a phone shows it */
export type SandboxMessage = {
  seq: number
  id: string
  chat: string
  from: string
  fromMe: boolean
  kind: string
  text: string | null
  visible: boolean
  backgroundColor?: string | undefined
  album?: {
    images: number
    videos: number
  } | undefined
  /** The album that the file belongs to */
  albumId?: string | undefined
  status: 'sent' | 'delivered' | 'read' | 'played' | 'received'
  timestamp: number
  media?: {
    type: 'image' | 'video' | 'audio' | 'document' | 'sticker'
    mimetype: string
    sizeBytes: number
    sha256: string
    caption?: string | undefined
    fileName?: string | undefined
    voiceNote?: boolean | undefined
    videoNote?: boolean | undefined
    seconds?: number | undefined
    width?: number | undefined
    height?: number | undefined
    /** Size of the preview that phones show before they load the file */
    thumbnailBytes?: number | undefined
    waveformBars?: number | undefined
  } | undefined
  /** The card below a text with a link */
  preview?: {
    url: string
    title: string
    description: string | null
    thumbnailBytes: number
  } | undefined
  location?: {
    latitude: number
    longitude: number
    name?: string | undefined
    address?: string | undefined
  } | undefined
  contacts?: ({
    name: string
    vcard: string
  })[] | undefined
  poll?: {
    name: string
    options: string[]
    selectableCount: number
    votes: { [name: string]: string[] }
  } | undefined
  interactive?: {
    type: 'buttons' | 'list' | 'carousel'
    title: string | null
    body: string | null
    footer: string | null
    buttonText?: string | undefined
    buttons?: ({
      type: 'reply' | 'url' | 'call' | 'copy' | 'pix' | 'other'
      text: string
      id?: string | undefined
      url?: string | undefined
      phoneNumber?: string | undefined
      keyType?: string | undefined
    })[] | undefined
    sections?: ({
      title: string
      rows: ({
        rowId: string
        title: string
        description: string | null
      })[]
    })[] | undefined
    cards?: ({
      title: string | null
      body: string | null
      footer: string | null
      hasImage: boolean
      buttons: ({
        type: 'reply' | 'url' | 'call' | 'copy' | 'pix' | 'other'
        text: string
        id?: string | undefined
        url?: string | undefined
        phoneNumber?: string | undefined
        keyType?: string | undefined
      })[]
    })[] | undefined
  } | undefined
  event?: {
    name: string
    description?: string | undefined
    startsAt: string
    endsAt?: string | undefined
    place?: string | undefined
    callLink?: string | undefined
    canceled: boolean
  } | undefined
  order?: {
    orderId: string
    itemCount: number
    total: string
    currency: string
    title?: string | undefined
  } | undefined
  product?: {
    productId: string
    title: string
    price: string
    currency: string
    description?: string | undefined
    retailerId?: string | undefined
    url?: string | undefined
  } | undefined
  tap?: {
    id: string
    form: 'interactive' | 'list' | 'buttons' | 'template'
  } | undefined
  groupInvite?: {
    jid: string
    subject: string
    expiresAt: number
  } | undefined
  quoted?: {
    id: string
    text: string | null
  } | undefined
  target?: string | undefined
  emoji?: string | undefined
  options?: string[] | undefined
  mentions?: string[] | undefined
  reactions?: { [name: string]: string } | undefined
  edited?: boolean | undefined
  deleted?: boolean | undefined
  forwarded?: boolean | undefined
  starred?: boolean | undefined
  viewOnce?: boolean | undefined
  /** How long a pin, or the messages of the chat, last from now on; 0 ends it */
  seconds?: number | undefined
  /** How long this message is kept in a chat with disappearing messages */
  expiresAfterSeconds?: number | undefined
  pinnedUntil?: number | undefined
}

/** A key for the virtual authenticator of a browser */
export type SandboxPasskey = {
  rpId: string
  /** Base64 */
  credentialId: string
  /** Base64 */
  userHandle: string
  /** The P-256 key in PKCS#8, in base64 */
  privateKey: string
  signCount: number
}

/** A person with a phone and linked devices */
export type SandboxPhone = {
  number: string
  lid: string
  name: string
  username: string | null
  /** Other people see the hidden id only */
  hidesNumber: boolean
  about: string
  hasPicture: boolean
  /** Identifies the picture for `GET /phones/{number}/picture`; null without one */
  pictureId: string | null
  /** The value of every privacy setting, in the terms of the network */
  privacy: { [name: string]: string }
  /** The numbers that the person has blocked */
  blocked: string[]
  /** The timer that new chats start with */
  disappearingSeconds: number
  business: {
    description?: string | undefined
    category?: string | undefined
    address?: string | undefined
    email?: string | undefined
    website?: string | undefined
  } | null
  passkey: {
    /** Whether the network demands it before it links a device */
    demanded: boolean
    /** How far the latest link has come: the passkey is requested, its assertion was accepted, the phone shows the code to compare, the device is linked, or the link has ended without a device. Null: there was none */
    step: 'requested' | 'accepted' | 'compared' | 'linked' | 'ended' | null
    /** The code that the phone shows for that link */
    code: string | null
    /** The client has proved that the phone read its code, so the codes do not have to be compared */
    proven: boolean
  } | null
  online: boolean
  /** Whether the person has the app open */
  available: boolean
  devices: ({
    id: number
    platform: string
    online: boolean
    queued: number
    /** How often the device has queried a single group since the sandbox started */
    groupQueries: number
    /** The id of the signed pre-key that people get who write to the device for the first time */
    signedPreKeyId: number
  })[]
}

export type SaveChatwoot = {
  /** HTTPS URL of Chatwoot */
  url: string
  /** Id of the account in Chatwoot: the number in the URL of its dashboard */
  accountId: number
  /** Access token of an administrator in Chatwoot. It is stored encrypted and never shown. Omitted: unchanged. To change scheme, host or port of the URL, give it again */
  token?: string | undefined
  /** Name of the API inbox; created if there is none. Default: the name of the instance */
  inboxName?: string | undefined
  /** An existing API inbox, in place of its name */
  inboxId?: number | undefined
  /** How Chatwoot reaches this gateway. Default: `PUBLIC_URL` */
  gatewayUrl?: string | undefined
  enabled?: boolean | undefined
  /** Put the name of the agent, in bold, before each text to the customer */
  signAgentNames?: boolean | undefined
  /** Leave groups out */
  ignoreGroups?: boolean | undefined
  /** Continue the conversation of a person when it was resolved. False: the next message begins a new one */
  reopenConversation?: boolean | undefined
  /** New conversations are `pending` instead of `open`, for a bot to answer first */
  conversationPending?: boolean | undefined
}

export type SaveContact = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number?: string | undefined
  /** The group, instead of `number` */
  groupJid?: string | undefined
  /** The person or the group as events and lists name it (`chat`), instead of `number`. The only name of a person whose number is hidden */
  chat?: string | undefined
  /** Alias of `number` */
  phone?: string | undefined
  /** Alias of `chat` */
  remoteJid?: string | undefined
  name: string
  notes?: string | null | undefined
  /** Any JSON object. Its keys are added to those that the contact has, so that several programs keep their own; `PATCH /contacts/{id}` replaces the object and so removes keys */
  customData?: { [name: string]: JsonValue } | undefined
  assignedUserId?: number | null | undefined
  assignedDepartmentId?: number | null | undefined
  funnelStageId?: number | null | undefined
  showTimeInStage?: boolean | undefined
}

export type SaveDestination = {
  /** Id of the destination to update; omit it to create one */
  id?: number | undefined
  /** `rabbitmq`: an exchange of RabbitMQ · `nats`: a subject of NATS JetStream · `mqtt`: a topic of an MQTT 5 broker · `redis`: a stream of Redis · `sqs`: a queue of Amazon SQS */
  type?: 'rabbitmq' | 'nats' | 'mqtt' | 'redis' | 'sqs' | undefined
  /** Address of the broker, without credentials: `amqps://host/vhost`, `tls://host` for NATS, `mqtts://host`, `rediss://host/0`, or the URL of the queue in SQS. `amqp`, `nats`, `mqtt`, `redis` and `http` only to a host in `ALLOW_TARGETS`. Required to create a destination */
  url?: string | undefined
  /** Login at the broker; the access key id with the type `sqs`. Null: none */
  username?: string | null | undefined
  /** Stored encrypted and never shown; the secret access key with the type `sqs`, a token with the type `nats` if there is no username. To change scheme, host or port of the URL, give it again. Null: none */
  password?: string | null | undefined
  /** Where messages go: routing key, subject, topic or name of the stream. `{instance}` and `{event}` stand for the API name of the instance and the name of the event. Not with the type `sqs`. Default: docs/destinations.md */
  topic?: string | undefined
  /** Only with the type `rabbitmq`. Default: the default exchange, where `topic` names a queue */
  exchange?: string | undefined
  /** Only with the type `redis`: the stream is trimmed to about this many entries, also those that were not read yet */
  maxLength?: number | null | undefined
  /** Only with the type `sqs`. Default: the one in the URL */
  region?: string | undefined
  /** Only with the type `mqtt`: announces each instance to Home Assistant as a device. `topic` must contain `{instance}` and `{event}`. Default: false */
  homeAssistant?: boolean | undefined
  name?: string | undefined
  /** Default: `["*"]` */
  events?: ('*' | 'messages.upsert' | 'messages.update' | 'messages.edited' | 'messages.deleted' | 'messages.reaction' | 'messages.set_aside' | 'contacts.update' | 'contacts.merged' | 'chats.update' | 'labels.update' | 'labels.association' | 'qrcode.updated' | 'passkey.updated' | 'connection.update' | 'groups.upsert' | 'groups.update' | 'group-participants.update' | 'call' | 'presence.update')[] | undefined
  /** Only events of this instance; null for all instances. Default on create: all instances */
  instanceName?: string | null | undefined
  /** As for webhooks. It replaces the whole filter; null removes it. Default on create: no filter */
  filter?: WebhookFilterBody | null | undefined
  /** Deliver messages from the history. Default on create: false */
  history?: boolean | undefined
  /** Default: true */
  enabled?: boolean | undefined
}

export type SaveWebhook = {
  /** Id of the webhook to update; omit it to create a webhook */
  id?: number | undefined
  /** HTTPS URL, or HTTP to a host in `ALLOW_TARGETS`; required to create a webhook. Headers and tokens that are stored with the webhook are not sent to another origin */
  url?: string | undefined
  name?: string | undefined
  /** Default: `["*"]` */
  events?: ('*' | 'messages.upsert' | 'messages.update' | 'messages.edited' | 'messages.deleted' | 'messages.reaction' | 'messages.set_aside' | 'contacts.update' | 'contacts.merged' | 'chats.update' | 'labels.update' | 'labels.association' | 'qrcode.updated' | 'passkey.updated' | 'connection.update' | 'groups.upsert' | 'groups.update' | 'group-participants.update' | 'call' | 'presence.update')[] | undefined
  /** Only events of this instance; null for all instances. Default on create: all instances */
  instanceName?: string | null | undefined
  /** Which of these events are delivered. It replaces the whole filter; null removes it. Default on create: no filter */
  filter?: WebhookFilterBody | null | undefined
  /** Deliver messages from the history, whose `messages.upsert` has `historical: true`. Default on create: false */
  history?: boolean | undefined
  /** Post up to 100 events in one request, as `EventBatch`: the events of 50 ms, of all instances of the webhook, signed as one. Only with the format `switchboard`. Default on create: false */
  batch?: boolean | undefined
  /** Default: true */
  enabled?: boolean | undefined
  /** Your own signing secret; generated if omitted */
  secret?: string | undefined
  /** The form of its deliveries. `cloud`: that of the Cloud API, signed with the secret in `X-Hub-Signature-256` as well. Without `events` and `filter`, such a webhook gets the messages of people. Default on create: `switchboard` */
  format?: 'switchboard' | 'cloud' | undefined
  /** With the format `cloud`: the receiver must answer `GET` with `hub.mode=subscribe`, this `hub.verify_token` and a `hub.challenge` with that challenge, before the webhook is stored. Not shown again. To change scheme, host or port of the URL, give it again */
  verifyToken?: string | undefined
}

export type SendAlbum = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number?: string | undefined
  /** The group, instead of `number` */
  groupJid?: string | undefined
  /** The person or the group as events and lists name it (`chat`), instead of `number`. The only name of a person whose number is hidden */
  chat?: string | undefined
  /** The message to reply to, sent or received in the same chat */
  quotedMessageId?: string | undefined
  /** People to mention in a group: numbers, the `chat` of people, or `["all"]`. The text names each as `@` and the digits */
  mentions?: ('all' | string)[] | undefined
  /** What your program calls this send, such as a campaign or an order. Messages are listed and cancelled by it; the recipient does not see it */
  reference?: string | undefined
  /** When to send the message, up to one year ahead; until then its status is `scheduled` */
  sendAt?: string | undefined
  /** The message is not sent after this time, but fails as `expired`. Every message expires 24 hours after it was due */
  expiresAt?: string | undefined
  /** 2 to 30 images and videos, in their order */
  files: ({
    /** If absent: by the type of the uploaded file, or by the ending of `fileName` or of `mediaUrl` */
    type?: 'image' | 'video' | undefined
    /** http or https URL of the file. It is fetched when the message is sent; for a key whose sends a person approves, when the send is accepted */
    mediaUrl?: string | undefined
    /** An uploaded file (`POST /media`), instead of `mediaUrl` */
    mediaId?: string | undefined
    /** Caption */
    message?: string | undefined
    /** The same as `message` */
    caption?: string | undefined
    fileName?: string | undefined
  })[]
  /** How long the recipient sees typing before the message is sent, in ms; default: 0 */
  delay?: number | null | '' | undefined
}

/** The message is on disk: it will be sent, or reported as failed. `status` is `queued`, or `scheduled` with `sendAt`, or `awaiting_approval` for a key whose sends a person approves; with `Prefer: wait` it is `sent` or `failed` if the outcome is known in time. */
export type SendAnswer = {
  success: true
  /** The message id on the network; the same on every attempt */
  messageId: string
  status: 'awaiting_approval' | 'scheduled' | 'queued' | 'sending' | 'sent' | 'delivered' | 'read' | 'played' | 'failed'
  /** Unique API name of the instance */
  instanceName: string
  /** Recipient, digits only; absent for a group, a status, or a hidden number */
  number?: string | undefined
  /** Network identifier of the chat, as events name it */
  chat: string
  /** The group; absent for a number or a status */
  groupJid?: string | undefined
  type: 'text' | 'image' | 'video' | 'document' | 'audio' | 'button' | 'list' | 'cta' | 'carousel' | 'pix' | 'location' | 'poll' | 'sticker' | 'contact' | 'event' | 'album' | 'reaction' | 'edit' | 'delete' | 'pin' | 'disappearing'
  /** ISO 8601, UTC */
  createdAt: string
  /** When a scheduled message is sent */
  sendAt?: string | undefined
  /** As the request gave it */
  reference?: string | undefined
  /** Only with `Prefer: wait`, if the message failed */
  failure?: Failure | undefined
}

export type SendButton = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number?: string | undefined
  /** The group, instead of `number` */
  groupJid?: string | undefined
  /** The person or the group as events and lists name it (`chat`), instead of `number`. The only name of a person whose number is hidden */
  chat?: string | undefined
  /** The message to reply to, sent or received in the same chat */
  quotedMessageId?: string | undefined
  /** People to mention in a group: numbers, the `chat` of people, or `["all"]`. The text names each as `@` and the digits */
  mentions?: ('all' | string)[] | undefined
  /** What your program calls this send, such as a campaign or an order. Messages are listed and cancelled by it; the recipient does not see it */
  reference?: string | undefined
  /** When to send the message, up to one year ahead; until then its status is `scheduled` */
  sendAt?: string | undefined
  /** The message is not sent after this time, but fails as `expired`. Every message expires 24 hours after it was due */
  expiresAt?: string | undefined
  type?: 'interactive' | undefined
  interactive: {
    type?: 'button' | undefined
    /** An image, a video or a document above the text */
    header?: {
      type: 'image' | 'video' | 'document'
      /** http or https URL of the file. It is fetched when the message is sent; for a key whose sends a person approves, when the send is accepted */
      mediaUrl?: string | undefined
      /** An uploaded file (`POST /media`), instead of `mediaUrl` */
      mediaId?: string | undefined
      fileName?: string | undefined
    } | undefined
    title?: string | undefined
    body: string
    footer?: string | undefined
    buttons: ({
      buttonId: string
      buttonText: {
        displayText: string
      }
      type?: number | undefined
    })[]
  }
  /** How long the recipient sees typing before the message is sent, in ms; default: 0 */
  delay?: number | null | '' | undefined
}

export type SendCarousel = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number?: string | undefined
  /** The group, instead of `number` */
  groupJid?: string | undefined
  /** The person or the group as events and lists name it (`chat`), instead of `number`. The only name of a person whose number is hidden */
  chat?: string | undefined
  /** The message to reply to, sent or received in the same chat */
  quotedMessageId?: string | undefined
  /** People to mention in a group: numbers, the `chat` of people, or `["all"]`. The text names each as `@` and the digits */
  mentions?: ('all' | string)[] | undefined
  /** What your program calls this send, such as a campaign or an order. Messages are listed and cancelled by it; the recipient does not see it */
  reference?: string | undefined
  /** When to send the message, up to one year ahead; until then its status is `scheduled` */
  sendAt?: string | undefined
  /** The message is not sent after this time, but fails as `expired`. Every message expires 24 hours after it was due */
  expiresAt?: string | undefined
  type?: 'interactive' | undefined
  interactive: {
    type?: 'carousel' | undefined
    /** Text above the cards */
    body: string
    cards: ({
      header: {
        type?: 'image' | undefined
        /** http or https URL of the file. It is fetched when the message is sent; for a key whose sends a person approves, when the send is accepted */
        mediaUrl?: string | undefined
        /** An uploaded file (`POST /media`), instead of `mediaUrl` */
        mediaId?: string | undefined
      }
      body: string
      buttons: ({
        buttonId: string
        buttonText: {
          displayText: string
        }
        type?: number | undefined
      })[]
    })[]
  }
  /** How long the recipient sees typing before the message is sent, in ms; default: 0 */
  delay?: number | null | '' | undefined
}

export type SendContact = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number?: string | undefined
  /** The group, instead of `number` */
  groupJid?: string | undefined
  /** The person or the group as events and lists name it (`chat`), instead of `number`. The only name of a person whose number is hidden */
  chat?: string | undefined
  /** The message to reply to, sent or received in the same chat */
  quotedMessageId?: string | undefined
  /** People to mention in a group: numbers, the `chat` of people, or `["all"]`. The text names each as `@` and the digits */
  mentions?: ('all' | string)[] | undefined
  /** What your program calls this send, such as a campaign or an order. Messages are listed and cancelled by it; the recipient does not see it */
  reference?: string | undefined
  /** When to send the message, up to one year ahead; until then its status is `scheduled` */
  sendAt?: string | undefined
  /** The message is not sent after this time, but fails as `expired`. Every message expires 24 hours after it was due */
  expiresAt?: string | undefined
  /** 1 to 20 contact cards */
  contacts: ({
    name: string
    /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
    phone: string
    organisation?: string | undefined
    email?: string | undefined
  })[]
  /** How long the recipient sees typing before the message is sent, in ms; default: 0 */
  delay?: number | null | '' | undefined
}

export type SendCta = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number?: string | undefined
  /** The group, instead of `number` */
  groupJid?: string | undefined
  /** The person or the group as events and lists name it (`chat`), instead of `number`. The only name of a person whose number is hidden */
  chat?: string | undefined
  /** The message to reply to, sent or received in the same chat */
  quotedMessageId?: string | undefined
  /** People to mention in a group: numbers, the `chat` of people, or `["all"]`. The text names each as `@` and the digits */
  mentions?: ('all' | string)[] | undefined
  /** What your program calls this send, such as a campaign or an order. Messages are listed and cancelled by it; the recipient does not see it */
  reference?: string | undefined
  /** When to send the message, up to one year ahead; until then its status is `scheduled` */
  sendAt?: string | undefined
  /** The message is not sent after this time, but fails as `expired`. Every message expires 24 hours after it was due */
  expiresAt?: string | undefined
  type?: 'interactive' | undefined
  interactive: {
    type?: 'cta' | undefined
    /** An image, a video or a document above the text */
    header?: {
      type: 'image' | 'video' | 'document'
      /** http or https URL of the file. It is fetched when the message is sent; for a key whose sends a person approves, when the send is accepted */
      mediaUrl?: string | undefined
      /** An uploaded file (`POST /media`), instead of `mediaUrl` */
      mediaId?: string | undefined
      fileName?: string | undefined
    } | undefined
    body: string
    title?: string | undefined
    footer?: string | undefined
    buttons: ({
      index?: number | undefined
      urlButton?: {
        displayText: string
        url: string
      } | undefined
      callButton?: {
        displayText: string
        phoneNumber: string
      } | undefined
      copyButton?: {
        displayText: string
        /** What the phone puts into its clipboard */
        copyCode: string
      } | undefined
      replyButton?: {
        displayText: string
        /** Comes back as `interactiveReplyId` of the answer */
        buttonId: string
      } | undefined
    })[]
  }
  /** How long the recipient sees typing before the message is sent, in ms; default: 0 */
  delay?: number | null | '' | undefined
}

export type SendEvent = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number?: string | undefined
  /** The group, instead of `number` */
  groupJid?: string | undefined
  /** The person or the group as events and lists name it (`chat`), instead of `number`. The only name of a person whose number is hidden */
  chat?: string | undefined
  /** The message to reply to, sent or received in the same chat */
  quotedMessageId?: string | undefined
  /** People to mention in a group: numbers, the `chat` of people, or `["all"]`. The text names each as `@` and the digits */
  mentions?: ('all' | string)[] | undefined
  /** What your program calls this send, such as a campaign or an order. Messages are listed and cancelled by it; the recipient does not see it */
  reference?: string | undefined
  /** When to send the message, up to one year ahead; until then its status is `scheduled` */
  sendAt?: string | undefined
  /** The message is not sent after this time, but fails as `expired`. Every message expires 24 hours after it was due */
  expiresAt?: string | undefined
  /** Title of the event */
  name: string
  description?: string | undefined
  /** When the event begins */
  startsAt: string
  /** When the event ends */
  endsAt?: string | undefined
  /** Name or address of the place */
  place?: string | undefined
  /** Only together with `longitude` */
  latitude?: number | undefined
  /** Only together with `latitude` */
  longitude?: number | undefined
  /** Adds the link of a call of this kind, which the network creates */
  call?: 'audio' | 'video' | undefined
  /** How long the recipient sees typing before the message is sent, in ms; default: 0 */
  delay?: number | null | '' | undefined
}

export type SendGroup = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** The message to reply to, sent or received in the same chat */
  quotedMessageId?: string | undefined
  /** People to mention in a group: numbers, the `chat` of people, or `["all"]`. The text names each as `@` and the digits */
  mentions?: ('all' | string)[] | undefined
  /** What your program calls this send, such as a campaign or an order. Messages are listed and cancelled by it; the recipient does not see it */
  reference?: string | undefined
  /** When to send the message, up to one year ahead; until then its status is `scheduled` */
  sendAt?: string | undefined
  /** The message is not sent after this time, but fails as `expired`. Every message expires 24 hours after it was due */
  expiresAt?: string | undefined
  /** Group identifier */
  groupJid: string
  message: string
  /** Show title, description and picture of the first link. The gateway fetches them for at most 3 seconds; a message is sent without them if they are not available */
  linkPreview?: boolean | undefined
  /** How long the recipient sees typing before the message is sent, in ms; default: 0 */
  delay?: number | null | '' | undefined
}

export type SendList = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number?: string | undefined
  /** The group, instead of `number` */
  groupJid?: string | undefined
  /** The person or the group as events and lists name it (`chat`), instead of `number`. The only name of a person whose number is hidden */
  chat?: string | undefined
  /** The message to reply to, sent or received in the same chat */
  quotedMessageId?: string | undefined
  /** People to mention in a group: numbers, the `chat` of people, or `["all"]`. The text names each as `@` and the digits */
  mentions?: ('all' | string)[] | undefined
  /** What your program calls this send, such as a campaign or an order. Messages are listed and cancelled by it; the recipient does not see it */
  reference?: string | undefined
  /** When to send the message, up to one year ahead; until then its status is `scheduled` */
  sendAt?: string | undefined
  /** The message is not sent after this time, but fails as `expired`. Every message expires 24 hours after it was due */
  expiresAt?: string | undefined
  type?: 'interactive' | undefined
  interactive: {
    type?: 'list' | undefined
    title?: string | undefined
    text: string
    /** Label of the button that opens the list */
    buttonText: string
    sections: ({
      title?: string | undefined
      rows: ({
        title: string
        description?: string | undefined
        rowId: string
      })[]
    })[]
    footerText?: string | undefined
  }
  /** How long the recipient sees typing before the message is sent, in ms; default: 0 */
  delay?: number | null | '' | undefined
}

export type SendLocation = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number?: string | undefined
  /** The group, instead of `number` */
  groupJid?: string | undefined
  /** The person or the group as events and lists name it (`chat`), instead of `number`. The only name of a person whose number is hidden */
  chat?: string | undefined
  /** The message to reply to, sent or received in the same chat */
  quotedMessageId?: string | undefined
  /** People to mention in a group: numbers, the `chat` of people, or `["all"]`. The text names each as `@` and the digits */
  mentions?: ('all' | string)[] | undefined
  /** What your program calls this send, such as a campaign or an order. Messages are listed and cancelled by it; the recipient does not see it */
  reference?: string | undefined
  /** When to send the message, up to one year ahead; until then its status is `scheduled` */
  sendAt?: string | undefined
  /** The message is not sent after this time, but fails as `expired`. Every message expires 24 hours after it was due */
  expiresAt?: string | undefined
  latitude: number
  longitude: number
  /** Title of the location */
  name?: string | undefined
  address?: string | undefined
  /** How long the recipient sees typing before the message is sent, in ms; default: 0 */
  delay?: number | null | '' | undefined
}

export type SendMedia = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number?: string | undefined
  /** The group, instead of `number` */
  groupJid?: string | undefined
  /** The person or the group as events and lists name it (`chat`), instead of `number`. The only name of a person whose number is hidden */
  chat?: string | undefined
  /** The message to reply to, sent or received in the same chat */
  quotedMessageId?: string | undefined
  /** People to mention in a group: numbers, the `chat` of people, or `["all"]`. The text names each as `@` and the digits */
  mentions?: ('all' | string)[] | undefined
  /** What your program calls this send, such as a campaign or an order. Messages are listed and cancelled by it; the recipient does not see it */
  reference?: string | undefined
  /** When to send the message, up to one year ahead; until then its status is `scheduled` */
  sendAt?: string | undefined
  /** The message is not sent after this time, but fails as `expired`. Every message expires 24 hours after it was due */
  expiresAt?: string | undefined
  /** How the file is shown. If absent: by the type of the uploaded file, else by `mimetype`, or by the ending of `fileName` or of `mediaUrl` */
  type?: 'image' | 'video' | 'document' | 'audio' | undefined
  /** http or https URL of the file. It is fetched when the message is sent; for a key whose sends a person approves, when the send is accepted */
  mediaUrl?: string | undefined
  /** An uploaded file (`POST /media`), instead of `mediaUrl` */
  mediaId?: string | undefined
  /** Caption; ignored for `audio` */
  message?: string | undefined
  /** The same as `message` */
  caption?: string | undefined
  /** The recipient can open the file only once; not for `document` */
  viewOnce?: boolean | undefined
  fileName?: string | undefined
  /** Overrides the detected media type of the file */
  mimetype?: string | undefined
  /** How long the recipient sees typing before the message is sent, in ms; default: a random time from 3000 to 5000 */
  delay?: number | null | '' | undefined
}

export type SendPix = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number?: string | undefined
  /** The group, instead of `number` */
  groupJid?: string | undefined
  /** The person or the group as events and lists name it (`chat`), instead of `number`. The only name of a person whose number is hidden */
  chat?: string | undefined
  /** The message to reply to, sent or received in the same chat */
  quotedMessageId?: string | undefined
  /** People to mention in a group: numbers, the `chat` of people, or `["all"]`. The text names each as `@` and the digits */
  mentions?: ('all' | string)[] | undefined
  /** What your program calls this send, such as a campaign or an order. Messages are listed and cancelled by it; the recipient does not see it */
  reference?: string | undefined
  /** When to send the message, up to one year ahead; until then its status is `scheduled` */
  sendAt?: string | undefined
  /** The message is not sent after this time, but fails as `expired`. Every message expires 24 hours after it was due */
  expiresAt?: string | undefined
  /** Who is paid, as the phone shows it */
  merchantName: string
  /** `random` is a key that the bank has made (EVP) */
  keyType: 'phone' | 'email' | 'cpf' | 'cnpj' | 'random'
  /** The key of the account that is paid. It is checked by its type, and sent in the form that banks store: digits of a CPF or CNPJ, `+55` before a phone number */
  key: string
  /** How long the recipient sees typing before the message is sent, in ms; default: 0 */
  delay?: number | null | '' | undefined
}

export type SendPoll = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number?: string | undefined
  /** The group, instead of `number` */
  groupJid?: string | undefined
  /** The person or the group as events and lists name it (`chat`), instead of `number`. The only name of a person whose number is hidden */
  chat?: string | undefined
  /** The message to reply to, sent or received in the same chat */
  quotedMessageId?: string | undefined
  /** People to mention in a group: numbers, the `chat` of people, or `["all"]`. The text names each as `@` and the digits */
  mentions?: ('all' | string)[] | undefined
  /** What your program calls this send, such as a campaign or an order. Messages are listed and cancelled by it; the recipient does not see it */
  reference?: string | undefined
  /** When to send the message, up to one year ahead; until then its status is `scheduled` */
  sendAt?: string | undefined
  /** The message is not sent after this time, but fails as `expired`. Every message expires 24 hours after it was due */
  expiresAt?: string | undefined
  /** The question */
  pollName: string
  options: string[]
  /** How many options a voter may select */
  selectableCount?: number | undefined
  /** How long the recipient sees typing before the message is sent, in ms; default: 0 */
  delay?: number | null | '' | undefined
}

export type SendStatus = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** What your program calls this send, such as a campaign or an order. Messages are listed and cancelled by it; the recipient does not see it */
  reference?: string | undefined
  /** When to send the message, up to one year ahead; until then its status is `scheduled` */
  sendAt?: string | undefined
  /** The message is not sent after this time, but fails as `expired`. Every message expires 24 hours after it was due */
  expiresAt?: string | undefined
  /** What is posted: a text, or a file with an optional caption */
  type?: 'text' | 'image' | 'video' | undefined
  /** The text, up to 700 characters, or the caption of the file */
  message?: string | undefined
  /** The same as `message` */
  caption?: string | undefined
  /** Only for `text`: colour of the background; default: `#128c7e` */
  backgroundColor?: string | undefined
  /** Only for `text`: colour of the text; default: `#ffffff` */
  textColor?: string | undefined
  /** Only for `text`: font of the text; default: `system` */
  font?: 'system' | 'system_text' | 'script' | 'bold' | 'morning_breeze' | 'calistoga' | 'exo2' | 'courier_prime' | undefined
  /** http or https URL of the file. It is fetched when the message is sent; for a key whose sends a person approves, when the send is accepted */
  mediaUrl?: string | undefined
  /** An uploaded file (`POST /media`), instead of `mediaUrl` */
  mediaId?: string | undefined
  /** Who sees the status: 1 to 1024 numbers, or the `chat` of people; default: all saved contacts of the instance */
  to?: string[] | undefined
}

export type SendSticker = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number?: string | undefined
  /** The group, instead of `number` */
  groupJid?: string | undefined
  /** The person or the group as events and lists name it (`chat`), instead of `number`. The only name of a person whose number is hidden */
  chat?: string | undefined
  /** The message to reply to, sent or received in the same chat */
  quotedMessageId?: string | undefined
  /** People to mention in a group: numbers, the `chat` of people, or `["all"]`. The text names each as `@` and the digits */
  mentions?: ('all' | string)[] | undefined
  /** What your program calls this send, such as a campaign or an order. Messages are listed and cancelled by it; the recipient does not see it */
  reference?: string | undefined
  /** When to send the message, up to one year ahead; until then its status is `scheduled` */
  sendAt?: string | undefined
  /** The message is not sent after this time, but fails as `expired`. Every message expires 24 hours after it was due */
  expiresAt?: string | undefined
  /** http or https URL of the file. It is fetched when the message is sent; for a key whose sends a person approves, when the send is accepted */
  mediaUrl?: string | undefined
  /** An uploaded file (`POST /media`), instead of `mediaUrl` */
  mediaId?: string | undefined
  /** How long the recipient sees typing before the message is sent, in ms; default: 0 */
  delay?: number | null | '' | undefined
}

export type SendText = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number?: string | undefined
  /** The group, instead of `number` */
  groupJid?: string | undefined
  /** The person or the group as events and lists name it (`chat`), instead of `number`. The only name of a person whose number is hidden */
  chat?: string | undefined
  /** The message to reply to, sent or received in the same chat */
  quotedMessageId?: string | undefined
  /** People to mention in a group: numbers, the `chat` of people, or `["all"]`. The text names each as `@` and the digits */
  mentions?: ('all' | string)[] | undefined
  /** What your program calls this send, such as a campaign or an order. Messages are listed and cancelled by it; the recipient does not see it */
  reference?: string | undefined
  /** When to send the message, up to one year ahead; until then its status is `scheduled` */
  sendAt?: string | undefined
  /** The message is not sent after this time, but fails as `expired`. Every message expires 24 hours after it was due */
  expiresAt?: string | undefined
  type?: 'text' | undefined
  /** The text, including emojis and formatting such as `*bold*` */
  message: string
  /** Show title, description and picture of the first link. The gateway fetches them for at most 3 seconds; a message is sent without them if they are not available */
  linkPreview?: boolean | undefined
  /** How long the recipient sees typing before the message is sent, in ms; default: a random time from 3000 to 5000 */
  delay?: number | null | '' | undefined
}

export type ShowPresence = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number?: string | undefined
  /** The group, instead of `number` */
  groupJid?: string | undefined
  /** The person or the group as events and lists name it (`chat`), instead of `number`. The only name of a person whose number is hidden */
  chat?: string | undefined
  presence: 'typing' | 'recording' | 'paused'
  /** For how long, 1 to 120. Ignored for `paused` */
  seconds?: number | undefined
}

export type Star = {
  /** The instance that has the message; required if several instances have a message with this id */
  instanceName?: string | undefined
  starred: boolean
}

export type Statistics = {
  success: true
  /** ISO 8601, UTC */
  since: string
  /** The end of the last step, which may be in the future */
  until: string
  /** Length of a step: 1, 6 or 24 hours */
  stepHours: number
  totals: {
    /** Messages that the network accepted, changes of messages included */
    sent: number
    /** Messages that others sent to the instances, without history */
    received: number
    /** Messages that failed, without those that were canceled */
    failed: number
    /** Messages that were canceled, or rejected instead of approved */
    canceled: number
    /** Events that webhooks and destinations have accepted */
    delivered: number
    /** Attempts to deliver an event that failed and are repeated */
    retried: number
    /** Events that were given up after the last attempt */
    dead: number
    /** Null if nothing was delivered */
    deliveryMs: DeliveryTimes | null
  }
  steps: StatisticsStep[]
  /** Why messages failed, most frequent first */
  failures: ({
    reason: string
    count: number
  })[]
  /** Failed attempts by the status of the answer; `none`: there was no answer */
  deliveryFailures: ({
    reason: string
    count: number
  })[]
  /** Sessions that closed, by `stateReason`; `none`: without one */
  disconnections: ({
    reason: string
    count: number
  })[]
  /** Webhooks and destinations with attempts; empty for keys with limited instances */
  webhooks: ({
    id: number
    delivered: number
    retried: number
    dead: number
    /** Average time in which the receiver answered */
    averageMs: number
  })[]
}

export type StatisticsStep = {
  /** ISO 8601, UTC */
  start: string
  /** Messages that the network accepted, changes of messages included */
  sent: number
  /** Messages that others sent to the instances, without history */
  received: number
  /** Messages that failed, without those that were canceled */
  failed: number
  /** Messages that were canceled, or rejected instead of approved */
  canceled: number
  /** Events that webhooks and destinations have accepted */
  delivered: number
  /** Attempts to deliver an event that failed and are repeated */
  retried: number
  /** Events that were given up after the last attempt */
  dead: number
  /** Null if nothing was delivered */
  deliveryMs: DeliveryTimes | null
  /** Connected instances and all instances, on average; null if they were not sampled, or for single instances */
  sessions: {
    open: number
    all: number
  } | null
}

export type SubscribePresence = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** Phone numbers, or the `chat` of people, at most 100 */
  subscribe?: string[] | undefined
  /** Phone numbers, or the `chat` of people, at most 100 */
  unsubscribe?: string[] | undefined
}

export type Subscription = {
  status: 'active' | 'trialing' | 'past_due' | 'canceled' | 'expired' | 'pending'
  hasAccess: boolean
  isExpired: boolean
  isTrial: boolean
  isCancelled: boolean
  isPending: boolean
  isPastDue: boolean
  effectiveExpiry: string | null
  currentPeriodEnd: string | null
  trialEndsAt: string | null
  expiresAt: string | null
}

export type TeamMember = {
  id: number
  name: string
}

export type UpdateAccount = {
  name: string
}

export type UpdateChat = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number?: string | undefined
  /** The group, instead of `number` */
  groupJid?: string | undefined
  /** The person or the group as events and lists name it (`chat`), instead of `number`. The only name of a person whose number is hidden */
  chat?: string | undefined
  archived?: boolean | undefined
  /** Mutes the chat until this time; null ends it */
  mutedUntil?: string | null | undefined
  /** Pin the chat to the top of the list on the phone */
  pinned?: boolean | undefined
  /** Mark the chat as unread, or as read. Sends no read receipts: use `POST /chats/read` for them */
  unread?: boolean | undefined
  /** How long new messages stay; 0: they do not disappear */
  disappearingSeconds?: 0 | 86400 | 604800 | 7776000 | undefined
}

export type UpdateContact = {
  name?: string | undefined
  notes?: string | null | undefined
  /** Any JSON object, which replaces the stored one */
  customData?: { [name: string]: JsonValue } | undefined
  assignedUserId?: number | null | undefined
  assignedDepartmentId?: number | null | undefined
  funnelStageId?: number | null | undefined
  showTimeInStage?: boolean | undefined
}

export type UpdateGroup = {
  subject?: string | undefined
  /** Null removes it */
  description?: string | null | undefined
  /** Only admins may write */
  announce?: boolean | undefined
  /** Only admins may change the settings */
  locked?: boolean | undefined
  /** An admin approves new members */
  joinApproval?: boolean | undefined
  /** Who may add members */
  memberAdd?: 'all' | 'admins' | undefined
  /** How long messages stay; 0: they do not disappear */
  disappearingSeconds?: 0 | 86400 | 604800 | 7776000 | undefined
}

export type UpdateInstanceSettings = {
  /** Incoming calls are rejected at once */
  rejectCalls?: boolean | undefined
  /** Sent to the caller of a rejected call, once per call, and counted as a send of the key that has set it; null: nothing is sent */
  rejectCallsText?: string | null | undefined
  /** A message that is sent to a chat marks its received messages as read */
  readOnReply?: boolean | undefined
  /** A chat that is only looked at, as on the dashboard, is marked as read without read receipts */
  viewWithoutReceipts?: boolean | undefined
  /** The account is shown as online. The phone of its owner then shows no notifications */
  alwaysOnline?: boolean | undefined
  /** Messages of groups are neither stored nor reported */
  ignoreGroups?: boolean | undefined
  /** How much history the phone transfers when the instance is paired */
  syncHistory?: 'none' | 'recent' | 'full' | undefined
  /** Proxy of all connections of the instance to the network: `http://`, `https://` or `socks5://`, with credentials if it needs them. `***@` as in an answer keeps the stored ones of the same address. Null: a direct connection */
  proxy?: string | null | undefined
  /** Name in the list of linked devices on the phone, from the next pairing on; null: the default */
  deviceName?: string | null | undefined
}

export type UpdateLabel = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  name?: string | undefined
  color?: number | undefined
}

export type UpdatePlan = {
  name?: string | undefined
  interval?: 'day' | 'week' | 'month' | 'year' | undefined
  currency?: string | undefined
  amount?: number | undefined
  limits?: PlanLimits | undefined
  features?: {
    ai: boolean
    flowBuilder: boolean
    campaigns: boolean
    templates: boolean
    voiceCalls: boolean
  } | undefined
  /** Per key. Applies if it is below `RATE_LIMIT`; null for no limit of the plan */
  requestsPerSecond?: number | null | undefined
}

export type UpdatePrivacy = {
  /** Who sees when the account was last online */
  lastSeen?: 'all' | 'contacts' | 'contact_blacklist' | 'none' | undefined
  /** Who sees that the account is online */
  online?: 'all' | 'match_last_seen' | undefined
  /** Who sees the picture */
  profilePicture?: 'all' | 'contacts' | 'contact_blacklist' | 'none' | undefined
  /** Who sees the about text */
  about?: 'all' | 'contacts' | 'contact_blacklist' | 'none' | undefined
  /** `none`: read receipts are neither sent nor received */
  readReceipts?: 'all' | 'none' | undefined
  /** Who may add the account to groups */
  groupAdd?: 'all' | 'contacts' | 'contact_blacklist' | undefined
  /** `known`: unknown callers are silenced */
  calls?: 'all' | 'known' | undefined
  /** Who may write to the account */
  messages?: 'all' | 'contacts' | undefined
  defaultDisappearingSeconds?: 0 | 86400 | 604800 | 7776000 | undefined
  linkPreviews?: boolean | undefined
}

export type UpdateProfile = {
  /** The name that other people see */
  name?: string | undefined
  /** An empty text removes it */
  about?: string | undefined
  /** A JPEG or PNG of at most 5 MB: at a URL, or an uploaded file (`POST /media`). Null removes it */
  picture?: {
    mediaUrl: string
  } | {
    /** An uploaded file (`POST /media`), instead of `mediaUrl` */
    mediaId: string
  } | null | undefined
  privacy?: UpdatePrivacy | undefined
}

export type UpdateQuickReply = {
  /** What a person types after a slash to find the text. Letters are stored in lower case */
  shortcut?: string | undefined
  text?: string | undefined
}

export type UpdateSubscription = {
  planId?: number | undefined
  status?: 'active' | 'trialing' | 'past_due' | 'canceled' | 'expired' | 'pending' | undefined
  /** ISO 8601, UTC */
  currentPeriodStart?: string | undefined
  currentPeriodEnd?: string | null | undefined
  trialEndsAt?: string | null | undefined
  expiresAt?: string | null | undefined
}

export type UpdateUser = {
  name?: string | undefined
  email?: string | undefined
}

export type UploadedMedia = {
  success: true
  mediaId: string
  mimetype: string
  sizeBytes: number
  /** Of the file, in hex */
  sha256: string
  /** ISO 8601, UTC */
  expiresAt: string
}

export type User = {
  id: number
  accountId: number
  name: string
  email: string
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
}

export type Webhook = {
  id: number
  name: string
  url: string
  events: ('*' | 'messages.upsert' | 'messages.update' | 'messages.edited' | 'messages.deleted' | 'messages.reaction' | 'messages.set_aside' | 'contacts.update' | 'contacts.merged' | 'chats.update' | 'labels.update' | 'labels.association' | 'qrcode.updated' | 'passkey.updated' | 'connection.update' | 'groups.upsert' | 'groups.update' | 'group-participants.update' | 'call' | 'presence.update')[]
  filter: WebhookFilter
  /** Whether messages from the history are delivered */
  history: boolean
  /** Whether several events are posted in one request */
  batch: boolean
  /** The form of its deliveries. `evolution`: set by a client of the Evolution dialect. `cloud`: the webhook of the Cloud API. `chatwoot`: the bridge of an instance to Chatwoot, which PUT /chatwoot/{instanceName} has set up and changes */
  format: 'switchboard' | 'evolution' | 'cloud' | 'chatwoot'
  enabled: boolean
  /** The whole secret in responses to create, update and rotate; otherwise only the last 4 characters */
  secret: string
  /** Until then deliveries are also signed with the previous secret */
  previousSecretExpiresAt: string | null
  /** Time of the first failure since the last success; null if the last attempt succeeded or there was none */
  failingSince: string | null
  /** Why the gateway disabled the webhook. `gone`: the receiver answered 410 · `failing`: no delivery succeeded for 120 hours. Null if the gateway did not disable it. Enabling the webhook clears this field */
  disabledReason: 'gone' | 'failing' | null
  disabledAt: string | null
  /** Null for all instances of the account */
  instance: InstanceNames | null
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
}

export type WebhookFilter = {
  /** Only events of chats with people, or of groups. Status posts belong to neither. Events without a chat, such as `connection.update`, always pass */
  chats: 'all' | 'people' | 'groups'
  /** Only events that these people, by number or `chat`, have caused: received messages and their changes, calls, changes of groups, and updates of their chat and contact. Events without a chat always pass. Null: of every person */
  from: string[] | null
  /** Only events about received or about sent messages. Events that have no direction, such as `chats.update`, always pass */
  directions: ('outgoing' | 'incoming')[]
}

export type WebhookFilterBody = {
  /** Only events of chats with people, or of groups. Status posts belong to neither. Events without a chat, such as `connection.update`, always pass */
  chats?: 'all' | 'people' | 'groups' | undefined
  /** Only events that these people, by number or `chat`, have caused: received messages and their changes, calls, changes of groups, and updates of their chat and contact. Events without a chat always pass. Null: of every person */
  from?: string[] | null | undefined
  /** Only events about received or about sent messages. Events that have no direction, such as `chats.update`, always pass */
  directions?: ('outgoing' | 'incoming')[] | undefined
}

export type EventName = 'messages.upsert' | 'messages.update' | 'messages.edited' | 'messages.deleted' | 'messages.reaction' | 'messages.set_aside' | 'contacts.update' | 'contacts.merged' | 'chats.update' | 'labels.update' | 'labels.association' | 'qrcode.updated' | 'passkey.updated' | 'connection.update' | 'groups.upsert' | 'groups.update' | 'group-participants.update' | 'call' | 'presence.update' | 'batch'

export type UploadMediaInput = {
  /** Name of the file, shown with a document unless the send gives another one */
  fileName?: string | undefined
  /** The bytes of the file */
  file: Blob | Uint8Array<ArrayBuffer>
  /** Media type of the file */
  contentType?: string | undefined
}

export type ListMessagesInput = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName?: string | undefined
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number?: string | undefined
  /** The group, instead of `number` */
  groupJid?: string | undefined
  /** Only messages of this chat, both directions; `status@broadcast` for status posts */
  chat?: string | 'status@broadcast' | undefined
  status?: 'awaiting_approval' | 'scheduled' | 'queued' | 'sending' | 'sent' | 'delivered' | 'read' | 'played' | 'failed' | undefined
  direction?: 'outgoing' | 'incoming' | undefined
  /** Only messages of this type */
  type?: 'text' | 'image' | 'video' | 'document' | 'audio' | 'button' | 'list' | 'cta' | 'carousel' | 'pix' | 'location' | 'poll' | 'sticker' | 'contact' | 'event' | 'album' | 'order' | 'product' | 'poll_vote' | 'event_answer' | 'reaction' | 'edit' | 'delete' | 'pin' | 'disappearing' | 'button_reply' | 'list_reply' | 'view_once_unavailable' | 'undecryptable' | 'unsupported' | undefined
  /** Only messages that were sent with this `reference` */
  reference?: string | undefined
  /** Only messages from this time on */
  since?: string | undefined
  /** Only messages up to this time */
  until?: string | undefined
  /** Only messages that contain all of these words, in any order. A word of three letters or more also matches longer words that begin with it. Case and accents are ignored, and signs only separate words. Searched are texts and captions after edits, names of files, polls, places and contacts; deleted messages are not found. Of more than 2,000 matches, those that were stored last are listed. A message can be found about a second after it was stored. */
  search?: string | undefined
  /** Page number, starting at 1 */
  page?: number | undefined
  /** Items per page, 1 to 100 */
  limit?: number | undefined
}

export type GetMessageInput = {
  messageId: string
  /** The message of this instance, if several instances have the same message id; default: the sent message, otherwise the one received first */
  instanceName?: string | undefined
}

export type DeleteMessageInput = {
  messageId: string
  /** The instance that has the message; required if several instances have a message with this id */
  instanceName?: string | undefined
}

export type CancelMessageInput = {
  messageId: string
  /** The message of this instance, if several instances have the same message id; default: the waiting message */
  instanceName?: string | undefined
}

export type GetApprovalInput = {
  messageId: string
  /** The message of this instance, if several instances have the same message id; default: the waiting message */
  instanceName?: string | undefined
}

export type GetApprovalFileInput = {
  messageId: string
  /** `mediaId` of one of the `files` */
  mediaId: string
  /** The message of this instance, if several instances have the same message id; default: the waiting message */
  instanceName?: string | undefined
}

export type ApproveMessageInput = {
  messageId: string
  /** The message of this instance, if several instances have the same message id; default: the waiting message */
  instanceName?: string | undefined
  /** `version` of the send as the person saw it; another one is refused */
  version?: number | undefined
  /** Replaces the text or caption of the send; empty removes a caption. The limits are those of `text` in the approval. Mentions stay, and a link preview stays if the first link is the same */
  text?: string | undefined
}

export type RejectMessageInput = {
  messageId: string
  /** The message of this instance, if several instances have the same message id; default: the waiting message */
  instanceName?: string | undefined
  /** Why, for the program that sends; it becomes `failure.error` */
  reason?: string | undefined
}

export type GetPollVotesInput = {
  messageId: string
  /** The message of this instance, if several instances have the same message id; default: the sent poll, otherwise the one received first */
  instanceName?: string | undefined
}

export type GetMessageMediaInput = {
  messageId: string
  /** The message of this instance, if several instances have the same message id; default: any instance that has the file */
  instanceName?: string | undefined
}

export type ReactToMessageInput = {
  messageId: string
  /** The instance that has the message; required if several instances have a message with this id */
  instanceName?: string | undefined
  /** One emoji; null withdraws the reaction */
  emoji: string | null
}

export type EditMessageInput = {
  messageId: string
  /** The instance that has the message; required if several instances have a message with this id */
  instanceName?: string | undefined
  /** The new text or caption */
  message: string
}

export type ForwardMessageInput = {
  messageId: string
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number?: string | undefined
  /** The group, instead of `number` */
  groupJid?: string | undefined
  /** The person or the group as events and lists name it (`chat`), instead of `number`. The only name of a person whose number is hidden */
  chat?: string | undefined
  /** What your program calls this send, such as a campaign or an order. Messages are listed and cancelled by it; the recipient does not see it */
  reference?: string | undefined
  /** When to send the message, up to one year ahead; until then its status is `scheduled` */
  sendAt?: string | undefined
  /** The message is not sent after this time, but fails as `expired`. Every message expires 24 hours after it was due */
  expiresAt?: string | undefined
  /** The instance that has the message; required if several instances have a message with this id */
  instanceName?: string | undefined
}

export type PinMessageInput = {
  messageId: string
  /** The instance that has the message; required if several instances have a message with this id */
  instanceName?: string | undefined
  /** For how long; null removes the pin */
  seconds: 86400 | 604800 | 2592000 | null
}

export type StarMessageInput = {
  messageId: string
  /** The instance that has the message; required if several instances have a message with this id */
  instanceName?: string | undefined
  starred: boolean
}

export type MarkPlayedInput = {
  messageId: string
  /** The instance that has the message; required if several instances have a message with this id */
  instanceName?: string | undefined
}

export type InstanceStateInput = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
}

export type InstanceActivityInput = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
}

export type ConnectInstanceInput = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** Request a pairing code for this number instead of a QR code */
  number?: string | undefined
}

export type RestartInstanceInput = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
}

export type LogoutInstanceInput = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
}

export type DeleteInstanceInput = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
}

export type QrImageInput = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
}

export type ProfilePictureInput = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** Ignored. Changes with the picture, so that caches load the new one */
  v?: string | undefined
}

export type GetPasskeyInput = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
}

export type AnswerPasskeyInput = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  assertion: PasskeyAssertion
}

export type ConfirmPasskeyInput = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** The code that the owner has compared; the dash and the case do not matter */
  code: string
}

export type CancelPasskeyInput = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
}

export type CreatePasskeyLinkInput = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
}

export type GetSettingsInput = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
}

export type UpdateSettingsInput = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** Incoming calls are rejected at once */
  rejectCalls?: boolean | undefined
  /** Sent to the caller of a rejected call, once per call, and counted as a send of the key that has set it; null: nothing is sent */
  rejectCallsText?: string | null | undefined
  /** A message that is sent to a chat marks its received messages as read */
  readOnReply?: boolean | undefined
  /** A chat that is only looked at, as on the dashboard, is marked as read without read receipts */
  viewWithoutReceipts?: boolean | undefined
  /** The account is shown as online. The phone of its owner then shows no notifications */
  alwaysOnline?: boolean | undefined
  /** Messages of groups are neither stored nor reported */
  ignoreGroups?: boolean | undefined
  /** How much history the phone transfers when the instance is paired */
  syncHistory?: 'none' | 'recent' | 'full' | undefined
  /** Proxy of all connections of the instance to the network: `http://`, `https://` or `socks5://`, with credentials if it needs them. `***@` as in an answer keeps the stored ones of the same address. Null: a direct connection */
  proxy?: string | null | undefined
  /** Name in the list of linked devices on the phone, from the next pairing on; null: the default */
  deviceName?: string | null | undefined
}

export type GetProfileInput = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
}

export type UpdateProfileInput = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** The name that other people see */
  name?: string | undefined
  /** An empty text removes it */
  about?: string | undefined
  /** A JPEG or PNG of at most 5 MB: at a URL, or an uploaded file (`POST /media`). Null removes it */
  picture?: {
    mediaUrl: string
  } | {
    /** An uploaded file (`POST /media`), instead of `mediaUrl` */
    mediaId: string
  } | null | undefined
  privacy?: UpdatePrivacy | undefined
}

export type ListContactsInput = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** Case-insensitive text in the name, phone, identifier, chat name or push name */
  search?: string | undefined
  /** Page number, starting at 1 */
  page?: number | undefined
  /** Items per page, 1 to 100 */
  limit?: number | undefined
  /** Include groups that are saved as contacts */
  includeGroups?: boolean | undefined
}

export type GetContactInput = {
  id: number
}

export type UpdateContactInput = {
  id: number
  name?: string | undefined
  notes?: string | null | undefined
  /** Any JSON object, which replaces the stored one */
  customData?: { [name: string]: JsonValue } | undefined
  assignedUserId?: number | null | undefined
  assignedDepartmentId?: number | null | undefined
  funnelStageId?: number | null | undefined
  showTimeInStage?: boolean | undefined
}

export type DeleteContactInput = {
  id: number
}

export type ListChatsInput = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number?: string | undefined
  /** The group, instead of `number` */
  groupJid?: string | undefined
  /** The person or the group as events and lists name it (`chat`), instead of `number`. The only name of a person whose number is hidden */
  chat?: string | undefined
  /** Only archived chats, or only the others */
  archived?: boolean | undefined
  /** Only pinned chats, or only the others */
  pinned?: boolean | undefined
  /** Only chats that have unread messages or are marked as unread, or only the others */
  unread?: boolean | undefined
  /** Only chats with the label of this id */
  label?: string | undefined
  /** Only chats that are assigned to the user of this id; `none`: to no user */
  assignedTo?: string | undefined
  /** Page number, starting at 1 */
  page?: number | undefined
  /** Items per page, 1 to 100 */
  limit?: number | undefined
}

export type ClearChatInput = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number?: string | undefined
  /** The group, instead of `number` */
  groupJid?: string | undefined
  /** The person or the group as events and lists name it (`chat`), instead of `number`. The only name of a person whose number is hidden */
  chat?: string | undefined
}

export type ReadChatInput = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number?: string | undefined
  /** The group, instead of `number` */
  groupJid?: string | undefined
  /** The person or the group as events and lists name it (`chat`), instead of `number`. The only name of a person whose number is hidden */
  chat?: string | undefined
  /** The chat was only looked at, as on the dashboard: no read receipts if the instance has the setting `viewWithoutReceipts` */
  viewed?: boolean | undefined
}

export type ChatHistoryInput = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number?: string | undefined
  /** The group, instead of `number` */
  groupJid?: string | undefined
  /** The person or the group as events and lists name it (`chat`), instead of `number`. The only name of a person whose number is hidden */
  chat?: string | undefined
  /** Only messages before this one: a message id of the chat, or a time (ISO 8601) */
  before?: string | undefined
  /** Items per page, 1 to 100 */
  limit?: number | undefined
}

export type ListLabelsInput = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
}

export type UpdateLabelInput = {
  /** Id of a label (`GET /labels`) */
  labelId: string
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  name?: string | undefined
  color?: number | undefined
}

export type DeleteLabelInput = {
  /** Id of a label (`GET /labels`) */
  labelId: string
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
}

export type LabelChatInput = {
  /** Id of a label (`GET /labels`) */
  labelId: string
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number?: string | undefined
  /** The group, instead of `number` */
  groupJid?: string | undefined
  /** The person or the group as events and lists name it (`chat`), instead of `number`. The only name of a person whose number is hidden */
  chat?: string | undefined
}

export type UnlabelChatInput = {
  /** Id of a label (`GET /labels`) */
  labelId: string
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number?: string | undefined
  /** The group, instead of `number` */
  groupJid?: string | undefined
  /** The person or the group as events and lists name it (`chat`), instead of `number`. The only name of a person whose number is hidden */
  chat?: string | undefined
}

export type ListUsersInput = {
  /** Page number, starting at 1 */
  page?: number | undefined
  /** Items per page, 1 to 100 */
  limit?: number | undefined
}

export type UpdateQuickReplyInput = {
  id: number
  /** What a person types after a slash to find the text. Letters are stored in lower case */
  shortcut?: string | undefined
  text?: string | undefined
}

export type DeleteQuickReplyInput = {
  id: number
}

export type ChatPictureInput = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number?: string | undefined
  /** The group, instead of `number` */
  groupJid?: string | undefined
  /** The person or the group as events and lists name it (`chat`), instead of `number`. The only name of a person whose number is hidden */
  chat?: string | undefined
  /** Ignored. Changes with the picture, so that caches load the new one */
  v?: string | undefined
}

export type ListGroupsInput = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** Include the participants */
  participants?: boolean | undefined
  /** Only groups that this person is a member of: a number, or the `chat` of a person */
  member?: string | undefined
}

export type GetGroupInput = {
  /** Group identifier */
  groupJid: string
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
}

export type UpdateGroupInput = {
  /** Group identifier */
  groupJid: string
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  subject?: string | undefined
  /** Null removes it */
  description?: string | null | undefined
  /** Only admins may write */
  announce?: boolean | undefined
  /** Only admins may change the settings */
  locked?: boolean | undefined
  /** An admin approves new members */
  joinApproval?: boolean | undefined
  /** Who may add members */
  memberAdd?: 'all' | 'admins' | undefined
  /** How long messages stay; 0: they do not disappear */
  disappearingSeconds?: 0 | 86400 | 604800 | 7776000 | undefined
}

export type SetGroupPictureInput = {
  /** Group identifier */
  groupJid: string
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** The bytes of the file */
  file: Blob | Uint8Array<ArrayBuffer>
  /** Media type of the file */
  contentType?: string | undefined
}

export type DeleteGroupPictureInput = {
  /** Group identifier */
  groupJid: string
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
}

export type ChangeGroupMembersInput = {
  /** Group identifier */
  groupJid: string
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** Phone numbers, or the `chat` of people, at most 100 */
  add?: string[] | undefined
  /** Phone numbers, or the `chat` of people, at most 100 */
  remove?: string[] | undefined
  /** Make members admins */
  promote?: string[] | undefined
  /** Make admins ordinary members */
  demote?: string[] | undefined
}

export type GetGroupInviteInput = {
  /** Group identifier */
  groupJid: string
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
}

export type ResetGroupInviteInput = {
  /** Group identifier */
  groupJid: string
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
}

export type PreviewGroupInviteInput = {
  /** Code of an invite link, or the whole link */
  code: string
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
}

export type LeaveGroupInput = {
  /** Group identifier */
  groupJid: string
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
}

export type ListJoinRequestsInput = {
  /** Group identifier */
  groupJid: string
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
}

export type AnswerJoinRequestsInput = {
  /** Group identifier */
  groupJid: string
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** Phone numbers, or the `chat` of people, at most 100 */
  approve?: string[] | undefined
  /** Phone numbers, or the `chat` of people, at most 100 */
  reject?: string[] | undefined
}

export type RejectCallInput = {
  /** `callId` of the event */
  callId: string
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
}

export type GetPersonInput = {
  /** Phone number with country code, or the `chat` of a person */
  number: string
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
}

export type BlockPersonInput = {
  /** Phone number with country code, or the `chat` of a person */
  number: string
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
}

export type UnblockPersonInput = {
  /** Phone number with country code, or the `chat` of a person */
  number: string
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
}

export type GetBlocklistInput = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
}

export type ListPresenceInput = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
}

export type CheckNumberInput = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName?: string | undefined
  /** Alias of instanceName */
  instance?: string | undefined
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number?: string | undefined
  /** Alias of number */
  phone?: string | undefined
}

export type CheckNumbersInput = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** 1 to 200 numbers, separated by commas */
  numbers: string
}

export type GetStatisticsInput = {
  /** The last 24 hours, 28 quarters of days, or 30 days; ignored with `since` */
  range?: 'day' | 'week' | 'month' | undefined
  /** Start of another range, of at most 31 days */
  since?: string | undefined
  /** End of that range; now, if it is absent */
  until?: string | undefined
  /** How far the clock of the reader is ahead of UTC: days begin at its midnight */
  utcOffsetMinutes?: number | undefined
  /** Only this instance */
  instanceName?: string | undefined
}

export type RevokeApiKeyInput = {
  id: number
}

export type RotateApiKeyInput = {
  id: number
  /** How many hours the old key stays valid */
  overlapHours?: number | undefined
}

export type ListAuditInput = {
  /** Only calls of this key */
  keyId?: number | undefined
  /** Page number, starting at 1 */
  page?: number | undefined
  /** Items per page, 1 to 100 */
  limit?: number | undefined
}

export type ListWebhooksInput = {
  /** Only webhooks of this instance */
  instanceName?: string | undefined
}

export type GetWebhookInput = {
  id: number
}

export type DeleteWebhookInput = {
  id: number
}

export type RotateWebhookSecretInput = {
  id: number
  /** How many hours deliveries are also signed with the old secret */
  overlapHours?: number | undefined
}

export type TestWebhookInput = {
  id: number
}

export type ListDeliveriesInput = {
  id: number
  status?: 'pending' | 'delivered' | 'retrying' | 'dead' | undefined
  /** Page number, starting at 1 */
  page?: number | undefined
  /** Items per page, 1 to 100 */
  limit?: number | undefined
}

export type GetDeliveryInput = {
  id: number
  deliveryId: number
}

export type ReplayDeliveryInput = {
  id: number
  deliveryId: number
}

export type ReplayWebhookInput = {
  id: number
  /** ISO 8601, UTC */
  since: string
}

export type ListDestinationsInput = {
  /** Only destinations of this instance */
  instanceName?: string | undefined
}

export type GetDestinationInput = {
  id: number
}

export type DeleteDestinationInput = {
  id: number
}

export type TestDestinationInput = {
  id: number
}

export type ListDestinationDeliveriesInput = {
  id: number
  status?: 'pending' | 'delivered' | 'retrying' | 'dead' | undefined
  /** Page number, starting at 1 */
  page?: number | undefined
  /** Items per page, 1 to 100 */
  limit?: number | undefined
}

export type GetDestinationDeliveryInput = {
  id: number
  deliveryId: number
}

export type ReplayDestinationDeliveryInput = {
  id: number
  deliveryId: number
}

export type ReplayDestinationInput = {
  id: number
  /** ISO 8601, UTC */
  since: string
}

export type SaveChatwootInput = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** HTTPS URL of Chatwoot */
  url: string
  /** Id of the account in Chatwoot: the number in the URL of its dashboard */
  accountId: number
  /** Access token of an administrator in Chatwoot. It is stored encrypted and never shown. Omitted: unchanged. To change scheme, host or port of the URL, give it again */
  token?: string | undefined
  /** Name of the API inbox; created if there is none. Default: the name of the instance */
  inboxName?: string | undefined
  /** An existing API inbox, in place of its name */
  inboxId?: number | undefined
  /** How Chatwoot reaches this gateway. Default: `PUBLIC_URL` */
  gatewayUrl?: string | undefined
  enabled?: boolean | undefined
  /** Put the name of the agent, in bold, before each text to the customer */
  signAgentNames?: boolean | undefined
  /** Leave groups out */
  ignoreGroups?: boolean | undefined
  /** Continue the conversation of a person when it was resolved. False: the next message begins a new one */
  reopenConversation?: boolean | undefined
  /** New conversations are `pending` instead of `open`, for a bot to answer first */
  conversationPending?: boolean | undefined
}

export type GetChatwootInput = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
}

export type DeleteChatwootInput = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
}

export type PushChatwootHistoryInput = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName: string
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number?: string | undefined
  /** The group, instead of `number` */
  groupJid?: string | undefined
  /** The person or the group as events and lists name it (`chat`), instead of `number`. The only name of a person whose number is hidden */
  chat?: string | undefined
  /** Only messages of the last days */
  days?: number | undefined
  /** `next` of the answer before */
  cursor?: string | undefined
  /** Messages of this call at most */
  limit?: number | undefined
}

export type ListEventsInput = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName?: string | undefined
  /** Only these events, separated by commas */
  events?: string | undefined
  /** Only events after this one: an event id, or a sequence number together with `instanceName` */
  after?: string | undefined
  /** Reads backwards, newest first: events before this id, or the newest events with `end`. Not together with `after` */
  before?: string | undefined
  limit?: number | undefined
}

export type StreamEventsInput = {
  /** Unique API name of the instance (`apiInstanceName`) */
  instanceName?: string | undefined
  /** Only these events, separated by commas */
  events?: string | undefined
  /** Only events after this one: an event id, or a sequence number together with `instanceName` */
  after?: string | undefined
}

export type AdminDrainNodeInput = {
  nodeId: number
}

export type AdminResumeNodeInput = {
  nodeId: number
}

export type AdminListPlansInput = {
  /** Page number, starting at 1 */
  page?: number | undefined
  /** Items per page, 1 to 100 */
  limit?: number | undefined
}

export type AdminGetPlanInput = {
  id: number
}

export type AdminUpdatePlanInput = {
  id: number
  name?: string | undefined
  interval?: 'day' | 'week' | 'month' | 'year' | undefined
  currency?: string | undefined
  amount?: number | undefined
  limits?: PlanLimits | undefined
  features?: {
    ai: boolean
    flowBuilder: boolean
    campaigns: boolean
    templates: boolean
    voiceCalls: boolean
  } | undefined
  /** Per key. Applies if it is below `RATE_LIMIT`; null for no limit of the plan */
  requestsPerSecond?: number | null | undefined
}

export type AdminDeletePlanInput = {
  id: number
}

export type AdminListInstancesInput = {
  /** Page number, starting at 1 */
  page?: number | undefined
  /** Items per page, 1 to 100 */
  limit?: number | undefined
  /** Only instances of this account */
  accountId?: number | undefined
  state?: 'connecting' | 'open' | 'close' | undefined
  /** Case-insensitive text in the display name, API name, number or account name */
  search?: string | undefined
}

export type AdminGetStatisticsInput = {
  /** The last 24 hours, 28 quarters of days, or 30 days; ignored with `since` */
  range?: 'day' | 'week' | 'month' | undefined
  /** Start of another range, of at most 31 days */
  since?: string | undefined
  /** End of that range; now, if it is absent */
  until?: string | undefined
  /** How far the clock of the reader is ahead of UTC: days begin at its midnight */
  utcOffsetMinutes?: number | undefined
  /** Only this account */
  accountId?: number | undefined
}

export type AdminListAccountsInput = {
  /** Page number, starting at 1 */
  page?: number | undefined
  /** Items per page, 1 to 100 */
  limit?: number | undefined
}

export type AdminGetAccountInput = {
  id: number
}

export type AdminUpdateAccountInput = {
  id: number
  name: string
}

export type AdminDeleteAccountInput = {
  id: number
}

export type AdminUpdateSubscriptionInput = {
  id: number
  planId?: number | undefined
  status?: 'active' | 'trialing' | 'past_due' | 'canceled' | 'expired' | 'pending' | undefined
  /** ISO 8601, UTC */
  currentPeriodStart?: string | undefined
  currentPeriodEnd?: string | null | undefined
  trialEndsAt?: string | null | undefined
  expiresAt?: string | null | undefined
}

export type AdminListUsersInput = {
  id: number
  /** Page number, starting at 1 */
  page?: number | undefined
  /** Items per page, 1 to 100 */
  limit?: number | undefined
}

export type AdminCreateUserInput = {
  id: number
  name: string
  email: string
}

export type AdminUpdateUserInput = {
  id: number
  userId: number
  name?: string | undefined
  email?: string | undefined
}

export type AdminDeleteUserInput = {
  id: number
  userId: number
}

export type AdminListKeysInput = {
  id: number
}

export type AdminCreateKeyInput = {
  id: number
  name: string
  /** Empty means all scopes */
  scopes?: ('send' | 'instances' | 'instances:use' | 'instances:manage' | 'contacts' | 'webhooks' | 'account' | 'keys' | 'images' | 'sandbox' | 'read')[] | undefined
  /** API names of the only instances that the key can use; null: all instances */
  instances?: string[] | null | undefined
  /** The only chats that the key can see and write to, as events name them (`chat`); `wrote_first`: people from whom the instance has received a message; null: all chats */
  chats?: string[] | 'wrote_first' | null | undefined
  /** How many sends of the key are accepted per day (UTC), changes of messages included; null: no limit. It counts a send when it is accepted, not when it is delivered, so it does not pace: a scheduled send counts on the day of the request, and all sends of a day can be accepted in one minute */
  messagesPerDay?: number | null | undefined
  /** Whether each send of the key waits with the status `awaiting_approval` until a person approves it: with another key, on the dashboard, or on the phone */
  approval?: boolean | undefined
  /** With `approval`: each send is also shown in the chat of the instance with itself, where the owner of the phone answers it with "yes" or "no" and its code */
  approvalOnPhone?: boolean | undefined
  /** A time in the future; null if the key does not expire */
  expiresAt?: string | null | undefined
}

export type AdminRevokeKeyInput = {
  id: number
  keyId: number
}

export type AdminRotateKeyInput = {
  id: number
  keyId: number
  /** How many hours the old key stays valid */
  overlapHours?: number | undefined
}

export type SandboxCreatePhoneInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  name?: string | undefined
}

export type SandboxGetPhoneInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
}

export type SandboxChangePhoneInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  /** The text that the profile shows */
  about?: string | undefined
  /** What others may do and see, in the terms of the network. Contacts are the address book */
  privacy?: {
    last?: 'all' | 'contacts' | 'contact_blacklist' | 'none' | undefined
    online?: 'match_last_seen' | 'all' | undefined
    profile?: 'all' | 'contacts' | 'contact_blacklist' | 'none' | undefined
    status?: 'all' | 'contacts' | 'contact_blacklist' | 'none' | undefined
    readreceipts?: 'all' | 'none' | undefined
    groupadd?: 'all' | 'contacts' | 'contact_blacklist' | undefined
    calladd?: 'all' | 'known' | undefined
    messages?: 'all' | 'contacts' | undefined
  } | undefined
  /** The timer that new chats start with; 0 for none */
  disappearingSeconds?: number | undefined
  /** The business profile; `null` for none */
  business?: {
    description?: string | undefined
    category?: string | undefined
    address?: string | undefined
    email?: string | undefined
    website?: string | undefined
  } | null | undefined
  /** Others see the hidden id instead of the number, with the addressing mode `lid` */
  hidesNumber?: boolean | undefined
  /** The name that others see beside a hidden number; `null` for none */
  username?: string | null | undefined
}

export type SandboxScanInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  /** The login code, as text */
  qr?: string | undefined
  /** The instance that shows the code, instead of the code itself. Understood by the gateway only */
  instanceName?: string | undefined
}

export type SandboxEnterCodeInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  code: string
}

export type SandboxSaveContactInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  owner: string
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  name: string
}

export type SandboxSetPictureInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  base64: string | null
}

export type SandboxGetPictureInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  /** A number or a group whose picture the phone shows; by default its own picture */
  of?: string | undefined
  /** The `pictureId`. An earlier picture is not found, so an answer belongs to its URL */
  id?: string | undefined
}

export type SandboxBlockInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  owner: string
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  blocked?: boolean | undefined
}

export type SandboxListMessagesInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  /** A cursor from an earlier answer, or a message id. Only later messages are listed */
  after?: string | undefined
  chat?: string | 'status@broadcast' | undefined
  /** A page contains fewer messages where they would exceed 4 MB */
  limit?: number | undefined
  /** The end that the limit counts from. With `end` the latest messages are listed, oldest first */
  from?: 'start' | 'end' | undefined
  /** The `seq` of a message. Only earlier messages are listed */
  before?: string | undefined
  /** Milliseconds to wait until the answer is not empty, 0 to 30000 */
  waitMs?: number | undefined
}

export type SandboxGetMessageInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  id: string
  status?: 'delivered' | 'read' | 'played' | undefined
  /** Milliseconds to wait until the answer is not empty, 0 to 30000 */
  waitMs?: number | undefined
}

export type SandboxGetMediaInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  id: string
  /** The index of a carousel card, from 0, whose picture is returned */
  card?: string | undefined
}

export type SandboxListChatsInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  page?: number | undefined
  limit?: number | undefined
}

export type SandboxChangeChatInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  chat: string
  archived?: boolean | undefined
  pinned?: boolean | undefined
  /** Unix milliseconds; null ends it */
  mutedUntil?: number | null | undefined
  unread?: boolean | undefined
}

export type SandboxDeleteChatInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  chat: string
}

export type SandboxListTypingInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  after?: number | undefined
  /** Milliseconds to wait until the answer is not empty, 0 to 30000 */
  waitMs?: number | undefined
}

export type SandboxTypeInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  chat: string
  state?: 'typing' | 'recording' | 'paused' | undefined
}

export type SandboxSendInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  to: string
  text?: string | undefined
  media?: {
    type: 'image' | 'video' | 'audio' | 'document' | 'sticker'
    base64: string
    caption?: string | undefined
    mimetype?: string | undefined
    fileName?: string | undefined
    voiceNote?: boolean | undefined
    /** The round form of a short video */
    videoNote?: boolean | undefined
    viewOnce?: boolean | undefined
    seconds?: number | undefined
  } | undefined
  location?: {
    latitude: number
    longitude: number
    name?: string | undefined
    address?: string | undefined
  } | undefined
  contact?: {
    name: string
    /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
    number: string
  } | undefined
  poll?: {
    name: string
    options: string[]
    selectableCount?: number | undefined
  } | undefined
  event?: {
    name: string
    description?: string | undefined
    startsAt: string
    endsAt?: string | undefined
    place?: string | undefined
    canceled?: boolean | undefined
  } | undefined
  /** An order from the catalogue of the recipient */
  order?: {
    orderId: string
    token?: string | undefined
    itemCount: number
    total: string
    currency: string
    title?: string | undefined
    /** What the customer adds in words */
    message?: string | undefined
  } | undefined
  /** A product of the catalogue of the recipient */
  product?: {
    productId: string
    title: string
    description?: string | undefined
    price: string
    currency: string
    retailerId?: string | undefined
    url?: string | undefined
    /** What the person asks about it */
    message?: string | undefined
  } | undefined
  /** Announces an album; its files are sent after it, with its id in `albumId` */
  album?: {
    images?: number | undefined
    videos?: number | undefined
  } | undefined
  /** With `media`: the album that the file belongs to */
  albumId?: string | undefined
  /** The id of the message that this one quotes */
  quoted?: string | undefined
  /** The advertisement that the person tapped before writing */
  ad?: {
    /** The advertisement */
    sourceId: string
    /** The click */
    ctwaClid?: string | undefined
    sourceUrl?: string | undefined
    sourceApp?: string | undefined
    title?: string | undefined
    body?: string | undefined
  } | undefined
}

export type SandboxSendMediaInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  to: string
  type: 'image' | 'video' | 'audio' | 'document' | 'sticker'
  caption?: string | undefined
  fileName?: string | undefined
  voiceNote?: 'true' | 'false' | undefined
  videoNote?: 'true' | 'false' | undefined
  viewOnce?: 'true' | 'false' | undefined
  seconds?: number | undefined
  quoted?: string | undefined
  /** The bytes of the file */
  file: Blob | Uint8Array<ArrayBuffer>
  /** Media type of the file */
  contentType?: string | undefined
}

export type SandboxSendContentInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  to: string
  content?: { [name: string]: unknown } | undefined
  /** The encoded message in base64, for content that JSON requests cannot contain, such as a NUL */
  protobuf?: string | undefined
}

export type SandboxSetPasskeyInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  demanded?: boolean | undefined
}

export type SandboxGetPasskeyInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
}

export type SandboxSignAssertionInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  /** The options of the request for a passkey, as the gateway reports them */
  options: {
    challenge: string
  }
  /** The page that asks; by default the one of the network */
  origin?: string | undefined
}

export type SandboxEditInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  messageId: string
  text: string
  /** In the form of older phones, instead of encrypted with the secret of the message */
  plain?: boolean | undefined
}

export type SandboxRemoveInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  messageId: string
}

export type SandboxReadInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  chat: string | 'status@broadcast'
  messageId?: string | undefined
  played?: boolean | undefined
}

export type SandboxTapInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  messageId: string
  buttonId?: string | undefined
  rowId?: string | undefined
}

export type SandboxVoteInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  messageId: string
  options: string[]
}

export type SandboxReactInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  messageId: string
  emoji: string
}

export type SandboxPinInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  messageId: string
  /** How long the message stays pinned; null unpins it */
  seconds: number | null
}

export type SandboxForwardInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  messageId: string
  to: string
}

export type SandboxSetDisappearingInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  chat: string
  /** One, seven or ninety days; 0 switches it off */
  seconds: 0 | 86400 | 604800 | 7776000
}

export type SandboxSetPresenceInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  available: boolean
}

export type SandboxStarInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  messageId: string
  starred: boolean
}

export type SandboxDeleteForMeInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  messageId: string
}

export type SandboxListLabelsInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
}

export type SandboxSaveLabelInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  /** The label to change; absent: a new one */
  labelId?: string | undefined
  name: string
  color?: number | undefined
}

export type SandboxDeleteLabelInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  /** Id of a label (`GET /labels`) */
  labelId: string
}

export type SandboxLabelChatInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  chat: string
  /** Id of a label (`GET /labels`) */
  labelId: string
  labeled?: boolean | undefined
}

export type SandboxClearChatInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  chat: string
  keepStarred?: boolean | undefined
}

export type SandboxListCallsInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  callId?: string | undefined
  status?: 'ringing' | 'answered' | 'rejected' | 'missed' | 'ended' | undefined
  /** Milliseconds to wait until the answer is not empty, 0 to 30000 */
  waitMs?: number | undefined
}

export type SandboxPlaceCallInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  to: string
  video?: boolean | undefined
}

export type SandboxAnswerCallInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  callId: string
}

export type SandboxHangUpInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  callId: string
}

export type SandboxPostStatusInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  text?: string | undefined
  backgroundColor?: string | undefined
  media?: {
    type: 'image' | 'video' | 'audio' | 'document' | 'sticker'
    base64: string
    caption?: string | undefined
    mimetype?: string | undefined
    fileName?: string | undefined
    voiceNote?: boolean | undefined
    /** The round form of a short video */
    videoNote?: boolean | undefined
    viewOnce?: boolean | undefined
    seconds?: number | undefined
  } | undefined
  /** The people who get it; by default everyone in the address book */
  to?: string[] | undefined
}

export type SandboxExpireMediaInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  messageId: string
}

export type SandboxCreateGroupInput = {
  subject: string
  members: string[]
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  admin: string
}

export type SandboxGetGroupInput = {
  jid: string
}

export type SandboxChangeGroupInput = {
  jid: string
  /** The number of the member who does this; by default the creator, or the first admin after the creator has left */
  by?: string | undefined
  subject?: string | undefined
  description?: string | undefined
  /** Only admins send messages */
  announcement?: boolean | undefined
  /** Only admins change subject, description, picture and timer */
  locked?: boolean | undefined
  /** Admins approve new members */
  joinApproval?: boolean | undefined
  /** Who adds members */
  memberAdd?: 'admins' | 'all' | undefined
  /** The timer of new messages; 0 for none */
  disappearingSeconds?: number | undefined
  pictureBase64?: string | null | undefined
}

export type SandboxListPhoneGroupsInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
}

export type SandboxChangeMembersInput = {
  jid: string
  /** The number of the member who does this; by default the creator, or the first admin after the creator has left */
  by?: string | undefined
  change: 'add' | 'remove' | 'promote' | 'demote'
  members: string[]
}

export type SandboxLeaveGroupInput = {
  jid: string
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
}

export type SandboxAnswerRequestsInput = {
  jid: string
  /** The number of the member who does this; by default the creator, or the first admin after the creator has left */
  by?: string | undefined
  action: 'approve' | 'reject'
  members: string[]
}

export type SandboxInviteInput = {
  jid: string
  /** The number of the member who does this; by default the creator, or the first admin after the creator has left */
  by?: string | undefined
  members: string[]
  caption?: string | undefined
}

export type SandboxResetInviteInput = {
  jid: string
  /** The number of the member who does this; by default the creator, or the first admin after the creator has left */
  by?: string | undefined
}

export type SandboxJoinGroupInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  /** The code of an invite link */
  code?: string | undefined
  /** A message with a personal invitation */
  messageId?: string | undefined
}

export type SandboxCreateFaultInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  kind: 'disconnect'
  /** The code of the stream error, such as 503 or 515. Without it the socket closes without an error */
  code?: number | undefined
} | {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  kind: 'reject'
  code?: number | undefined
  /** How many are refused; all by default */
  count?: number | undefined
} | {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  kind: 'refuse'
  code?: number | undefined
  /** The refusal ends after this many seconds. With code 402 the client gets the remaining time */
  seconds?: number | undefined
  /** How many are refused; all by default */
  count?: number | undefined
} | {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  kind: 'replace'
} | {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  kind: 'silent'
} | {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  kind: 'offline'
} | {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  kind: 'unlink'
} | {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  kind: 'linking'
  /** What goes wrong the next time that the phone links a client */
  variant: 'options_missing' | 'late_request' | 'options_error' | 'ref_error' | 'prologue_error' | 'continuation_withheld' | 'second_request' | 'nonce_error' | 'pairing_request_error' | 'drop_after_request' | 'drop_at_options' | 'drop_at_ref' | 'drop_at_prologue' | 'drop_before_continuation' | 'drop_at_nonce' | 'drop_at_pairing_request' | 'registration_refresh' | 'app_state_key_withheld' | 'early_success' | 'code_refused' | 'code_refresh' | 'code_refresh_by_owner' | 'hello_without_key'
} | {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  kind: 'restrict'
  seconds?: number | undefined
}

export type SandboxClearFaultsInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number?: string | undefined
  /** Only faults of this kind; all lasting faults by default */
  kind?: 'reject' | 'refuse' | 'restrict' | 'silent' | 'offline' | 'linking' | undefined
}

export type SandboxInjectFramesInput = {
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number: string
  frames: ({
    as: 'hello'
    bytes: string
  } | {
    as: 'socket'
    bytes: string
  } | {
    as: 'frame'
    bytes: string
  } | {
    as: 'stanza'
    bytes: string
  } | {
    as: 'plaintext'
    /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
    from: string
    bytes: string
  } | {
    as: 'media'
    bytes: string
  } | {
    as: 'patch'
    collection: string
    bytes: string
  } | {
    as: 'action'
    collection: string
    index: string[]
    bytes: string
  })[]
}

export type SandboxSetNetworkInput = {
  addressing?: 'pn' | 'lid' | undefined
  /** Logins of older clients fail with 405; `null`: every version may log in */
  minimumVersion?: string | null | undefined
  /** The version on the page that clients read; `null`: the usual one, or `minimumVersion` if that is newer */
  announcedVersion?: string | null | undefined
}

export type SandboxListChangesInput = {
  /** The `cursor` of an earlier answer. Without it the answer comes at once, with a cursor for the next call */
  after?: string | undefined
  /** Milliseconds to wait until the answer is not empty, 0 to 30000 */
  waitMs?: number | undefined
}

export type SandboxListFramesInput = {
  after?: number | undefined
  id?: string | undefined
  /** Phone number with country code; `+`, spaces, `-`, `(` and `)` are ignored. Also read from `5511912345678@s.whatsapp.net` and `…@c.us` */
  number?: string | undefined
  tag?: 'message' | 'receipt' | 'ack' | 'notification' | 'call' | undefined
  limit?: number | undefined
}

export type ListMessagesAnswer = {
  success: true
  count: number
  page: number
  limit: number
  hasMore: boolean
  messages: Message[]
}

export type GetMessageAnswer = {
  success: true
  message: Message
}

export type CancelMessageAnswer = {
  success: true
  message: Message
}

export type GetApprovalAnswer = {
  success: true
  approval: Approval
}

export type ApproveMessageAnswer = {
  success: true
  message: Message
}

export type RejectMessageAnswer = {
  success: true
  message: Message
}

export type GetPollVotesAnswer = {
  success: true
  poll: PollResults
}

export type StarMessageAnswer = {
  success: true
  message: Message
}

export type MarkPlayedAnswer = {
  success: true
  message: Message
}

export type InstanceStateAnswer = {
  success: true
  data: {
    instance: {
      instanceName: string
      state: 'connecting' | 'open' | 'close'
    }
  }
  instance: InstanceState
  /** The passkey step, while the network demands one; null otherwise, and for a key without the scope `instances:manage` */
  passkey: PasskeyState | null
}

export type InstanceActivityAnswer = {
  success: true
  instance: InstanceReference
  /** Number of messages in the queue */
  queued: number
  /** The last failure among the counted messages */
  lastFailure: {
    messageId: string
    reason: string
    error: string
    code: number | null
    /** ISO 8601, UTC */
    failedAt: string
  } | null
  /** Oldest first; the last one is the current hour */
  hours: HourOfMessages[]
  /** True if there were too many messages: only the latest are counted */
  isPartial: boolean
}

export type ListInstancesAnswer = {
  success: true
  count: number
  instances: Instance[]
}

export type CreateInstanceAnswer = {
  success: true
  instance: Instance
}

export type ConnectInstanceAnswer = {
  success: true
  instance: Instance
  qr: {
    code: string
    /** ISO 8601, UTC */
    expiresAt: string
  } | null
  /** 8 characters to enter on the phone */
  pairingCode: string | null
  /** The passkey step, while the network demands one; null otherwise, and for a key without the scope `instances:manage` */
  passkey: PasskeyState | null
}

export type RestartInstanceAnswer = {
  success: true
  instance: Instance
}

export type LogoutInstanceAnswer = {
  success: true
  message: string
  instance: {
    id: number
    instanceName: string
    displayName: string
  }
  connectionState: 'connecting' | 'open' | 'close'
}

export type DeleteInstanceAnswer = {
  success: true
  message: string
  instance: {
    id: number
    instanceName: string
    displayName: string
  }
  /** Last state before the deletion */
  connectionState: 'connecting' | 'open' | 'close'
  instanceDeleted: boolean
  /** True if the instance no longer existed */
  instanceMissing: boolean
}

export type GetPasskeyAnswer = {
  success: true
  instance: InstanceReference
  /** Null: the network demands no passkey now */
  passkey: PasskeyDemand | null
}

export type AnswerPasskeyAnswer = {
  success: true
  /** The step after this call; null if it has ended */
  passkey: PasskeyState | null
}

export type ConfirmPasskeyAnswer = {
  success: true
  /** The step after this call; null if it has ended */
  passkey: PasskeyState | null
}

export type CancelPasskeyAnswer = {
  success: true
}

export type CreatePasskeyLinkAnswer = {
  success: true
  link: {
    /** Contains the token in its fragment, which browsers do not send */
    url: string
    /** ISO 8601, UTC */
    expiresAt: string
  }
}

export type GetSettingsAnswer = {
  success: true
  settings: InstanceSettings
}

export type UpdateSettingsAnswer = {
  success: true
  settings: InstanceSettings
}

export type GetProfileAnswer = {
  success: true
  profile: Profile
}

export type UpdateProfileAnswer = {
  success: true
  profile: Profile
}

export type ListContactsAnswer = {
  success: true
  count: number
  page: number
  limit: number
  hasMore: boolean
  total: number
  instance: InstanceReference
  contacts: Contact[]
}

export type SaveContactAnswer = {
  success: true
  contact: Contact
}

export type GetContactAnswer = {
  success: true
  contact: Contact
}

export type UpdateContactAnswer = {
  success: true
  contact: Contact
}

export type DeleteContactAnswer = {
  success: true
  id: number
}

export type ListChatsAnswer = {
  success: true
  count: number
  page: number
  limit: number
  hasMore: boolean
  instance: InstanceReference
  chats: Chat[]
}

export type UpdateChatAnswer = {
  success: true
  chat: Chat
  /** The queued message that carries the timer; null if none was needed */
  messageId: string | null
}

export type ClearChatAnswer = {
  success: true
  chat: Chat
}

export type ReadChatAnswer = {
  success: true
  chat: Chat
  /** `sent`: the receipts were sent. `not_sent`: they could not be sent and will not be retried; the unread count is 0 anyway. `withheld`: the instance sends none for a chat that is only looked at. `none`: there were no receipts to send */
  receipts: 'sent' | 'not_sent' | 'withheld' | 'none'
}

export type ShowPresenceAnswer = {
  success: true
  chat: string
  presence: 'typing' | 'recording' | 'paused'
  seconds: number
}

export type ChatHistoryAnswer = {
  success: true
  count: number
  limit: number
  /** Older messages were requested from the phone. False: the page is full, or the phone has none or cannot be reached now */
  moreComing: boolean
  messages: Message[]
}

export type ListLabelsAnswer = {
  success: true
  count: number
  instance: InstanceReference
  labels: Label[]
}

export type CreateLabelAnswer = {
  success: true
  label: Label
}

export type UpdateLabelAnswer = {
  success: true
  label: Label
}

export type DeleteLabelAnswer = {
  success: true
  id: string
}

export type LabelChatAnswer = {
  success: true
  chat: Chat
}

export type UnlabelChatAnswer = {
  success: true
  chat: Chat
}

export type AssignChatAnswer = {
  success: true
  chat: Chat
}

export type ListUsersAnswer = {
  success: true
  count: number
  page: number
  limit: number
  hasMore: boolean
  users: TeamMember[]
}

export type ListQuickRepliesAnswer = {
  success: true
  count: number
  quickReplies: QuickReply[]
}

export type CreateQuickReplyAnswer = {
  success: true
  quickReply: QuickReply
}

export type UpdateQuickReplyAnswer = {
  success: true
  quickReply: QuickReply
}

export type DeleteQuickReplyAnswer = {
  success: true
  id: number
}

export type ListGroupsAnswer = {
  success: true
  count: number
  instance: InstanceReference
  groups: Group[]
}

export type CreateGroupAnswer = {
  success: true
  group: Group
  /** One outcome per person, in the order of the request */
  members: MemberOutcome[]
  /** `failed`: the group was created, and the network refused its picture. Null: none was given */
  picture: 'set' | 'failed' | null
}

export type GetGroupAnswer = {
  success: true
  group: Group
}

export type UpdateGroupAnswer = {
  success: true
  group: Group
}

export type SetGroupPictureAnswer = {
  success: true
  group: Group
}

export type DeleteGroupPictureAnswer = {
  success: true
  group: Group
}

export type ChangeGroupMembersAnswer = {
  success: true
  group: Group
  /** One outcome per person, in the order of the request */
  members: MemberOutcome[]
}

export type GetGroupInviteAnswer = {
  success: true
  code: string
  link: string
}

export type ResetGroupInviteAnswer = {
  success: true
  code: string
  link: string
}

export type PreviewGroupInviteAnswer = {
  success: true
  preview: {
    groupJid: string
    subject: string
    description: string | null
    ownerJid: string | null
    createdAt: string | null
    size: number
    joinApproval: boolean
  }
}

export type JoinGroupAnswer = {
  success: true
  groupJid: string
  /** `requested`: an admin of the group has to approve the request first */
  status: 'joined' | 'requested'
}

export type LeaveGroupAnswer = {
  success: true
  groupJid: string
}

export type ListJoinRequestsAnswer = {
  success: true
  count: number
  requests: ({
    jid: string
    phone: string | null
    /** Network identifier of the chat. Requests take it in the field `chat` */
    chat: string
    /** Phone number, digits with country code; null if it is hidden, and for a group */
    number: string | null
    /** The network's identifier that hides the phone number; null if it is not known */
    lid: string | null
    /** Name that the person has chosen on the network; null if there is none */
    username: string | null
    requestedAt: string | null
  })[]
}

export type AnswerJoinRequestsAnswer = {
  success: true
  group: Group
  requests: ({
    /** As in the request; null for a person named by lid */
    number: string | null
    /** Network identifier, as in the request */
    chat: string
    outcome: 'approved' | 'rejected' | 'no_request' | 'refused'
    /** The network's code, for `refused` */
    networkCode: number | null
  })[]
}

export type RejectCallAnswer = {
  success: true
  call: Call
}

export type GetPersonAnswer = {
  success: true
  person: PersonDetails
}

export type BlockPersonAnswer = {
  success: true
  person: {
    number: string | null
    jid: string
    isBlocked: boolean
  }
}

export type UnblockPersonAnswer = {
  success: true
  person: {
    number: string | null
    jid: string
    isBlocked: boolean
  }
}

export type GetBlocklistAnswer = {
  success: true
  count: number
  people: ({
    jid: string
    phone: string | null
    /** Network identifier of the chat. Requests take it in the field `chat` */
    chat: string
    /** Phone number, digits with country code; null if it is hidden, and for a group */
    number: string | null
    /** The network's identifier that hides the phone number; null if it is not known */
    lid: string | null
    /** Name that the person has chosen on the network; null if there is none */
    username: string | null
  })[]
}

export type ListPresenceAnswer = {
  success: true
  count: number
  subscriptions: PresenceSubscription[]
}

export type SubscribePresenceAnswer = {
  success: true
  count: number
  subscriptions: PresenceSubscription[]
  /** One outcome per person, in the order of the request */
  numbers: ({
    /** As in the request; null for a person named by lid */
    number: string | null
    /** Network identifier, as in the request */
    chat: string
    outcome: 'subscribed' | 'unsubscribed' | 'not_on_network'
  })[]
}

export type CheckNumberAnswer = {
  success: true
  status: 'success'
  data: {
    exists: boolean
    jid: string
    number: string
    instance: string
  }
}

export type CheckNumbersAnswer = {
  success: true
  count: number
  /** One for each number, in the order of the request */
  numbers: ({
    number: string
    exists: boolean
    /** The identifier of the person on the network */
    jid: string
  })[]
}

export type ListApiKeysAnswer = {
  success: true
  count: number
  apiKeys: ApiKey[]
}

export type CreateApiKeyAnswer = {
  success: true
  apiKey: ApiKey
  /** The API key. It is shown only once and cannot be retrieved later. */
  key: string
}

export type CurrentApiKeyAnswer = {
  success: true
  apiKey: ApiKey
  /** The instances that the key can name in requests; empty if its scopes need none */
  instances: ({
    apiInstanceName: string
    displayName: string
  })[]
}

export type RevokeApiKeyAnswer = {
  success: true
  apiKey: ApiKey
}

export type RotateApiKeyAnswer = {
  success: true
  apiKey: ApiKey
  /** The API key. It is shown only once and cannot be retrieved later. */
  key: string
}

export type ReviewAgentSignInAnswer = {
  success: true
  agent: RequestingAgent
  /** Where the browser goes if the person refuses */
  refusalUrl: string
}

export type GrantAgentSignInAnswer = {
  success: true
  redirectUrl: string
}

export type ListAuditAnswer = {
  success: true
  count: number
  page: number
  limit: number
  hasMore: boolean
  entries: AuditEntry[]
}

export type SaveWebhookAnswer = {
  success: true
  webhook: Webhook
}

export type ListWebhooksAnswer = {
  success: true
  count: number
  webhooks: Webhook[]
}

export type GetWebhookAnswer = {
  success: true
  webhook: Webhook
}

export type DeleteWebhookAnswer = {
  success: true
  id: number
}

export type RotateWebhookSecretAnswer = {
  success: true
  webhook: Webhook
}

export type TestWebhookAnswer = {
  success: true
  /** Whether the receiver accepted it */
  delivered: boolean
  attempt: DeliveryAttempt
  request: {
    /** The request headers as sent, including signatures */
    headers: { [name: string]: string }
    /** The request body as sent, byte for byte */
    body: string
  }
}

export type ListDeliveriesAnswer = {
  success: true
  count: number
  page: number
  limit: number
  hasMore: boolean
  deliveries: Delivery[]
}

export type GetDeliveryAnswer = {
  success: true
  delivery: DeliveryDetail
}

export type ReplayDeliveryAnswer = {
  success: true
  delivery: Delivery
}

export type ReplayWebhookAnswer = {
  success: true
  /** Number of events queued */
  queued: number
  complete: boolean
  /** Time of the last queued event */
  until: string | null
}

export type SaveDestinationAnswer = {
  success: true
  destination: Destination
}

export type ListDestinationsAnswer = {
  success: true
  count: number
  destinations: Destination[]
}

export type GetDestinationAnswer = {
  success: true
  destination: Destination
}

export type DeleteDestinationAnswer = {
  success: true
  id: number
}

export type TestDestinationAnswer = {
  success: true
  /** Whether the broker confirmed it */
  delivered: boolean
  attempt: DeliveryAttempt
  request: {
    /** The headers, properties or fields of the message beside its body */
    headers: { [name: string]: string }
    body: string
  }
}

export type ListDestinationDeliveriesAnswer = {
  success: true
  count: number
  page: number
  limit: number
  hasMore: boolean
  deliveries: Delivery[]
}

export type GetDestinationDeliveryAnswer = {
  success: true
  delivery: DeliveryDetail
}

export type ReplayDestinationDeliveryAnswer = {
  success: true
  delivery: Delivery
}

export type ReplayDestinationAnswer = {
  success: true
  /** Number of events queued */
  queued: number
  complete: boolean
  /** Time of the last queued event */
  until: string | null
}

export type SaveChatwootAnswer = {
  success: true
  bridge: ChatwootBridge
}

export type GetChatwootAnswer = {
  success: true
  bridge: ChatwootBridge
}

export type DeleteChatwootAnswer = {
  success: true
}

export type PushChatwootHistoryAnswer = {
  success: true
  /** Messages that are in Chatwoot now, including those that were there before */
  pushed: number
  /** Pass it as `cursor` to go on; null: this was all */
  next: string | null
  /** Why the call ended early: the message at `next` was not taken */
  failure: string | null
}

export type ListEventsAnswer = {
  success: true
  count: number
  hasMore: boolean
  /** Cursor for the next page; null if there are no events yet */
  next: string | null
  events: Event[]
}

export type AdminResumeAnswer = {
  success: true
  /** False if the gateway was not held */
  resumed: boolean
}

export type AdminListNodesAnswer = {
  success: true
  /** Number of instances that no node serves */
  untaken: number
  nodes: Node[]
}

export type AdminDrainNodeAnswer = {
  success: true
  node: Node
}

export type AdminResumeNodeAnswer = {
  success: true
  node: Node
}

export type AdminListPlansAnswer = {
  success: true
  count: number
  page: number
  limit: number
  hasMore: boolean
  plans: Plan[]
}

export type AdminCreatePlanAnswer = {
  success: true
  plan: Plan
}

export type AdminGetPlanAnswer = {
  success: true
  plan: Plan
}

export type AdminUpdatePlanAnswer = {
  success: true
  plan: Plan
}

export type AdminDeletePlanAnswer = {
  success: true
  id: number
}

export type AdminListInstancesAnswer = {
  success: true
  count: number
  page: number
  limit: number
  hasMore: boolean
  instances: OperatorInstance[]
}

export type AdminListAccountsAnswer = {
  success: true
  count: number
  page: number
  limit: number
  hasMore: boolean
  accounts: Account[]
}

export type AdminCreateAccountAnswer = {
  success: true
  account: Account
  /** The first API key of the account. It is shown only once */
  key: string
}

export type AdminGetAccountAnswer = {
  success: true
  account: Account
}

export type AdminUpdateAccountAnswer = {
  success: true
  account: Account
}

export type AdminDeleteAccountAnswer = {
  success: true
  id: number
}

export type AdminUpdateSubscriptionAnswer = {
  success: true
  account: Account
}

export type AdminListUsersAnswer = {
  success: true
  count: number
  page: number
  limit: number
  hasMore: boolean
  users: User[]
}

export type AdminCreateUserAnswer = {
  success: true
  user: User
}

export type AdminUpdateUserAnswer = {
  success: true
  user: User
}

export type AdminDeleteUserAnswer = {
  success: true
  id: number
}

export type AdminListKeysAnswer = {
  success: true
  count: number
  apiKeys: ApiKey[]
}

export type AdminCreateKeyAnswer = {
  success: true
  apiKey: ApiKey
  /** The API key. It is shown only once and cannot be retrieved later. */
  key: string
}

export type AdminRevokeKeyAnswer = {
  success: true
  apiKey: ApiKey
}

export type AdminRotateKeyAnswer = {
  success: true
  apiKey: ApiKey
  /** The API key. It is shown only once and cannot be retrieved later. */
  key: string
}

export type HealthzAnswer = {
  status: 'ok'
  /** The version of the program */
  version: string
  /** Why the gateway is held, that is, runs without sessions, sending and webhooks; null if it is not held */
  held: 'restored' | 'sessions_off' | null
}

export type ReadyzAnswer = {
  status: 'ready'
  checks: { [name: string]: 'ok' }
  /** Why the gateway is held, that is, runs without sessions, sending and webhooks; null if it is not held */
  held: 'restored' | 'sessions_off' | null
  /** The time of the gateway */
  clock: {
    /** steady: the clocks agree. stepped: a clock was set, and the gateway keeps its time until that has lasted for ten minutes. following: the gateway follows the new time */
    state: 'steady' | 'stepped' | 'following'
    /** How far the clock of the database, or of the machine, is ahead of the time of the gateway */
    differenceMs: number
  }
}

export type SandboxListPhonesAnswer = {
  success: true
  phones: SandboxPhone[]
}

export type SandboxCreatePhoneAnswer = {
  success: true
  phone: SandboxPhone
}

export type SandboxGetPhoneAnswer = {
  success: true
  phone: SandboxPhone
}

export type SandboxChangePhoneAnswer = {
  success: true
  phone: SandboxPhone
}

export type SandboxScanAnswer = {
  success: true
  /** Null when the network demands a passkey first */
  device: {
    number: string
    id: number
  } | null
}

export type SandboxEnterCodeAnswer = {
  success: true
  /** Null when the network demands a passkey first */
  device: {
    number: string
    id: number
  } | null
}

export type SandboxSaveContactAnswer = {
  success: true
}

export type SandboxSetPictureAnswer = {
  success: true
  phone: SandboxPhone
}

export type SandboxBlockAnswer = {
  success: true
  phone: SandboxPhone
}

export type SandboxListMessagesAnswer = {
  success: true
  messages: SandboxMessage[]
  cursor: number
}

export type SandboxGetMessageAnswer = {
  success: true
  message: SandboxMessage
}

export type SandboxListChatsAnswer = {
  success: true
  chats: ({
    /** A number or the id of a group */
    chat: string
    /** The name in the address book of the phone, or else the name that the person has chosen */
    name: string
    isGroup: boolean
    /** Null without a picture, or if the phone cannot see it */
    pictureId: string | null
    unread: number
    last: SandboxMessage | null
    archived: boolean
    pinned: boolean
    /** Unix milliseconds */
    mutedUntil: number | null
    markedUnread: boolean
    /** 0 when messages do not disappear */
    disappearingSeconds: number
    /** Ids of the labels of the chat */
    labels: string[]
  })[]
  hasMore: boolean
}

export type SandboxChangeChatAnswer = {
  success: true
}

export type SandboxDeleteChatAnswer = {
  success: true
}

export type SandboxListTypingAnswer = {
  success: true
  typing: ({
    seq: number
    chat: string
    from: string
    state: 'typing' | 'recording' | 'paused'
    timestamp: number
  })[]
}

export type SandboxTypeAnswer = {
  success: true
}

export type SandboxSendAnswer = {
  success: true
  messageId: string
}

export type SandboxSendMediaAnswer = {
  success: true
  messageId: string
}

export type SandboxSendContentAnswer = {
  success: true
  messageId: string
}

export type SandboxSetPasskeyAnswer = {
  success: true
  phone: SandboxPhone
}

export type SandboxGetPasskeyAnswer = {
  success: true
  passkey: SandboxPasskey
}

export type SandboxSignAssertionAnswer = {
  success: true
  assertion: SandboxAssertion
}

export type SandboxEditAnswer = {
  success: true
  messageId: string
}

export type SandboxRemoveAnswer = {
  success: true
  messageId: string
}

export type SandboxReadAnswer = {
  success: true
  messageIds: string[]
}

export type SandboxTapAnswer = {
  success: true
  messageId: string
}

export type SandboxVoteAnswer = {
  success: true
  messageId: string
}

export type SandboxReactAnswer = {
  success: true
  messageId: string
}

export type SandboxPinAnswer = {
  success: true
  messageId: string
}

export type SandboxForwardAnswer = {
  success: true
  messageId: string
}

export type SandboxSetDisappearingAnswer = {
  success: true
}

export type SandboxSetPresenceAnswer = {
  success: true
  phone: SandboxPhone
}

export type SandboxStarAnswer = {
  success: true
}

export type SandboxDeleteForMeAnswer = {
  success: true
}

export type SandboxListLabelsAnswer = {
  success: true
  labels: ({
    id: string
    name: string
    color: number
  })[]
}

export type SandboxSaveLabelAnswer = {
  success: true
  labelId: string
}

export type SandboxDeleteLabelAnswer = {
  success: true
}

export type SandboxLabelChatAnswer = {
  success: true
}

export type SandboxClearChatAnswer = {
  success: true
}

export type SandboxListCallsAnswer = {
  success: true
  calls: SandboxCall[]
}

export type SandboxPlaceCallAnswer = {
  success: true
  call: SandboxCall
}

export type SandboxAnswerCallAnswer = {
  success: true
  call: SandboxCall
}

export type SandboxHangUpAnswer = {
  success: true
  call: SandboxCall
}

export type SandboxPostStatusAnswer = {
  success: true
  messageId: string
}

export type SandboxExpireMediaAnswer = {
  success: true
}

export type SandboxListGroupsAnswer = {
  success: true
  groups: SandboxGroup[]
}

export type SandboxCreateGroupAnswer = {
  success: true
  group: SandboxGroup
  /** What the network answered for each person */
  outcomes: ({
    number: string
    outcome: 'done' | 'requested' | 'blocked' | 'must_be_invited' | 'not_found' | 'not_possible' | 'already_a_member'
  })[]
}

export type SandboxGetGroupAnswer = {
  success: true
  group: SandboxGroup
}

export type SandboxChangeGroupAnswer = {
  success: true
  group: SandboxGroup
}

export type SandboxListPhoneGroupsAnswer = {
  success: true
  groups: SandboxGroup[]
}

export type SandboxChangeMembersAnswer = {
  success: true
  group: SandboxGroup
  /** What the network answered for each person */
  outcomes: ({
    number: string
    outcome: 'done' | 'requested' | 'blocked' | 'must_be_invited' | 'not_found' | 'not_possible' | 'already_a_member'
  })[]
}

export type SandboxLeaveGroupAnswer = {
  success: true
  group: SandboxGroup
}

export type SandboxAnswerRequestsAnswer = {
  success: true
  group: SandboxGroup
  /** What the network answered for each person */
  outcomes: ({
    number: string
    outcome: 'done' | 'requested' | 'blocked' | 'must_be_invited' | 'not_found' | 'not_possible' | 'already_a_member'
  })[]
}

export type SandboxInviteAnswer = {
  success: true
  invitations: ({
    number: string
    messageId: string
  })[]
}

export type SandboxResetInviteAnswer = {
  success: true
  group: SandboxGroup
}

export type SandboxJoinGroupAnswer = {
  success: true
  jid: string
  outcome: 'joined' | 'requested'
}

export type SandboxListFaultsAnswer = {
  success: true
  faults: ({
    number: string
    kind: string
  })[]
}

export type SandboxCreateFaultAnswer = {
  success: true
  faults: ({
    number: string
    kind: string
  })[]
}

export type SandboxClearFaultsAnswer = {
  success: true
  faults: ({
    number: string
    kind: string
  })[]
}

export type SandboxInjectFramesAnswer = {
  success: true
  /** How many frames had a receiver; live ones need a connected client */
  sent: number
}

export type SandboxGetNetworkAnswer = {
  success: true
  wsUrl: string
  rootPublicKey: string
  addressing: 'pn' | 'lid'
  /** Older clients cannot log in */
  minimumVersion: string | null
  /** The version on the page that clients read */
  announcedVersion: string
}

export type SandboxSetNetworkAnswer = {
  success: true
  wsUrl: string
  rootPublicKey: string
  addressing: 'pn' | 'lid'
  /** Older clients cannot log in */
  minimumVersion: string | null
  /** The version on the page that clients read */
  announcedVersion: string
}

export type SandboxListChangesAnswer = {
  success: true
  changes: ({
    about: 'messages'
    number: string
    chat: string
  } | {
    about: 'typing'
    number: string
    chat: string
    from: string
    state: 'typing' | 'recording' | 'paused'
  } | {
    about: 'calls'
    number: string
  } | {
    about: 'world'
  })[]
  cursor: string
  /** The changes since the cursor are unknown, so everything has to be read again */
  missed: boolean
}

export type SandboxListFramesAnswer = {
  success: true
  frames: ({
    seq: number
    atMs: number
    direction: 'in' | 'out'
    number: string
    device: number
    tag: string
    id: string
    attributes: { [name: string]: string }
  })[]
}
