# Generated from the OpenAPI document by scripts/clients.ts. Do not edit: run `npm run docs:clients`.
"""Every schema of the API. Fields are named as in the API."""

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

EventName: TypeAlias = Literal["messages.upsert", "messages.update", "messages.edited", "messages.deleted", "messages.reaction", "messages.set_aside", "contacts.update", "contacts.merged", "chats.update", "labels.update", "labels.association", "qrcode.updated", "passkey.updated", "connection.update", "groups.upsert", "groups.update", "group-participants.update", "call", "presence.update", "batch"]

class Account(TypedDict):
    id: "int"
    name: "str"
    plan: "AccountPlan"
    subscription: "Subscription"
    createdAt: "str"
    updatedAt: "str"

class AccountPlan(TypedDict):
    id: "int"
    name: "str"

class AccountLimits(TypedDict):
    success: "Literal[True]"
    account: "AccountLimitsAccount"
    plan: "AccountLimitsPlan"
    subscription: "Subscription"
    limits: "AccountLimitsLimits"
    features: "Features"

class AccountLimitsAccount(TypedDict):
    teamId: "int"
    teamName: "str"

class AccountLimitsPlan(TypedDict):
    id: "int"
    name: "str"
    interval: "Literal['day', 'week', 'month', 'year']"
    currency: "str"
    amount: "int"

class AccountLimitsLimits(TypedDict):
    users: "ResourceLimit | None"
    contacts: "ResourceLimit | None"
    instances: "ResourceLimit | None"
    messages: "ResourceLimit | None"

class AlbumAnswer(TypedDict):
    success: "Literal[True]"
    messageId: "str"
    status: "Literal['awaiting_approval', 'scheduled', 'queued', 'sending', 'sent', 'delivered', 'read', 'played', 'failed']"
    instanceName: "str"
    number: NotRequired["str"]
    chat: "str"
    groupJid: NotRequired["str"]
    type: "Literal['text', 'image', 'video', 'document', 'audio', 'button', 'list', 'cta', 'carousel', 'pix', 'location', 'poll', 'sticker', 'contact', 'event', 'album', 'reaction', 'edit', 'delete', 'pin', 'disappearing']"
    createdAt: "str"
    sendAt: NotRequired["str"]
    reference: NotRequired["str"]
    failure: NotRequired["Failure"]
    members: "list[AlbumAnswerMembersItem]"

class AlbumAnswerMembersItem(TypedDict):
    messageId: "str"
    type: "Literal['image', 'video']"

class AnswerJoinRequests(TypedDict):
    approve: NotRequired["list[str]"]
    reject: NotRequired["list[str]"]

class AnswerPasskey(TypedDict):
    assertion: "PasskeyAssertion"

class ApiKey(TypedDict):
    id: "int"
    name: "str"
    hint: "str"
    scopes: "list[Literal['send', 'instances', 'instances:use', 'instances:manage', 'contacts', 'webhooks', 'account', 'keys', 'images', 'sandbox', 'read']]"
    instances: "list[str] | None"
    chats: "list[str] | Literal['wrote_first'] | None"
    messagesPerDay: "int | None"
    approval: "bool"
    approvalOnPhone: "bool"
    createdAt: "str"
    expiresAt: "str | None"
    revokedAt: "str | None"
    lastUsedAt: "str | None"

class Approval(TypedDict):
    message: "Message"
    requestedAt: "str"
    version: "int"
    approveBy: "str"
    key: "ApprovalKey"
    chatName: "str | None"
    text: "ApprovalText | None"
    files: "list[ApprovalFilesItem]"
    target: "Message | None"
    recentMessages: "list[Message]"

class ApprovalKey(TypedDict):
    id: "int"
    name: "str | None"

class ApprovalText(TypedDict):
    value: "str"
    field: "str"
    minLength: "int"
    maxLength: "int"

class ApprovalFilesItem(TypedDict):
    field: "str"
    mediaId: "str | None"
    mimetype: "str | None"
    sizeBytes: "int | None"
    fileName: "str | None"
    path: "str"

class ApproveSend(TypedDict):
    version: NotRequired["int"]
    text: NotRequired["str"]

class AssignChat(TypedDict):
    instanceName: "str"
    number: NotRequired["str"]
    groupJid: NotRequired["str"]
    chat: NotRequired["str"]
    userId: "int | None"

class AuditEntry(TypedDict):
    id: "int"
    at: "str"
    keyId: "int"
    keyName: "str | None"
    action: "str"
    instanceName: "str | None"
    chat: "str | None"
    subject: "str | None"
    status: "int"
    reason: "str | None"

Call = TypedDict("Call", {
    "callId": "str",
    "from": "Person",
    "isVideo": "bool | None",
    "isGroup": "bool | None",
    "chat": NotRequired["str"],
    "number": NotRequired["str | None"],
    "lid": NotRequired["str | None"],
    "username": NotRequired["str | None"],
    "groupJid": "str | None",
    "status": "Literal['offer', 'ringing', 'accepted', 'rejected', 'missed', 'ended']",
    "at": "str",
})

class CanceledMessages(TypedDict):
    success: "Literal[True]"
    reference: "str"
    canceled: "int"
    sending: "int"
    sent: "int"
    more: "bool"

class CancelMessages(TypedDict):
    reference: "str"
    instanceName: NotRequired["str"]

class ChangeGroupMembers(TypedDict):
    add: NotRequired["list[str]"]
    remove: NotRequired["list[str]"]
    promote: NotRequired["list[str]"]
    demote: NotRequired["list[str]"]

class ChangeTarget(TypedDict):
    messageId: "str"
    direction: "Literal['outgoing', 'incoming'] | None"
    author: "str | None"

class Chat(TypedDict):
    id: "int"
    chat: "str"
    name: "str | None"
    pushName: "str | None"
    lastMessageText: "str | None"
    lastMessageTimestamp: "str | None"
    unreadCount: "int"
    remoteJid: "str"
    phone: "str | None"
    number: "str | None"
    lid: "str | None"
    username: "str | None"
    groupJid: "str | None"
    isGroup: "bool"
    archived: "bool"
    mutedUntil: "str | None"
    pinned: "bool"
    unread: "bool"
    disappearingSeconds: "int"
    assignedTo: "int | None"
    labels: "list[ChatLabel]"
    contactId: "int | None"
    contactName: "str | None"
    lastMessage: "LastMessage | None"
    profilePictureUrl: "str | None"

class ChatLabel(TypedDict):
    id: "str"
    name: "str"
    color: "int"

class ChatsUpdateEvent(TypedDict):
    chat: "str"
    number: NotRequired["str | None"]
    lid: NotRequired["str | None"]
    username: NotRequired["str | None"]
    groupJid: NotRequired["str | None"]
    name: "str | None"
    unreadCount: "int"
    lastMessageText: "str | None"
    lastMessageTimestamp: "str | None"
    archived: NotRequired["bool"]
    mutedUntil: NotRequired["str | None"]
    pinned: NotRequired["bool"]
    unread: NotRequired["bool"]
    disappearingSeconds: NotRequired["int"]
    assignedTo: NotRequired["int | None"]
    truncated: NotRequired["Literal[True]"]
    rest: NotRequired["str"]

class ChatwootBridge(TypedDict):
    instance: "InstanceNames"
    webhookId: "int"
    url: "str"
    accountId: "int"
    inboxId: "int"
    inboxName: "str"
    enabled: "bool"
    isSigned: "bool"
    gatewayUrl: "str"
    signAgentNames: "bool"
    ignoreGroups: "bool"
    reopenConversation: "bool"
    conversationPending: "bool"
    failingSince: "str | None"
    updatedAt: "str"

class ChatwootHistoryBody(TypedDict):
    number: NotRequired["str"]
    groupJid: NotRequired["str"]
    chat: NotRequired["str"]
    days: NotRequired["int"]
    cursor: NotRequired["str"]
    limit: NotRequired["int"]

class ConfirmPasskey(TypedDict):
    code: "str"

class ConnectionUpdateEvent(TypedDict):
    state: "Literal['connecting', 'open', 'close']"
    stateReason: "Literal['awaiting_scan', 'qr_expired', 'awaiting_passkey', 'passkey_sent', 'awaiting_passkey_confirmation', 'passkey_disabled', 'passkey_expired', 'passkey_refused', 'passkey_unanswered', 'passkey_lost', 'passkey_cancelled', 'logged_out', 'replaced', 'bad_session', 'temporarily_banned', 'client_outdated', 'restricted', 'network_lost', 'proxy_unreachable', 'proxy_refused', 'stopped', 'held'] | None"
    stateReasonUntil: "str | None"
    number: "str | None"

class Contact(TypedDict):
    id: "int"
    name: "str"
    phone: "str | None"
    remoteJid: "str"
    number: "str | None"
    lid: "str | None"
    username: "str | None"
    groupJid: "str | None"
    isGroup: "bool"
    profilePicUrl: "str | None"
    profilePictureUrl: "str | None"
    chat: "ContactChat"
    assignedUserId: "int | None"
    assignedDepartmentId: "int | None"
    funnelStageId: "int | None"
    notes: "str | None"
    customData: "dict[str, JsonValue]"
    showTimeInStage: "bool"
    createdAt: "str"
    updatedAt: "str"

class ContactChat(TypedDict):
    id: "int"
    chat: "str"
    name: "str | None"
    pushName: "str | None"
    lastMessageText: "str | None"
    lastMessageTimestamp: "str | None"
    unreadCount: "int"

class ContactsMergedEvent(TypedDict):
    chat: "str"
    number: NotRequired["str | None"]
    lid: NotRequired["str | None"]
    username: NotRequired["str | None"]
    groupJid: NotRequired["str | None"]
    mergedChat: "str"
    person: "Person"
    contactId: "int | None"
    removedContactId: "int | None"

class ContactsUpdateEvent(TypedDict):
    contactId: "int | None"
    chat: NotRequired["str"]
    number: NotRequired["str | None"]
    lid: NotRequired["str | None"]
    username: NotRequired["str | None"]
    groupJid: NotRequired["str | None"]
    person: "Person"
    name: "str | None"

class CreateAccount(TypedDict):
    name: "str"
    planId: "int"
    status: NotRequired["Literal['active', 'trialing', 'past_due', 'canceled', 'expired', 'pending']"]
    currentPeriodStart: NotRequired["str"]
    currentPeriodEnd: NotRequired["str | None"]
    trialEndsAt: NotRequired["str | None"]
    expiresAt: NotRequired["str | None"]

class CreateApiKey(TypedDict):
    name: "str"
    scopes: NotRequired["list[Literal['send', 'instances', 'instances:use', 'instances:manage', 'contacts', 'webhooks', 'account', 'keys', 'images', 'sandbox', 'read']]"]
    instances: NotRequired["list[str] | None"]
    chats: NotRequired["list[str] | Literal['wrote_first'] | None"]
    messagesPerDay: NotRequired["int | None"]
    approval: NotRequired["bool"]
    approvalOnPhone: NotRequired["bool"]
    expiresAt: NotRequired["str | None"]

class CreateGroup(TypedDict):
    instanceName: "str"
    subject: "str"
    members: "list[str]"
    description: NotRequired["str"]
    picture: NotRequired["CreateGroupPicture"]

class CreateGroupPicture(TypedDict):
    mediaUrl: NotRequired["str"]
    mediaId: NotRequired["str"]

class CreateInstance(TypedDict):
    instanceName: "str"
    integration: NotRequired["str"]

class CreateLabel(TypedDict):
    instanceName: "str"
    name: "str"
    color: NotRequired["int"]

class CreatePlan(TypedDict):
    name: "str"
    interval: NotRequired["Literal['day', 'week', 'month', 'year']"]
    currency: NotRequired["str"]
    amount: NotRequired["int"]
    limits: NotRequired["PlanLimits"]
    features: NotRequired["CreatePlanFeatures"]
    requestsPerSecond: NotRequired["int | None"]

class CreatePlanFeatures(TypedDict):
    ai: "bool"
    flowBuilder: "bool"
    campaigns: "bool"
    templates: "bool"
    voiceCalls: "bool"

class CreateQuickReply(TypedDict):
    shortcut: "str"
    text: "str"

class CreateUser(TypedDict):
    name: "str"
    email: "str"

class Delivery(TypedDict):
    id: "int"
    eventId: "str"
    event: "Literal['messages.upsert', 'messages.update', 'messages.edited', 'messages.deleted', 'messages.reaction', 'messages.set_aside', 'contacts.update', 'contacts.merged', 'chats.update', 'labels.update', 'labels.association', 'qrcode.updated', 'passkey.updated', 'connection.update', 'groups.upsert', 'groups.update', 'group-participants.update', 'call', 'presence.update']"
    sequence: "int"
    instance: "InstanceReference"
    status: "Literal['pending', 'delivered', 'retrying', 'dead']"
    tries: "int"
    nextTryAt: "str | None"
    createdAt: "str"
    deliveredAt: "str | None"
    attempts: "list[DeliveryAttempt]"

class DeliveryAttempt(TypedDict):
    at: "str"
    durationMs: "int"
    status: "int | None"
    answer: "str | None"
    error: "str | None"

class DeliveryDetail(TypedDict):
    id: "int"
    eventId: "str"
    event: "Literal['messages.upsert', 'messages.update', 'messages.edited', 'messages.deleted', 'messages.reaction', 'messages.set_aside', 'contacts.update', 'contacts.merged', 'chats.update', 'labels.update', 'labels.association', 'qrcode.updated', 'passkey.updated', 'connection.update', 'groups.upsert', 'groups.update', 'group-participants.update', 'call', 'presence.update']"
    sequence: "int"
    instance: "InstanceReference"
    status: "Literal['pending', 'delivered', 'retrying', 'dead']"
    tries: "int"
    nextTryAt: "str | None"
    createdAt: "str"
    deliveredAt: "str | None"
    body: "str"
    attempts: "list[DeliveryDetailAttemptsItem]"

class DeliveryDetailAttemptsItem(TypedDict):
    at: "str"
    durationMs: "int"
    status: "int | None"
    answer: "str | None"
    error: "str | None"
    headers: "dict[str, str]"

class DeliveryTimes(TypedDict):
    median: "int"
    p95: "int"

class Destination(TypedDict):
    id: "int"
    type: "Literal['rabbitmq', 'nats', 'mqtt', 'redis', 'sqs']"
    name: "str"
    url: "str"
    username: "str | None"
    hasPassword: "bool"
    topic: "str | None"
    exchange: "str | None"
    maxLength: "int | None"
    region: "str | None"
    homeAssistant: "bool"
    events: "list[Literal['*', 'messages.upsert', 'messages.update', 'messages.edited', 'messages.deleted', 'messages.reaction', 'messages.set_aside', 'contacts.update', 'contacts.merged', 'chats.update', 'labels.update', 'labels.association', 'qrcode.updated', 'passkey.updated', 'connection.update', 'groups.upsert', 'groups.update', 'group-participants.update', 'call', 'presence.update']]"
    filter: "WebhookFilter"
    history: "bool"
    enabled: "bool"
    failingSince: "str | None"
    disabledReason: "Literal['gone', 'failing'] | None"
    disabledAt: "str | None"
    instance: "InstanceNames | None"
    createdAt: "str"
    updatedAt: "str"

class Edit(TypedDict):
    instanceName: NotRequired["str"]
    message: "str"

class Error(TypedDict):
    success: "Literal[False]"
    error: "str"
    reason: "str"
    requestId: "str"
    details: NotRequired["list[ErrorDetailsItem]"]

class ErrorDetailsItem(TypedDict):
    path: "str"
    message: "str"

Event: TypeAlias = "EventMessagesUpsert | EventMessagesUpdate | EventMessagesEdited | EventMessagesDeleted | EventMessagesReaction | EventMessagesSetAside | EventContactsUpdate | EventContactsMerged | EventChatsUpdate | EventLabelsUpdate | EventLabelsAssociation | EventQrcodeUpdated | EventPasskeyUpdated | EventConnectionUpdate | EventGroupsUpsert | EventGroupsUpdate | EventGroupParticipantsUpdate | EventCall | EventPresenceUpdate"

class EventMessagesUpsert(TypedDict):
    id: "str"
    event: "Literal['messages.upsert']"
    timestamp: "str"
    sequence: "int"
    instance: "InstanceReference"
    data: "MessagesUpsertEvent"

class EventMessagesUpdate(TypedDict):
    id: "str"
    event: "Literal['messages.update']"
    timestamp: "str"
    sequence: "int"
    instance: "InstanceReference"
    data: "MessagesUpdateEvent"

class EventMessagesEdited(TypedDict):
    id: "str"
    event: "Literal['messages.edited']"
    timestamp: "str"
    sequence: "int"
    instance: "InstanceReference"
    data: "MessagesEditedEvent"

class EventMessagesDeleted(TypedDict):
    id: "str"
    event: "Literal['messages.deleted']"
    timestamp: "str"
    sequence: "int"
    instance: "InstanceReference"
    data: "MessagesDeletedEvent"

class EventMessagesReaction(TypedDict):
    id: "str"
    event: "Literal['messages.reaction']"
    timestamp: "str"
    sequence: "int"
    instance: "InstanceReference"
    data: "MessagesReactionEvent"

class EventMessagesSetAside(TypedDict):
    id: "str"
    event: "Literal['messages.set_aside']"
    timestamp: "str"
    sequence: "int"
    instance: "InstanceReference"
    data: "MessagesSetAsideEvent"

class EventContactsUpdate(TypedDict):
    id: "str"
    event: "Literal['contacts.update']"
    timestamp: "str"
    sequence: "int"
    instance: "InstanceReference"
    data: "ContactsUpdateEvent"

class EventContactsMerged(TypedDict):
    id: "str"
    event: "Literal['contacts.merged']"
    timestamp: "str"
    sequence: "int"
    instance: "InstanceReference"
    data: "ContactsMergedEvent"

class EventChatsUpdate(TypedDict):
    id: "str"
    event: "Literal['chats.update']"
    timestamp: "str"
    sequence: "int"
    instance: "InstanceReference"
    data: "ChatsUpdateEvent"

class EventLabelsUpdate(TypedDict):
    id: "str"
    event: "Literal['labels.update']"
    timestamp: "str"
    sequence: "int"
    instance: "InstanceReference"
    data: "LabelsUpdateEvent"

class EventLabelsAssociation(TypedDict):
    id: "str"
    event: "Literal['labels.association']"
    timestamp: "str"
    sequence: "int"
    instance: "InstanceReference"
    data: "LabelsAssociationEvent"

class EventQrcodeUpdated(TypedDict):
    id: "str"
    event: "Literal['qrcode.updated']"
    timestamp: "str"
    sequence: "int"
    instance: "InstanceReference"
    data: "QrcodeUpdatedEvent"

class EventPasskeyUpdated(TypedDict):
    id: "str"
    event: "Literal['passkey.updated']"
    timestamp: "str"
    sequence: "int"
    instance: "InstanceReference"
    data: "PasskeyUpdatedEvent"

class EventConnectionUpdate(TypedDict):
    id: "str"
    event: "Literal['connection.update']"
    timestamp: "str"
    sequence: "int"
    instance: "InstanceReference"
    data: "ConnectionUpdateEvent"

class EventGroupsUpsert(TypedDict):
    id: "str"
    event: "Literal['groups.upsert']"
    timestamp: "str"
    sequence: "int"
    instance: "InstanceReference"
    data: "GroupsUpsertEvent"

class EventGroupsUpdate(TypedDict):
    id: "str"
    event: "Literal['groups.update']"
    timestamp: "str"
    sequence: "int"
    instance: "InstanceReference"
    data: "GroupsUpdateEvent"

class EventGroupParticipantsUpdate(TypedDict):
    id: "str"
    event: "Literal['group-participants.update']"
    timestamp: "str"
    sequence: "int"
    instance: "InstanceReference"
    data: "GroupParticipantsUpdateEvent"

class EventCall(TypedDict):
    id: "str"
    event: "Literal['call']"
    timestamp: "str"
    sequence: "int"
    instance: "InstanceReference"
    data: "Call"

class EventPresenceUpdate(TypedDict):
    id: "str"
    event: "Literal['presence.update']"
    timestamp: "str"
    sequence: "int"
    instance: "InstanceReference"
    data: "PresenceUpdateEvent"

class EventBatch(TypedDict):
    id: "str"
    event: "Literal['batch']"
    events: "list[Event]"

class Failure(TypedDict):
    reason: "Literal['number_not_on_network', 'not_a_group_member', 'rejected_by_network', 'account_restricted', 'media_unavailable', 'media_too_large', 'expired', 'canceled', 'rejected', 'instance_deleted', 'logged_out', 'target_not_sent', 'target_deleted', 'no_recipients', 'internal']"
    error: "str"
    code: "int | None"

class Features(TypedDict):
    ai: "bool"
    flowBuilder: "bool"
    campaigns: "bool"
    templates: "bool"
    voiceCalls: "bool"

class Forward(TypedDict):
    number: NotRequired["str"]
    groupJid: NotRequired["str"]
    chat: NotRequired["str"]
    reference: NotRequired["str"]
    sendAt: NotRequired["str"]
    expiresAt: NotRequired["str"]
    instanceName: NotRequired["str"]

class GrantAgentSignIn(TypedDict):
    responseType: "Literal['code']"
    clientId: "str"
    redirectUri: "str"
    codeChallenge: "str"
    codeChallengeMethod: "Literal['S256']"
    state: NotRequired["str"]
    resourceUrl: NotRequired["str"]
    scope: NotRequired["str"]
    scopes: "list[Literal['read', 'send', 'contacts']]"
    instances: NotRequired["list[str] | None"]
    chats: NotRequired["list[str] | Literal['wrote_first'] | None"]
    messagesPerDay: NotRequired["int | None"]
    approval: NotRequired["bool"]
    approvalOnPhone: NotRequired["bool"]
    expiresAt: NotRequired["str | None"]

class Group(TypedDict):
    id: "str"
    groupJid: "str"
    subject: "str"
    description: "str | None"
    ownerJid: "str | None"
    createdAt: "str | None"
    size: "int"
    isAdmin: "bool"
    isAnnouncement: "bool"
    isLocked: "bool"
    joinApproval: "bool | None"
    memberAdd: "Literal['all', 'admins'] | None"
    disappearingSeconds: "int | None"
    profilePictureUrl: "str | None"
    participants: NotRequired["list[GroupParticipant]"]

class GroupParticipant(TypedDict):
    jid: "str"
    phone: "str | None"
    chat: "str"
    number: "str | None"
    lid: "str | None"
    username: "str | None"
    isAdmin: "bool"

class GroupParticipantsUpdateEvent(TypedDict):
    chat: NotRequired["str"]
    number: NotRequired["str | None"]
    lid: NotRequired["str | None"]
    username: NotRequired["str | None"]
    groupJid: "str"
    truncated: NotRequired["Literal[True]"]
    rest: NotRequired["str"]
    author: "Person | None"
    action: "Literal['add', 'remove', 'promote', 'demote']"
    people: "list[Person]"

class GroupsUpdateEvent(TypedDict):
    chat: NotRequired["str"]
    number: NotRequired["str | None"]
    lid: NotRequired["str | None"]
    username: NotRequired["str | None"]
    groupJid: "str"
    truncated: NotRequired["Literal[True]"]
    rest: NotRequired["str"]
    author: "Person | None"
    changes: "GroupsUpdateEventChanges"

class GroupsUpdateEventChanges(TypedDict):
    subject: NotRequired["str"]
    description: NotRequired["str | None"]
    announce: NotRequired["bool"]
    locked: NotRequired["bool"]
    joinApproval: NotRequired["bool"]
    memberAdd: NotRequired["Literal['all', 'admins']"]
    disappearingSeconds: NotRequired["int"]
    picture: NotRequired["Literal['set', 'removed']"]

class GroupsUpsertEvent(TypedDict):
    chat: NotRequired["str"]
    number: NotRequired["str | None"]
    lid: NotRequired["str | None"]
    username: NotRequired["str | None"]
    groupJid: "str"
    truncated: NotRequired["Literal[True]"]
    rest: NotRequired["str"]
    author: "Person | None"
    subject: "str"
    description: "str | None"
    ownerJid: "str | None"
    createdAt: "str | None"
    size: "int"
    isAdmin: "bool"
    announce: "bool"
    locked: "bool"
    joinApproval: "bool"
    memberAdd: "Literal['all', 'admins']"
    disappearingSeconds: "int"

class HourOfMessages(TypedDict):
    hour: "str"
    sent: "int"
    received: "int"
    failed: "int"

class Instance(TypedDict):
    id: "int"
    instanceName: "str"
    displayName: "str"
    apiInstanceName: "str"
    internalName: "str"
    state: "Literal['connecting', 'open', 'close']"
    status: "Literal['connecting', 'open', 'close']"
    stateReason: "Literal['awaiting_scan', 'qr_expired', 'awaiting_passkey', 'passkey_sent', 'awaiting_passkey_confirmation', 'passkey_disabled', 'passkey_expired', 'passkey_refused', 'passkey_unanswered', 'passkey_lost', 'passkey_cancelled', 'logged_out', 'replaced', 'bad_session', 'temporarily_banned', 'client_outdated', 'restricted', 'network_lost', 'proxy_unreachable', 'proxy_refused', 'stopped', 'held'] | None"
    stateReasonUntil: "str | None"
    isConnected: "bool"
    profileName: "str | None"
    profilePictureUrl: "str | None"
    profilePicUrl: "str | None"
    number: "str | None"
    owner: "str | None"
    integration: "str | None"
    createdAt: "str"
    updatedAt: "str"

class InstanceNames(TypedDict):
    instanceName: "str"
    displayName: "str"
    apiInstanceName: "str"
    internalName: "str"

class InstanceReference(TypedDict):
    id: "int"
    instanceName: "str"
    displayName: "str"
    apiInstanceName: "str"
    internalName: "str"

class InstanceSettings(TypedDict):
    rejectCalls: "bool"
    rejectCallsText: "str | None"
    readOnReply: "bool"
    viewWithoutReceipts: "bool"
    alwaysOnline: "bool"
    ignoreGroups: "bool"
    syncHistory: "Literal['none', 'recent', 'full']"
    proxy: "str | None"
    deviceName: "str | None"

class InstanceState(TypedDict):
    instanceName: "str"
    displayName: "str"
    apiInstanceName: "str"
    internalName: "str"
    state: "Literal['connecting', 'open', 'close']"
    stateReason: "Literal['awaiting_scan', 'qr_expired', 'awaiting_passkey', 'passkey_sent', 'awaiting_passkey_confirmation', 'passkey_disabled', 'passkey_expired', 'passkey_refused', 'passkey_unanswered', 'passkey_lost', 'passkey_cancelled', 'logged_out', 'replaced', 'bad_session', 'temporarily_banned', 'client_outdated', 'restricted', 'network_lost', 'proxy_unreachable', 'proxy_refused', 'stopped', 'held'] | None"
    stateReasonUntil: "str | None"
    profileName: "str | None"
    profilePictureUrl: "str | None"
    profilePicUrl: "str | None"
    number: "str | None"
    owner: "str | None"
    integration: "str | None"

class JoinGroup(TypedDict):
    instanceName: "str"
    code: "str"

JsonValue: TypeAlias = "Any"

class Label(TypedDict):
    id: "str"
    name: "str"
    color: "int"
    chats: "int"

class LabelChat(TypedDict):
    instanceName: "str"
    number: NotRequired["str"]
    groupJid: NotRequired["str"]
    chat: NotRequired["str"]

class LabelsAssociationEvent(TypedDict):
    chat: "str"
    number: NotRequired["str | None"]
    lid: NotRequired["str | None"]
    username: NotRequired["str | None"]
    groupJid: NotRequired["str | None"]
    labelId: "str"
    name: "str | None"
    labeled: "bool"

class LabelsUpdateEvent(TypedDict):
    labelId: "str"
    name: "str"
    color: "int"
    deleted: "bool"

LastMessage = TypedDict("LastMessage", {
    "messageId": "str",
    "direction": "Literal['outgoing', 'incoming']",
    "type": "Literal['text', 'image', 'video', 'document', 'audio', 'button', 'list', 'cta', 'carousel', 'pix', 'location', 'poll', 'sticker', 'contact', 'event', 'album', 'order', 'product', 'poll_vote', 'event_answer', 'reaction', 'edit', 'delete', 'pin', 'disappearing', 'button_reply', 'list_reply', 'view_once_unavailable', 'undecryptable', 'unsupported']",
    "status": "Literal['awaiting_approval', 'scheduled', 'queued', 'sending', 'sent', 'delivered', 'read', 'played', 'failed']",
    "text": "str | None",
    "deleted": "bool",
    "from": "Person | None",
    "voice": "bool",
    "seconds": "int | None",
})

class MarkPlayed(TypedDict):
    instanceName: NotRequired["str"]

class MediaDescriptor(TypedDict):
    kind: "Literal['image', 'video', 'document', 'audio', 'sticker']"
    mimetype: "str"
    fileName: "str | None"
    sizeBytes: "int | None"
    seconds: "float | None"
    width: "int | None"
    height: "int | None"
    sha256: "str | None"
    downloadPath: "str | None"

class MemberOutcome(TypedDict):
    number: "str | None"
    chat: "str"
    outcome: "Literal['added', 'removed', 'promoted', 'demoted', 'already_member', 'not_a_member', 'invited', 'not_on_network', 'refused']"
    networkCode: "int | None"

class Message(TypedDict):
    messageId: "str"
    instanceName: "str"
    direction: "Literal['outgoing', 'incoming']"
    chat: "str"
    number: "str | None"
    lid: "str | None"
    username: "str | None"
    groupJid: "str | None"
    type: "Literal['text', 'image', 'video', 'document', 'audio', 'button', 'list', 'cta', 'carousel', 'pix', 'location', 'poll', 'sticker', 'contact', 'event', 'album', 'order', 'product', 'poll_vote', 'event_answer', 'reaction', 'edit', 'delete', 'pin', 'disappearing', 'button_reply', 'list_reply', 'view_once_unavailable', 'undecryptable', 'unsupported']"
    status: "Literal['awaiting_approval', 'scheduled', 'queued', 'sending', 'sent', 'delivered', 'read', 'played', 'failed']"
    content: "dict[str, JsonValue]"
    failure: "Failure | None"
    sendAt: "str | None"
    expiresAt: "str | None"
    late: "bool"
    reference: "str | None"
    starred: "bool"
    historical: "bool"
    createdAt: "str"
    updatedAt: "str"
    sentAt: "str | None"
    deliveredAt: "str | None"
    readAt: "str | None"

MessagesDeletedEvent = TypedDict("MessagesDeletedEvent", {
    "messageId": "str",
    "chat": "str",
    "number": NotRequired["str | None"],
    "lid": NotRequired["str | None"],
    "username": NotRequired["str | None"],
    "groupJid": NotRequired["str | None"],
    "direction": "Literal['outgoing', 'incoming']",
    "from": "Person",
    "target": "ChangeTarget",
    "at": "str",
    "truncated": NotRequired["Literal[True]"],
    "rest": NotRequired["str"],
    "deletedBy": "Literal['author', 'admin'] | None",
})

MessagesEditedEvent = TypedDict("MessagesEditedEvent", {
    "messageId": "str",
    "chat": "str",
    "number": NotRequired["str | None"],
    "lid": NotRequired["str | None"],
    "username": NotRequired["str | None"],
    "groupJid": NotRequired["str | None"],
    "direction": "Literal['outgoing', 'incoming']",
    "from": "Person",
    "target": "ChangeTarget",
    "at": "str",
    "truncated": NotRequired["Literal[True]"],
    "rest": NotRequired["str"],
    "text": "str | None",
})

MessagesReactionEvent = TypedDict("MessagesReactionEvent", {
    "messageId": "str",
    "chat": "str",
    "number": NotRequired["str | None"],
    "lid": NotRequired["str | None"],
    "username": NotRequired["str | None"],
    "groupJid": NotRequired["str | None"],
    "direction": "Literal['outgoing', 'incoming']",
    "from": "Person",
    "target": "ChangeTarget",
    "at": "str",
    "truncated": NotRequired["Literal[True]"],
    "rest": NotRequired["str"],
    "emoji": "str | None",
})

class MessagesSetAsideEvent(TypedDict):
    what: "Literal['message', 'notice', 'key']"
    reason: "Literal['ended_process', 'refused_by_store', 'malformed']"
    messageId: "str | None"
    chat: "str | None"
    number: NotRequired["str | None"]
    lid: NotRequired["str | None"]
    username: NotRequired["str | None"]
    groupJid: NotRequired["str | None"]
    at: "str"

class MessagesUpdateEvent(TypedDict):
    messageId: "str"
    chat: "str"
    number: NotRequired["str | None"]
    lid: NotRequired["str | None"]
    username: NotRequired["str | None"]
    groupJid: NotRequired["str | None"]
    status: "Literal['awaiting_approval', 'scheduled', 'queued', 'sending', 'sent', 'delivered', 'read', 'played', 'failed']"
    failure: "Failure | None"
    text: NotRequired["str | None"]
    content: NotRequired["dict[str, JsonValue]"]
    at: "str"
    truncated: NotRequired["Literal[True]"]
    rest: NotRequired["str"]

MessagesUpsertEvent = TypedDict("MessagesUpsertEvent", {
    "messageId": "str",
    "chat": "str",
    "number": NotRequired["str | None"],
    "lid": NotRequired["str | None"],
    "username": NotRequired["str | None"],
    "groupJid": NotRequired["str | None"],
    "direction": "Literal['outgoing', 'incoming']",
    "from": "Person",
    "type": "Literal['text', 'image', 'video', 'document', 'audio', 'button', 'list', 'cta', 'carousel', 'pix', 'location', 'poll', 'sticker', 'contact', 'event', 'album', 'order', 'product', 'poll_vote', 'event_answer', 'reaction', 'edit', 'delete', 'pin', 'disappearing', 'button_reply', 'list_reply', 'view_once_unavailable', 'undecryptable', 'unsupported']",
    "text": "str | None",
    "media": "MediaDescriptor | None",
    "quoted": "MessagesUpsertEventQuoted | None",
    "interactiveReplyId": "str | None",
    "target": NotRequired["ChangeTarget | None"],
    "content": "dict[str, JsonValue]",
    "status": "Literal['awaiting_approval', 'scheduled', 'queued', 'sending', 'sent', 'delivered', 'read', 'played', 'failed'] | None",
    "sentAt": "str",
    "sendAt": NotRequired["str | None"],
    "reference": NotRequired["str | None"],
    "historical": NotRequired["bool"],
    "truncated": NotRequired["Literal[True]"],
    "rest": NotRequired["str"],
})

class MessagesUpsertEventQuoted(TypedDict):
    messageId: "str"
    text: "str | None"
    participant: "str | None"

class Node(TypedDict):
    id: "str"
    name: "str"
    url: "str | None"
    status: "Literal['standby', 'live', 'draining', 'dead']"
    version: "str"
    instances: "int"
    startedAt: "str"
    leaseSecondsLeft: "float | None"
    endedAt: "str | None"
    endedBy: "str | None"
    isThis: "bool"
    isLead: "bool"

class OperatorInstance(TypedDict):
    id: "int"
    instanceName: "str"
    displayName: "str"
    apiInstanceName: "str"
    internalName: "str"
    state: "Literal['connecting', 'open', 'close']"
    status: "Literal['connecting', 'open', 'close']"
    stateReason: "Literal['awaiting_scan', 'qr_expired', 'awaiting_passkey', 'passkey_sent', 'awaiting_passkey_confirmation', 'passkey_disabled', 'passkey_expired', 'passkey_refused', 'passkey_unanswered', 'passkey_lost', 'passkey_cancelled', 'logged_out', 'replaced', 'bad_session', 'temporarily_banned', 'client_outdated', 'restricted', 'network_lost', 'proxy_unreachable', 'proxy_refused', 'stopped', 'held'] | None"
    stateReasonUntil: "str | None"
    isConnected: "bool"
    profileName: "str | None"
    profilePictureUrl: "str | None"
    profilePicUrl: "str | None"
    number: "str | None"
    owner: "str | None"
    integration: "str | None"
    createdAt: "str"
    updatedAt: "str"
    account: "OperatorInstanceAccount"
    queued: "int"

class OperatorInstanceAccount(TypedDict):
    id: "int"
    name: "str"

class OperatorStatistics(TypedDict):
    success: "Literal[True]"
    since: "str"
    until: "str"
    stepHours: "int"
    totals: "OperatorStatisticsTotals"
    steps: "list[StatisticsStep]"
    failures: "list[OperatorStatisticsFailuresItem]"
    deliveryFailures: "list[OperatorStatisticsDeliveryFailuresItem]"
    disconnections: "list[OperatorStatisticsDisconnectionsItem]"

class OperatorStatisticsTotals(TypedDict):
    sent: "int"
    received: "int"
    failed: "int"
    canceled: "int"
    delivered: "int"
    retried: "int"
    dead: "int"
    deliveryMs: "DeliveryTimes | None"

class OperatorStatisticsFailuresItem(TypedDict):
    reason: "str"
    count: "int"

class OperatorStatisticsDeliveryFailuresItem(TypedDict):
    reason: "str"
    count: "int"

class OperatorStatisticsDisconnectionsItem(TypedDict):
    reason: "str"
    count: "int"

class PasskeyAssertion(TypedDict):
    id: "str"
    rawId: "str"
    type: "Literal['public-key']"
    response: "PasskeyAssertionResponse"

class PasskeyAssertionResponse(TypedDict):
    clientDataJSON: "str"
    authenticatorData: "str"
    signature: "str"
    userHandle: NotRequired["str | None"]

class PasskeyDemand(TypedDict):
    step: "Literal['assertion_needed', 'assertion_sent', 'confirmation_needed', 'finishing']"
    code: "str | None"
    expiresAt: "str"
    options: "dict[str, JsonValue] | None"
    origin: "str"

class PasskeyState(TypedDict):
    step: "Literal['assertion_needed', 'assertion_sent', 'confirmation_needed', 'finishing']"
    code: "str | None"
    expiresAt: "str"

class PasskeyUpdatedEvent(TypedDict):
    step: "Literal['assertion_needed', 'assertion_sent', 'confirmation_needed', 'finishing', 'ended']"
    code: "str | None"
    expiresAt: "str | None"
    result: "Literal['linked', 'disabled', 'expired', 'refused', 'unanswered', 'lost', 'cancelled', 'stopped'] | None"

class Person(TypedDict):
    jid: "str"
    lid: "str | None"
    phone: "str | None"
    pushName: "str | None"
    chat: NotRequired["str"]
    number: NotRequired["str | None"]
    username: NotRequired["str | None"]

class PersonDetails(TypedDict):
    isRegistered: "bool"
    jid: "str | None"
    chat: "str | None"
    number: "str | None"
    lid: "str | None"
    username: "str | None"
    about: "str | None"
    aboutSetAt: "str | None"
    profilePictureUrl: "str | None"
    isBlocked: "bool"
    business: "PersonDetailsBusiness | None"

class PersonDetailsBusiness(TypedDict):
    description: "str | None"
    category: "str | None"
    address: "str | None"
    email: "str | None"
    websites: "list[str]"

class Pin(TypedDict):
    instanceName: NotRequired["str"]
    seconds: "Literal[86400] | Literal[604800] | Literal[2592000] | None"

class Plan(TypedDict):
    id: "int"
    name: "str"
    interval: "Literal['day', 'week', 'month', 'year']"
    currency: "str"
    amount: "int"
    limits: "PlanLimits"
    features: "PlanFeatures"
    requestsPerSecond: "int | None"
    createdAt: "str"
    updatedAt: "str"

class PlanFeatures(TypedDict):
    ai: "bool"
    flowBuilder: "bool"
    campaigns: "bool"
    templates: "bool"
    voiceCalls: "bool"

class PlanLimits(TypedDict):
    users: "int | Literal['Unlimited']"
    contacts: "int | Literal['Unlimited']"
    instances: "int | Literal['Unlimited']"
    messages: "int | Literal['Unlimited'] | None"

class PollResults(TypedDict):
    messageId: "str"
    instanceName: "str"
    name: "str"
    voters: "int"
    unreadable: "int"
    options: "list[PollResultsOptionsItem]"

class PollResultsOptionsItem(TypedDict):
    name: "str"
    votes: "int"
    voters: "list[str]"

class PresenceSubscription(TypedDict):
    jid: "str"
    phone: "str | None"
    chat: "str"
    number: "str | None"
    lid: "str | None"
    username: "str | None"
    presence: "Literal['available', 'unavailable', 'typing', 'recording'] | None"
    lastSeen: "str | None"
    updatedAt: "str"

class PresenceUpdateEvent(TypedDict):
    person: "Person"
    chat: "str"
    number: NotRequired["str | None"]
    lid: NotRequired["str | None"]
    username: NotRequired["str | None"]
    groupJid: NotRequired["str | None"]
    presence: "Literal['available', 'unavailable', 'typing', 'recording']"
    lastSeen: "str | None"
    at: "str"

class Privacy(TypedDict):
    lastSeen: "str | None"
    online: "str | None"
    profilePicture: "str | None"
    about: "str | None"
    readReceipts: "str | None"
    groupAdd: "str | None"
    calls: "str | None"
    messages: "str | None"
    defaultDisappearingSeconds: "int | None"
    linkPreviews: "bool | None"

class Profile(TypedDict):
    number: "str"
    jid: "str"
    lid: "str | None"
    name: "str | None"
    about: "str | None"
    aboutSetAt: "str | None"
    profilePictureUrl: "str | None"
    privacy: "Privacy"

class QrcodeUpdatedEvent(TypedDict):
    imagePath: "str | None"
    pairingCode: "str | None"
    expiresAt: "str | None"

class QuickReply(TypedDict):
    id: "int"
    shortcut: "str"
    text: "str"
    createdAt: "str"
    updatedAt: "str"

class React(TypedDict):
    instanceName: NotRequired["str"]
    emoji: "str | None"

class ReadChat(TypedDict):
    number: NotRequired["str"]
    groupJid: NotRequired["str"]
    chat: NotRequired["str"]
    viewed: NotRequired["bool"]

class RejectSend(TypedDict):
    reason: NotRequired["str"]

class ReplayDestination(TypedDict):
    since: "str"

class ReplayWebhook(TypedDict):
    since: "str"

class RequestingAgent(TypedDict):
    name: "str"
    clientHost: "str"
    redirectHost: "str"
    isLocal: "bool"
    scopes: "list[Literal['read', 'send', 'contacts']]"

class ResourceLimit(TypedDict):
    limit: "int | Literal['Unlimited']"
    used: "int"
    remaining: "int | Literal['Unlimited']"
    isLimitReached: "bool"

class ReviewAgentSignIn(TypedDict):
    responseType: "Literal['code']"
    clientId: "str"
    redirectUri: "str"
    codeChallenge: "str"
    codeChallengeMethod: "Literal['S256']"
    state: NotRequired["str"]
    resourceUrl: NotRequired["str"]
    scope: NotRequired["str"]

class RotateApiKey(TypedDict):
    overlapHours: NotRequired["int"]

class RotateWebhookSecret(TypedDict):
    overlapHours: NotRequired["int"]

class SandboxAssertion(TypedDict):
    id: "str"
    rawId: "str"
    type: "Literal['public-key']"
    response: "SandboxAssertionResponse"

class SandboxAssertionResponse(TypedDict):
    clientDataJSON: "str"
    authenticatorData: "str"
    signature: "str"
    userHandle: "str"

SandboxCall = TypedDict("SandboxCall", {
    "id": "str",
    "from": "str",
    "to": "str",
    "video": "bool",
    "status": "Literal['ringing', 'answered', 'rejected', 'missed', 'ended']",
    "timestamp": "float",
})

class SandboxGroup(TypedDict):
    jid: "str"
    subject: "str"
    description: "str | None"
    addressing: "Literal['pn', 'lid']"
    announcement: "bool"
    locked: "bool"
    joinApproval: "bool"
    memberAdd: "Literal['admins', 'all']"
    disappearingSeconds: "float"
    inviteCode: "str | None"
    hasPicture: "bool"
    pictureId: "str | None"
    requests: "list[SandboxGroupRequestsItem]"
    members: "list[SandboxGroupMembersItem]"

class SandboxGroupRequestsItem(TypedDict):
    number: "str"
    by: "str"
    timestamp: "float"

class SandboxGroupMembersItem(TypedDict):
    number: "str"
    role: "Literal['superadmin', 'admin', 'member']"

SandboxMessage = TypedDict("SandboxMessage", {
    "seq": "float",
    "id": "str",
    "chat": "str",
    "from": "str",
    "fromMe": "bool",
    "kind": "str",
    "text": "str | None",
    "visible": "bool",
    "backgroundColor": NotRequired["str"],
    "album": NotRequired["SandboxMessageAlbum"],
    "albumId": NotRequired["str"],
    "status": "Literal['sent', 'delivered', 'read', 'played', 'received']",
    "timestamp": "float",
    "media": NotRequired["SandboxMessageMedia"],
    "preview": NotRequired["SandboxMessagePreview"],
    "location": NotRequired["SandboxMessageLocation"],
    "contacts": NotRequired["list[SandboxMessageContactsItem]"],
    "poll": NotRequired["SandboxMessagePoll"],
    "interactive": NotRequired["SandboxMessageInteractive"],
    "event": NotRequired["SandboxMessageEvent"],
    "order": NotRequired["SandboxMessageOrder"],
    "product": NotRequired["SandboxMessageProduct"],
    "tap": NotRequired["SandboxMessageTap"],
    "groupInvite": NotRequired["SandboxMessageGroupInvite"],
    "quoted": NotRequired["SandboxMessageQuoted"],
    "target": NotRequired["str"],
    "emoji": NotRequired["str"],
    "options": NotRequired["list[str]"],
    "mentions": NotRequired["list[str]"],
    "reactions": NotRequired["dict[str, str]"],
    "edited": NotRequired["bool"],
    "deleted": NotRequired["bool"],
    "forwarded": NotRequired["bool"],
    "starred": NotRequired["bool"],
    "viewOnce": NotRequired["bool"],
    "seconds": NotRequired["float"],
    "expiresAfterSeconds": NotRequired["float"],
    "pinnedUntil": NotRequired["float"],
})

class SandboxMessageAlbum(TypedDict):
    images: "float"
    videos: "float"

class SandboxMessageMedia(TypedDict):
    type: "Literal['image', 'video', 'audio', 'document', 'sticker']"
    mimetype: "str"
    sizeBytes: "float"
    sha256: "str"
    caption: NotRequired["str"]
    fileName: NotRequired["str"]
    voiceNote: NotRequired["bool"]
    videoNote: NotRequired["bool"]
    seconds: NotRequired["float"]
    width: NotRequired["float"]
    height: NotRequired["float"]
    thumbnailBytes: NotRequired["float"]
    waveformBars: NotRequired["float"]

class SandboxMessagePreview(TypedDict):
    url: "str"
    title: "str"
    description: "str | None"
    thumbnailBytes: "float"

class SandboxMessageLocation(TypedDict):
    latitude: "float"
    longitude: "float"
    name: NotRequired["str"]
    address: NotRequired["str"]

class SandboxMessageContactsItem(TypedDict):
    name: "str"
    vcard: "str"

class SandboxMessagePoll(TypedDict):
    name: "str"
    options: "list[str]"
    selectableCount: "float"
    votes: "dict[str, list[str]]"

class SandboxMessageInteractive(TypedDict):
    type: "Literal['buttons', 'list', 'carousel']"
    title: "str | None"
    body: "str | None"
    footer: "str | None"
    buttonText: NotRequired["str"]
    buttons: NotRequired["list[SandboxMessageInteractiveButtonsItem]"]
    sections: NotRequired["list[SandboxMessageInteractiveSectionsItem]"]
    cards: NotRequired["list[SandboxMessageInteractiveCardsItem]"]

class SandboxMessageInteractiveButtonsItem(TypedDict):
    type: "Literal['reply', 'url', 'call', 'copy', 'pix', 'other']"
    text: "str"
    id: NotRequired["str"]
    url: NotRequired["str"]
    phoneNumber: NotRequired["str"]
    keyType: NotRequired["str"]

class SandboxMessageInteractiveSectionsItem(TypedDict):
    title: "str"
    rows: "list[SandboxMessageInteractiveSectionsItemRowsItem]"

class SandboxMessageInteractiveSectionsItemRowsItem(TypedDict):
    rowId: "str"
    title: "str"
    description: "str | None"

class SandboxMessageInteractiveCardsItem(TypedDict):
    title: "str | None"
    body: "str | None"
    footer: "str | None"
    hasImage: "bool"
    buttons: "list[SandboxMessageInteractiveCardsItemButtonsItem]"

class SandboxMessageInteractiveCardsItemButtonsItem(TypedDict):
    type: "Literal['reply', 'url', 'call', 'copy', 'pix', 'other']"
    text: "str"
    id: NotRequired["str"]
    url: NotRequired["str"]
    phoneNumber: NotRequired["str"]
    keyType: NotRequired["str"]

class SandboxMessageEvent(TypedDict):
    name: "str"
    description: NotRequired["str"]
    startsAt: "str"
    endsAt: NotRequired["str"]
    place: NotRequired["str"]
    callLink: NotRequired["str"]
    canceled: "bool"

class SandboxMessageOrder(TypedDict):
    orderId: "str"
    itemCount: "float"
    total: "str"
    currency: "str"
    title: NotRequired["str"]

class SandboxMessageProduct(TypedDict):
    productId: "str"
    title: "str"
    price: "str"
    currency: "str"
    description: NotRequired["str"]
    retailerId: NotRequired["str"]
    url: NotRequired["str"]

class SandboxMessageTap(TypedDict):
    id: "str"
    form: "Literal['interactive', 'list', 'buttons', 'template']"

class SandboxMessageGroupInvite(TypedDict):
    jid: "str"
    subject: "str"
    expiresAt: "float"

class SandboxMessageQuoted(TypedDict):
    id: "str"
    text: "str | None"

class SandboxPasskey(TypedDict):
    rpId: "str"
    credentialId: "str"
    userHandle: "str"
    privateKey: "str"
    signCount: "float"

class SandboxPhone(TypedDict):
    number: "str"
    lid: "str"
    name: "str"
    username: "str | None"
    hidesNumber: "bool"
    about: "str"
    hasPicture: "bool"
    pictureId: "str | None"
    privacy: "dict[str, str]"
    blocked: "list[str]"
    disappearingSeconds: "float"
    business: "SandboxPhoneBusiness | None"
    passkey: "SandboxPhonePasskey | None"
    online: "bool"
    available: "bool"
    devices: "list[SandboxPhoneDevicesItem]"

class SandboxPhoneBusiness(TypedDict):
    description: NotRequired["str"]
    category: NotRequired["str"]
    address: NotRequired["str"]
    email: NotRequired["str"]
    website: NotRequired["str"]

class SandboxPhonePasskey(TypedDict):
    demanded: "bool"
    step: "Literal['requested', 'accepted', 'compared', 'linked', 'ended'] | None"
    code: "str | None"
    proven: "bool"

class SandboxPhoneDevicesItem(TypedDict):
    id: "float"
    platform: "str"
    online: "bool"
    queued: "float"
    groupQueries: "float"
    signedPreKeyId: "float"

class SaveChatwoot(TypedDict):
    url: "str"
    accountId: "int"
    token: NotRequired["str"]
    inboxName: NotRequired["str"]
    inboxId: NotRequired["int"]
    gatewayUrl: NotRequired["str"]
    enabled: NotRequired["bool"]
    signAgentNames: NotRequired["bool"]
    ignoreGroups: NotRequired["bool"]
    reopenConversation: NotRequired["bool"]
    conversationPending: NotRequired["bool"]

class SaveContact(TypedDict):
    instanceName: "str"
    number: NotRequired["str"]
    groupJid: NotRequired["str"]
    chat: NotRequired["str"]
    phone: NotRequired["str"]
    remoteJid: NotRequired["str"]
    name: "str"
    notes: NotRequired["str | None"]
    customData: NotRequired["dict[str, JsonValue]"]
    assignedUserId: NotRequired["int | None"]
    assignedDepartmentId: NotRequired["int | None"]
    funnelStageId: NotRequired["int | None"]
    showTimeInStage: NotRequired["bool"]

class SaveDestination(TypedDict):
    id: NotRequired["int"]
    type: NotRequired["Literal['rabbitmq', 'nats', 'mqtt', 'redis', 'sqs']"]
    url: NotRequired["str"]
    username: NotRequired["str | None"]
    password: NotRequired["str | None"]
    topic: NotRequired["str"]
    exchange: NotRequired["str"]
    maxLength: NotRequired["int | None"]
    region: NotRequired["str"]
    homeAssistant: NotRequired["bool"]
    name: NotRequired["str"]
    events: NotRequired["list[Literal['*', 'messages.upsert', 'messages.update', 'messages.edited', 'messages.deleted', 'messages.reaction', 'messages.set_aside', 'contacts.update', 'contacts.merged', 'chats.update', 'labels.update', 'labels.association', 'qrcode.updated', 'passkey.updated', 'connection.update', 'groups.upsert', 'groups.update', 'group-participants.update', 'call', 'presence.update']]"]
    instanceName: NotRequired["str | None"]
    filter: NotRequired["WebhookFilterBody | None"]
    history: NotRequired["bool"]
    enabled: NotRequired["bool"]

class SaveWebhook(TypedDict):
    id: NotRequired["int"]
    url: NotRequired["str"]
    name: NotRequired["str"]
    events: NotRequired["list[Literal['*', 'messages.upsert', 'messages.update', 'messages.edited', 'messages.deleted', 'messages.reaction', 'messages.set_aside', 'contacts.update', 'contacts.merged', 'chats.update', 'labels.update', 'labels.association', 'qrcode.updated', 'passkey.updated', 'connection.update', 'groups.upsert', 'groups.update', 'group-participants.update', 'call', 'presence.update']]"]
    instanceName: NotRequired["str | None"]
    filter: NotRequired["WebhookFilterBody | None"]
    history: NotRequired["bool"]
    batch: NotRequired["bool"]
    enabled: NotRequired["bool"]
    secret: NotRequired["str"]
    format: NotRequired["Literal['switchboard', 'cloud']"]
    verifyToken: NotRequired["str"]

class SendAlbum(TypedDict):
    instanceName: "str"
    number: NotRequired["str"]
    groupJid: NotRequired["str"]
    chat: NotRequired["str"]
    quotedMessageId: NotRequired["str"]
    mentions: NotRequired["list[Literal['all'] | str]"]
    reference: NotRequired["str"]
    sendAt: NotRequired["str"]
    expiresAt: NotRequired["str"]
    files: "list[SendAlbumFilesItem]"
    delay: NotRequired["int | None | Literal['']"]

class SendAlbumFilesItem(TypedDict):
    type: NotRequired["Literal['image', 'video']"]
    mediaUrl: NotRequired["str"]
    mediaId: NotRequired["str"]
    message: NotRequired["str"]
    caption: NotRequired["str"]
    fileName: NotRequired["str"]

class SendAnswer(TypedDict):
    success: "Literal[True]"
    messageId: "str"
    status: "Literal['awaiting_approval', 'scheduled', 'queued', 'sending', 'sent', 'delivered', 'read', 'played', 'failed']"
    instanceName: "str"
    number: NotRequired["str"]
    chat: "str"
    groupJid: NotRequired["str"]
    type: "Literal['text', 'image', 'video', 'document', 'audio', 'button', 'list', 'cta', 'carousel', 'pix', 'location', 'poll', 'sticker', 'contact', 'event', 'album', 'reaction', 'edit', 'delete', 'pin', 'disappearing']"
    createdAt: "str"
    sendAt: NotRequired["str"]
    reference: NotRequired["str"]
    failure: NotRequired["Failure"]

class SendButton(TypedDict):
    instanceName: "str"
    number: NotRequired["str"]
    groupJid: NotRequired["str"]
    chat: NotRequired["str"]
    quotedMessageId: NotRequired["str"]
    mentions: NotRequired["list[Literal['all'] | str]"]
    reference: NotRequired["str"]
    sendAt: NotRequired["str"]
    expiresAt: NotRequired["str"]
    type: NotRequired["Literal['interactive']"]
    interactive: "SendButtonInteractive"
    delay: NotRequired["int | None | Literal['']"]

class SendButtonInteractive(TypedDict):
    type: NotRequired["Literal['button']"]
    header: NotRequired["SendButtonInteractiveHeader"]
    title: NotRequired["str"]
    body: "str"
    footer: NotRequired["str"]
    buttons: "list[SendButtonInteractiveButtonsItem]"

class SendButtonInteractiveHeader(TypedDict):
    type: "Literal['image', 'video', 'document']"
    mediaUrl: NotRequired["str"]
    mediaId: NotRequired["str"]
    fileName: NotRequired["str"]

class SendButtonInteractiveButtonsItem(TypedDict):
    buttonId: "str"
    buttonText: "SendButtonInteractiveButtonsItemButtonText"
    type: NotRequired["int"]

class SendButtonInteractiveButtonsItemButtonText(TypedDict):
    displayText: "str"

class SendCarousel(TypedDict):
    instanceName: "str"
    number: NotRequired["str"]
    groupJid: NotRequired["str"]
    chat: NotRequired["str"]
    quotedMessageId: NotRequired["str"]
    mentions: NotRequired["list[Literal['all'] | str]"]
    reference: NotRequired["str"]
    sendAt: NotRequired["str"]
    expiresAt: NotRequired["str"]
    type: NotRequired["Literal['interactive']"]
    interactive: "SendCarouselInteractive"
    delay: NotRequired["int | None | Literal['']"]

class SendCarouselInteractive(TypedDict):
    type: NotRequired["Literal['carousel']"]
    body: "str"
    cards: "list[SendCarouselInteractiveCardsItem]"

class SendCarouselInteractiveCardsItem(TypedDict):
    header: "SendCarouselInteractiveCardsItemHeader"
    body: "str"
    buttons: "list[SendCarouselInteractiveCardsItemButtonsItem]"

class SendCarouselInteractiveCardsItemHeader(TypedDict):
    type: NotRequired["Literal['image']"]
    mediaUrl: NotRequired["str"]
    mediaId: NotRequired["str"]

class SendCarouselInteractiveCardsItemButtonsItem(TypedDict):
    buttonId: "str"
    buttonText: "SendCarouselInteractiveCardsItemButtonsItemButtonText"
    type: NotRequired["int"]

class SendCarouselInteractiveCardsItemButtonsItemButtonText(TypedDict):
    displayText: "str"

class SendContact(TypedDict):
    instanceName: "str"
    number: NotRequired["str"]
    groupJid: NotRequired["str"]
    chat: NotRequired["str"]
    quotedMessageId: NotRequired["str"]
    mentions: NotRequired["list[Literal['all'] | str]"]
    reference: NotRequired["str"]
    sendAt: NotRequired["str"]
    expiresAt: NotRequired["str"]
    contacts: "list[SendContactContactsItem]"
    delay: NotRequired["int | None | Literal['']"]

class SendContactContactsItem(TypedDict):
    name: "str"
    phone: "str"
    organisation: NotRequired["str"]
    email: NotRequired["str"]

class SendCta(TypedDict):
    instanceName: "str"
    number: NotRequired["str"]
    groupJid: NotRequired["str"]
    chat: NotRequired["str"]
    quotedMessageId: NotRequired["str"]
    mentions: NotRequired["list[Literal['all'] | str]"]
    reference: NotRequired["str"]
    sendAt: NotRequired["str"]
    expiresAt: NotRequired["str"]
    type: NotRequired["Literal['interactive']"]
    interactive: "SendCtaInteractive"
    delay: NotRequired["int | None | Literal['']"]

class SendCtaInteractive(TypedDict):
    type: NotRequired["Literal['cta']"]
    header: NotRequired["SendCtaInteractiveHeader"]
    body: "str"
    title: NotRequired["str"]
    footer: NotRequired["str"]
    buttons: "list[SendCtaInteractiveButtonsItem]"

class SendCtaInteractiveHeader(TypedDict):
    type: "Literal['image', 'video', 'document']"
    mediaUrl: NotRequired["str"]
    mediaId: NotRequired["str"]
    fileName: NotRequired["str"]

class SendCtaInteractiveButtonsItem(TypedDict):
    index: NotRequired["int"]
    urlButton: NotRequired["SendCtaInteractiveButtonsItemUrlButton"]
    callButton: NotRequired["SendCtaInteractiveButtonsItemCallButton"]
    copyButton: NotRequired["SendCtaInteractiveButtonsItemCopyButton"]
    replyButton: NotRequired["SendCtaInteractiveButtonsItemReplyButton"]

class SendCtaInteractiveButtonsItemUrlButton(TypedDict):
    displayText: "str"
    url: "str"

class SendCtaInteractiveButtonsItemCallButton(TypedDict):
    displayText: "str"
    phoneNumber: "str"

class SendCtaInteractiveButtonsItemCopyButton(TypedDict):
    displayText: "str"
    copyCode: "str"

class SendCtaInteractiveButtonsItemReplyButton(TypedDict):
    displayText: "str"
    buttonId: "str"

class SendEvent(TypedDict):
    instanceName: "str"
    number: NotRequired["str"]
    groupJid: NotRequired["str"]
    chat: NotRequired["str"]
    quotedMessageId: NotRequired["str"]
    mentions: NotRequired["list[Literal['all'] | str]"]
    reference: NotRequired["str"]
    sendAt: NotRequired["str"]
    expiresAt: NotRequired["str"]
    name: "str"
    description: NotRequired["str"]
    startsAt: "str"
    endsAt: NotRequired["str"]
    place: NotRequired["str"]
    latitude: NotRequired["float"]
    longitude: NotRequired["float"]
    call: NotRequired["Literal['audio', 'video']"]
    delay: NotRequired["int | None | Literal['']"]

class SendGroup(TypedDict):
    instanceName: "str"
    quotedMessageId: NotRequired["str"]
    mentions: NotRequired["list[Literal['all'] | str]"]
    reference: NotRequired["str"]
    sendAt: NotRequired["str"]
    expiresAt: NotRequired["str"]
    groupJid: "str"
    message: "str"
    linkPreview: NotRequired["bool"]
    delay: NotRequired["int | None | Literal['']"]

class SendList(TypedDict):
    instanceName: "str"
    number: NotRequired["str"]
    groupJid: NotRequired["str"]
    chat: NotRequired["str"]
    quotedMessageId: NotRequired["str"]
    mentions: NotRequired["list[Literal['all'] | str]"]
    reference: NotRequired["str"]
    sendAt: NotRequired["str"]
    expiresAt: NotRequired["str"]
    type: NotRequired["Literal['interactive']"]
    interactive: "SendListInteractive"
    delay: NotRequired["int | None | Literal['']"]

class SendListInteractive(TypedDict):
    type: NotRequired["Literal['list']"]
    title: NotRequired["str"]
    text: "str"
    buttonText: "str"
    sections: "list[SendListInteractiveSectionsItem]"
    footerText: NotRequired["str"]

class SendListInteractiveSectionsItem(TypedDict):
    title: NotRequired["str"]
    rows: "list[SendListInteractiveSectionsItemRowsItem]"

class SendListInteractiveSectionsItemRowsItem(TypedDict):
    title: "str"
    description: NotRequired["str"]
    rowId: "str"

class SendLocation(TypedDict):
    instanceName: "str"
    number: NotRequired["str"]
    groupJid: NotRequired["str"]
    chat: NotRequired["str"]
    quotedMessageId: NotRequired["str"]
    mentions: NotRequired["list[Literal['all'] | str]"]
    reference: NotRequired["str"]
    sendAt: NotRequired["str"]
    expiresAt: NotRequired["str"]
    latitude: "float"
    longitude: "float"
    name: NotRequired["str"]
    address: NotRequired["str"]
    delay: NotRequired["int | None | Literal['']"]

class SendMedia(TypedDict):
    instanceName: "str"
    number: NotRequired["str"]
    groupJid: NotRequired["str"]
    chat: NotRequired["str"]
    quotedMessageId: NotRequired["str"]
    mentions: NotRequired["list[Literal['all'] | str]"]
    reference: NotRequired["str"]
    sendAt: NotRequired["str"]
    expiresAt: NotRequired["str"]
    type: NotRequired["Literal['image', 'video', 'document', 'audio']"]
    mediaUrl: NotRequired["str"]
    mediaId: NotRequired["str"]
    message: NotRequired["str"]
    caption: NotRequired["str"]
    viewOnce: NotRequired["bool"]
    fileName: NotRequired["str"]
    mimetype: NotRequired["str"]
    delay: NotRequired["int | None | Literal['']"]

class SendPix(TypedDict):
    instanceName: "str"
    number: NotRequired["str"]
    groupJid: NotRequired["str"]
    chat: NotRequired["str"]
    quotedMessageId: NotRequired["str"]
    mentions: NotRequired["list[Literal['all'] | str]"]
    reference: NotRequired["str"]
    sendAt: NotRequired["str"]
    expiresAt: NotRequired["str"]
    merchantName: "str"
    keyType: "Literal['phone', 'email', 'cpf', 'cnpj', 'random']"
    key: "str"
    delay: NotRequired["int | None | Literal['']"]

class SendPoll(TypedDict):
    instanceName: "str"
    number: NotRequired["str"]
    groupJid: NotRequired["str"]
    chat: NotRequired["str"]
    quotedMessageId: NotRequired["str"]
    mentions: NotRequired["list[Literal['all'] | str]"]
    reference: NotRequired["str"]
    sendAt: NotRequired["str"]
    expiresAt: NotRequired["str"]
    pollName: "str"
    options: "list[str]"
    selectableCount: NotRequired["int"]
    delay: NotRequired["int | None | Literal['']"]

class SendStatus(TypedDict):
    instanceName: "str"
    reference: NotRequired["str"]
    sendAt: NotRequired["str"]
    expiresAt: NotRequired["str"]
    type: NotRequired["Literal['text', 'image', 'video']"]
    message: NotRequired["str"]
    caption: NotRequired["str"]
    backgroundColor: NotRequired["str"]
    textColor: NotRequired["str"]
    font: NotRequired["Literal['system', 'system_text', 'script', 'bold', 'morning_breeze', 'calistoga', 'exo2', 'courier_prime']"]
    mediaUrl: NotRequired["str"]
    mediaId: NotRequired["str"]
    to: NotRequired["list[str]"]

class SendSticker(TypedDict):
    instanceName: "str"
    number: NotRequired["str"]
    groupJid: NotRequired["str"]
    chat: NotRequired["str"]
    quotedMessageId: NotRequired["str"]
    mentions: NotRequired["list[Literal['all'] | str]"]
    reference: NotRequired["str"]
    sendAt: NotRequired["str"]
    expiresAt: NotRequired["str"]
    mediaUrl: NotRequired["str"]
    mediaId: NotRequired["str"]
    delay: NotRequired["int | None | Literal['']"]

class SendText(TypedDict):
    instanceName: "str"
    number: NotRequired["str"]
    groupJid: NotRequired["str"]
    chat: NotRequired["str"]
    quotedMessageId: NotRequired["str"]
    mentions: NotRequired["list[Literal['all'] | str]"]
    reference: NotRequired["str"]
    sendAt: NotRequired["str"]
    expiresAt: NotRequired["str"]
    type: NotRequired["Literal['text']"]
    message: "str"
    linkPreview: NotRequired["bool"]
    delay: NotRequired["int | None | Literal['']"]

class ShowPresence(TypedDict):
    instanceName: "str"
    number: NotRequired["str"]
    groupJid: NotRequired["str"]
    chat: NotRequired["str"]
    presence: "Literal['typing', 'recording', 'paused']"
    seconds: NotRequired["int"]

class Star(TypedDict):
    instanceName: NotRequired["str"]
    starred: "bool"

class Statistics(TypedDict):
    success: "Literal[True]"
    since: "str"
    until: "str"
    stepHours: "int"
    totals: "StatisticsTotals"
    steps: "list[StatisticsStep]"
    failures: "list[StatisticsFailuresItem]"
    deliveryFailures: "list[StatisticsDeliveryFailuresItem]"
    disconnections: "list[StatisticsDisconnectionsItem]"
    webhooks: "list[StatisticsWebhooksItem]"

class StatisticsTotals(TypedDict):
    sent: "int"
    received: "int"
    failed: "int"
    canceled: "int"
    delivered: "int"
    retried: "int"
    dead: "int"
    deliveryMs: "DeliveryTimes | None"

class StatisticsFailuresItem(TypedDict):
    reason: "str"
    count: "int"

class StatisticsDeliveryFailuresItem(TypedDict):
    reason: "str"
    count: "int"

class StatisticsDisconnectionsItem(TypedDict):
    reason: "str"
    count: "int"

class StatisticsWebhooksItem(TypedDict):
    id: "int"
    delivered: "int"
    retried: "int"
    dead: "int"
    averageMs: "int"

class StatisticsStep(TypedDict):
    start: "str"
    sent: "int"
    received: "int"
    failed: "int"
    canceled: "int"
    delivered: "int"
    retried: "int"
    dead: "int"
    deliveryMs: "DeliveryTimes | None"
    sessions: "StatisticsStepSessions | None"

class StatisticsStepSessions(TypedDict):
    open: "float"
    all: "float"

class SubscribePresence(TypedDict):
    instanceName: "str"
    subscribe: NotRequired["list[str]"]
    unsubscribe: NotRequired["list[str]"]

class Subscription(TypedDict):
    status: "Literal['active', 'trialing', 'past_due', 'canceled', 'expired', 'pending']"
    hasAccess: "bool"
    isExpired: "bool"
    isTrial: "bool"
    isCancelled: "bool"
    isPending: "bool"
    isPastDue: "bool"
    effectiveExpiry: "str | None"
    currentPeriodEnd: "str | None"
    trialEndsAt: "str | None"
    expiresAt: "str | None"

class TeamMember(TypedDict):
    id: "int"
    name: "str"

class UpdateAccount(TypedDict):
    name: "str"

class UpdateChat(TypedDict):
    instanceName: "str"
    number: NotRequired["str"]
    groupJid: NotRequired["str"]
    chat: NotRequired["str"]
    archived: NotRequired["bool"]
    mutedUntil: NotRequired["str | None"]
    pinned: NotRequired["bool"]
    unread: NotRequired["bool"]
    disappearingSeconds: NotRequired["Literal[0, 86400, 604800, 7776000]"]

class UpdateContact(TypedDict):
    name: NotRequired["str"]
    notes: NotRequired["str | None"]
    customData: NotRequired["dict[str, JsonValue]"]
    assignedUserId: NotRequired["int | None"]
    assignedDepartmentId: NotRequired["int | None"]
    funnelStageId: NotRequired["int | None"]
    showTimeInStage: NotRequired["bool"]

class UpdateGroup(TypedDict):
    subject: NotRequired["str"]
    description: NotRequired["str | None"]
    announce: NotRequired["bool"]
    locked: NotRequired["bool"]
    joinApproval: NotRequired["bool"]
    memberAdd: NotRequired["Literal['all', 'admins']"]
    disappearingSeconds: NotRequired["Literal[0, 86400, 604800, 7776000]"]

class UpdateInstanceSettings(TypedDict):
    rejectCalls: NotRequired["bool"]
    rejectCallsText: NotRequired["str | None"]
    readOnReply: NotRequired["bool"]
    viewWithoutReceipts: NotRequired["bool"]
    alwaysOnline: NotRequired["bool"]
    ignoreGroups: NotRequired["bool"]
    syncHistory: NotRequired["Literal['none', 'recent', 'full']"]
    proxy: NotRequired["str | None"]
    deviceName: NotRequired["str | None"]

class UpdateLabel(TypedDict):
    instanceName: "str"
    name: NotRequired["str"]
    color: NotRequired["int"]

class UpdatePlan(TypedDict):
    name: NotRequired["str"]
    interval: NotRequired["Literal['day', 'week', 'month', 'year']"]
    currency: NotRequired["str"]
    amount: NotRequired["int"]
    limits: NotRequired["PlanLimits"]
    features: NotRequired["UpdatePlanFeatures"]
    requestsPerSecond: NotRequired["int | None"]

class UpdatePlanFeatures(TypedDict):
    ai: "bool"
    flowBuilder: "bool"
    campaigns: "bool"
    templates: "bool"
    voiceCalls: "bool"

class UpdatePrivacy(TypedDict):
    lastSeen: NotRequired["Literal['all', 'contacts', 'contact_blacklist', 'none']"]
    online: NotRequired["Literal['all', 'match_last_seen']"]
    profilePicture: NotRequired["Literal['all', 'contacts', 'contact_blacklist', 'none']"]
    about: NotRequired["Literal['all', 'contacts', 'contact_blacklist', 'none']"]
    readReceipts: NotRequired["Literal['all', 'none']"]
    groupAdd: NotRequired["Literal['all', 'contacts', 'contact_blacklist']"]
    calls: NotRequired["Literal['all', 'known']"]
    messages: NotRequired["Literal['all', 'contacts']"]
    defaultDisappearingSeconds: NotRequired["Literal[0, 86400, 604800, 7776000]"]
    linkPreviews: NotRequired["bool"]

class UpdateProfile(TypedDict):
    name: NotRequired["str"]
    about: NotRequired["str"]
    picture: NotRequired["UpdateProfilePicture1 | UpdateProfilePicture2 | None"]
    privacy: NotRequired["UpdatePrivacy"]

class UpdateProfilePicture1(TypedDict):
    mediaUrl: "str"

class UpdateProfilePicture2(TypedDict):
    mediaId: "str"

class UpdateQuickReply(TypedDict):
    shortcut: NotRequired["str"]
    text: NotRequired["str"]

class UpdateSubscription(TypedDict):
    planId: NotRequired["int"]
    status: NotRequired["Literal['active', 'trialing', 'past_due', 'canceled', 'expired', 'pending']"]
    currentPeriodStart: NotRequired["str"]
    currentPeriodEnd: NotRequired["str | None"]
    trialEndsAt: NotRequired["str | None"]
    expiresAt: NotRequired["str | None"]

class UpdateUser(TypedDict):
    name: NotRequired["str"]
    email: NotRequired["str"]

class UploadedMedia(TypedDict):
    success: "Literal[True]"
    mediaId: "str"
    mimetype: "str"
    sizeBytes: "int"
    sha256: "str"
    expiresAt: "str"

class User(TypedDict):
    id: "int"
    accountId: "int"
    name: "str"
    email: "str"
    createdAt: "str"
    updatedAt: "str"

class Webhook(TypedDict):
    id: "int"
    name: "str"
    url: "str"
    events: "list[Literal['*', 'messages.upsert', 'messages.update', 'messages.edited', 'messages.deleted', 'messages.reaction', 'messages.set_aside', 'contacts.update', 'contacts.merged', 'chats.update', 'labels.update', 'labels.association', 'qrcode.updated', 'passkey.updated', 'connection.update', 'groups.upsert', 'groups.update', 'group-participants.update', 'call', 'presence.update']]"
    filter: "WebhookFilter"
    history: "bool"
    batch: "bool"
    format: "Literal['switchboard', 'evolution', 'cloud', 'chatwoot']"
    enabled: "bool"
    secret: "str"
    previousSecretExpiresAt: "str | None"
    failingSince: "str | None"
    disabledReason: "Literal['gone', 'failing'] | None"
    disabledAt: "str | None"
    instance: "InstanceNames | None"
    createdAt: "str"
    updatedAt: "str"

WebhookFilter = TypedDict("WebhookFilter", {
    "chats": "Literal['all', 'people', 'groups']",
    "from": "list[str] | None",
    "directions": "list[Literal['outgoing', 'incoming']]",
})

WebhookFilterBody = TypedDict("WebhookFilterBody", {
    "chats": NotRequired["Literal['all', 'people', 'groups']"],
    "from": NotRequired["list[str] | None"],
    "directions": NotRequired["list[Literal['outgoing', 'incoming']]"],
})

class UploadMediaInput(TypedDict):
    fileName: NotRequired["str"]
    file: "bytes"
    contentType: NotRequired["str"]

class ListMessagesInput(TypedDict):
    instanceName: NotRequired["str"]
    number: NotRequired["str"]
    groupJid: NotRequired["str"]
    chat: NotRequired["str | Literal['status@broadcast']"]
    status: NotRequired["Literal['awaiting_approval', 'scheduled', 'queued', 'sending', 'sent', 'delivered', 'read', 'played', 'failed']"]
    direction: NotRequired["Literal['outgoing', 'incoming']"]
    type: NotRequired["Literal['text', 'image', 'video', 'document', 'audio', 'button', 'list', 'cta', 'carousel', 'pix', 'location', 'poll', 'sticker', 'contact', 'event', 'album', 'order', 'product', 'poll_vote', 'event_answer', 'reaction', 'edit', 'delete', 'pin', 'disappearing', 'button_reply', 'list_reply', 'view_once_unavailable', 'undecryptable', 'unsupported']"]
    reference: NotRequired["str"]
    since: NotRequired["str"]
    until: NotRequired["str"]
    search: NotRequired["str"]
    page: NotRequired["int"]
    limit: NotRequired["int"]

class ListMessagesAnswer(TypedDict):
    success: "Literal[True]"
    count: "int"
    page: "int"
    limit: "int"
    hasMore: "bool"
    messages: "list[Message]"

class GetMessageInput(TypedDict):
    messageId: "str"
    instanceName: NotRequired["str"]

class GetMessageAnswer(TypedDict):
    success: "Literal[True]"
    message: "Message"

class DeleteMessageInput(TypedDict):
    messageId: "str"
    instanceName: NotRequired["str"]

class CancelMessageInput(TypedDict):
    messageId: "str"
    instanceName: NotRequired["str"]

class CancelMessageAnswer(TypedDict):
    success: "Literal[True]"
    message: "Message"

class GetApprovalInput(TypedDict):
    messageId: "str"
    instanceName: NotRequired["str"]

class GetApprovalAnswer(TypedDict):
    success: "Literal[True]"
    approval: "Approval"

class GetApprovalFileInput(TypedDict):
    messageId: "str"
    mediaId: "str"
    instanceName: NotRequired["str"]

class ApproveMessageInput(TypedDict):
    messageId: "str"
    instanceName: NotRequired["str"]
    version: NotRequired["int"]
    text: NotRequired["str"]

class ApproveMessageAnswer(TypedDict):
    success: "Literal[True]"
    message: "Message"

class RejectMessageInput(TypedDict):
    messageId: "str"
    instanceName: NotRequired["str"]
    reason: NotRequired["str"]

class RejectMessageAnswer(TypedDict):
    success: "Literal[True]"
    message: "Message"

class GetPollVotesInput(TypedDict):
    messageId: "str"
    instanceName: NotRequired["str"]

class GetPollVotesAnswer(TypedDict):
    success: "Literal[True]"
    poll: "PollResults"

class GetMessageMediaInput(TypedDict):
    messageId: "str"
    instanceName: NotRequired["str"]

class ReactToMessageInput(TypedDict):
    messageId: "str"
    instanceName: NotRequired["str"]
    emoji: "str | None"

class EditMessageInput(TypedDict):
    messageId: "str"
    instanceName: NotRequired["str"]
    message: "str"

class ForwardMessageInput(TypedDict):
    messageId: "str"
    number: NotRequired["str"]
    groupJid: NotRequired["str"]
    chat: NotRequired["str"]
    reference: NotRequired["str"]
    sendAt: NotRequired["str"]
    expiresAt: NotRequired["str"]
    instanceName: NotRequired["str"]

class PinMessageInput(TypedDict):
    messageId: "str"
    instanceName: NotRequired["str"]
    seconds: "Literal[86400] | Literal[604800] | Literal[2592000] | None"

class StarMessageInput(TypedDict):
    messageId: "str"
    instanceName: NotRequired["str"]
    starred: "bool"

class StarMessageAnswer(TypedDict):
    success: "Literal[True]"
    message: "Message"

class MarkPlayedInput(TypedDict):
    messageId: "str"
    instanceName: NotRequired["str"]

class MarkPlayedAnswer(TypedDict):
    success: "Literal[True]"
    message: "Message"

class InstanceStateInput(TypedDict):
    instanceName: "str"

class InstanceStateAnswer(TypedDict):
    success: "Literal[True]"
    data: "InstanceStateAnswerData"
    instance: "InstanceState"
    passkey: "PasskeyState | None"

class InstanceStateAnswerData(TypedDict):
    instance: "InstanceStateAnswerDataInstance"

class InstanceStateAnswerDataInstance(TypedDict):
    instanceName: "str"
    state: "Literal['connecting', 'open', 'close']"

class InstanceActivityInput(TypedDict):
    instanceName: "str"

class InstanceActivityAnswer(TypedDict):
    success: "Literal[True]"
    instance: "InstanceReference"
    queued: "int"
    lastFailure: "InstanceActivityAnswerLastFailure | None"
    hours: "list[HourOfMessages]"
    isPartial: "bool"

class InstanceActivityAnswerLastFailure(TypedDict):
    messageId: "str"
    reason: "str"
    error: "str"
    code: "int | None"
    failedAt: "str"

class ListInstancesAnswer(TypedDict):
    success: "Literal[True]"
    count: "int"
    instances: "list[Instance]"

class CreateInstanceAnswer(TypedDict):
    success: "Literal[True]"
    instance: "Instance"

class ConnectInstanceInput(TypedDict):
    instanceName: "str"
    number: NotRequired["str"]

class ConnectInstanceAnswer(TypedDict):
    success: "Literal[True]"
    instance: "Instance"
    qr: "ConnectInstanceAnswerQr | None"
    pairingCode: "str | None"
    passkey: "PasskeyState | None"

class ConnectInstanceAnswerQr(TypedDict):
    code: "str"
    expiresAt: "str"

class RestartInstanceInput(TypedDict):
    instanceName: "str"

class RestartInstanceAnswer(TypedDict):
    success: "Literal[True]"
    instance: "Instance"

class LogoutInstanceInput(TypedDict):
    instanceName: "str"

class LogoutInstanceAnswer(TypedDict):
    success: "Literal[True]"
    message: "str"
    instance: "LogoutInstanceAnswerInstance"
    connectionState: "Literal['connecting', 'open', 'close']"

class LogoutInstanceAnswerInstance(TypedDict):
    id: "int"
    instanceName: "str"
    displayName: "str"

class DeleteInstanceInput(TypedDict):
    instanceName: "str"

class DeleteInstanceAnswer(TypedDict):
    success: "Literal[True]"
    message: "str"
    instance: "DeleteInstanceAnswerInstance"
    connectionState: "Literal['connecting', 'open', 'close']"
    instanceDeleted: "bool"
    instanceMissing: "bool"

class DeleteInstanceAnswerInstance(TypedDict):
    id: "int"
    instanceName: "str"
    displayName: "str"

class QrImageInput(TypedDict):
    instanceName: "str"

class ProfilePictureInput(TypedDict):
    instanceName: "str"
    v: NotRequired["str"]

class GetPasskeyInput(TypedDict):
    instanceName: "str"

class GetPasskeyAnswer(TypedDict):
    success: "Literal[True]"
    instance: "InstanceReference"
    passkey: "PasskeyDemand | None"

class AnswerPasskeyInput(TypedDict):
    instanceName: "str"
    assertion: "PasskeyAssertion"

class AnswerPasskeyAnswer(TypedDict):
    success: "Literal[True]"
    passkey: "PasskeyState | None"

class ConfirmPasskeyInput(TypedDict):
    instanceName: "str"
    code: "str"

class ConfirmPasskeyAnswer(TypedDict):
    success: "Literal[True]"
    passkey: "PasskeyState | None"

class CancelPasskeyInput(TypedDict):
    instanceName: "str"

class CancelPasskeyAnswer(TypedDict):
    success: "Literal[True]"

class CreatePasskeyLinkInput(TypedDict):
    instanceName: "str"

class CreatePasskeyLinkAnswer(TypedDict):
    success: "Literal[True]"
    link: "CreatePasskeyLinkAnswerLink"

class CreatePasskeyLinkAnswerLink(TypedDict):
    url: "str"
    expiresAt: "str"

class GetSettingsInput(TypedDict):
    instanceName: "str"

class GetSettingsAnswer(TypedDict):
    success: "Literal[True]"
    settings: "InstanceSettings"

class UpdateSettingsInput(TypedDict):
    instanceName: "str"
    rejectCalls: NotRequired["bool"]
    rejectCallsText: NotRequired["str | None"]
    readOnReply: NotRequired["bool"]
    viewWithoutReceipts: NotRequired["bool"]
    alwaysOnline: NotRequired["bool"]
    ignoreGroups: NotRequired["bool"]
    syncHistory: NotRequired["Literal['none', 'recent', 'full']"]
    proxy: NotRequired["str | None"]
    deviceName: NotRequired["str | None"]

class UpdateSettingsAnswer(TypedDict):
    success: "Literal[True]"
    settings: "InstanceSettings"

class GetProfileInput(TypedDict):
    instanceName: "str"

class GetProfileAnswer(TypedDict):
    success: "Literal[True]"
    profile: "Profile"

class UpdateProfileInput(TypedDict):
    instanceName: "str"
    name: NotRequired["str"]
    about: NotRequired["str"]
    picture: NotRequired["UpdateProfileInputPicture1 | UpdateProfileInputPicture2 | None"]
    privacy: NotRequired["UpdatePrivacy"]

class UpdateProfileInputPicture1(TypedDict):
    mediaUrl: "str"

class UpdateProfileInputPicture2(TypedDict):
    mediaId: "str"

class UpdateProfileAnswer(TypedDict):
    success: "Literal[True]"
    profile: "Profile"

class ListContactsInput(TypedDict):
    instanceName: "str"
    search: NotRequired["str"]
    page: NotRequired["int"]
    limit: NotRequired["int"]
    includeGroups: NotRequired["bool"]

class ListContactsAnswer(TypedDict):
    success: "Literal[True]"
    count: "int"
    page: "int"
    limit: "int"
    hasMore: "bool"
    total: "int"
    instance: "InstanceReference"
    contacts: "list[Contact]"

class SaveContactAnswer(TypedDict):
    success: "Literal[True]"
    contact: "Contact"

class GetContactInput(TypedDict):
    id: "int"

class GetContactAnswer(TypedDict):
    success: "Literal[True]"
    contact: "Contact"

class UpdateContactInput(TypedDict):
    id: "int"
    name: NotRequired["str"]
    notes: NotRequired["str | None"]
    customData: NotRequired["dict[str, JsonValue]"]
    assignedUserId: NotRequired["int | None"]
    assignedDepartmentId: NotRequired["int | None"]
    funnelStageId: NotRequired["int | None"]
    showTimeInStage: NotRequired["bool"]

class UpdateContactAnswer(TypedDict):
    success: "Literal[True]"
    contact: "Contact"

class DeleteContactInput(TypedDict):
    id: "int"

class DeleteContactAnswer(TypedDict):
    success: "Literal[True]"
    id: "int"

class ListChatsInput(TypedDict):
    instanceName: "str"
    number: NotRequired["str"]
    groupJid: NotRequired["str"]
    chat: NotRequired["str"]
    archived: NotRequired["bool"]
    pinned: NotRequired["bool"]
    unread: NotRequired["bool"]
    label: NotRequired["str"]
    assignedTo: NotRequired["str"]
    page: NotRequired["int"]
    limit: NotRequired["int"]

class ListChatsAnswer(TypedDict):
    success: "Literal[True]"
    count: "int"
    page: "int"
    limit: "int"
    hasMore: "bool"
    instance: "InstanceReference"
    chats: "list[Chat]"

class UpdateChatAnswer(TypedDict):
    success: "Literal[True]"
    chat: "Chat"
    messageId: "str | None"

class ClearChatInput(TypedDict):
    instanceName: "str"
    number: NotRequired["str"]
    groupJid: NotRequired["str"]
    chat: NotRequired["str"]

class ClearChatAnswer(TypedDict):
    success: "Literal[True]"
    chat: "Chat"

class ReadChatInput(TypedDict):
    instanceName: "str"
    number: NotRequired["str"]
    groupJid: NotRequired["str"]
    chat: NotRequired["str"]
    viewed: NotRequired["bool"]

class ReadChatAnswer(TypedDict):
    success: "Literal[True]"
    chat: "Chat"
    receipts: "Literal['sent', 'not_sent', 'withheld', 'none']"

class ShowPresenceAnswer(TypedDict):
    success: "Literal[True]"
    chat: "str"
    presence: "Literal['typing', 'recording', 'paused']"
    seconds: "int"

class ChatHistoryInput(TypedDict):
    instanceName: "str"
    number: NotRequired["str"]
    groupJid: NotRequired["str"]
    chat: NotRequired["str"]
    before: NotRequired["str"]
    limit: NotRequired["int"]

class ChatHistoryAnswer(TypedDict):
    success: "Literal[True]"
    count: "int"
    limit: "int"
    moreComing: "bool"
    messages: "list[Message]"

class ListLabelsInput(TypedDict):
    instanceName: "str"

class ListLabelsAnswer(TypedDict):
    success: "Literal[True]"
    count: "int"
    instance: "InstanceReference"
    labels: "list[Label]"

class CreateLabelAnswer(TypedDict):
    success: "Literal[True]"
    label: "Label"

class UpdateLabelInput(TypedDict):
    labelId: "str"
    instanceName: "str"
    name: NotRequired["str"]
    color: NotRequired["int"]

class UpdateLabelAnswer(TypedDict):
    success: "Literal[True]"
    label: "Label"

class DeleteLabelInput(TypedDict):
    labelId: "str"
    instanceName: "str"

class DeleteLabelAnswer(TypedDict):
    success: "Literal[True]"
    id: "str"

class LabelChatInput(TypedDict):
    labelId: "str"
    instanceName: "str"
    number: NotRequired["str"]
    groupJid: NotRequired["str"]
    chat: NotRequired["str"]

class LabelChatAnswer(TypedDict):
    success: "Literal[True]"
    chat: "Chat"

class UnlabelChatInput(TypedDict):
    labelId: "str"
    instanceName: "str"
    number: NotRequired["str"]
    groupJid: NotRequired["str"]
    chat: NotRequired["str"]

class UnlabelChatAnswer(TypedDict):
    success: "Literal[True]"
    chat: "Chat"

class AssignChatAnswer(TypedDict):
    success: "Literal[True]"
    chat: "Chat"

class ListUsersInput(TypedDict):
    page: NotRequired["int"]
    limit: NotRequired["int"]

class ListUsersAnswer(TypedDict):
    success: "Literal[True]"
    count: "int"
    page: "int"
    limit: "int"
    hasMore: "bool"
    users: "list[TeamMember]"

class ListQuickRepliesAnswer(TypedDict):
    success: "Literal[True]"
    count: "int"
    quickReplies: "list[QuickReply]"

class CreateQuickReplyAnswer(TypedDict):
    success: "Literal[True]"
    quickReply: "QuickReply"

class UpdateQuickReplyInput(TypedDict):
    id: "int"
    shortcut: NotRequired["str"]
    text: NotRequired["str"]

class UpdateQuickReplyAnswer(TypedDict):
    success: "Literal[True]"
    quickReply: "QuickReply"

class DeleteQuickReplyInput(TypedDict):
    id: "int"

class DeleteQuickReplyAnswer(TypedDict):
    success: "Literal[True]"
    id: "int"

class ChatPictureInput(TypedDict):
    instanceName: "str"
    number: NotRequired["str"]
    groupJid: NotRequired["str"]
    chat: NotRequired["str"]
    v: NotRequired["str"]

class ListGroupsInput(TypedDict):
    instanceName: "str"
    participants: NotRequired["bool"]
    member: NotRequired["str"]

class ListGroupsAnswer(TypedDict):
    success: "Literal[True]"
    count: "int"
    instance: "InstanceReference"
    groups: "list[Group]"

class CreateGroupAnswer(TypedDict):
    success: "Literal[True]"
    group: "Group"
    members: "list[MemberOutcome]"
    picture: "Literal['set', 'failed'] | None"

class GetGroupInput(TypedDict):
    groupJid: "str"
    instanceName: "str"

class GetGroupAnswer(TypedDict):
    success: "Literal[True]"
    group: "Group"

class UpdateGroupInput(TypedDict):
    groupJid: "str"
    instanceName: "str"
    subject: NotRequired["str"]
    description: NotRequired["str | None"]
    announce: NotRequired["bool"]
    locked: NotRequired["bool"]
    joinApproval: NotRequired["bool"]
    memberAdd: NotRequired["Literal['all', 'admins']"]
    disappearingSeconds: NotRequired["Literal[0, 86400, 604800, 7776000]"]

class UpdateGroupAnswer(TypedDict):
    success: "Literal[True]"
    group: "Group"

class SetGroupPictureInput(TypedDict):
    groupJid: "str"
    instanceName: "str"
    file: "bytes"
    contentType: NotRequired["str"]

class SetGroupPictureAnswer(TypedDict):
    success: "Literal[True]"
    group: "Group"

class DeleteGroupPictureInput(TypedDict):
    groupJid: "str"
    instanceName: "str"

class DeleteGroupPictureAnswer(TypedDict):
    success: "Literal[True]"
    group: "Group"

class ChangeGroupMembersInput(TypedDict):
    groupJid: "str"
    instanceName: "str"
    add: NotRequired["list[str]"]
    remove: NotRequired["list[str]"]
    promote: NotRequired["list[str]"]
    demote: NotRequired["list[str]"]

class ChangeGroupMembersAnswer(TypedDict):
    success: "Literal[True]"
    group: "Group"
    members: "list[MemberOutcome]"

class GetGroupInviteInput(TypedDict):
    groupJid: "str"
    instanceName: "str"

class GetGroupInviteAnswer(TypedDict):
    success: "Literal[True]"
    code: "str"
    link: "str"

class ResetGroupInviteInput(TypedDict):
    groupJid: "str"
    instanceName: "str"

class ResetGroupInviteAnswer(TypedDict):
    success: "Literal[True]"
    code: "str"
    link: "str"

class PreviewGroupInviteInput(TypedDict):
    code: "str"
    instanceName: "str"

class PreviewGroupInviteAnswer(TypedDict):
    success: "Literal[True]"
    preview: "PreviewGroupInviteAnswerPreview"

class PreviewGroupInviteAnswerPreview(TypedDict):
    groupJid: "str"
    subject: "str"
    description: "str | None"
    ownerJid: "str | None"
    createdAt: "str | None"
    size: "int"
    joinApproval: "bool"

class JoinGroupAnswer(TypedDict):
    success: "Literal[True]"
    groupJid: "str"
    status: "Literal['joined', 'requested']"

class LeaveGroupInput(TypedDict):
    groupJid: "str"
    instanceName: "str"

class LeaveGroupAnswer(TypedDict):
    success: "Literal[True]"
    groupJid: "str"

class ListJoinRequestsInput(TypedDict):
    groupJid: "str"
    instanceName: "str"

class ListJoinRequestsAnswer(TypedDict):
    success: "Literal[True]"
    count: "int"
    requests: "list[ListJoinRequestsAnswerRequestsItem]"

class ListJoinRequestsAnswerRequestsItem(TypedDict):
    jid: "str"
    phone: "str | None"
    chat: "str"
    number: "str | None"
    lid: "str | None"
    username: "str | None"
    requestedAt: "str | None"

class AnswerJoinRequestsInput(TypedDict):
    groupJid: "str"
    instanceName: "str"
    approve: NotRequired["list[str]"]
    reject: NotRequired["list[str]"]

class AnswerJoinRequestsAnswer(TypedDict):
    success: "Literal[True]"
    group: "Group"
    requests: "list[AnswerJoinRequestsAnswerRequestsItem]"

class AnswerJoinRequestsAnswerRequestsItem(TypedDict):
    number: "str | None"
    chat: "str"
    outcome: "Literal['approved', 'rejected', 'no_request', 'refused']"
    networkCode: "int | None"

class RejectCallInput(TypedDict):
    callId: "str"
    instanceName: "str"

class RejectCallAnswer(TypedDict):
    success: "Literal[True]"
    call: "Call"

class GetPersonInput(TypedDict):
    number: "str"
    instanceName: "str"

class GetPersonAnswer(TypedDict):
    success: "Literal[True]"
    person: "PersonDetails"

class BlockPersonInput(TypedDict):
    number: "str"
    instanceName: "str"

class BlockPersonAnswer(TypedDict):
    success: "Literal[True]"
    person: "BlockPersonAnswerPerson"

class BlockPersonAnswerPerson(TypedDict):
    number: "str | None"
    jid: "str"
    isBlocked: "bool"

class UnblockPersonInput(TypedDict):
    number: "str"
    instanceName: "str"

class UnblockPersonAnswer(TypedDict):
    success: "Literal[True]"
    person: "UnblockPersonAnswerPerson"

class UnblockPersonAnswerPerson(TypedDict):
    number: "str | None"
    jid: "str"
    isBlocked: "bool"

class GetBlocklistInput(TypedDict):
    instanceName: "str"

class GetBlocklistAnswer(TypedDict):
    success: "Literal[True]"
    count: "int"
    people: "list[GetBlocklistAnswerPeopleItem]"

class GetBlocklistAnswerPeopleItem(TypedDict):
    jid: "str"
    phone: "str | None"
    chat: "str"
    number: "str | None"
    lid: "str | None"
    username: "str | None"

class ListPresenceInput(TypedDict):
    instanceName: "str"

class ListPresenceAnswer(TypedDict):
    success: "Literal[True]"
    count: "int"
    subscriptions: "list[PresenceSubscription]"

class SubscribePresenceAnswer(TypedDict):
    success: "Literal[True]"
    count: "int"
    subscriptions: "list[PresenceSubscription]"
    numbers: "list[SubscribePresenceAnswerNumbersItem]"

class SubscribePresenceAnswerNumbersItem(TypedDict):
    number: "str | None"
    chat: "str"
    outcome: "Literal['subscribed', 'unsubscribed', 'not_on_network']"

class CheckNumberInput(TypedDict):
    instanceName: NotRequired["str"]
    instance: NotRequired["str"]
    number: NotRequired["str"]
    phone: NotRequired["str"]

class CheckNumberAnswer(TypedDict):
    success: "Literal[True]"
    status: "Literal['success']"
    data: "CheckNumberAnswerData"

class CheckNumberAnswerData(TypedDict):
    exists: "bool"
    jid: "str"
    number: "str"
    instance: "str"

class CheckNumbersInput(TypedDict):
    instanceName: "str"
    numbers: "str"

class CheckNumbersAnswer(TypedDict):
    success: "Literal[True]"
    count: "int"
    numbers: "list[CheckNumbersAnswerNumbersItem]"

class CheckNumbersAnswerNumbersItem(TypedDict):
    number: "str"
    exists: "bool"
    jid: "str"

class GetStatisticsInput(TypedDict):
    range: NotRequired["Literal['day', 'week', 'month']"]
    since: NotRequired["str"]
    until: NotRequired["str"]
    utcOffsetMinutes: NotRequired["int"]
    instanceName: NotRequired["str"]

class ListApiKeysAnswer(TypedDict):
    success: "Literal[True]"
    count: "int"
    apiKeys: "list[ApiKey]"

class CreateApiKeyAnswer(TypedDict):
    success: "Literal[True]"
    apiKey: "ApiKey"
    key: "str"

class CurrentApiKeyAnswer(TypedDict):
    success: "Literal[True]"
    apiKey: "ApiKey"
    instances: "list[CurrentApiKeyAnswerInstancesItem]"

class CurrentApiKeyAnswerInstancesItem(TypedDict):
    apiInstanceName: "str"
    displayName: "str"

class RevokeApiKeyInput(TypedDict):
    id: "int"

class RevokeApiKeyAnswer(TypedDict):
    success: "Literal[True]"
    apiKey: "ApiKey"

class RotateApiKeyInput(TypedDict):
    id: "int"
    overlapHours: NotRequired["int"]

class RotateApiKeyAnswer(TypedDict):
    success: "Literal[True]"
    apiKey: "ApiKey"
    key: "str"

class ReviewAgentSignInAnswer(TypedDict):
    success: "Literal[True]"
    agent: "RequestingAgent"
    refusalUrl: "str"

class GrantAgentSignInAnswer(TypedDict):
    success: "Literal[True]"
    redirectUrl: "str"

class ListAuditInput(TypedDict):
    keyId: NotRequired["int"]
    page: NotRequired["int"]
    limit: NotRequired["int"]

class ListAuditAnswer(TypedDict):
    success: "Literal[True]"
    count: "int"
    page: "int"
    limit: "int"
    hasMore: "bool"
    entries: "list[AuditEntry]"

class SaveWebhookAnswer(TypedDict):
    success: "Literal[True]"
    webhook: "Webhook"

class ListWebhooksInput(TypedDict):
    instanceName: NotRequired["str"]

class ListWebhooksAnswer(TypedDict):
    success: "Literal[True]"
    count: "int"
    webhooks: "list[Webhook]"

class GetWebhookInput(TypedDict):
    id: "int"

class GetWebhookAnswer(TypedDict):
    success: "Literal[True]"
    webhook: "Webhook"

class DeleteWebhookInput(TypedDict):
    id: "int"

class DeleteWebhookAnswer(TypedDict):
    success: "Literal[True]"
    id: "int"

class RotateWebhookSecretInput(TypedDict):
    id: "int"
    overlapHours: NotRequired["int"]

class RotateWebhookSecretAnswer(TypedDict):
    success: "Literal[True]"
    webhook: "Webhook"

class TestWebhookInput(TypedDict):
    id: "int"

class TestWebhookAnswer(TypedDict):
    success: "Literal[True]"
    delivered: "bool"
    attempt: "DeliveryAttempt"
    request: "TestWebhookAnswerRequest"

class TestWebhookAnswerRequest(TypedDict):
    headers: "dict[str, str]"
    body: "str"

class ListDeliveriesInput(TypedDict):
    id: "int"
    status: NotRequired["Literal['pending', 'delivered', 'retrying', 'dead']"]
    page: NotRequired["int"]
    limit: NotRequired["int"]

class ListDeliveriesAnswer(TypedDict):
    success: "Literal[True]"
    count: "int"
    page: "int"
    limit: "int"
    hasMore: "bool"
    deliveries: "list[Delivery]"

class GetDeliveryInput(TypedDict):
    id: "int"
    deliveryId: "int"

class GetDeliveryAnswer(TypedDict):
    success: "Literal[True]"
    delivery: "DeliveryDetail"

class ReplayDeliveryInput(TypedDict):
    id: "int"
    deliveryId: "int"

class ReplayDeliveryAnswer(TypedDict):
    success: "Literal[True]"
    delivery: "Delivery"

class ReplayWebhookInput(TypedDict):
    id: "int"
    since: "str"

class ReplayWebhookAnswer(TypedDict):
    success: "Literal[True]"
    queued: "int"
    complete: "bool"
    until: "str | None"

class SaveDestinationAnswer(TypedDict):
    success: "Literal[True]"
    destination: "Destination"

class ListDestinationsInput(TypedDict):
    instanceName: NotRequired["str"]

class ListDestinationsAnswer(TypedDict):
    success: "Literal[True]"
    count: "int"
    destinations: "list[Destination]"

class GetDestinationInput(TypedDict):
    id: "int"

class GetDestinationAnswer(TypedDict):
    success: "Literal[True]"
    destination: "Destination"

class DeleteDestinationInput(TypedDict):
    id: "int"

class DeleteDestinationAnswer(TypedDict):
    success: "Literal[True]"
    id: "int"

class TestDestinationInput(TypedDict):
    id: "int"

class TestDestinationAnswer(TypedDict):
    success: "Literal[True]"
    delivered: "bool"
    attempt: "DeliveryAttempt"
    request: "TestDestinationAnswerRequest"

class TestDestinationAnswerRequest(TypedDict):
    headers: "dict[str, str]"
    body: "str"

class ListDestinationDeliveriesInput(TypedDict):
    id: "int"
    status: NotRequired["Literal['pending', 'delivered', 'retrying', 'dead']"]
    page: NotRequired["int"]
    limit: NotRequired["int"]

class ListDestinationDeliveriesAnswer(TypedDict):
    success: "Literal[True]"
    count: "int"
    page: "int"
    limit: "int"
    hasMore: "bool"
    deliveries: "list[Delivery]"

class GetDestinationDeliveryInput(TypedDict):
    id: "int"
    deliveryId: "int"

class GetDestinationDeliveryAnswer(TypedDict):
    success: "Literal[True]"
    delivery: "DeliveryDetail"

class ReplayDestinationDeliveryInput(TypedDict):
    id: "int"
    deliveryId: "int"

class ReplayDestinationDeliveryAnswer(TypedDict):
    success: "Literal[True]"
    delivery: "Delivery"

class ReplayDestinationInput(TypedDict):
    id: "int"
    since: "str"

class ReplayDestinationAnswer(TypedDict):
    success: "Literal[True]"
    queued: "int"
    complete: "bool"
    until: "str | None"

class SaveChatwootInput(TypedDict):
    instanceName: "str"
    url: "str"
    accountId: "int"
    token: NotRequired["str"]
    inboxName: NotRequired["str"]
    inboxId: NotRequired["int"]
    gatewayUrl: NotRequired["str"]
    enabled: NotRequired["bool"]
    signAgentNames: NotRequired["bool"]
    ignoreGroups: NotRequired["bool"]
    reopenConversation: NotRequired["bool"]
    conversationPending: NotRequired["bool"]

class SaveChatwootAnswer(TypedDict):
    success: "Literal[True]"
    bridge: "ChatwootBridge"

class GetChatwootInput(TypedDict):
    instanceName: "str"

class GetChatwootAnswer(TypedDict):
    success: "Literal[True]"
    bridge: "ChatwootBridge"

class DeleteChatwootInput(TypedDict):
    instanceName: "str"

class DeleteChatwootAnswer(TypedDict):
    success: "Literal[True]"

class PushChatwootHistoryInput(TypedDict):
    instanceName: "str"
    number: NotRequired["str"]
    groupJid: NotRequired["str"]
    chat: NotRequired["str"]
    days: NotRequired["int"]
    cursor: NotRequired["str"]
    limit: NotRequired["int"]

class PushChatwootHistoryAnswer(TypedDict):
    success: "Literal[True]"
    pushed: "int"
    next: "str | None"
    failure: "str | None"

class ListEventsInput(TypedDict):
    instanceName: NotRequired["str"]
    events: NotRequired["str"]
    after: NotRequired["str"]
    before: NotRequired["str"]
    limit: NotRequired["int"]

class ListEventsAnswer(TypedDict):
    success: "Literal[True]"
    count: "int"
    hasMore: "bool"
    next: "str | None"
    events: "list[Event]"

class StreamEventsInput(TypedDict):
    instanceName: NotRequired["str"]
    events: NotRequired["str"]
    after: NotRequired["str"]

class AdminResumeAnswer(TypedDict):
    success: "Literal[True]"
    resumed: "bool"

class AdminListNodesAnswer(TypedDict):
    success: "Literal[True]"
    untaken: "int"
    nodes: "list[Node]"

class AdminDrainNodeInput(TypedDict):
    nodeId: "int"

class AdminDrainNodeAnswer(TypedDict):
    success: "Literal[True]"
    node: "Node"

class AdminResumeNodeInput(TypedDict):
    nodeId: "int"

class AdminResumeNodeAnswer(TypedDict):
    success: "Literal[True]"
    node: "Node"

class AdminListPlansInput(TypedDict):
    page: NotRequired["int"]
    limit: NotRequired["int"]

class AdminListPlansAnswer(TypedDict):
    success: "Literal[True]"
    count: "int"
    page: "int"
    limit: "int"
    hasMore: "bool"
    plans: "list[Plan]"

class AdminCreatePlanAnswer(TypedDict):
    success: "Literal[True]"
    plan: "Plan"

class AdminGetPlanInput(TypedDict):
    id: "int"

class AdminGetPlanAnswer(TypedDict):
    success: "Literal[True]"
    plan: "Plan"

class AdminUpdatePlanInput(TypedDict):
    id: "int"
    name: NotRequired["str"]
    interval: NotRequired["Literal['day', 'week', 'month', 'year']"]
    currency: NotRequired["str"]
    amount: NotRequired["int"]
    limits: NotRequired["PlanLimits"]
    features: NotRequired["AdminUpdatePlanInputFeatures"]
    requestsPerSecond: NotRequired["int | None"]

class AdminUpdatePlanInputFeatures(TypedDict):
    ai: "bool"
    flowBuilder: "bool"
    campaigns: "bool"
    templates: "bool"
    voiceCalls: "bool"

class AdminUpdatePlanAnswer(TypedDict):
    success: "Literal[True]"
    plan: "Plan"

class AdminDeletePlanInput(TypedDict):
    id: "int"

class AdminDeletePlanAnswer(TypedDict):
    success: "Literal[True]"
    id: "int"

class AdminListInstancesInput(TypedDict):
    page: NotRequired["int"]
    limit: NotRequired["int"]
    accountId: NotRequired["int"]
    state: NotRequired["Literal['connecting', 'open', 'close']"]
    search: NotRequired["str"]

class AdminListInstancesAnswer(TypedDict):
    success: "Literal[True]"
    count: "int"
    page: "int"
    limit: "int"
    hasMore: "bool"
    instances: "list[OperatorInstance]"

class AdminGetStatisticsInput(TypedDict):
    range: NotRequired["Literal['day', 'week', 'month']"]
    since: NotRequired["str"]
    until: NotRequired["str"]
    utcOffsetMinutes: NotRequired["int"]
    accountId: NotRequired["int"]

class AdminListAccountsInput(TypedDict):
    page: NotRequired["int"]
    limit: NotRequired["int"]

class AdminListAccountsAnswer(TypedDict):
    success: "Literal[True]"
    count: "int"
    page: "int"
    limit: "int"
    hasMore: "bool"
    accounts: "list[Account]"

class AdminCreateAccountAnswer(TypedDict):
    success: "Literal[True]"
    account: "Account"
    key: "str"

class AdminGetAccountInput(TypedDict):
    id: "int"

class AdminGetAccountAnswer(TypedDict):
    success: "Literal[True]"
    account: "Account"

class AdminUpdateAccountInput(TypedDict):
    id: "int"
    name: "str"

class AdminUpdateAccountAnswer(TypedDict):
    success: "Literal[True]"
    account: "Account"

class AdminDeleteAccountInput(TypedDict):
    id: "int"

class AdminDeleteAccountAnswer(TypedDict):
    success: "Literal[True]"
    id: "int"

class AdminUpdateSubscriptionInput(TypedDict):
    id: "int"
    planId: NotRequired["int"]
    status: NotRequired["Literal['active', 'trialing', 'past_due', 'canceled', 'expired', 'pending']"]
    currentPeriodStart: NotRequired["str"]
    currentPeriodEnd: NotRequired["str | None"]
    trialEndsAt: NotRequired["str | None"]
    expiresAt: NotRequired["str | None"]

class AdminUpdateSubscriptionAnswer(TypedDict):
    success: "Literal[True]"
    account: "Account"

class AdminListUsersInput(TypedDict):
    id: "int"
    page: NotRequired["int"]
    limit: NotRequired["int"]

class AdminListUsersAnswer(TypedDict):
    success: "Literal[True]"
    count: "int"
    page: "int"
    limit: "int"
    hasMore: "bool"
    users: "list[User]"

class AdminCreateUserInput(TypedDict):
    id: "int"
    name: "str"
    email: "str"

class AdminCreateUserAnswer(TypedDict):
    success: "Literal[True]"
    user: "User"

class AdminUpdateUserInput(TypedDict):
    id: "int"
    userId: "int"
    name: NotRequired["str"]
    email: NotRequired["str"]

class AdminUpdateUserAnswer(TypedDict):
    success: "Literal[True]"
    user: "User"

class AdminDeleteUserInput(TypedDict):
    id: "int"
    userId: "int"

class AdminDeleteUserAnswer(TypedDict):
    success: "Literal[True]"
    id: "int"

class AdminListKeysInput(TypedDict):
    id: "int"

class AdminListKeysAnswer(TypedDict):
    success: "Literal[True]"
    count: "int"
    apiKeys: "list[ApiKey]"

class AdminCreateKeyInput(TypedDict):
    id: "int"
    name: "str"
    scopes: NotRequired["list[Literal['send', 'instances', 'instances:use', 'instances:manage', 'contacts', 'webhooks', 'account', 'keys', 'images', 'sandbox', 'read']]"]
    instances: NotRequired["list[str] | None"]
    chats: NotRequired["list[str] | Literal['wrote_first'] | None"]
    messagesPerDay: NotRequired["int | None"]
    approval: NotRequired["bool"]
    approvalOnPhone: NotRequired["bool"]
    expiresAt: NotRequired["str | None"]

class AdminCreateKeyAnswer(TypedDict):
    success: "Literal[True]"
    apiKey: "ApiKey"
    key: "str"

class AdminRevokeKeyInput(TypedDict):
    id: "int"
    keyId: "int"

class AdminRevokeKeyAnswer(TypedDict):
    success: "Literal[True]"
    apiKey: "ApiKey"

class AdminRotateKeyInput(TypedDict):
    id: "int"
    keyId: "int"
    overlapHours: NotRequired["int"]

class AdminRotateKeyAnswer(TypedDict):
    success: "Literal[True]"
    apiKey: "ApiKey"
    key: "str"

class HealthzAnswer(TypedDict):
    status: "Literal['ok']"
    version: "str"
    held: "Literal['restored', 'sessions_off'] | None"

class ReadyzAnswer(TypedDict):
    status: "Literal['ready']"
    checks: "dict[str, Literal['ok']]"
    held: "Literal['restored', 'sessions_off'] | None"
    clock: "ReadyzAnswerClock"

class ReadyzAnswerClock(TypedDict):
    state: "Literal['steady', 'stepped', 'following']"
    differenceMs: "float"

class SandboxListPhonesAnswer(TypedDict):
    success: "Literal[True]"
    phones: "list[SandboxPhone]"

class SandboxCreatePhoneInput(TypedDict):
    number: "str"
    name: NotRequired["str"]

class SandboxCreatePhoneAnswer(TypedDict):
    success: "Literal[True]"
    phone: "SandboxPhone"

class SandboxGetPhoneInput(TypedDict):
    number: "str"

class SandboxGetPhoneAnswer(TypedDict):
    success: "Literal[True]"
    phone: "SandboxPhone"

class SandboxChangePhoneInput(TypedDict):
    number: "str"
    about: NotRequired["str"]
    privacy: NotRequired["SandboxChangePhoneInputPrivacy"]
    disappearingSeconds: NotRequired["int"]
    business: NotRequired["SandboxChangePhoneInputBusiness | None"]
    hidesNumber: NotRequired["bool"]
    username: NotRequired["str | None"]

class SandboxChangePhoneInputPrivacy(TypedDict):
    last: NotRequired["Literal['all', 'contacts', 'contact_blacklist', 'none']"]
    online: NotRequired["Literal['match_last_seen', 'all']"]
    profile: NotRequired["Literal['all', 'contacts', 'contact_blacklist', 'none']"]
    status: NotRequired["Literal['all', 'contacts', 'contact_blacklist', 'none']"]
    readreceipts: NotRequired["Literal['all', 'none']"]
    groupadd: NotRequired["Literal['all', 'contacts', 'contact_blacklist']"]
    calladd: NotRequired["Literal['all', 'known']"]
    messages: NotRequired["Literal['all', 'contacts']"]

class SandboxChangePhoneInputBusiness(TypedDict):
    description: NotRequired["str"]
    category: NotRequired["str"]
    address: NotRequired["str"]
    email: NotRequired["str"]
    website: NotRequired["str"]

class SandboxChangePhoneAnswer(TypedDict):
    success: "Literal[True]"
    phone: "SandboxPhone"

class SandboxScanInput(TypedDict):
    number: "str"
    qr: NotRequired["str"]
    instanceName: NotRequired["str"]

class SandboxScanAnswer(TypedDict):
    success: "Literal[True]"
    device: "SandboxScanAnswerDevice | None"

class SandboxScanAnswerDevice(TypedDict):
    number: "str"
    id: "float"

class SandboxEnterCodeInput(TypedDict):
    number: "str"
    code: "str"

class SandboxEnterCodeAnswer(TypedDict):
    success: "Literal[True]"
    device: "SandboxEnterCodeAnswerDevice | None"

class SandboxEnterCodeAnswerDevice(TypedDict):
    number: "str"
    id: "float"

class SandboxSaveContactInput(TypedDict):
    owner: "str"
    number: "str"
    name: "str"

class SandboxSaveContactAnswer(TypedDict):
    success: "Literal[True]"

class SandboxSetPictureInput(TypedDict):
    number: "str"
    base64: "str | None"

class SandboxSetPictureAnswer(TypedDict):
    success: "Literal[True]"
    phone: "SandboxPhone"

class SandboxGetPictureInput(TypedDict):
    number: "str"
    of: NotRequired["str"]
    id: NotRequired["str"]

class SandboxBlockInput(TypedDict):
    owner: "str"
    number: "str"
    blocked: NotRequired["bool"]

class SandboxBlockAnswer(TypedDict):
    success: "Literal[True]"
    phone: "SandboxPhone"

SandboxListMessagesInput = TypedDict("SandboxListMessagesInput", {
    "number": "str",
    "after": NotRequired["str"],
    "chat": NotRequired["str | Literal['status@broadcast']"],
    "limit": NotRequired["int"],
    "from": NotRequired["Literal['start', 'end']"],
    "before": NotRequired["str"],
    "waitMs": NotRequired["int"],
})

class SandboxListMessagesAnswer(TypedDict):
    success: "Literal[True]"
    messages: "list[SandboxMessage]"
    cursor: "float"

class SandboxGetMessageInput(TypedDict):
    number: "str"
    id: "str"
    status: NotRequired["Literal['delivered', 'read', 'played']"]
    waitMs: NotRequired["int"]

class SandboxGetMessageAnswer(TypedDict):
    success: "Literal[True]"
    message: "SandboxMessage"

class SandboxGetMediaInput(TypedDict):
    number: "str"
    id: "str"
    card: NotRequired["str"]

class SandboxListChatsInput(TypedDict):
    number: "str"
    page: NotRequired["int"]
    limit: NotRequired["int"]

class SandboxListChatsAnswer(TypedDict):
    success: "Literal[True]"
    chats: "list[SandboxListChatsAnswerChatsItem]"
    hasMore: "bool"

class SandboxListChatsAnswerChatsItem(TypedDict):
    chat: "str"
    name: "str"
    isGroup: "bool"
    pictureId: "str | None"
    unread: "float"
    last: "SandboxMessage | None"
    archived: "bool"
    pinned: "bool"
    mutedUntil: "float | None"
    markedUnread: "bool"
    disappearingSeconds: "float"
    labels: "list[str]"

class SandboxChangeChatInput(TypedDict):
    number: "str"
    chat: "str"
    archived: NotRequired["bool"]
    pinned: NotRequired["bool"]
    mutedUntil: NotRequired["int | None"]
    unread: NotRequired["bool"]

class SandboxChangeChatAnswer(TypedDict):
    success: "Literal[True]"

class SandboxDeleteChatInput(TypedDict):
    number: "str"
    chat: "str"

class SandboxDeleteChatAnswer(TypedDict):
    success: "Literal[True]"

class SandboxListTypingInput(TypedDict):
    number: "str"
    after: NotRequired["int"]
    waitMs: NotRequired["int"]

class SandboxListTypingAnswer(TypedDict):
    success: "Literal[True]"
    typing: "list[SandboxListTypingAnswerTypingItem]"

SandboxListTypingAnswerTypingItem = TypedDict("SandboxListTypingAnswerTypingItem", {
    "seq": "float",
    "chat": "str",
    "from": "str",
    "state": "Literal['typing', 'recording', 'paused']",
    "timestamp": "float",
})

class SandboxTypeInput(TypedDict):
    number: "str"
    chat: "str"
    state: NotRequired["Literal['typing', 'recording', 'paused']"]

class SandboxTypeAnswer(TypedDict):
    success: "Literal[True]"

class SandboxSendInput(TypedDict):
    number: "str"
    to: "str"
    text: NotRequired["str"]
    media: NotRequired["SandboxSendInputMedia"]
    location: NotRequired["SandboxSendInputLocation"]
    contact: NotRequired["SandboxSendInputContact"]
    poll: NotRequired["SandboxSendInputPoll"]
    event: NotRequired["SandboxSendInputEvent"]
    order: NotRequired["SandboxSendInputOrder"]
    product: NotRequired["SandboxSendInputProduct"]
    album: NotRequired["SandboxSendInputAlbum"]
    albumId: NotRequired["str"]
    quoted: NotRequired["str"]
    ad: NotRequired["SandboxSendInputAd"]

class SandboxSendInputMedia(TypedDict):
    type: "Literal['image', 'video', 'audio', 'document', 'sticker']"
    base64: "str"
    caption: NotRequired["str"]
    mimetype: NotRequired["str"]
    fileName: NotRequired["str"]
    voiceNote: NotRequired["bool"]
    videoNote: NotRequired["bool"]
    viewOnce: NotRequired["bool"]
    seconds: NotRequired["int"]

class SandboxSendInputLocation(TypedDict):
    latitude: "float"
    longitude: "float"
    name: NotRequired["str"]
    address: NotRequired["str"]

class SandboxSendInputContact(TypedDict):
    name: "str"
    number: "str"

class SandboxSendInputPoll(TypedDict):
    name: "str"
    options: "list[str]"
    selectableCount: NotRequired["int"]

class SandboxSendInputEvent(TypedDict):
    name: "str"
    description: NotRequired["str"]
    startsAt: "str"
    endsAt: NotRequired["str"]
    place: NotRequired["str"]
    canceled: NotRequired["bool"]

class SandboxSendInputOrder(TypedDict):
    orderId: "str"
    token: NotRequired["str"]
    itemCount: "int"
    total: "str"
    currency: "str"
    title: NotRequired["str"]
    message: NotRequired["str"]

class SandboxSendInputProduct(TypedDict):
    productId: "str"
    title: "str"
    description: NotRequired["str"]
    price: "str"
    currency: "str"
    retailerId: NotRequired["str"]
    url: NotRequired["str"]
    message: NotRequired["str"]

class SandboxSendInputAlbum(TypedDict):
    images: NotRequired["int"]
    videos: NotRequired["int"]

class SandboxSendInputAd(TypedDict):
    sourceId: "str"
    ctwaClid: NotRequired["str"]
    sourceUrl: NotRequired["str"]
    sourceApp: NotRequired["str"]
    title: NotRequired["str"]
    body: NotRequired["str"]

class SandboxSendAnswer(TypedDict):
    success: "Literal[True]"
    messageId: "str"

class SandboxSendMediaInput(TypedDict):
    number: "str"
    to: "str"
    type: "Literal['image', 'video', 'audio', 'document', 'sticker']"
    caption: NotRequired["str"]
    fileName: NotRequired["str"]
    voiceNote: NotRequired["Literal['true', 'false']"]
    videoNote: NotRequired["Literal['true', 'false']"]
    viewOnce: NotRequired["Literal['true', 'false']"]
    seconds: NotRequired["int"]
    quoted: NotRequired["str"]
    file: "bytes"
    contentType: NotRequired["str"]

class SandboxSendMediaAnswer(TypedDict):
    success: "Literal[True]"
    messageId: "str"

class SandboxSendContentInput(TypedDict):
    number: "str"
    to: "str"
    content: NotRequired["dict[str, Any]"]
    protobuf: NotRequired["str"]

class SandboxSendContentAnswer(TypedDict):
    success: "Literal[True]"
    messageId: "str"

class SandboxSetPasskeyInput(TypedDict):
    number: "str"
    demanded: NotRequired["bool"]

class SandboxSetPasskeyAnswer(TypedDict):
    success: "Literal[True]"
    phone: "SandboxPhone"

class SandboxGetPasskeyInput(TypedDict):
    number: "str"

class SandboxGetPasskeyAnswer(TypedDict):
    success: "Literal[True]"
    passkey: "SandboxPasskey"

class SandboxSignAssertionInput(TypedDict):
    number: "str"
    options: "SandboxSignAssertionInputOptions"
    origin: NotRequired["str"]

class SandboxSignAssertionInputOptions(TypedDict):
    challenge: "str"

class SandboxSignAssertionAnswer(TypedDict):
    success: "Literal[True]"
    assertion: "SandboxAssertion"

class SandboxEditInput(TypedDict):
    number: "str"
    messageId: "str"
    text: "str"
    plain: NotRequired["bool"]

class SandboxEditAnswer(TypedDict):
    success: "Literal[True]"
    messageId: "str"

class SandboxRemoveInput(TypedDict):
    number: "str"
    messageId: "str"

class SandboxRemoveAnswer(TypedDict):
    success: "Literal[True]"
    messageId: "str"

class SandboxReadInput(TypedDict):
    number: "str"
    chat: "str | Literal['status@broadcast']"
    messageId: NotRequired["str"]
    played: NotRequired["bool"]

class SandboxReadAnswer(TypedDict):
    success: "Literal[True]"
    messageIds: "list[str]"

class SandboxTapInput(TypedDict):
    number: "str"
    messageId: "str"
    buttonId: NotRequired["str"]
    rowId: NotRequired["str"]

class SandboxTapAnswer(TypedDict):
    success: "Literal[True]"
    messageId: "str"

class SandboxVoteInput(TypedDict):
    number: "str"
    messageId: "str"
    options: "list[str]"

class SandboxVoteAnswer(TypedDict):
    success: "Literal[True]"
    messageId: "str"

class SandboxReactInput(TypedDict):
    number: "str"
    messageId: "str"
    emoji: "str"

class SandboxReactAnswer(TypedDict):
    success: "Literal[True]"
    messageId: "str"

class SandboxPinInput(TypedDict):
    number: "str"
    messageId: "str"
    seconds: "int | None"

class SandboxPinAnswer(TypedDict):
    success: "Literal[True]"
    messageId: "str"

class SandboxForwardInput(TypedDict):
    number: "str"
    messageId: "str"
    to: "str"

class SandboxForwardAnswer(TypedDict):
    success: "Literal[True]"
    messageId: "str"

class SandboxSetDisappearingInput(TypedDict):
    number: "str"
    chat: "str"
    seconds: "Literal[0] | Literal[86400] | Literal[604800] | Literal[7776000]"

class SandboxSetDisappearingAnswer(TypedDict):
    success: "Literal[True]"

class SandboxSetPresenceInput(TypedDict):
    number: "str"
    available: "bool"

class SandboxSetPresenceAnswer(TypedDict):
    success: "Literal[True]"
    phone: "SandboxPhone"

class SandboxStarInput(TypedDict):
    number: "str"
    messageId: "str"
    starred: "bool"

class SandboxStarAnswer(TypedDict):
    success: "Literal[True]"

class SandboxDeleteForMeInput(TypedDict):
    number: "str"
    messageId: "str"

class SandboxDeleteForMeAnswer(TypedDict):
    success: "Literal[True]"

class SandboxListLabelsInput(TypedDict):
    number: "str"

class SandboxListLabelsAnswer(TypedDict):
    success: "Literal[True]"
    labels: "list[SandboxListLabelsAnswerLabelsItem]"

class SandboxListLabelsAnswerLabelsItem(TypedDict):
    id: "str"
    name: "str"
    color: "float"

class SandboxSaveLabelInput(TypedDict):
    number: "str"
    labelId: NotRequired["str"]
    name: "str"
    color: NotRequired["int"]

class SandboxSaveLabelAnswer(TypedDict):
    success: "Literal[True]"
    labelId: "str"

class SandboxDeleteLabelInput(TypedDict):
    number: "str"
    labelId: "str"

class SandboxDeleteLabelAnswer(TypedDict):
    success: "Literal[True]"

class SandboxLabelChatInput(TypedDict):
    number: "str"
    chat: "str"
    labelId: "str"
    labeled: NotRequired["bool"]

class SandboxLabelChatAnswer(TypedDict):
    success: "Literal[True]"

class SandboxClearChatInput(TypedDict):
    number: "str"
    chat: "str"
    keepStarred: NotRequired["bool"]

class SandboxClearChatAnswer(TypedDict):
    success: "Literal[True]"

class SandboxListCallsInput(TypedDict):
    number: "str"
    callId: NotRequired["str"]
    status: NotRequired["Literal['ringing', 'answered', 'rejected', 'missed', 'ended']"]
    waitMs: NotRequired["int"]

class SandboxListCallsAnswer(TypedDict):
    success: "Literal[True]"
    calls: "list[SandboxCall]"

class SandboxPlaceCallInput(TypedDict):
    number: "str"
    to: "str"
    video: NotRequired["bool"]

class SandboxPlaceCallAnswer(TypedDict):
    success: "Literal[True]"
    call: "SandboxCall"

class SandboxAnswerCallInput(TypedDict):
    number: "str"
    callId: "str"

class SandboxAnswerCallAnswer(TypedDict):
    success: "Literal[True]"
    call: "SandboxCall"

class SandboxHangUpInput(TypedDict):
    number: "str"
    callId: "str"

class SandboxHangUpAnswer(TypedDict):
    success: "Literal[True]"
    call: "SandboxCall"

class SandboxPostStatusInput(TypedDict):
    number: "str"
    text: NotRequired["str"]
    backgroundColor: NotRequired["str"]
    media: NotRequired["SandboxPostStatusInputMedia"]
    to: NotRequired["list[str]"]

class SandboxPostStatusInputMedia(TypedDict):
    type: "Literal['image', 'video', 'audio', 'document', 'sticker']"
    base64: "str"
    caption: NotRequired["str"]
    mimetype: NotRequired["str"]
    fileName: NotRequired["str"]
    voiceNote: NotRequired["bool"]
    videoNote: NotRequired["bool"]
    viewOnce: NotRequired["bool"]
    seconds: NotRequired["int"]

class SandboxPostStatusAnswer(TypedDict):
    success: "Literal[True]"
    messageId: "str"

class SandboxExpireMediaInput(TypedDict):
    number: "str"
    messageId: "str"

class SandboxExpireMediaAnswer(TypedDict):
    success: "Literal[True]"

class SandboxListGroupsAnswer(TypedDict):
    success: "Literal[True]"
    groups: "list[SandboxGroup]"

class SandboxCreateGroupInput(TypedDict):
    subject: "str"
    members: "list[str]"
    admin: "str"

class SandboxCreateGroupAnswer(TypedDict):
    success: "Literal[True]"
    group: "SandboxGroup"
    outcomes: "list[SandboxCreateGroupAnswerOutcomesItem]"

class SandboxCreateGroupAnswerOutcomesItem(TypedDict):
    number: "str"
    outcome: "Literal['done', 'requested', 'blocked', 'must_be_invited', 'not_found', 'not_possible', 'already_a_member']"

class SandboxGetGroupInput(TypedDict):
    jid: "str"

class SandboxGetGroupAnswer(TypedDict):
    success: "Literal[True]"
    group: "SandboxGroup"

class SandboxChangeGroupInput(TypedDict):
    jid: "str"
    by: NotRequired["str"]
    subject: NotRequired["str"]
    description: NotRequired["str"]
    announcement: NotRequired["bool"]
    locked: NotRequired["bool"]
    joinApproval: NotRequired["bool"]
    memberAdd: NotRequired["Literal['admins', 'all']"]
    disappearingSeconds: NotRequired["int"]
    pictureBase64: NotRequired["str | None"]

class SandboxChangeGroupAnswer(TypedDict):
    success: "Literal[True]"
    group: "SandboxGroup"

class SandboxListPhoneGroupsInput(TypedDict):
    number: "str"

class SandboxListPhoneGroupsAnswer(TypedDict):
    success: "Literal[True]"
    groups: "list[SandboxGroup]"

class SandboxChangeMembersInput(TypedDict):
    jid: "str"
    by: NotRequired["str"]
    change: "Literal['add', 'remove', 'promote', 'demote']"
    members: "list[str]"

class SandboxChangeMembersAnswer(TypedDict):
    success: "Literal[True]"
    group: "SandboxGroup"
    outcomes: "list[SandboxChangeMembersAnswerOutcomesItem]"

class SandboxChangeMembersAnswerOutcomesItem(TypedDict):
    number: "str"
    outcome: "Literal['done', 'requested', 'blocked', 'must_be_invited', 'not_found', 'not_possible', 'already_a_member']"

class SandboxLeaveGroupInput(TypedDict):
    jid: "str"
    number: "str"

class SandboxLeaveGroupAnswer(TypedDict):
    success: "Literal[True]"
    group: "SandboxGroup"

class SandboxAnswerRequestsInput(TypedDict):
    jid: "str"
    by: NotRequired["str"]
    action: "Literal['approve', 'reject']"
    members: "list[str]"

class SandboxAnswerRequestsAnswer(TypedDict):
    success: "Literal[True]"
    group: "SandboxGroup"
    outcomes: "list[SandboxAnswerRequestsAnswerOutcomesItem]"

class SandboxAnswerRequestsAnswerOutcomesItem(TypedDict):
    number: "str"
    outcome: "Literal['done', 'requested', 'blocked', 'must_be_invited', 'not_found', 'not_possible', 'already_a_member']"

class SandboxInviteInput(TypedDict):
    jid: "str"
    by: NotRequired["str"]
    members: "list[str]"
    caption: NotRequired["str"]

class SandboxInviteAnswer(TypedDict):
    success: "Literal[True]"
    invitations: "list[SandboxInviteAnswerInvitationsItem]"

class SandboxInviteAnswerInvitationsItem(TypedDict):
    number: "str"
    messageId: "str"

class SandboxResetInviteInput(TypedDict):
    jid: "str"
    by: NotRequired["str"]

class SandboxResetInviteAnswer(TypedDict):
    success: "Literal[True]"
    group: "SandboxGroup"

class SandboxJoinGroupInput(TypedDict):
    number: "str"
    code: NotRequired["str"]
    messageId: NotRequired["str"]

class SandboxJoinGroupAnswer(TypedDict):
    success: "Literal[True]"
    jid: "str"
    outcome: "Literal['joined', 'requested']"

class SandboxListFaultsAnswer(TypedDict):
    success: "Literal[True]"
    faults: "list[SandboxListFaultsAnswerFaultsItem]"

class SandboxListFaultsAnswerFaultsItem(TypedDict):
    number: "str"
    kind: "str"

SandboxCreateFaultInput: TypeAlias = "SandboxCreateFaultInputDisconnect | SandboxCreateFaultInputReject | SandboxCreateFaultInputRefuse | SandboxCreateFaultInputReplace | SandboxCreateFaultInputSilent | SandboxCreateFaultInputOffline | SandboxCreateFaultInputUnlink | SandboxCreateFaultInputLinking | SandboxCreateFaultInputRestrict"

class SandboxCreateFaultInputDisconnect(TypedDict):
    number: "str"
    kind: "Literal['disconnect']"
    code: NotRequired["int"]

class SandboxCreateFaultInputReject(TypedDict):
    number: "str"
    kind: "Literal['reject']"
    code: NotRequired["int"]
    count: NotRequired["int"]

class SandboxCreateFaultInputRefuse(TypedDict):
    number: "str"
    kind: "Literal['refuse']"
    code: NotRequired["int"]
    seconds: NotRequired["int"]
    count: NotRequired["int"]

class SandboxCreateFaultInputReplace(TypedDict):
    number: "str"
    kind: "Literal['replace']"

class SandboxCreateFaultInputSilent(TypedDict):
    number: "str"
    kind: "Literal['silent']"

class SandboxCreateFaultInputOffline(TypedDict):
    number: "str"
    kind: "Literal['offline']"

class SandboxCreateFaultInputUnlink(TypedDict):
    number: "str"
    kind: "Literal['unlink']"

class SandboxCreateFaultInputLinking(TypedDict):
    number: "str"
    kind: "Literal['linking']"
    variant: "Literal['options_missing', 'late_request', 'options_error', 'ref_error', 'prologue_error', 'continuation_withheld', 'second_request', 'nonce_error', 'pairing_request_error', 'drop_after_request', 'drop_at_options', 'drop_at_ref', 'drop_at_prologue', 'drop_before_continuation', 'drop_at_nonce', 'drop_at_pairing_request', 'registration_refresh', 'app_state_key_withheld', 'early_success', 'code_refused', 'code_refresh', 'code_refresh_by_owner', 'hello_without_key']"

class SandboxCreateFaultInputRestrict(TypedDict):
    number: "str"
    kind: "Literal['restrict']"
    seconds: NotRequired["int"]

class SandboxCreateFaultAnswer(TypedDict):
    success: "Literal[True]"
    faults: "list[SandboxCreateFaultAnswerFaultsItem]"

class SandboxCreateFaultAnswerFaultsItem(TypedDict):
    number: "str"
    kind: "str"

class SandboxClearFaultsInput(TypedDict):
    number: NotRequired["str"]
    kind: NotRequired["Literal['reject', 'refuse', 'restrict', 'silent', 'offline', 'linking']"]

class SandboxClearFaultsAnswer(TypedDict):
    success: "Literal[True]"
    faults: "list[SandboxClearFaultsAnswerFaultsItem]"

class SandboxClearFaultsAnswerFaultsItem(TypedDict):
    number: "str"
    kind: "str"

class SandboxInjectFramesInput(TypedDict):
    number: "str"
    frames: "list[SandboxInjectFramesInputFramesItemHello | SandboxInjectFramesInputFramesItemSocket | SandboxInjectFramesInputFramesItemFrame | SandboxInjectFramesInputFramesItemStanza | SandboxInjectFramesInputFramesItemPlaintext | SandboxInjectFramesInputFramesItemMedia | SandboxInjectFramesInputFramesItemPatch | SandboxInjectFramesInputFramesItemAction]"

SandboxInjectFramesInputFramesItemHello = TypedDict("SandboxInjectFramesInputFramesItemHello", {
    "as": "Literal['hello']",
    "bytes": "str",
})

SandboxInjectFramesInputFramesItemSocket = TypedDict("SandboxInjectFramesInputFramesItemSocket", {
    "as": "Literal['socket']",
    "bytes": "str",
})

SandboxInjectFramesInputFramesItemFrame = TypedDict("SandboxInjectFramesInputFramesItemFrame", {
    "as": "Literal['frame']",
    "bytes": "str",
})

SandboxInjectFramesInputFramesItemStanza = TypedDict("SandboxInjectFramesInputFramesItemStanza", {
    "as": "Literal['stanza']",
    "bytes": "str",
})

SandboxInjectFramesInputFramesItemPlaintext = TypedDict("SandboxInjectFramesInputFramesItemPlaintext", {
    "as": "Literal['plaintext']",
    "from": "str",
    "bytes": "str",
})

SandboxInjectFramesInputFramesItemMedia = TypedDict("SandboxInjectFramesInputFramesItemMedia", {
    "as": "Literal['media']",
    "bytes": "str",
})

SandboxInjectFramesInputFramesItemPatch = TypedDict("SandboxInjectFramesInputFramesItemPatch", {
    "as": "Literal['patch']",
    "collection": "str",
    "bytes": "str",
})

SandboxInjectFramesInputFramesItemAction = TypedDict("SandboxInjectFramesInputFramesItemAction", {
    "as": "Literal['action']",
    "collection": "str",
    "index": "list[str]",
    "bytes": "str",
})

class SandboxInjectFramesAnswer(TypedDict):
    success: "Literal[True]"
    sent: "float"

class SandboxGetNetworkAnswer(TypedDict):
    success: "Literal[True]"
    wsUrl: "str"
    rootPublicKey: "str"
    addressing: "Literal['pn', 'lid']"
    minimumVersion: "str | None"
    announcedVersion: "str"

class SandboxSetNetworkInput(TypedDict):
    addressing: NotRequired["Literal['pn', 'lid']"]
    minimumVersion: NotRequired["str | None"]
    announcedVersion: NotRequired["str | None"]

class SandboxSetNetworkAnswer(TypedDict):
    success: "Literal[True]"
    wsUrl: "str"
    rootPublicKey: "str"
    addressing: "Literal['pn', 'lid']"
    minimumVersion: "str | None"
    announcedVersion: "str"

class SandboxListChangesInput(TypedDict):
    after: NotRequired["str"]
    waitMs: NotRequired["int"]

class SandboxListChangesAnswer(TypedDict):
    success: "Literal[True]"
    changes: "list[SandboxListChangesAnswerChangesItemMessages | SandboxListChangesAnswerChangesItemTyping | SandboxListChangesAnswerChangesItemCalls | SandboxListChangesAnswerChangesItemWorld]"
    cursor: "str"
    missed: "bool"

class SandboxListChangesAnswerChangesItemMessages(TypedDict):
    about: "Literal['messages']"
    number: "str"
    chat: "str"

SandboxListChangesAnswerChangesItemTyping = TypedDict("SandboxListChangesAnswerChangesItemTyping", {
    "about": "Literal['typing']",
    "number": "str",
    "chat": "str",
    "from": "str",
    "state": "Literal['typing', 'recording', 'paused']",
})

class SandboxListChangesAnswerChangesItemCalls(TypedDict):
    about: "Literal['calls']"
    number: "str"

class SandboxListChangesAnswerChangesItemWorld(TypedDict):
    about: "Literal['world']"

class SandboxListFramesInput(TypedDict):
    after: NotRequired["int"]
    id: NotRequired["str"]
    number: NotRequired["str"]
    tag: NotRequired["Literal['message', 'receipt', 'ack', 'notification', 'call']"]
    limit: NotRequired["int"]

class SandboxListFramesAnswer(TypedDict):
    success: "Literal[True]"
    frames: "list[SandboxListFramesAnswerFramesItem]"

class SandboxListFramesAnswerFramesItem(TypedDict):
    seq: "float"
    atMs: "float"
    direction: "Literal['in', 'out']"
    number: "str"
    device: "float"
    tag: "str"
    id: "str"
    attributes: "dict[str, str]"
