<?php

// Generated from the OpenAPI document by scripts/clients.ts. Do not edit: run `npm run docs:clients`.

declare(strict_types=1);

namespace Switchboard\Client\Generated;

use Switchboard\Client\FileContent;

/**
 * Every call of the API. Fields are named as in the API.
 *
 * @phpstan-type AccountShape array{id: int, name: string, plan: array{id: int, name: string}, subscription: SubscriptionShape, createdAt: string, updatedAt: string}
 * @phpstan-type AccountLimitsShape array{success: true, account: array{teamId: int, teamName: string}, plan: array{id: int, name: string, interval: 'day'|'week'|'month'|'year', currency: string, amount: int}, subscription: SubscriptionShape, limits: array{users: ResourceLimitShape|null, contacts: ResourceLimitShape|null, instances: ResourceLimitShape|null, messages: ResourceLimitShape|null}, features: FeaturesShape}
 * @phpstan-type AlbumAnswerShape array{success: true, messageId: string, status: 'awaiting_approval'|'scheduled'|'queued'|'sending'|'sent'|'delivered'|'read'|'played'|'failed', instanceName: string, number?: string, chat: string, groupJid?: string, type: 'text'|'image'|'video'|'document'|'audio'|'button'|'list'|'cta'|'carousel'|'pix'|'location'|'poll'|'sticker'|'contact'|'event'|'album'|'reaction'|'edit'|'delete'|'pin'|'disappearing', createdAt: string, sendAt?: string, reference?: string, failure?: FailureShape, members: list<array{messageId: string, type: 'image'|'video'}>}
 * @phpstan-type AnswerJoinRequestsShape array{approve?: list<string>, reject?: list<string>}
 * @phpstan-type AnswerPasskeyShape array{assertion: PasskeyAssertionShape}
 * @phpstan-type ApiKeyShape array{id: int, name: string, hint: string, scopes: list<'send'|'instances'|'instances:use'|'instances:manage'|'contacts'|'webhooks'|'account'|'keys'|'images'|'sandbox'|'read'>, instances: list<string>|null, chats: list<string>|'wrote_first'|null, messagesPerDay: int|null, approval: bool, approvalOnPhone: bool, createdAt: string, expiresAt: string|null, revokedAt: string|null, lastUsedAt: string|null}
 * @phpstan-type ApprovalShape array{message: MessageShape, requestedAt: string, version: int, approveBy: string, key: array{id: int, name: string|null}, chatName: string|null, text: array{value: string, field: string, minLength: int, maxLength: int}|null, files: list<array{field: string, mediaId: string|null, mimetype: string|null, sizeBytes: int|null, fileName: string|null, path: string}>, target: MessageShape|null, recentMessages: list<MessageShape>}
 * @phpstan-type ApproveSendShape array{version?: int, text?: string}
 * @phpstan-type AssignChatShape array{instanceName: string, number?: string, groupJid?: string, chat?: string, userId: int|null}
 * @phpstan-type AuditEntryShape array{id: int, at: string, keyId: int, keyName: string|null, action: string, instanceName: string|null, chat: string|null, subject: string|null, status: int, reason: string|null}
 * @phpstan-type CallShape array{callId: string, from: PersonShape, isVideo: bool|null, isGroup: bool|null, chat?: string, number?: string|null, lid?: string|null, username?: string|null, groupJid: string|null, status: 'offer'|'ringing'|'accepted'|'rejected'|'missed'|'ended', at: string}
 * @phpstan-type CanceledMessagesShape array{success: true, reference: string, canceled: int, sending: int, sent: int, more: bool}
 * @phpstan-type CancelMessagesShape array{reference: string, instanceName?: string}
 * @phpstan-type ChangeGroupMembersShape array{add?: list<string>, remove?: list<string>, promote?: list<string>, demote?: list<string>}
 * @phpstan-type ChangeTargetShape array{messageId: string, direction: 'outgoing'|'incoming'|null, author: string|null}
 * @phpstan-type ChatShape array{id: int, chat: string, name: string|null, pushName: string|null, lastMessageText: string|null, lastMessageTimestamp: string|null, unreadCount: int, remoteJid: string, phone: string|null, number: string|null, lid: string|null, username: string|null, groupJid: string|null, isGroup: bool, archived: bool, mutedUntil: string|null, pinned: bool, unread: bool, disappearingSeconds: int, assignedTo: int|null, labels: list<ChatLabelShape>, contactId: int|null, contactName: string|null, lastMessage: LastMessageShape|null, profilePictureUrl: string|null}
 * @phpstan-type ChatLabelShape array{id: string, name: string, color: int}
 * @phpstan-type ChatsUpdateEventShape array{chat: string, number?: string|null, lid?: string|null, username?: string|null, groupJid?: string|null, name: string|null, unreadCount: int, lastMessageText: string|null, lastMessageTimestamp: string|null, archived?: bool, mutedUntil?: string|null, pinned?: bool, unread?: bool, disappearingSeconds?: int, assignedTo?: int|null, truncated?: true, rest?: string}
 * @phpstan-type ChatwootBridgeShape array{instance: InstanceNamesShape, webhookId: int, url: string, accountId: int, inboxId: int, inboxName: string, enabled: bool, isSigned: bool, gatewayUrl: string, signAgentNames: bool, ignoreGroups: bool, reopenConversation: bool, conversationPending: bool, failingSince: string|null, updatedAt: string}
 * @phpstan-type ChatwootHistoryBodyShape array{number?: string, groupJid?: string, chat?: string, days?: int, cursor?: string, limit?: int}
 * @phpstan-type ConfirmPasskeyShape array{code: string}
 * @phpstan-type ConnectionUpdateEventShape array{state: 'connecting'|'open'|'close', stateReason: 'awaiting_scan'|'qr_expired'|'awaiting_passkey'|'passkey_sent'|'awaiting_passkey_confirmation'|'passkey_disabled'|'passkey_expired'|'passkey_refused'|'passkey_unanswered'|'passkey_lost'|'passkey_cancelled'|'logged_out'|'replaced'|'bad_session'|'temporarily_banned'|'client_outdated'|'restricted'|'network_lost'|'proxy_unreachable'|'proxy_refused'|'stopped'|'held'|null, stateReasonUntil: string|null, number: string|null}
 * @phpstan-type ContactShape array{id: int, name: string, phone: string|null, remoteJid: string, number: string|null, lid: string|null, username: string|null, groupJid: string|null, isGroup: bool, profilePicUrl: string|null, profilePictureUrl: string|null, chat: array{id: int, chat: string, name: string|null, pushName: string|null, lastMessageText: string|null, lastMessageTimestamp: string|null, unreadCount: int}, assignedUserId: int|null, assignedDepartmentId: int|null, funnelStageId: int|null, notes: string|null, customData: array<string, mixed>, showTimeInStage: bool, createdAt: string, updatedAt: string}
 * @phpstan-type ContactsMergedEventShape array{chat: string, number?: string|null, lid?: string|null, username?: string|null, groupJid?: string|null, mergedChat: string, person: PersonShape, contactId: int|null, removedContactId: int|null}
 * @phpstan-type ContactsUpdateEventShape array{contactId: int|null, chat?: string, number?: string|null, lid?: string|null, username?: string|null, groupJid?: string|null, person: PersonShape, name: string|null}
 * @phpstan-type CreateAccountShape array{name: string, planId: int, status?: 'active'|'trialing'|'past_due'|'canceled'|'expired'|'pending', currentPeriodStart?: string, currentPeriodEnd?: string|null, trialEndsAt?: string|null, expiresAt?: string|null}
 * @phpstan-type CreateApiKeyShape array{name: string, scopes?: list<'send'|'instances'|'instances:use'|'instances:manage'|'contacts'|'webhooks'|'account'|'keys'|'images'|'sandbox'|'read'>, instances?: list<string>|null, chats?: list<string>|'wrote_first'|null, messagesPerDay?: int|null, approval?: bool, approvalOnPhone?: bool, expiresAt?: string|null}
 * @phpstan-type CreateGroupShape array{instanceName: string, subject: string, members: list<string>, description?: string, picture?: array{mediaUrl?: string, mediaId?: string}}
 * @phpstan-type CreateInstanceShape array{instanceName: string, integration?: string}
 * @phpstan-type CreateLabelShape array{instanceName: string, name: string, color?: int}
 * @phpstan-type CreatePlanShape array{name: string, interval?: 'day'|'week'|'month'|'year', currency?: string, amount?: int, limits?: PlanLimitsShape, features?: array{ai: bool, flowBuilder: bool, campaigns: bool, templates: bool, voiceCalls: bool}, requestsPerSecond?: int|null}
 * @phpstan-type CreateQuickReplyShape array{shortcut: string, text: string}
 * @phpstan-type CreateUserShape array{name: string, email: string}
 * @phpstan-type DeliveryShape array{id: int, eventId: string, event: 'messages.upsert'|'messages.update'|'messages.edited'|'messages.deleted'|'messages.reaction'|'messages.set_aside'|'contacts.update'|'contacts.merged'|'chats.update'|'labels.update'|'labels.association'|'qrcode.updated'|'passkey.updated'|'connection.update'|'groups.upsert'|'groups.update'|'group-participants.update'|'call'|'presence.update', sequence: int, instance: InstanceReferenceShape, status: 'pending'|'delivered'|'retrying'|'dead', tries: int, nextTryAt: string|null, createdAt: string, deliveredAt: string|null, attempts: list<DeliveryAttemptShape>}
 * @phpstan-type DeliveryAttemptShape array{at: string, durationMs: int, status: int|null, answer: string|null, error: string|null}
 * @phpstan-type DeliveryDetailShape array{id: int, eventId: string, event: 'messages.upsert'|'messages.update'|'messages.edited'|'messages.deleted'|'messages.reaction'|'messages.set_aside'|'contacts.update'|'contacts.merged'|'chats.update'|'labels.update'|'labels.association'|'qrcode.updated'|'passkey.updated'|'connection.update'|'groups.upsert'|'groups.update'|'group-participants.update'|'call'|'presence.update', sequence: int, instance: InstanceReferenceShape, status: 'pending'|'delivered'|'retrying'|'dead', tries: int, nextTryAt: string|null, createdAt: string, deliveredAt: string|null, body: string, attempts: list<array{at: string, durationMs: int, status: int|null, answer: string|null, error: string|null, headers: array<string, string>}>}
 * @phpstan-type DeliveryTimesShape array{median: int, p95: int}
 * @phpstan-type DestinationShape array{id: int, type: 'rabbitmq'|'nats'|'mqtt'|'redis'|'sqs', name: string, url: string, username: string|null, hasPassword: bool, topic: string|null, exchange: string|null, maxLength: int|null, region: string|null, homeAssistant: bool, events: list<'*'|'messages.upsert'|'messages.update'|'messages.edited'|'messages.deleted'|'messages.reaction'|'messages.set_aside'|'contacts.update'|'contacts.merged'|'chats.update'|'labels.update'|'labels.association'|'qrcode.updated'|'passkey.updated'|'connection.update'|'groups.upsert'|'groups.update'|'group-participants.update'|'call'|'presence.update'>, filter: WebhookFilterShape, history: bool, enabled: bool, failingSince: string|null, disabledReason: 'gone'|'failing'|null, disabledAt: string|null, instance: InstanceNamesShape|null, createdAt: string, updatedAt: string}
 * @phpstan-type EditShape array{instanceName?: string, message: string}
 * @phpstan-type ErrorShape array{success: false, error: string, reason: string, requestId: string, details?: list<array{path: string, message: string}>}
 * @phpstan-type EventShape array{id: string, event: 'messages.upsert', timestamp: string, sequence: int, instance: InstanceReferenceShape, data: MessagesUpsertEventShape}|array{id: string, event: 'messages.update', timestamp: string, sequence: int, instance: InstanceReferenceShape, data: MessagesUpdateEventShape}|array{id: string, event: 'messages.edited', timestamp: string, sequence: int, instance: InstanceReferenceShape, data: MessagesEditedEventShape}|array{id: string, event: 'messages.deleted', timestamp: string, sequence: int, instance: InstanceReferenceShape, data: MessagesDeletedEventShape}|array{id: string, event: 'messages.reaction', timestamp: string, sequence: int, instance: InstanceReferenceShape, data: MessagesReactionEventShape}|array{id: string, event: 'messages.set_aside', timestamp: string, sequence: int, instance: InstanceReferenceShape, data: MessagesSetAsideEventShape}|array{id: string, event: 'contacts.update', timestamp: string, sequence: int, instance: InstanceReferenceShape, data: ContactsUpdateEventShape}|array{id: string, event: 'contacts.merged', timestamp: string, sequence: int, instance: InstanceReferenceShape, data: ContactsMergedEventShape}|array{id: string, event: 'chats.update', timestamp: string, sequence: int, instance: InstanceReferenceShape, data: ChatsUpdateEventShape}|array{id: string, event: 'labels.update', timestamp: string, sequence: int, instance: InstanceReferenceShape, data: LabelsUpdateEventShape}|array{id: string, event: 'labels.association', timestamp: string, sequence: int, instance: InstanceReferenceShape, data: LabelsAssociationEventShape}|array{id: string, event: 'qrcode.updated', timestamp: string, sequence: int, instance: InstanceReferenceShape, data: QrcodeUpdatedEventShape}|array{id: string, event: 'passkey.updated', timestamp: string, sequence: int, instance: InstanceReferenceShape, data: PasskeyUpdatedEventShape}|array{id: string, event: 'connection.update', timestamp: string, sequence: int, instance: InstanceReferenceShape, data: ConnectionUpdateEventShape}|array{id: string, event: 'groups.upsert', timestamp: string, sequence: int, instance: InstanceReferenceShape, data: GroupsUpsertEventShape}|array{id: string, event: 'groups.update', timestamp: string, sequence: int, instance: InstanceReferenceShape, data: GroupsUpdateEventShape}|array{id: string, event: 'group-participants.update', timestamp: string, sequence: int, instance: InstanceReferenceShape, data: GroupParticipantsUpdateEventShape}|array{id: string, event: 'call', timestamp: string, sequence: int, instance: InstanceReferenceShape, data: CallShape}|array{id: string, event: 'presence.update', timestamp: string, sequence: int, instance: InstanceReferenceShape, data: PresenceUpdateEventShape}
 * @phpstan-type EventBatchShape array{id: string, event: 'batch', events: list<EventShape>}
 * @phpstan-type FailureShape array{reason: 'number_not_on_network'|'not_a_group_member'|'rejected_by_network'|'account_restricted'|'media_unavailable'|'media_too_large'|'expired'|'canceled'|'rejected'|'instance_deleted'|'logged_out'|'target_not_sent'|'target_deleted'|'no_recipients'|'internal', error: string, code: int|null}
 * @phpstan-type FeaturesShape array{ai: bool, flowBuilder: bool, campaigns: bool, templates: bool, voiceCalls: bool}
 * @phpstan-type ForwardShape array{number?: string, groupJid?: string, chat?: string, reference?: string, sendAt?: string, expiresAt?: string, instanceName?: string}
 * @phpstan-type GrantAgentSignInShape array{responseType: 'code', clientId: string, redirectUri: string, codeChallenge: string, codeChallengeMethod: 'S256', state?: string, resourceUrl?: string, scope?: string, scopes: list<'read'|'send'|'contacts'>, instances?: list<string>|null, chats?: list<string>|'wrote_first'|null, messagesPerDay?: int|null, approval?: bool, approvalOnPhone?: bool, expiresAt?: string|null}
 * @phpstan-type GroupShape array{id: string, groupJid: string, subject: string, description: string|null, ownerJid: string|null, createdAt: string|null, size: int, isAdmin: bool, isAnnouncement: bool, isLocked: bool, joinApproval: bool|null, memberAdd: 'all'|'admins'|null, disappearingSeconds: int|null, profilePictureUrl: string|null, participants?: list<GroupParticipantShape>}
 * @phpstan-type GroupParticipantShape array{jid: string, phone: string|null, chat: string, number: string|null, lid: string|null, username: string|null, isAdmin: bool}
 * @phpstan-type GroupParticipantsUpdateEventShape array{chat?: string, number?: string|null, lid?: string|null, username?: string|null, groupJid: string, truncated?: true, rest?: string, author: PersonShape|null, action: 'add'|'remove'|'promote'|'demote', people: list<PersonShape>}
 * @phpstan-type GroupsUpdateEventShape array{chat?: string, number?: string|null, lid?: string|null, username?: string|null, groupJid: string, truncated?: true, rest?: string, author: PersonShape|null, changes: array{subject?: string, description?: string|null, announce?: bool, locked?: bool, joinApproval?: bool, memberAdd?: 'all'|'admins', disappearingSeconds?: int, picture?: 'set'|'removed'}}
 * @phpstan-type GroupsUpsertEventShape array{chat?: string, number?: string|null, lid?: string|null, username?: string|null, groupJid: string, truncated?: true, rest?: string, author: PersonShape|null, subject: string, description: string|null, ownerJid: string|null, createdAt: string|null, size: int, isAdmin: bool, announce: bool, locked: bool, joinApproval: bool, memberAdd: 'all'|'admins', disappearingSeconds: int}
 * @phpstan-type HourOfMessagesShape array{hour: string, sent: int, received: int, failed: int}
 * @phpstan-type InstanceShape array{id: int, instanceName: string, displayName: string, apiInstanceName: string, internalName: string, state: 'connecting'|'open'|'close', status: 'connecting'|'open'|'close', stateReason: 'awaiting_scan'|'qr_expired'|'awaiting_passkey'|'passkey_sent'|'awaiting_passkey_confirmation'|'passkey_disabled'|'passkey_expired'|'passkey_refused'|'passkey_unanswered'|'passkey_lost'|'passkey_cancelled'|'logged_out'|'replaced'|'bad_session'|'temporarily_banned'|'client_outdated'|'restricted'|'network_lost'|'proxy_unreachable'|'proxy_refused'|'stopped'|'held'|null, stateReasonUntil: string|null, isConnected: bool, profileName: string|null, profilePictureUrl: string|null, profilePicUrl: string|null, number: string|null, owner: string|null, integration: string|null, createdAt: string, updatedAt: string}
 * @phpstan-type InstanceNamesShape array{instanceName: string, displayName: string, apiInstanceName: string, internalName: string}
 * @phpstan-type InstanceReferenceShape array{id: int, instanceName: string, displayName: string, apiInstanceName: string, internalName: string}
 * @phpstan-type InstanceSettingsShape array{rejectCalls: bool, rejectCallsText: string|null, readOnReply: bool, viewWithoutReceipts: bool, alwaysOnline: bool, ignoreGroups: bool, syncHistory: 'none'|'recent'|'full', proxy: string|null, deviceName: string|null}
 * @phpstan-type InstanceStateShape array{instanceName: string, displayName: string, apiInstanceName: string, internalName: string, state: 'connecting'|'open'|'close', stateReason: 'awaiting_scan'|'qr_expired'|'awaiting_passkey'|'passkey_sent'|'awaiting_passkey_confirmation'|'passkey_disabled'|'passkey_expired'|'passkey_refused'|'passkey_unanswered'|'passkey_lost'|'passkey_cancelled'|'logged_out'|'replaced'|'bad_session'|'temporarily_banned'|'client_outdated'|'restricted'|'network_lost'|'proxy_unreachable'|'proxy_refused'|'stopped'|'held'|null, stateReasonUntil: string|null, profileName: string|null, profilePictureUrl: string|null, profilePicUrl: string|null, number: string|null, owner: string|null, integration: string|null}
 * @phpstan-type JoinGroupShape array{instanceName: string, code: string}
 * @phpstan-type LabelShape array{id: string, name: string, color: int, chats: int}
 * @phpstan-type LabelChatShape array{instanceName: string, number?: string, groupJid?: string, chat?: string}
 * @phpstan-type LabelsAssociationEventShape array{chat: string, number?: string|null, lid?: string|null, username?: string|null, groupJid?: string|null, labelId: string, name: string|null, labeled: bool}
 * @phpstan-type LabelsUpdateEventShape array{labelId: string, name: string, color: int, deleted: bool}
 * @phpstan-type LastMessageShape array{messageId: string, direction: 'outgoing'|'incoming', type: 'text'|'image'|'video'|'document'|'audio'|'button'|'list'|'cta'|'carousel'|'pix'|'location'|'poll'|'sticker'|'contact'|'event'|'album'|'order'|'product'|'poll_vote'|'event_answer'|'reaction'|'edit'|'delete'|'pin'|'disappearing'|'button_reply'|'list_reply'|'view_once_unavailable'|'undecryptable'|'unsupported', status: 'awaiting_approval'|'scheduled'|'queued'|'sending'|'sent'|'delivered'|'read'|'played'|'failed', text: string|null, deleted: bool, from: PersonShape|null, voice: bool, seconds: int|null}
 * @phpstan-type MarkPlayedShape array{instanceName?: string}
 * @phpstan-type MediaDescriptorShape array{kind: 'image'|'video'|'document'|'audio'|'sticker', mimetype: string, fileName: string|null, sizeBytes: int|null, seconds: float|null, width: int|null, height: int|null, sha256: string|null, downloadPath: string|null}
 * @phpstan-type MemberOutcomeShape array{number: string|null, chat: string, outcome: 'added'|'removed'|'promoted'|'demoted'|'already_member'|'not_a_member'|'invited'|'not_on_network'|'refused', networkCode: int|null}
 * @phpstan-type MessageShape array{messageId: string, instanceName: string, direction: 'outgoing'|'incoming', chat: string, number: string|null, lid: string|null, username: string|null, groupJid: string|null, type: 'text'|'image'|'video'|'document'|'audio'|'button'|'list'|'cta'|'carousel'|'pix'|'location'|'poll'|'sticker'|'contact'|'event'|'album'|'order'|'product'|'poll_vote'|'event_answer'|'reaction'|'edit'|'delete'|'pin'|'disappearing'|'button_reply'|'list_reply'|'view_once_unavailable'|'undecryptable'|'unsupported', status: 'awaiting_approval'|'scheduled'|'queued'|'sending'|'sent'|'delivered'|'read'|'played'|'failed', content: array<string, mixed>, failure: FailureShape|null, sendAt: string|null, expiresAt: string|null, late: bool, reference: string|null, starred: bool, historical: bool, createdAt: string, updatedAt: string, sentAt: string|null, deliveredAt: string|null, readAt: string|null}
 * @phpstan-type MessagesDeletedEventShape array{messageId: string, chat: string, number?: string|null, lid?: string|null, username?: string|null, groupJid?: string|null, direction: 'outgoing'|'incoming', from: PersonShape, target: ChangeTargetShape, at: string, truncated?: true, rest?: string, deletedBy: 'author'|'admin'|null}
 * @phpstan-type MessagesEditedEventShape array{messageId: string, chat: string, number?: string|null, lid?: string|null, username?: string|null, groupJid?: string|null, direction: 'outgoing'|'incoming', from: PersonShape, target: ChangeTargetShape, at: string, truncated?: true, rest?: string, text: string|null}
 * @phpstan-type MessagesReactionEventShape array{messageId: string, chat: string, number?: string|null, lid?: string|null, username?: string|null, groupJid?: string|null, direction: 'outgoing'|'incoming', from: PersonShape, target: ChangeTargetShape, at: string, truncated?: true, rest?: string, emoji: string|null}
 * @phpstan-type MessagesSetAsideEventShape array{what: 'message'|'notice'|'key', reason: 'ended_process'|'refused_by_store'|'malformed', messageId: string|null, chat: string|null, number?: string|null, lid?: string|null, username?: string|null, groupJid?: string|null, at: string}
 * @phpstan-type MessagesUpdateEventShape array{messageId: string, chat: string, number?: string|null, lid?: string|null, username?: string|null, groupJid?: string|null, status: 'awaiting_approval'|'scheduled'|'queued'|'sending'|'sent'|'delivered'|'read'|'played'|'failed', failure: FailureShape|null, text?: string|null, content?: array<string, mixed>, at: string, truncated?: true, rest?: string}
 * @phpstan-type MessagesUpsertEventShape array{messageId: string, chat: string, number?: string|null, lid?: string|null, username?: string|null, groupJid?: string|null, direction: 'outgoing'|'incoming', from: PersonShape, type: 'text'|'image'|'video'|'document'|'audio'|'button'|'list'|'cta'|'carousel'|'pix'|'location'|'poll'|'sticker'|'contact'|'event'|'album'|'order'|'product'|'poll_vote'|'event_answer'|'reaction'|'edit'|'delete'|'pin'|'disappearing'|'button_reply'|'list_reply'|'view_once_unavailable'|'undecryptable'|'unsupported', text: string|null, media: MediaDescriptorShape|null, quoted: array{messageId: string, text: string|null, participant: string|null}|null, interactiveReplyId: string|null, target?: ChangeTargetShape|null, content: array<string, mixed>, status: 'awaiting_approval'|'scheduled'|'queued'|'sending'|'sent'|'delivered'|'read'|'played'|'failed'|null, sentAt: string, sendAt?: string|null, reference?: string|null, historical?: bool, truncated?: true, rest?: string}
 * @phpstan-type NodeShape array{id: string, name: string, url: string|null, status: 'standby'|'live'|'draining'|'dead', version: string, instances: int, startedAt: string, leaseSecondsLeft: float|null, endedAt: string|null, endedBy: string|null, isThis: bool, isLead: bool}
 * @phpstan-type OperatorInstanceShape array{id: int, instanceName: string, displayName: string, apiInstanceName: string, internalName: string, state: 'connecting'|'open'|'close', status: 'connecting'|'open'|'close', stateReason: 'awaiting_scan'|'qr_expired'|'awaiting_passkey'|'passkey_sent'|'awaiting_passkey_confirmation'|'passkey_disabled'|'passkey_expired'|'passkey_refused'|'passkey_unanswered'|'passkey_lost'|'passkey_cancelled'|'logged_out'|'replaced'|'bad_session'|'temporarily_banned'|'client_outdated'|'restricted'|'network_lost'|'proxy_unreachable'|'proxy_refused'|'stopped'|'held'|null, stateReasonUntil: string|null, isConnected: bool, profileName: string|null, profilePictureUrl: string|null, profilePicUrl: string|null, number: string|null, owner: string|null, integration: string|null, createdAt: string, updatedAt: string, account: array{id: int, name: string}, queued: int}
 * @phpstan-type OperatorStatisticsShape array{success: true, since: string, until: string, stepHours: int, totals: array{sent: int, received: int, failed: int, canceled: int, delivered: int, retried: int, dead: int, deliveryMs: DeliveryTimesShape|null}, steps: list<StatisticsStepShape>, failures: list<array{reason: string, count: int}>, deliveryFailures: list<array{reason: string, count: int}>, disconnections: list<array{reason: string, count: int}>}
 * @phpstan-type PasskeyAssertionShape array{id: string, rawId: string, type: 'public-key', response: array{clientDataJSON: string, authenticatorData: string, signature: string, userHandle?: string|null}}
 * @phpstan-type PasskeyDemandShape array{step: 'assertion_needed'|'assertion_sent'|'confirmation_needed'|'finishing', code: string|null, expiresAt: string, options: array<string, mixed>|null, origin: string}
 * @phpstan-type PasskeyStateShape array{step: 'assertion_needed'|'assertion_sent'|'confirmation_needed'|'finishing', code: string|null, expiresAt: string}
 * @phpstan-type PasskeyUpdatedEventShape array{step: 'assertion_needed'|'assertion_sent'|'confirmation_needed'|'finishing'|'ended', code: string|null, expiresAt: string|null, result: 'linked'|'disabled'|'expired'|'refused'|'unanswered'|'lost'|'cancelled'|'stopped'|null}
 * @phpstan-type PersonShape array{jid: string, lid: string|null, phone: string|null, pushName: string|null, chat?: string, number?: string|null, username?: string|null}
 * @phpstan-type PersonDetailsShape array{isRegistered: bool, jid: string|null, chat: string|null, number: string|null, lid: string|null, username: string|null, about: string|null, aboutSetAt: string|null, profilePictureUrl: string|null, isBlocked: bool, business: array{description: string|null, category: string|null, address: string|null, email: string|null, websites: list<string>}|null}
 * @phpstan-type PinShape array{instanceName?: string, seconds: 86400|604800|2592000|null}
 * @phpstan-type PlanShape array{id: int, name: string, interval: 'day'|'week'|'month'|'year', currency: string, amount: int, limits: PlanLimitsShape, features: array{ai: bool, flowBuilder: bool, campaigns: bool, templates: bool, voiceCalls: bool}, requestsPerSecond: int|null, createdAt: string, updatedAt: string}
 * @phpstan-type PlanLimitsShape array{users: int|'Unlimited', contacts: int|'Unlimited', instances: int|'Unlimited', messages: int|'Unlimited'|null}
 * @phpstan-type PollResultsShape array{messageId: string, instanceName: string, name: string, voters: int, unreadable: int, options: list<array{name: string, votes: int, voters: list<string>}>}
 * @phpstan-type PresenceSubscriptionShape array{jid: string, phone: string|null, chat: string, number: string|null, lid: string|null, username: string|null, presence: 'available'|'unavailable'|'typing'|'recording'|null, lastSeen: string|null, updatedAt: string}
 * @phpstan-type PresenceUpdateEventShape array{person: PersonShape, chat: string, number?: string|null, lid?: string|null, username?: string|null, groupJid?: string|null, presence: 'available'|'unavailable'|'typing'|'recording', lastSeen: string|null, at: string}
 * @phpstan-type PrivacyShape array{lastSeen: string|null, online: string|null, profilePicture: string|null, about: string|null, readReceipts: string|null, groupAdd: string|null, calls: string|null, messages: string|null, defaultDisappearingSeconds: int|null, linkPreviews: bool|null}
 * @phpstan-type ProfileShape array{number: string, jid: string, lid: string|null, name: string|null, about: string|null, aboutSetAt: string|null, profilePictureUrl: string|null, privacy: PrivacyShape}
 * @phpstan-type QrcodeUpdatedEventShape array{imagePath: string|null, pairingCode: string|null, expiresAt: string|null}
 * @phpstan-type QuickReplyShape array{id: int, shortcut: string, text: string, createdAt: string, updatedAt: string}
 * @phpstan-type ReactShape array{instanceName?: string, emoji: string|null}
 * @phpstan-type ReadChatShape array{number?: string, groupJid?: string, chat?: string, viewed?: bool}
 * @phpstan-type RejectSendShape array{reason?: string}
 * @phpstan-type ReplayDestinationShape array{since: string}
 * @phpstan-type ReplayWebhookShape array{since: string}
 * @phpstan-type RequestingAgentShape array{name: string, clientHost: string, redirectHost: string, isLocal: bool, scopes: list<'read'|'send'|'contacts'>}
 * @phpstan-type ResourceLimitShape array{limit: int|'Unlimited', used: int, remaining: int|'Unlimited', isLimitReached: bool}
 * @phpstan-type ReviewAgentSignInShape array{responseType: 'code', clientId: string, redirectUri: string, codeChallenge: string, codeChallengeMethod: 'S256', state?: string, resourceUrl?: string, scope?: string}
 * @phpstan-type RotateApiKeyShape array{overlapHours?: int}
 * @phpstan-type RotateWebhookSecretShape array{overlapHours?: int}
 * @phpstan-type SandboxAssertionShape array{id: string, rawId: string, type: 'public-key', response: array{clientDataJSON: string, authenticatorData: string, signature: string, userHandle: string}}
 * @phpstan-type SandboxCallShape array{id: string, from: string, to: string, video: bool, status: 'ringing'|'answered'|'rejected'|'missed'|'ended', timestamp: float}
 * @phpstan-type SandboxGroupShape array{jid: string, subject: string, description: string|null, addressing: 'pn'|'lid', announcement: bool, locked: bool, joinApproval: bool, memberAdd: 'admins'|'all', disappearingSeconds: float, inviteCode: string|null, hasPicture: bool, pictureId: string|null, requests: list<array{number: string, by: string, timestamp: float}>, members: list<array{number: string, role: 'superadmin'|'admin'|'member'}>}
 * @phpstan-type SandboxMessageShape array{seq: float, id: string, chat: string, from: string, fromMe: bool, kind: string, text: string|null, visible: bool, backgroundColor?: string, album?: array{images: float, videos: float}, albumId?: string, status: 'sent'|'delivered'|'read'|'played'|'received', timestamp: float, media?: array{type: 'image'|'video'|'audio'|'document'|'sticker', mimetype: string, sizeBytes: float, sha256: string, caption?: string, fileName?: string, voiceNote?: bool, videoNote?: bool, seconds?: float, width?: float, height?: float, thumbnailBytes?: float, waveformBars?: float}, preview?: array{url: string, title: string, description: string|null, thumbnailBytes: float}, location?: array{latitude: float, longitude: float, name?: string, address?: string}, contacts?: list<array{name: string, vcard: string}>, poll?: array{name: string, options: list<string>, selectableCount: float, votes: array<string, list<string>>}, interactive?: array{type: 'buttons'|'list'|'carousel', title: string|null, body: string|null, footer: string|null, buttonText?: string, buttons?: list<array{type: 'reply'|'url'|'call'|'copy'|'pix'|'other', text: string, id?: string, url?: string, phoneNumber?: string, keyType?: string}>, sections?: list<array{title: string, rows: list<array{rowId: string, title: string, description: string|null}>}>, cards?: list<array{title: string|null, body: string|null, footer: string|null, hasImage: bool, buttons: list<array{type: 'reply'|'url'|'call'|'copy'|'pix'|'other', text: string, id?: string, url?: string, phoneNumber?: string, keyType?: string}>}>}, event?: array{name: string, description?: string, startsAt: string, endsAt?: string, place?: string, callLink?: string, canceled: bool}, order?: array{orderId: string, itemCount: float, total: string, currency: string, title?: string}, product?: array{productId: string, title: string, price: string, currency: string, description?: string, retailerId?: string, url?: string}, tap?: array{id: string, form: 'interactive'|'list'|'buttons'|'template'}, groupInvite?: array{jid: string, subject: string, expiresAt: float}, quoted?: array{id: string, text: string|null}, target?: string, emoji?: string, options?: list<string>, mentions?: list<string>, reactions?: array<string, string>, edited?: bool, deleted?: bool, forwarded?: bool, starred?: bool, viewOnce?: bool, seconds?: float, expiresAfterSeconds?: float, pinnedUntil?: float}
 * @phpstan-type SandboxPasskeyShape array{rpId: string, credentialId: string, userHandle: string, privateKey: string, signCount: float}
 * @phpstan-type SandboxPhoneShape array{number: string, lid: string, name: string, username: string|null, hidesNumber: bool, about: string, hasPicture: bool, pictureId: string|null, privacy: array<string, string>, blocked: list<string>, disappearingSeconds: float, business: array{description?: string, category?: string, address?: string, email?: string, website?: string}|null, passkey: array{demanded: bool, step: 'requested'|'accepted'|'compared'|'linked'|'ended'|null, code: string|null, proven: bool}|null, online: bool, available: bool, devices: list<array{id: float, platform: string, online: bool, queued: float, groupQueries: float, signedPreKeyId: float}>}
 * @phpstan-type SaveChatwootShape array{url: string, accountId: int, token?: string, inboxName?: string, inboxId?: int, gatewayUrl?: string, enabled?: bool, signAgentNames?: bool, ignoreGroups?: bool, reopenConversation?: bool, conversationPending?: bool}
 * @phpstan-type SaveContactShape array{instanceName: string, number?: string, groupJid?: string, chat?: string, phone?: string, remoteJid?: string, name: string, notes?: string|null, customData?: array<string, mixed>, assignedUserId?: int|null, assignedDepartmentId?: int|null, funnelStageId?: int|null, showTimeInStage?: bool}
 * @phpstan-type SaveDestinationShape array{id?: int, type?: 'rabbitmq'|'nats'|'mqtt'|'redis'|'sqs', url?: string, username?: string|null, password?: string|null, topic?: string, exchange?: string, maxLength?: int|null, region?: string, homeAssistant?: bool, name?: string, events?: list<'*'|'messages.upsert'|'messages.update'|'messages.edited'|'messages.deleted'|'messages.reaction'|'messages.set_aside'|'contacts.update'|'contacts.merged'|'chats.update'|'labels.update'|'labels.association'|'qrcode.updated'|'passkey.updated'|'connection.update'|'groups.upsert'|'groups.update'|'group-participants.update'|'call'|'presence.update'>, instanceName?: string|null, filter?: WebhookFilterBodyShape|null, history?: bool, enabled?: bool}
 * @phpstan-type SaveWebhookShape array{id?: int, url?: string, name?: string, events?: list<'*'|'messages.upsert'|'messages.update'|'messages.edited'|'messages.deleted'|'messages.reaction'|'messages.set_aside'|'contacts.update'|'contacts.merged'|'chats.update'|'labels.update'|'labels.association'|'qrcode.updated'|'passkey.updated'|'connection.update'|'groups.upsert'|'groups.update'|'group-participants.update'|'call'|'presence.update'>, instanceName?: string|null, filter?: WebhookFilterBodyShape|null, history?: bool, batch?: bool, enabled?: bool, secret?: string, format?: 'switchboard'|'cloud', verifyToken?: string}
 * @phpstan-type SendAlbumShape array{instanceName: string, number?: string, groupJid?: string, chat?: string, quotedMessageId?: string, mentions?: list<'all'|string>, reference?: string, sendAt?: string, expiresAt?: string, files: list<array{type?: 'image'|'video', mediaUrl?: string, mediaId?: string, message?: string, caption?: string, fileName?: string}>, delay?: int|null|''}
 * @phpstan-type SendAnswerShape array{success: true, messageId: string, status: 'awaiting_approval'|'scheduled'|'queued'|'sending'|'sent'|'delivered'|'read'|'played'|'failed', instanceName: string, number?: string, chat: string, groupJid?: string, type: 'text'|'image'|'video'|'document'|'audio'|'button'|'list'|'cta'|'carousel'|'pix'|'location'|'poll'|'sticker'|'contact'|'event'|'album'|'reaction'|'edit'|'delete'|'pin'|'disappearing', createdAt: string, sendAt?: string, reference?: string, failure?: FailureShape}
 * @phpstan-type SendButtonShape array{instanceName: string, number?: string, groupJid?: string, chat?: string, quotedMessageId?: string, mentions?: list<'all'|string>, reference?: string, sendAt?: string, expiresAt?: string, type?: 'interactive', interactive: array{type?: 'button', header?: array{type: 'image'|'video'|'document', mediaUrl?: string, mediaId?: string, fileName?: string}, title?: string, body: string, footer?: string, buttons: list<array{buttonId: string, buttonText: array{displayText: string}, type?: int}>}, delay?: int|null|''}
 * @phpstan-type SendCarouselShape array{instanceName: string, number?: string, groupJid?: string, chat?: string, quotedMessageId?: string, mentions?: list<'all'|string>, reference?: string, sendAt?: string, expiresAt?: string, type?: 'interactive', interactive: array{type?: 'carousel', body: string, cards: list<array{header: array{type?: 'image', mediaUrl?: string, mediaId?: string}, body: string, buttons: list<array{buttonId: string, buttonText: array{displayText: string}, type?: int}>}>}, delay?: int|null|''}
 * @phpstan-type SendContactShape array{instanceName: string, number?: string, groupJid?: string, chat?: string, quotedMessageId?: string, mentions?: list<'all'|string>, reference?: string, sendAt?: string, expiresAt?: string, contacts: list<array{name: string, phone: string, organisation?: string, email?: string}>, delay?: int|null|''}
 * @phpstan-type SendCtaShape array{instanceName: string, number?: string, groupJid?: string, chat?: string, quotedMessageId?: string, mentions?: list<'all'|string>, reference?: string, sendAt?: string, expiresAt?: string, type?: 'interactive', interactive: array{type?: 'cta', header?: array{type: 'image'|'video'|'document', mediaUrl?: string, mediaId?: string, fileName?: string}, body: string, title?: string, footer?: string, buttons: list<array{index?: int, urlButton?: array{displayText: string, url: string}, callButton?: array{displayText: string, phoneNumber: string}, copyButton?: array{displayText: string, copyCode: string}, replyButton?: array{displayText: string, buttonId: string}}>}, delay?: int|null|''}
 * @phpstan-type SendEventShape array{instanceName: string, number?: string, groupJid?: string, chat?: string, quotedMessageId?: string, mentions?: list<'all'|string>, reference?: string, sendAt?: string, expiresAt?: string, name: string, description?: string, startsAt: string, endsAt?: string, place?: string, latitude?: float, longitude?: float, call?: 'audio'|'video', delay?: int|null|''}
 * @phpstan-type SendGroupShape array{instanceName: string, quotedMessageId?: string, mentions?: list<'all'|string>, reference?: string, sendAt?: string, expiresAt?: string, groupJid: string, message: string, linkPreview?: bool, delay?: int|null|''}
 * @phpstan-type SendListShape array{instanceName: string, number?: string, groupJid?: string, chat?: string, quotedMessageId?: string, mentions?: list<'all'|string>, reference?: string, sendAt?: string, expiresAt?: string, type?: 'interactive', interactive: array{type?: 'list', title?: string, text: string, buttonText: string, sections: list<array{title?: string, rows: list<array{title: string, description?: string, rowId: string}>}>, footerText?: string}, delay?: int|null|''}
 * @phpstan-type SendLocationShape array{instanceName: string, number?: string, groupJid?: string, chat?: string, quotedMessageId?: string, mentions?: list<'all'|string>, reference?: string, sendAt?: string, expiresAt?: string, latitude: float, longitude: float, name?: string, address?: string, delay?: int|null|''}
 * @phpstan-type SendMediaShape array{instanceName: string, number?: string, groupJid?: string, chat?: string, quotedMessageId?: string, mentions?: list<'all'|string>, reference?: string, sendAt?: string, expiresAt?: string, type?: 'image'|'video'|'document'|'audio', mediaUrl?: string, mediaId?: string, message?: string, caption?: string, viewOnce?: bool, fileName?: string, mimetype?: string, delay?: int|null|''}
 * @phpstan-type SendPixShape array{instanceName: string, number?: string, groupJid?: string, chat?: string, quotedMessageId?: string, mentions?: list<'all'|string>, reference?: string, sendAt?: string, expiresAt?: string, merchantName: string, keyType: 'phone'|'email'|'cpf'|'cnpj'|'random', key: string, delay?: int|null|''}
 * @phpstan-type SendPollShape array{instanceName: string, number?: string, groupJid?: string, chat?: string, quotedMessageId?: string, mentions?: list<'all'|string>, reference?: string, sendAt?: string, expiresAt?: string, pollName: string, options: list<string>, selectableCount?: int, delay?: int|null|''}
 * @phpstan-type SendStatusShape array{instanceName: string, reference?: string, sendAt?: string, expiresAt?: string, type?: 'text'|'image'|'video', message?: string, caption?: string, backgroundColor?: string, textColor?: string, font?: 'system'|'system_text'|'script'|'bold'|'morning_breeze'|'calistoga'|'exo2'|'courier_prime', mediaUrl?: string, mediaId?: string, to?: list<string>}
 * @phpstan-type SendStickerShape array{instanceName: string, number?: string, groupJid?: string, chat?: string, quotedMessageId?: string, mentions?: list<'all'|string>, reference?: string, sendAt?: string, expiresAt?: string, mediaUrl?: string, mediaId?: string, delay?: int|null|''}
 * @phpstan-type SendTextShape array{instanceName: string, number?: string, groupJid?: string, chat?: string, quotedMessageId?: string, mentions?: list<'all'|string>, reference?: string, sendAt?: string, expiresAt?: string, type?: 'text', message: string, linkPreview?: bool, delay?: int|null|''}
 * @phpstan-type ShowPresenceShape array{instanceName: string, number?: string, groupJid?: string, chat?: string, presence: 'typing'|'recording'|'paused', seconds?: int}
 * @phpstan-type StarShape array{instanceName?: string, starred: bool}
 * @phpstan-type StatisticsShape array{success: true, since: string, until: string, stepHours: int, totals: array{sent: int, received: int, failed: int, canceled: int, delivered: int, retried: int, dead: int, deliveryMs: DeliveryTimesShape|null}, steps: list<StatisticsStepShape>, failures: list<array{reason: string, count: int}>, deliveryFailures: list<array{reason: string, count: int}>, disconnections: list<array{reason: string, count: int}>, webhooks: list<array{id: int, delivered: int, retried: int, dead: int, averageMs: int}>}
 * @phpstan-type StatisticsStepShape array{start: string, sent: int, received: int, failed: int, canceled: int, delivered: int, retried: int, dead: int, deliveryMs: DeliveryTimesShape|null, sessions: array{open: float, all: float}|null}
 * @phpstan-type SubscribePresenceShape array{instanceName: string, subscribe?: list<string>, unsubscribe?: list<string>}
 * @phpstan-type SubscriptionShape array{status: 'active'|'trialing'|'past_due'|'canceled'|'expired'|'pending', hasAccess: bool, isExpired: bool, isTrial: bool, isCancelled: bool, isPending: bool, isPastDue: bool, effectiveExpiry: string|null, currentPeriodEnd: string|null, trialEndsAt: string|null, expiresAt: string|null}
 * @phpstan-type TeamMemberShape array{id: int, name: string}
 * @phpstan-type UpdateAccountShape array{name: string}
 * @phpstan-type UpdateChatShape array{instanceName: string, number?: string, groupJid?: string, chat?: string, archived?: bool, mutedUntil?: string|null, pinned?: bool, unread?: bool, disappearingSeconds?: 0|86400|604800|7776000}
 * @phpstan-type UpdateContactShape array{name?: string, notes?: string|null, customData?: array<string, mixed>, assignedUserId?: int|null, assignedDepartmentId?: int|null, funnelStageId?: int|null, showTimeInStage?: bool}
 * @phpstan-type UpdateGroupShape array{subject?: string, description?: string|null, announce?: bool, locked?: bool, joinApproval?: bool, memberAdd?: 'all'|'admins', disappearingSeconds?: 0|86400|604800|7776000}
 * @phpstan-type UpdateInstanceSettingsShape array{rejectCalls?: bool, rejectCallsText?: string|null, readOnReply?: bool, viewWithoutReceipts?: bool, alwaysOnline?: bool, ignoreGroups?: bool, syncHistory?: 'none'|'recent'|'full', proxy?: string|null, deviceName?: string|null}
 * @phpstan-type UpdateLabelShape array{instanceName: string, name?: string, color?: int}
 * @phpstan-type UpdatePlanShape array{name?: string, interval?: 'day'|'week'|'month'|'year', currency?: string, amount?: int, limits?: PlanLimitsShape, features?: array{ai: bool, flowBuilder: bool, campaigns: bool, templates: bool, voiceCalls: bool}, requestsPerSecond?: int|null}
 * @phpstan-type UpdatePrivacyShape array{lastSeen?: 'all'|'contacts'|'contact_blacklist'|'none', online?: 'all'|'match_last_seen', profilePicture?: 'all'|'contacts'|'contact_blacklist'|'none', about?: 'all'|'contacts'|'contact_blacklist'|'none', readReceipts?: 'all'|'none', groupAdd?: 'all'|'contacts'|'contact_blacklist', calls?: 'all'|'known', messages?: 'all'|'contacts', defaultDisappearingSeconds?: 0|86400|604800|7776000, linkPreviews?: bool}
 * @phpstan-type UpdateProfileShape array{name?: string, about?: string, picture?: array{mediaUrl: string}|array{mediaId: string}|null, privacy?: UpdatePrivacyShape}
 * @phpstan-type UpdateQuickReplyShape array{shortcut?: string, text?: string}
 * @phpstan-type UpdateSubscriptionShape array{planId?: int, status?: 'active'|'trialing'|'past_due'|'canceled'|'expired'|'pending', currentPeriodStart?: string, currentPeriodEnd?: string|null, trialEndsAt?: string|null, expiresAt?: string|null}
 * @phpstan-type UpdateUserShape array{name?: string, email?: string}
 * @phpstan-type UploadedMediaShape array{success: true, mediaId: string, mimetype: string, sizeBytes: int, sha256: string, expiresAt: string}
 * @phpstan-type UserShape array{id: int, accountId: int, name: string, email: string, createdAt: string, updatedAt: string}
 * @phpstan-type WebhookShape array{id: int, name: string, url: string, events: list<'*'|'messages.upsert'|'messages.update'|'messages.edited'|'messages.deleted'|'messages.reaction'|'messages.set_aside'|'contacts.update'|'contacts.merged'|'chats.update'|'labels.update'|'labels.association'|'qrcode.updated'|'passkey.updated'|'connection.update'|'groups.upsert'|'groups.update'|'group-participants.update'|'call'|'presence.update'>, filter: WebhookFilterShape, history: bool, batch: bool, format: 'switchboard'|'evolution'|'cloud'|'chatwoot', enabled: bool, secret: string, previousSecretExpiresAt: string|null, failingSince: string|null, disabledReason: 'gone'|'failing'|null, disabledAt: string|null, instance: InstanceNamesShape|null, createdAt: string, updatedAt: string}
 * @phpstan-type WebhookFilterShape array{chats: 'all'|'people'|'groups', from: list<string>|null, directions: list<'outgoing'|'incoming'>}
 * @phpstan-type WebhookFilterBodyShape array{chats?: 'all'|'people'|'groups', from?: list<string>|null, directions?: list<'outgoing'|'incoming'>}
 */
abstract class Operations
{
    protected const OPERATIONS = [
        'sendText' => ['method' => 'POST', 'path' => '/api/v1/send/text', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => true, 'pageOf' => null],
        'sendMedia' => ['method' => 'POST', 'path' => '/api/v1/send/media', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => true, 'pageOf' => null],
        'sendButton' => ['method' => 'POST', 'path' => '/api/v1/send/button', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => true, 'pageOf' => null],
        'sendList' => ['method' => 'POST', 'path' => '/api/v1/send/list', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => true, 'pageOf' => null],
        'sendCta' => ['method' => 'POST', 'path' => '/api/v1/send/cta', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => true, 'pageOf' => null],
        'sendCarousel' => ['method' => 'POST', 'path' => '/api/v1/send/carousel', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => true, 'pageOf' => null],
        'sendPix' => ['method' => 'POST', 'path' => '/api/v1/send/pix', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => true, 'pageOf' => null],
        'sendLocation' => ['method' => 'POST', 'path' => '/api/v1/send-location', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => true, 'pageOf' => null],
        'sendPoll' => ['method' => 'POST', 'path' => '/api/v1/send-poll', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => true, 'pageOf' => null],
        'sendSticker' => ['method' => 'POST', 'path' => '/api/v1/send/sticker', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => true, 'pageOf' => null],
        'sendContact' => ['method' => 'POST', 'path' => '/api/v1/send/contact', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => true, 'pageOf' => null],
        'sendEvent' => ['method' => 'POST', 'path' => '/api/v1/send/event', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => true, 'pageOf' => null],
        'sendAlbum' => ['method' => 'POST', 'path' => '/api/v1/send/album', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => true, 'pageOf' => null],
        'sendStatus' => ['method' => 'POST', 'path' => '/api/v1/send/status', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => true, 'pageOf' => null],
        'sendGroup' => ['method' => 'POST', 'path' => '/api/v1/send-group', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => true, 'pageOf' => null],
        'uploadMedia' => ['method' => 'POST', 'path' => '/api/v1/media', 'query' => ['fileName'], 'body' => 'file', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'listMessages' => ['method' => 'GET', 'path' => '/api/v1/messages', 'query' => ['instanceName', 'number', 'groupJid', 'chat', 'status', 'direction', 'type', 'reference', 'since', 'until', 'search', 'page', 'limit'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => 'messages'],
        'getMessage' => ['method' => 'GET', 'path' => '/api/v1/messages/{messageId}', 'query' => ['instanceName'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'deleteMessage' => ['method' => 'DELETE', 'path' => '/api/v1/messages/{messageId}', 'query' => ['instanceName'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => true, 'pageOf' => null],
        'cancelMessage' => ['method' => 'POST', 'path' => '/api/v1/messages/{messageId}/cancel', 'query' => ['instanceName'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'cancelMessages' => ['method' => 'POST', 'path' => '/api/v1/messages/cancel', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'getApproval' => ['method' => 'GET', 'path' => '/api/v1/messages/{messageId}/approval', 'query' => ['instanceName'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'getApprovalFile' => ['method' => 'GET', 'path' => '/api/v1/messages/{messageId}/approval/files/{mediaId}', 'query' => ['instanceName'], 'body' => 'none', 'isFile' => true, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'approveMessage' => ['method' => 'POST', 'path' => '/api/v1/messages/{messageId}/approve', 'query' => ['instanceName'], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'rejectMessage' => ['method' => 'POST', 'path' => '/api/v1/messages/{messageId}/reject', 'query' => ['instanceName'], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'getPollVotes' => ['method' => 'GET', 'path' => '/api/v1/messages/{messageId}/votes', 'query' => ['instanceName'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'getMessageMedia' => ['method' => 'GET', 'path' => '/api/v1/messages/{messageId}/media', 'query' => ['instanceName'], 'body' => 'none', 'isFile' => true, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'reactToMessage' => ['method' => 'POST', 'path' => '/api/v1/messages/{messageId}/reaction', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => true, 'pageOf' => null],
        'editMessage' => ['method' => 'POST', 'path' => '/api/v1/messages/{messageId}/edit', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => true, 'pageOf' => null],
        'forwardMessage' => ['method' => 'POST', 'path' => '/api/v1/messages/{messageId}/forward', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => true, 'pageOf' => null],
        'pinMessage' => ['method' => 'POST', 'path' => '/api/v1/messages/{messageId}/pin', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => true, 'pageOf' => null],
        'starMessage' => ['method' => 'POST', 'path' => '/api/v1/messages/{messageId}/star', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'markPlayed' => ['method' => 'POST', 'path' => '/api/v1/messages/{messageId}/played', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'instanceState' => ['method' => 'GET', 'path' => '/api/v1/instance/state', 'query' => ['instanceName'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'instanceActivity' => ['method' => 'GET', 'path' => '/api/v1/instance/activity', 'query' => ['instanceName'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'listInstances' => ['method' => 'GET', 'path' => '/api/v1/instance/list', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'createInstance' => ['method' => 'POST', 'path' => '/api/v1/instance/create', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'connectInstance' => ['method' => 'POST', 'path' => '/api/v1/instance/connect', 'query' => ['instanceName'], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'restartInstance' => ['method' => 'POST', 'path' => '/api/v1/instance/restart', 'query' => ['instanceName'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'logoutInstance' => ['method' => 'DELETE', 'path' => '/api/v1/instance/logout', 'query' => ['instanceName'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'deleteInstance' => ['method' => 'DELETE', 'path' => '/api/v1/instance/delete', 'query' => ['instanceName'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'qrImage' => ['method' => 'GET', 'path' => '/api/v1/instance/qr/image', 'query' => ['instanceName'], 'body' => 'none', 'isFile' => true, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'profilePicture' => ['method' => 'GET', 'path' => '/api/v1/instance/profile-picture', 'query' => ['instanceName', 'v'], 'body' => 'none', 'isFile' => true, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'getPasskey' => ['method' => 'GET', 'path' => '/api/v1/instance/passkey', 'query' => ['instanceName'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'answerPasskey' => ['method' => 'POST', 'path' => '/api/v1/instance/passkey/assertion', 'query' => ['instanceName'], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'confirmPasskey' => ['method' => 'POST', 'path' => '/api/v1/instance/passkey/confirm', 'query' => ['instanceName'], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'cancelPasskey' => ['method' => 'POST', 'path' => '/api/v1/instance/passkey/cancel', 'query' => ['instanceName'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'createPasskeyLink' => ['method' => 'POST', 'path' => '/api/v1/instance/passkey/link', 'query' => ['instanceName'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'getSettings' => ['method' => 'GET', 'path' => '/api/v1/instance/settings', 'query' => ['instanceName'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'updateSettings' => ['method' => 'PATCH', 'path' => '/api/v1/instance/settings', 'query' => ['instanceName'], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'getProfile' => ['method' => 'GET', 'path' => '/api/v1/profile', 'query' => ['instanceName'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'updateProfile' => ['method' => 'PATCH', 'path' => '/api/v1/profile', 'query' => ['instanceName'], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'listContacts' => ['method' => 'GET', 'path' => '/api/v1/contacts', 'query' => ['instanceName', 'search', 'page', 'limit', 'includeGroups'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => 'contacts'],
        'saveContact' => ['method' => 'POST', 'path' => '/api/v1/contacts', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'getContact' => ['method' => 'GET', 'path' => '/api/v1/contacts/{id}', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'updateContact' => ['method' => 'PATCH', 'path' => '/api/v1/contacts/{id}', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'deleteContact' => ['method' => 'DELETE', 'path' => '/api/v1/contacts/{id}', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'listChats' => ['method' => 'GET', 'path' => '/api/v1/chats', 'query' => ['instanceName', 'number', 'groupJid', 'chat', 'archived', 'pinned', 'unread', 'label', 'assignedTo', 'page', 'limit'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => 'chats'],
        'updateChat' => ['method' => 'PATCH', 'path' => '/api/v1/chats', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'clearChat' => ['method' => 'DELETE', 'path' => '/api/v1/chats', 'query' => ['instanceName', 'number', 'groupJid', 'chat'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'readChat' => ['method' => 'POST', 'path' => '/api/v1/chats/read', 'query' => ['instanceName'], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'showPresence' => ['method' => 'POST', 'path' => '/api/v1/chats/presence', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'chatHistory' => ['method' => 'GET', 'path' => '/api/v1/chats/history', 'query' => ['instanceName', 'number', 'groupJid', 'chat', 'before', 'limit'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'listLabels' => ['method' => 'GET', 'path' => '/api/v1/labels', 'query' => ['instanceName'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'createLabel' => ['method' => 'POST', 'path' => '/api/v1/labels', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'updateLabel' => ['method' => 'PATCH', 'path' => '/api/v1/labels/{labelId}', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'deleteLabel' => ['method' => 'DELETE', 'path' => '/api/v1/labels/{labelId}', 'query' => ['instanceName'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'labelChat' => ['method' => 'POST', 'path' => '/api/v1/labels/{labelId}/chats', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'unlabelChat' => ['method' => 'DELETE', 'path' => '/api/v1/labels/{labelId}/chats', 'query' => ['instanceName', 'number', 'groupJid', 'chat'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'assignChat' => ['method' => 'PUT', 'path' => '/api/v1/chats/assignee', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'listUsers' => ['method' => 'GET', 'path' => '/api/v1/users', 'query' => ['page', 'limit'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => 'users'],
        'listQuickReplies' => ['method' => 'GET', 'path' => '/api/v1/quick-replies', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'createQuickReply' => ['method' => 'POST', 'path' => '/api/v1/quick-replies', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'updateQuickReply' => ['method' => 'PATCH', 'path' => '/api/v1/quick-replies/{id}', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'deleteQuickReply' => ['method' => 'DELETE', 'path' => '/api/v1/quick-replies/{id}', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'chatPicture' => ['method' => 'GET', 'path' => '/api/v1/chats/picture', 'query' => ['instanceName', 'number', 'groupJid', 'chat', 'v'], 'body' => 'none', 'isFile' => true, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'listGroups' => ['method' => 'GET', 'path' => '/api/v1/groups', 'query' => ['instanceName', 'participants', 'member'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'createGroup' => ['method' => 'POST', 'path' => '/api/v1/groups', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'getGroup' => ['method' => 'GET', 'path' => '/api/v1/groups/{groupJid}', 'query' => ['instanceName'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'updateGroup' => ['method' => 'PATCH', 'path' => '/api/v1/groups/{groupJid}', 'query' => ['instanceName'], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'setGroupPicture' => ['method' => 'PUT', 'path' => '/api/v1/groups/{groupJid}/picture', 'query' => ['instanceName'], 'body' => 'file', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'deleteGroupPicture' => ['method' => 'DELETE', 'path' => '/api/v1/groups/{groupJid}/picture', 'query' => ['instanceName'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'changeGroupMembers' => ['method' => 'POST', 'path' => '/api/v1/groups/{groupJid}/members', 'query' => ['instanceName'], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'getGroupInvite' => ['method' => 'GET', 'path' => '/api/v1/groups/{groupJid}/invite', 'query' => ['instanceName'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'resetGroupInvite' => ['method' => 'POST', 'path' => '/api/v1/groups/{groupJid}/invite/reset', 'query' => ['instanceName'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'previewGroupInvite' => ['method' => 'GET', 'path' => '/api/v1/groups/invite/{code}', 'query' => ['instanceName'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'joinGroup' => ['method' => 'POST', 'path' => '/api/v1/groups/join', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'leaveGroup' => ['method' => 'POST', 'path' => '/api/v1/groups/{groupJid}/leave', 'query' => ['instanceName'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'listJoinRequests' => ['method' => 'GET', 'path' => '/api/v1/groups/{groupJid}/requests', 'query' => ['instanceName'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'answerJoinRequests' => ['method' => 'POST', 'path' => '/api/v1/groups/{groupJid}/requests', 'query' => ['instanceName'], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'rejectCall' => ['method' => 'POST', 'path' => '/api/v1/calls/{callId}/reject', 'query' => ['instanceName'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'getPerson' => ['method' => 'GET', 'path' => '/api/v1/people/{number}', 'query' => ['instanceName'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'blockPerson' => ['method' => 'POST', 'path' => '/api/v1/people/{number}/block', 'query' => ['instanceName'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'unblockPerson' => ['method' => 'POST', 'path' => '/api/v1/people/{number}/unblock', 'query' => ['instanceName'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'getBlocklist' => ['method' => 'GET', 'path' => '/api/v1/blocklist', 'query' => ['instanceName'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'listPresence' => ['method' => 'GET', 'path' => '/api/v1/people/presence', 'query' => ['instanceName'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'subscribePresence' => ['method' => 'POST', 'path' => '/api/v1/people/presence', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'checkNumber' => ['method' => 'GET', 'path' => '/api/v1/check-number', 'query' => ['instanceName', 'instance', 'number', 'phone'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'checkNumbers' => ['method' => 'GET', 'path' => '/api/v1/check-numbers', 'query' => ['instanceName', 'numbers'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'accountLimits' => ['method' => 'GET', 'path' => '/api/v1/account/limits', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'getStatistics' => ['method' => 'GET', 'path' => '/api/v1/statistics', 'query' => ['range', 'since', 'until', 'utcOffsetMinutes', 'instanceName'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'listApiKeys' => ['method' => 'GET', 'path' => '/api/v1/api-keys', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'createApiKey' => ['method' => 'POST', 'path' => '/api/v1/api-keys', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'currentApiKey' => ['method' => 'GET', 'path' => '/api/v1/api-keys/current', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'revokeApiKey' => ['method' => 'DELETE', 'path' => '/api/v1/api-keys/{id}', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'rotateApiKey' => ['method' => 'POST', 'path' => '/api/v1/api-keys/{id}/rotate', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'reviewAgentSignIn' => ['method' => 'POST', 'path' => '/api/v1/agent-sign-ins/review', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'grantAgentSignIn' => ['method' => 'POST', 'path' => '/api/v1/agent-sign-ins', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'listAudit' => ['method' => 'GET', 'path' => '/api/v1/audit', 'query' => ['keyId', 'page', 'limit'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => 'entries'],
        'saveWebhook' => ['method' => 'POST', 'path' => '/api/v1/webhooks', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'listWebhooks' => ['method' => 'GET', 'path' => '/api/v1/webhooks', 'query' => ['instanceName'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'getWebhook' => ['method' => 'GET', 'path' => '/api/v1/webhooks/{id}', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'deleteWebhook' => ['method' => 'DELETE', 'path' => '/api/v1/webhooks/{id}', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'rotateWebhookSecret' => ['method' => 'POST', 'path' => '/api/v1/webhooks/{id}/rotate-secret', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'testWebhook' => ['method' => 'POST', 'path' => '/api/v1/webhooks/{id}/test', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'listDeliveries' => ['method' => 'GET', 'path' => '/api/v1/webhooks/{id}/deliveries', 'query' => ['status', 'page', 'limit'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => 'deliveries'],
        'getDelivery' => ['method' => 'GET', 'path' => '/api/v1/webhooks/{id}/deliveries/{deliveryId}', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'replayDelivery' => ['method' => 'POST', 'path' => '/api/v1/webhooks/{id}/deliveries/{deliveryId}/replay', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'replayWebhook' => ['method' => 'POST', 'path' => '/api/v1/webhooks/{id}/replay', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'saveDestination' => ['method' => 'POST', 'path' => '/api/v1/destinations', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'listDestinations' => ['method' => 'GET', 'path' => '/api/v1/destinations', 'query' => ['instanceName'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'getDestination' => ['method' => 'GET', 'path' => '/api/v1/destinations/{id}', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'deleteDestination' => ['method' => 'DELETE', 'path' => '/api/v1/destinations/{id}', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'testDestination' => ['method' => 'POST', 'path' => '/api/v1/destinations/{id}/test', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'listDestinationDeliveries' => ['method' => 'GET', 'path' => '/api/v1/destinations/{id}/deliveries', 'query' => ['status', 'page', 'limit'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => 'deliveries'],
        'getDestinationDelivery' => ['method' => 'GET', 'path' => '/api/v1/destinations/{id}/deliveries/{deliveryId}', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'replayDestinationDelivery' => ['method' => 'POST', 'path' => '/api/v1/destinations/{id}/deliveries/{deliveryId}/replay', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'replayDestination' => ['method' => 'POST', 'path' => '/api/v1/destinations/{id}/replay', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'saveChatwoot' => ['method' => 'PUT', 'path' => '/api/v1/chatwoot/{instanceName}', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'getChatwoot' => ['method' => 'GET', 'path' => '/api/v1/chatwoot/{instanceName}', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'deleteChatwoot' => ['method' => 'DELETE', 'path' => '/api/v1/chatwoot/{instanceName}', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'pushChatwootHistory' => ['method' => 'POST', 'path' => '/api/v1/chatwoot/{instanceName}/history', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'listEvents' => ['method' => 'GET', 'path' => '/api/v1/events', 'query' => ['instanceName', 'events', 'after', 'before', 'limit'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'streamEvents' => ['method' => 'GET', 'path' => '/api/v1/events/stream', 'query' => ['instanceName', 'events', 'after'], 'body' => 'none', 'isFile' => true, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'adminResume' => ['method' => 'POST', 'path' => '/admin/v1/resume', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'adminListNodes' => ['method' => 'GET', 'path' => '/admin/v1/nodes', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'adminDrainNode' => ['method' => 'POST', 'path' => '/admin/v1/nodes/{nodeId}/drain', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'adminResumeNode' => ['method' => 'POST', 'path' => '/admin/v1/nodes/{nodeId}/resume', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'adminListPlans' => ['method' => 'GET', 'path' => '/admin/v1/plans', 'query' => ['page', 'limit'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => 'plans'],
        'adminCreatePlan' => ['method' => 'POST', 'path' => '/admin/v1/plans', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'adminGetPlan' => ['method' => 'GET', 'path' => '/admin/v1/plans/{id}', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'adminUpdatePlan' => ['method' => 'PATCH', 'path' => '/admin/v1/plans/{id}', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'adminDeletePlan' => ['method' => 'DELETE', 'path' => '/admin/v1/plans/{id}', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'adminListInstances' => ['method' => 'GET', 'path' => '/admin/v1/instances', 'query' => ['page', 'limit', 'accountId', 'state', 'search'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => 'instances'],
        'adminGetStatistics' => ['method' => 'GET', 'path' => '/admin/v1/statistics', 'query' => ['range', 'since', 'until', 'utcOffsetMinutes', 'accountId'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'adminListAccounts' => ['method' => 'GET', 'path' => '/admin/v1/accounts', 'query' => ['page', 'limit'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => 'accounts'],
        'adminCreateAccount' => ['method' => 'POST', 'path' => '/admin/v1/accounts', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'adminGetAccount' => ['method' => 'GET', 'path' => '/admin/v1/accounts/{id}', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'adminUpdateAccount' => ['method' => 'PATCH', 'path' => '/admin/v1/accounts/{id}', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'adminDeleteAccount' => ['method' => 'DELETE', 'path' => '/admin/v1/accounts/{id}', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'adminUpdateSubscription' => ['method' => 'PATCH', 'path' => '/admin/v1/accounts/{id}/subscription', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'adminListUsers' => ['method' => 'GET', 'path' => '/admin/v1/accounts/{id}/users', 'query' => ['page', 'limit'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => 'users'],
        'adminCreateUser' => ['method' => 'POST', 'path' => '/admin/v1/accounts/{id}/users', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'adminUpdateUser' => ['method' => 'PATCH', 'path' => '/admin/v1/accounts/{id}/users/{userId}', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'adminDeleteUser' => ['method' => 'DELETE', 'path' => '/admin/v1/accounts/{id}/users/{userId}', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'adminListKeys' => ['method' => 'GET', 'path' => '/admin/v1/accounts/{id}/api-keys', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'adminCreateKey' => ['method' => 'POST', 'path' => '/admin/v1/accounts/{id}/api-keys', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'adminRevokeKey' => ['method' => 'DELETE', 'path' => '/admin/v1/accounts/{id}/api-keys/{keyId}', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'adminRotateKey' => ['method' => 'POST', 'path' => '/admin/v1/accounts/{id}/api-keys/{keyId}/rotate', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'healthz' => ['method' => 'GET', 'path' => '/healthz', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => false, 'isIdempotent' => false, 'pageOf' => null],
        'readyz' => ['method' => 'GET', 'path' => '/readyz', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => false, 'isIdempotent' => false, 'pageOf' => null],
        'metrics' => ['method' => 'GET', 'path' => '/metrics', 'query' => [], 'body' => 'none', 'isFile' => true, 'needsKey' => false, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxListPhones' => ['method' => 'GET', 'path' => '/sandbox/v1/phones', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxCreatePhone' => ['method' => 'POST', 'path' => '/sandbox/v1/phones', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxGetPhone' => ['method' => 'GET', 'path' => '/sandbox/v1/phones/{number}', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxChangePhone' => ['method' => 'PATCH', 'path' => '/sandbox/v1/phones/{number}', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxScan' => ['method' => 'POST', 'path' => '/sandbox/v1/phones/{number}/scan', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxEnterCode' => ['method' => 'POST', 'path' => '/sandbox/v1/phones/{number}/enter-code', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxSaveContact' => ['method' => 'POST', 'path' => '/sandbox/v1/phones/{owner}/contacts', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxSetPicture' => ['method' => 'POST', 'path' => '/sandbox/v1/phones/{number}/picture', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxGetPicture' => ['method' => 'GET', 'path' => '/sandbox/v1/phones/{number}/picture', 'query' => ['of', 'id'], 'body' => 'none', 'isFile' => true, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxBlock' => ['method' => 'POST', 'path' => '/sandbox/v1/phones/{owner}/block', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxListMessages' => ['method' => 'GET', 'path' => '/sandbox/v1/phones/{number}/messages', 'query' => ['after', 'chat', 'limit', 'from', 'before', 'waitMs'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxGetMessage' => ['method' => 'GET', 'path' => '/sandbox/v1/phones/{number}/messages/{id}', 'query' => ['status', 'waitMs'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxGetMedia' => ['method' => 'GET', 'path' => '/sandbox/v1/phones/{number}/messages/{id}/media', 'query' => ['card'], 'body' => 'none', 'isFile' => true, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxListChats' => ['method' => 'GET', 'path' => '/sandbox/v1/phones/{number}/chats', 'query' => ['page', 'limit'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => 'chats'],
        'sandboxChangeChat' => ['method' => 'PATCH', 'path' => '/sandbox/v1/phones/{number}/chats', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxDeleteChat' => ['method' => 'DELETE', 'path' => '/sandbox/v1/phones/{number}/chats', 'query' => ['chat'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxListTyping' => ['method' => 'GET', 'path' => '/sandbox/v1/phones/{number}/typing', 'query' => ['after', 'waitMs'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxType' => ['method' => 'POST', 'path' => '/sandbox/v1/phones/{number}/typing', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxSend' => ['method' => 'POST', 'path' => '/sandbox/v1/phones/{number}/send', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxSendMedia' => ['method' => 'POST', 'path' => '/sandbox/v1/phones/{number}/media', 'query' => ['to', 'type', 'caption', 'fileName', 'voiceNote', 'videoNote', 'viewOnce', 'seconds', 'quoted'], 'body' => 'file', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxSendContent' => ['method' => 'POST', 'path' => '/sandbox/v1/phones/{number}/send-content', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxSetPasskey' => ['method' => 'POST', 'path' => '/sandbox/v1/phones/{number}/passkey', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxGetPasskey' => ['method' => 'GET', 'path' => '/sandbox/v1/phones/{number}/passkey', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxSignAssertion' => ['method' => 'POST', 'path' => '/sandbox/v1/phones/{number}/passkey/assertion', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxEdit' => ['method' => 'POST', 'path' => '/sandbox/v1/phones/{number}/edit', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxRemove' => ['method' => 'POST', 'path' => '/sandbox/v1/phones/{number}/delete', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxRead' => ['method' => 'POST', 'path' => '/sandbox/v1/phones/{number}/read', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxTap' => ['method' => 'POST', 'path' => '/sandbox/v1/phones/{number}/tap', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxVote' => ['method' => 'POST', 'path' => '/sandbox/v1/phones/{number}/vote', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxReact' => ['method' => 'POST', 'path' => '/sandbox/v1/phones/{number}/react', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxPin' => ['method' => 'POST', 'path' => '/sandbox/v1/phones/{number}/pin', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxForward' => ['method' => 'POST', 'path' => '/sandbox/v1/phones/{number}/forward', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxSetDisappearing' => ['method' => 'POST', 'path' => '/sandbox/v1/phones/{number}/disappearing', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxSetPresence' => ['method' => 'POST', 'path' => '/sandbox/v1/phones/{number}/presence', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxStar' => ['method' => 'POST', 'path' => '/sandbox/v1/phones/{number}/star', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxDeleteForMe' => ['method' => 'POST', 'path' => '/sandbox/v1/phones/{number}/delete-for-me', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxListLabels' => ['method' => 'GET', 'path' => '/sandbox/v1/phones/{number}/labels', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxSaveLabel' => ['method' => 'POST', 'path' => '/sandbox/v1/phones/{number}/labels', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxDeleteLabel' => ['method' => 'DELETE', 'path' => '/sandbox/v1/phones/{number}/labels', 'query' => ['labelId'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxLabelChat' => ['method' => 'POST', 'path' => '/sandbox/v1/phones/{number}/label-chat', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxClearChat' => ['method' => 'POST', 'path' => '/sandbox/v1/phones/{number}/clear-chat', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxListCalls' => ['method' => 'GET', 'path' => '/sandbox/v1/phones/{number}/calls', 'query' => ['callId', 'status', 'waitMs'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxPlaceCall' => ['method' => 'POST', 'path' => '/sandbox/v1/phones/{number}/call', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxAnswerCall' => ['method' => 'POST', 'path' => '/sandbox/v1/phones/{number}/answer-call', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxHangUp' => ['method' => 'POST', 'path' => '/sandbox/v1/phones/{number}/hang-up', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxPostStatus' => ['method' => 'POST', 'path' => '/sandbox/v1/phones/{number}/status', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxExpireMedia' => ['method' => 'POST', 'path' => '/sandbox/v1/phones/{number}/expire-media', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxListGroups' => ['method' => 'GET', 'path' => '/sandbox/v1/groups', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxCreateGroup' => ['method' => 'POST', 'path' => '/sandbox/v1/groups', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxGetGroup' => ['method' => 'GET', 'path' => '/sandbox/v1/groups/{jid}', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxChangeGroup' => ['method' => 'PATCH', 'path' => '/sandbox/v1/groups/{jid}', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxListPhoneGroups' => ['method' => 'GET', 'path' => '/sandbox/v1/phones/{number}/groups', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxChangeMembers' => ['method' => 'POST', 'path' => '/sandbox/v1/groups/{jid}/members', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxLeaveGroup' => ['method' => 'POST', 'path' => '/sandbox/v1/groups/{jid}/leave', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxAnswerRequests' => ['method' => 'POST', 'path' => '/sandbox/v1/groups/{jid}/requests', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxInvite' => ['method' => 'POST', 'path' => '/sandbox/v1/groups/{jid}/invitations', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxResetInvite' => ['method' => 'POST', 'path' => '/sandbox/v1/groups/{jid}/invite-code', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxJoinGroup' => ['method' => 'POST', 'path' => '/sandbox/v1/phones/{number}/join', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxListFaults' => ['method' => 'GET', 'path' => '/sandbox/v1/faults', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxCreateFault' => ['method' => 'POST', 'path' => '/sandbox/v1/faults', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxClearFaults' => ['method' => 'DELETE', 'path' => '/sandbox/v1/faults', 'query' => ['number', 'kind'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxInjectFrames' => ['method' => 'POST', 'path' => '/sandbox/v1/injections', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxGetNetwork' => ['method' => 'GET', 'path' => '/sandbox/v1/network', 'query' => [], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxSetNetwork' => ['method' => 'POST', 'path' => '/sandbox/v1/network', 'query' => [], 'body' => 'json', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxListChanges' => ['method' => 'GET', 'path' => '/sandbox/v1/changes', 'query' => ['after', 'waitMs'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
        'sandboxListFrames' => ['method' => 'GET', 'path' => '/sandbox/v1/frames', 'query' => ['after', 'id', 'number', 'tag', 'limit'], 'body' => 'none', 'isFile' => false, 'needsKey' => true, 'isIdempotent' => false, 'pageOf' => null],
    ];

    /** @param array<string, mixed> $fields */
    abstract protected function call(string $id, array $fields, ?string $idempotencyKey = null, ?int $waitSeconds = null): mixed;

    /** @param array<string, mixed> $fields */
    abstract protected function pages(string $id, array $fields): \Generator;

    /**
     * Send a text.
     *
     * @param SendTextShape $fields
     * @return SendAnswerShape
     */
    public function sendText(array $fields, ?string $idempotencyKey = null, ?int $waitSeconds = null): array
    {
        return $this->call('sendText', $fields, $idempotencyKey, $waitSeconds);
    }

    /**
     * Send an image, video, document or audio file.
     *
     * @param SendMediaShape $fields
     * @return SendAnswerShape
     */
    public function sendMedia(array $fields, ?string $idempotencyKey = null, ?int $waitSeconds = null): array
    {
        return $this->call('sendMedia', $fields, $idempotencyKey, $waitSeconds);
    }

    /**
     * Send reply buttons.
     *
     * @param SendButtonShape $fields
     * @return SendAnswerShape
     */
    public function sendButton(array $fields, ?string $idempotencyKey = null, ?int $waitSeconds = null): array
    {
        return $this->call('sendButton', $fields, $idempotencyKey, $waitSeconds);
    }

    /**
     * Send a list menu.
     *
     * @param SendListShape $fields
     * @return SendAnswerShape
     */
    public function sendList(array $fields, ?string $idempotencyKey = null, ?int $waitSeconds = null): array
    {
        return $this->call('sendList', $fields, $idempotencyKey, $waitSeconds);
    }

    /**
     * Send buttons that open, call, copy or reply, also mixed.
     *
     * @param SendCtaShape $fields
     * @return SendAnswerShape
     */
    public function sendCta(array $fields, ?string $idempotencyKey = null, ?int $waitSeconds = null): array
    {
        return $this->call('sendCta', $fields, $idempotencyKey, $waitSeconds);
    }

    /**
     * Send a carousel of cards.
     *
     * @param SendCarouselShape $fields
     * @return SendAnswerShape
     */
    public function sendCarousel(array $fields, ?string $idempotencyKey = null, ?int $waitSeconds = null): array
    {
        return $this->call('sendCarousel', $fields, $idempotencyKey, $waitSeconds);
    }

    /**
     * Send a PIX key, for payments in Brazil.
     *
     * @param SendPixShape $fields
     * @return SendAnswerShape
     */
    public function sendPix(array $fields, ?string $idempotencyKey = null, ?int $waitSeconds = null): array
    {
        return $this->call('sendPix', $fields, $idempotencyKey, $waitSeconds);
    }

    /**
     * Send a location.
     *
     * @param SendLocationShape $fields
     * @return SendAnswerShape
     */
    public function sendLocation(array $fields, ?string $idempotencyKey = null, ?int $waitSeconds = null): array
    {
        return $this->call('sendLocation', $fields, $idempotencyKey, $waitSeconds);
    }

    /**
     * Send a poll.
     *
     * @param SendPollShape $fields
     * @return SendAnswerShape
     */
    public function sendPoll(array $fields, ?string $idempotencyKey = null, ?int $waitSeconds = null): array
    {
        return $this->call('sendPoll', $fields, $idempotencyKey, $waitSeconds);
    }

    /**
     * Send a sticker: a WebP as it is, or any other image, which becomes one of 512 × 512 pixels.
     *
     * @param SendStickerShape $fields
     * @return SendAnswerShape
     */
    public function sendSticker(array $fields, ?string $idempotencyKey = null, ?int $waitSeconds = null): array
    {
        return $this->call('sendSticker', $fields, $idempotencyKey, $waitSeconds);
    }

    /**
     * Send contact cards.
     *
     * @param SendContactShape $fields
     * @return SendAnswerShape
     */
    public function sendContact(array $fields, ?string $idempotencyKey = null, ?int $waitSeconds = null): array
    {
        return $this->call('sendContact', $fields, $idempotencyKey, $waitSeconds);
    }

    /**
     * Send an event: a title, a time and a place.
     *
     * @param SendEventShape $fields
     * @return SendAnswerShape
     */
    public function sendEvent(array $fields, ?string $idempotencyKey = null, ?int $waitSeconds = null): array
    {
        return $this->call('sendEvent', $fields, $idempotencyKey, $waitSeconds);
    }

    /**
     * Send several images and videos as one album.
     *
     * @param SendAlbumShape $fields
     * @return AlbumAnswerShape
     */
    public function sendAlbum(array $fields, ?string $idempotencyKey = null, ?int $waitSeconds = null): array
    {
        return $this->call('sendAlbum', $fields, $idempotencyKey, $waitSeconds);
    }

    /**
     * Post a status to all saved contacts or to listed numbers.
     *
     * @param SendStatusShape $fields
     * @return SendAnswerShape
     */
    public function sendStatus(array $fields, ?string $idempotencyKey = null, ?int $waitSeconds = null): array
    {
        return $this->call('sendStatus', $fields, $idempotencyKey, $waitSeconds);
    }

    /**
     * Send a text to a group.
     *
     * @param SendGroupShape $fields
     * @return SendAnswerShape
     */
    public function sendGroup(array $fields, ?string $idempotencyKey = null, ?int $waitSeconds = null): array
    {
        return $this->call('sendGroup', $fields, $idempotencyKey, $waitSeconds);
    }

    /**
     * Upload a file to send.
     *
     * @param array{fileName?: string, file: string, contentType?: string} $fields
     * @return UploadedMediaShape
     */
    public function uploadMedia(array $fields): array
    {
        return $this->call('uploadMedia', $fields);
    }

    /**
     * List messages, newest first.
     *
     * @param array{instanceName?: string, number?: string, groupJid?: string, chat?: string|'status@broadcast', status?: 'awaiting_approval'|'scheduled'|'queued'|'sending'|'sent'|'delivered'|'read'|'played'|'failed', direction?: 'outgoing'|'incoming', type?: 'text'|'image'|'video'|'document'|'audio'|'button'|'list'|'cta'|'carousel'|'pix'|'location'|'poll'|'sticker'|'contact'|'event'|'album'|'order'|'product'|'poll_vote'|'event_answer'|'reaction'|'edit'|'delete'|'pin'|'disappearing'|'button_reply'|'list_reply'|'view_once_unavailable'|'undecryptable'|'unsupported', reference?: string, since?: string, until?: string, search?: string, page?: int, limit?: int} $fields
     * @return array{success: true, count: int, page: int, limit: int, hasMore: bool, messages: list<MessageShape>}
     */
    public function listMessages(array $fields = []): array
    {
        return $this->call('listMessages', $fields);
    }

    /**
     * List messages, newest first: every item of every page.
     *
     * @param array{instanceName?: string, number?: string, groupJid?: string, chat?: string|'status@broadcast', status?: 'awaiting_approval'|'scheduled'|'queued'|'sending'|'sent'|'delivered'|'read'|'played'|'failed', direction?: 'outgoing'|'incoming', type?: 'text'|'image'|'video'|'document'|'audio'|'button'|'list'|'cta'|'carousel'|'pix'|'location'|'poll'|'sticker'|'contact'|'event'|'album'|'order'|'product'|'poll_vote'|'event_answer'|'reaction'|'edit'|'delete'|'pin'|'disappearing'|'button_reply'|'list_reply'|'view_once_unavailable'|'undecryptable'|'unsupported', reference?: string, since?: string, until?: string, search?: string, page?: int, limit?: int} $fields
     * @return \Generator<int, MessageShape>
     */
    public function iterateMessages(array $fields = []): \Generator
    {
        return $this->pages('listMessages', $fields);
    }

    /**
     * Get a message and its status.
     *
     * @param array{messageId: string, instanceName?: string} $fields
     * @return array{success: true, message: MessageShape}
     */
    public function getMessage(array $fields): array
    {
        return $this->call('getMessage', $fields);
    }

    /**
     * Delete a message for everyone.
     *
     * @param array{messageId: string, instanceName?: string} $fields
     * @return SendAnswerShape
     */
    public function deleteMessage(array $fields, ?string $idempotencyKey = null, ?int $waitSeconds = null): array
    {
        return $this->call('deleteMessage', $fields, $idempotencyKey, $waitSeconds);
    }

    /**
     * Cancel a message that waits to be sent.
     *
     * @param array{messageId: string, instanceName?: string} $fields
     * @return array{success: true, message: MessageShape}
     */
    public function cancelMessage(array $fields): array
    {
        return $this->call('cancelMessage', $fields);
    }

    /**
     * Cancel all messages with a reference that wait to be sent.
     *
     * @param CancelMessagesShape $fields
     * @return CanceledMessagesShape
     */
    public function cancelMessages(array $fields): array
    {
        return $this->call('cancelMessages', $fields);
    }

    /**
     * Get a send that waits for approval, with everything that the decision needs.
     *
     * @param array{messageId: string, instanceName?: string} $fields
     * @return array{success: true, approval: ApprovalShape}
     */
    public function getApproval(array $fields): array
    {
        return $this->call('getApproval', $fields);
    }

    /**
     * Download a file of a send that waits for approval.
     *
     * @param array{messageId: string, mediaId: string, instanceName?: string} $fields
     * @return FileContent
     */
    public function getApprovalFile(array $fields): FileContent
    {
        return $this->call('getApprovalFile', $fields);
    }

    /**
     * Approve a send that waits for approval.
     *
     * @param array{messageId: string, instanceName?: string, version?: int, text?: string} $fields
     * @return array{success: true, message: MessageShape}
     */
    public function approveMessage(array $fields): array
    {
        return $this->call('approveMessage', $fields);
    }

    /**
     * Reject a send that waits for approval.
     *
     * @param array{messageId: string, instanceName?: string, reason?: string} $fields
     * @return array{success: true, message: MessageShape}
     */
    public function rejectMessage(array $fields): array
    {
        return $this->call('rejectMessage', $fields);
    }

    /**
     * Count the votes in a poll.
     *
     * @param array{messageId: string, instanceName?: string} $fields
     * @return array{success: true, poll: PollResultsShape}
     */
    public function getPollVotes(array $fields): array
    {
        return $this->call('getPollVotes', $fields);
    }

    /**
     * Download the file of a message.
     *
     * @param array{messageId: string, instanceName?: string} $fields
     * @return FileContent
     */
    public function getMessageMedia(array $fields): FileContent
    {
        return $this->call('getMessageMedia', $fields);
    }

    /**
     * React to a message, or withdraw the reaction.
     *
     * @param array{messageId: string, instanceName?: string, emoji: string|null} $fields
     * @return SendAnswerShape
     */
    public function reactToMessage(array $fields, ?string $idempotencyKey = null, ?int $waitSeconds = null): array
    {
        return $this->call('reactToMessage', $fields, $idempotencyKey, $waitSeconds);
    }

    /**
     * Edit the text or caption of a sent message.
     *
     * @param array{messageId: string, instanceName?: string, message: string} $fields
     * @return SendAnswerShape
     */
    public function editMessage(array $fields, ?string $idempotencyKey = null, ?int $waitSeconds = null): array
    {
        return $this->call('editMessage', $fields, $idempotencyKey, $waitSeconds);
    }

    /**
     * Forward a message to another chat of the instance.
     *
     * @param array{messageId: string, number?: string, groupJid?: string, chat?: string, reference?: string, sendAt?: string, expiresAt?: string, instanceName?: string} $fields
     * @return SendAnswerShape
     */
    public function forwardMessage(array $fields, ?string $idempotencyKey = null, ?int $waitSeconds = null): array
    {
        return $this->call('forwardMessage', $fields, $idempotencyKey, $waitSeconds);
    }

    /**
     * Pin a message in its chat for everyone, or remove the pin.
     *
     * @param array{messageId: string, instanceName?: string, seconds: 86400|604800|2592000|null} $fields
     * @return SendAnswerShape
     */
    public function pinMessage(array $fields, ?string $idempotencyKey = null, ?int $waitSeconds = null): array
    {
        return $this->call('pinMessage', $fields, $idempotencyKey, $waitSeconds);
    }

    /**
     * Star a message on the devices of the owner, or remove the star.
     *
     * @param array{messageId: string, instanceName?: string, starred: bool} $fields
     * @return array{success: true, message: MessageShape}
     */
    public function starMessage(array $fields): array
    {
        return $this->call('starMessage', $fields);
    }

    /**
     * Mark a received voice message as played.
     *
     * @param array{messageId: string, instanceName?: string} $fields
     * @return array{success: true, message: MessageShape}
     */
    public function markPlayed(array $fields): array
    {
        return $this->call('markPlayed', $fields);
    }

    /**
     * Get the connection state of an instance.
     *
     * @param array{instanceName: string} $fields
     * @return array{success: true, data: array{instance: array{instanceName: string, state: 'connecting'|'open'|'close'}}, instance: InstanceStateShape, passkey: PasskeyStateShape|null}
     */
    public function instanceState(array $fields): array
    {
        return $this->call('instanceState', $fields);
    }

    /**
     * Get the activity of an instance: queued messages, last failure, messages per hour of the last 24 hours.
     *
     * @param array{instanceName: string} $fields
     * @return array{success: true, instance: InstanceReferenceShape, queued: int, lastFailure: array{messageId: string, reason: string, error: string, code: int|null, failedAt: string}|null, hours: list<HourOfMessagesShape>, isPartial: bool}
     */
    public function instanceActivity(array $fields): array
    {
        return $this->call('instanceActivity', $fields);
    }

    /**
     * List all instances of the account.
     *
     * @return array{success: true, count: int, instances: list<InstanceShape>}
     */
    public function listInstances(): array
    {
        return $this->call('listInstances', []);
    }

    /**
     * Create an instance and start pairing.
     *
     * @param CreateInstanceShape $fields
     * @return array{success: true, instance: InstanceShape}
     */
    public function createInstance(array $fields): array
    {
        return $this->call('createInstance', $fields);
    }

    /**
     * Start or restart pairing, by QR code or pairing code.
     *
     * @param array{instanceName: string, number?: string} $fields
     * @return array{success: true, instance: InstanceShape, qr: array{code: string, expiresAt: string}|null, pairingCode: string|null, passkey: PasskeyStateShape|null}
     */
    public function connectInstance(array $fields): array
    {
        return $this->call('connectInstance', $fields);
    }

    /**
     * Reconnect without logging out.
     *
     * @param array{instanceName: string} $fields
     * @return array{success: true, instance: InstanceShape}
     */
    public function restartInstance(array $fields): array
    {
        return $this->call('restartInstance', $fields);
    }

    /**
     * Log out and delete the session data.
     *
     * @param array{instanceName: string} $fields
     * @return array{success: true, message: string, instance: array{id: int, instanceName: string, displayName: string}, connectionState: 'connecting'|'open'|'close'}
     */
    public function logoutInstance(array $fields): array
    {
        return $this->call('logoutInstance', $fields);
    }

    /**
     * Delete an instance that is logged out.
     *
     * @param array{instanceName: string} $fields
     * @return array{success: true, message: string, instance: array{id: int, instanceName: string, displayName: string}, connectionState: 'connecting'|'open'|'close', instanceDeleted: bool, instanceMissing: bool}
     */
    public function deleteInstance(array $fields): array
    {
        return $this->call('deleteInstance', $fields);
    }

    /**
     * Get the login QR code as an image.
     *
     * @param array{instanceName: string} $fields
     * @return FileContent
     */
    public function qrImage(array $fields): FileContent
    {
        return $this->call('qrImage', $fields);
    }

    /**
     * Get the profile picture of the connected account.
     *
     * @param array{instanceName: string, v?: string} $fields
     * @return FileContent
     */
    public function profilePicture(array $fields): FileContent
    {
        return $this->call('profilePicture', $fields);
    }

    /**
     * Get the passkey step of an instance, with the challenge of the network.
     *
     * @param array{instanceName: string} $fields
     * @return array{success: true, instance: InstanceReferenceShape, passkey: PasskeyDemandShape|null}
     */
    public function getPasskey(array $fields): array
    {
        return $this->call('getPasskey', $fields);
    }

    /**
     * Hand in the assertion of the passkey.
     *
     * @param array{instanceName: string, assertion: PasskeyAssertionShape} $fields
     * @return array{success: true, passkey: PasskeyStateShape|null}
     */
    public function answerPasskey(array $fields): array
    {
        return $this->call('answerPasskey', $fields);
    }

    /**
     * Confirm that the phone shows the same code.
     *
     * @param array{instanceName: string, code: string} $fields
     * @return array{success: true, passkey: PasskeyStateShape|null}
     */
    public function confirmPasskey(array $fields): array
    {
        return $this->call('confirmPasskey', $fields);
    }

    /**
     * End the passkey step without a linked device, as when the codes differ.
     *
     * @param array{instanceName: string} $fields
     * @return array{success: true}
     */
    public function cancelPasskey(array $fields): array
    {
        return $this->call('cancelPasskey', $fields);
    }

    /**
     * Create a one-time link to a page that leads through the passkey step without a key.
     *
     * @param array{instanceName: string} $fields
     * @return array{success: true, link: array{url: string, expiresAt: string}}
     */
    public function createPasskeyLink(array $fields): array
    {
        return $this->call('createPasskeyLink', $fields);
    }

    /**
     * Get the settings of an instance.
     *
     * @param array{instanceName: string} $fields
     * @return array{success: true, settings: InstanceSettingsShape}
     */
    public function getSettings(array $fields): array
    {
        return $this->call('getSettings', $fields);
    }

    /**
     * Change the settings of an instance; omitted fields stay unchanged.
     *
     * @param array{instanceName: string, rejectCalls?: bool, rejectCallsText?: string|null, readOnReply?: bool, viewWithoutReceipts?: bool, alwaysOnline?: bool, ignoreGroups?: bool, syncHistory?: 'none'|'recent'|'full', proxy?: string|null, deviceName?: string|null} $fields
     * @return array{success: true, settings: InstanceSettingsShape}
     */
    public function updateSettings(array $fields): array
    {
        return $this->call('updateSettings', $fields);
    }

    /**
     * Read your profile and its privacy settings from the network.
     *
     * @param array{instanceName: string} $fields
     * @return array{success: true, profile: ProfileShape}
     */
    public function getProfile(array $fields): array
    {
        return $this->call('getProfile', $fields);
    }

    /**
     * Change your profile and its privacy settings; omitted fields stay unchanged.
     *
     * @param array{instanceName: string, name?: string, about?: string, picture?: array{mediaUrl: string}|array{mediaId: string}|null, privacy?: UpdatePrivacyShape} $fields
     * @return array{success: true, profile: ProfileShape}
     */
    public function updateProfile(array $fields): array
    {
        return $this->call('updateProfile', $fields);
    }

    /**
     * List the saved contacts of an instance, sorted by name.
     *
     * @param array{instanceName: string, search?: string, page?: int, limit?: int, includeGroups?: bool} $fields
     * @return array{success: true, count: int, page: int, limit: int, hasMore: bool, total: int, instance: InstanceReferenceShape, contacts: list<ContactShape>}
     */
    public function listContacts(array $fields): array
    {
        return $this->call('listContacts', $fields);
    }

    /**
     * List the saved contacts of an instance, sorted by name: every item of every page.
     *
     * @param array{instanceName: string, search?: string, page?: int, limit?: int, includeGroups?: bool} $fields
     * @return \Generator<int, ContactShape>
     */
    public function iterateContacts(array $fields): \Generator
    {
        return $this->pages('listContacts', $fields);
    }

    /**
     * Save a chat as a contact.
     *
     * @param SaveContactShape $fields
     * @return array{success: true, contact: ContactShape}
     */
    public function saveContact(array $fields): array
    {
        return $this->call('saveContact', $fields);
    }

    /**
     * Get a contact.
     *
     * @param array{id: int} $fields
     * @return array{success: true, contact: ContactShape}
     */
    public function getContact(array $fields): array
    {
        return $this->call('getContact', $fields);
    }

    /**
     * Update a contact; omitted fields stay unchanged.
     *
     * @param array{id: int, name?: string, notes?: string|null, customData?: array<string, mixed>, assignedUserId?: int|null, assignedDepartmentId?: int|null, funnelStageId?: int|null, showTimeInStage?: bool} $fields
     * @return array{success: true, contact: ContactShape}
     */
    public function updateContact(array $fields): array
    {
        return $this->call('updateContact', $fields);
    }

    /**
     * Delete a contact; its chat is kept.
     *
     * @param array{id: int} $fields
     * @return array{success: true, id: int}
     */
    public function deleteContact(array $fields): array
    {
        return $this->call('deleteContact', $fields);
    }

    /**
     * List all chats of an instance, latest first, including chats without a saved contact.
     *
     * @param array{instanceName: string, number?: string, groupJid?: string, chat?: string, archived?: bool, pinned?: bool, unread?: bool, label?: string, assignedTo?: string, page?: int, limit?: int} $fields
     * @return array{success: true, count: int, page: int, limit: int, hasMore: bool, instance: InstanceReferenceShape, chats: list<ChatShape>}
     */
    public function listChats(array $fields): array
    {
        return $this->call('listChats', $fields);
    }

    /**
     * List all chats of an instance, latest first, including chats without a saved contact: every item of every page.
     *
     * @param array{instanceName: string, number?: string, groupJid?: string, chat?: string, archived?: bool, pinned?: bool, unread?: bool, label?: string, assignedTo?: string, page?: int, limit?: int} $fields
     * @return \Generator<int, ChatShape>
     */
    public function iterateChats(array $fields): \Generator
    {
        return $this->pages('listChats', $fields);
    }

    /**
     * Change the settings of a chat; omitted fields stay unchanged.
     *
     * @param UpdateChatShape $fields
     * @return array{success: true, chat: ChatShape, messageId: string|null}
     */
    public function updateChat(array $fields): array
    {
        return $this->call('updateChat', $fields);
    }

    /**
     * Delete the messages of a chat on the devices of the owner and in the gateway.
     *
     * @param array{instanceName: string, number?: string, groupJid?: string, chat?: string} $fields
     * @return array{success: true, chat: ChatShape}
     */
    public function clearChat(array $fields): array
    {
        return $this->call('clearChat', $fields);
    }

    /**
     * Mark a chat as read.
     *
     * @param array{instanceName: string, number?: string, groupJid?: string, chat?: string, viewed?: bool} $fields
     * @return array{success: true, chat: ChatShape, receipts: 'sent'|'not_sent'|'withheld'|'none'}
     */
    public function readChat(array $fields): array
    {
        return $this->call('readChat', $fields);
    }

    /**
     * Show that the instance is typing or recording in a chat.
     *
     * @param ShowPresenceShape $fields
     * @return array{success: true, chat: string, presence: 'typing'|'recording'|'paused', seconds: int}
     */
    public function showPresence(array $fields): array
    {
        return $this->call('showPresence', $fields);
    }

    /**
     * List older messages of a chat, and request more from the phone.
     *
     * @param array{instanceName: string, number?: string, groupJid?: string, chat?: string, before?: string, limit?: int} $fields
     * @return array{success: true, count: int, limit: int, moreComing: bool, messages: list<MessageShape>}
     */
    public function chatHistory(array $fields): array
    {
        return $this->call('chatHistory', $fields);
    }

    /**
     * List the labels of an instance, in the order of their creation.
     *
     * @param array{instanceName: string} $fields
     * @return array{success: true, count: int, instance: InstanceReferenceShape, labels: list<LabelShape>}
     */
    public function listLabels(array $fields): array
    {
        return $this->call('listLabels', $fields);
    }

    /**
     * Create a label on all devices of the owner.
     *
     * @param CreateLabelShape $fields
     * @return array{success: true, label: LabelShape}
     */
    public function createLabel(array $fields): array
    {
        return $this->call('createLabel', $fields);
    }

    /**
     * Change the name or the colour of a label; omitted fields stay unchanged.
     *
     * @param array{labelId: string, instanceName: string, name?: string, color?: int} $fields
     * @return array{success: true, label: LabelShape}
     */
    public function updateLabel(array $fields): array
    {
        return $this->call('updateLabel', $fields);
    }

    /**
     * Delete a label on all devices of the owner; its chats are kept.
     *
     * @param array{labelId: string, instanceName: string} $fields
     * @return array{success: true, id: string}
     */
    public function deleteLabel(array $fields): array
    {
        return $this->call('deleteLabel', $fields);
    }

    /**
     * Give a label to a chat.
     *
     * @param array{labelId: string, instanceName: string, number?: string, groupJid?: string, chat?: string} $fields
     * @return array{success: true, chat: ChatShape}
     */
    public function labelChat(array $fields): array
    {
        return $this->call('labelChat', $fields);
    }

    /**
     * Take a label from a chat.
     *
     * @param array{labelId: string, instanceName: string, number?: string, groupJid?: string, chat?: string} $fields
     * @return array{success: true, chat: ChatShape}
     */
    public function unlabelChat(array $fields): array
    {
        return $this->call('unlabelChat', $fields);
    }

    /**
     * Assign a chat to a user of the account.
     *
     * @param AssignChatShape $fields
     * @return array{success: true, chat: ChatShape}
     */
    public function assignChat(array $fields): array
    {
        return $this->call('assignChat', $fields);
    }

    /**
     * List the users of the account, to whom chats can be assigned.
     *
     * @param array{page?: int, limit?: int} $fields
     * @return array{success: true, count: int, page: int, limit: int, hasMore: bool, users: list<TeamMemberShape>}
     */
    public function listUsers(array $fields = []): array
    {
        return $this->call('listUsers', $fields);
    }

    /**
     * List the users of the account, to whom chats can be assigned: every item of every page.
     *
     * @param array{page?: int, limit?: int} $fields
     * @return \Generator<int, TeamMemberShape>
     */
    public function iterateUsers(array $fields = []): \Generator
    {
        return $this->pages('listUsers', $fields);
    }

    /**
     * List the quick replies of the account, sorted by shortcut.
     *
     * @return array{success: true, count: int, quickReplies: list<QuickReplyShape>}
     */
    public function listQuickReplies(): array
    {
        return $this->call('listQuickReplies', []);
    }

    /**
     * Create a quick reply.
     *
     * @param CreateQuickReplyShape $fields
     * @return array{success: true, quickReply: QuickReplyShape}
     */
    public function createQuickReply(array $fields): array
    {
        return $this->call('createQuickReply', $fields);
    }

    /**
     * Change a quick reply; omitted fields stay unchanged.
     *
     * @param array{id: int, shortcut?: string, text?: string} $fields
     * @return array{success: true, quickReply: QuickReplyShape}
     */
    public function updateQuickReply(array $fields): array
    {
        return $this->call('updateQuickReply', $fields);
    }

    /**
     * Delete a quick reply.
     *
     * @param array{id: int} $fields
     * @return array{success: true, id: int}
     */
    public function deleteQuickReply(array $fields): array
    {
        return $this->call('deleteQuickReply', $fields);
    }

    /**
     * Get the profile picture of a person or group.
     *
     * @param array{instanceName: string, number?: string, groupJid?: string, chat?: string, v?: string} $fields
     * @return FileContent
     */
    public function chatPicture(array $fields): FileContent
    {
        return $this->call('chatPicture', $fields);
    }

    /**
     * List the groups of an instance.
     *
     * @param array{instanceName: string, participants?: bool, member?: string} $fields
     * @return array{success: true, count: int, instance: InstanceReferenceShape, groups: list<GroupShape>}
     */
    public function listGroups(array $fields): array
    {
        return $this->call('listGroups', $fields);
    }

    /**
     * Create a group.
     *
     * @param CreateGroupShape $fields
     * @return array{success: true, group: GroupShape, members: list<MemberOutcomeShape>, picture: 'set'|'failed'|null}
     */
    public function createGroup(array $fields): array
    {
        return $this->call('createGroup', $fields);
    }

    /**
     * Read a group and its participants from the network.
     *
     * @param array{groupJid: string, instanceName: string} $fields
     * @return array{success: true, group: GroupShape}
     */
    public function getGroup(array $fields): array
    {
        return $this->call('getGroup', $fields);
    }

    /**
     * Change the settings of a group; omitted fields stay unchanged.
     *
     * @param array{groupJid: string, instanceName: string, subject?: string, description?: string|null, announce?: bool, locked?: bool, joinApproval?: bool, memberAdd?: 'all'|'admins', disappearingSeconds?: 0|86400|604800|7776000} $fields
     * @return array{success: true, group: GroupShape}
     */
    public function updateGroup(array $fields): array
    {
        return $this->call('updateGroup', $fields);
    }

    /**
     * Set the picture of a group.
     *
     * @param array{groupJid: string, instanceName: string, file: string, contentType?: string} $fields
     * @return array{success: true, group: GroupShape}
     */
    public function setGroupPicture(array $fields): array
    {
        return $this->call('setGroupPicture', $fields);
    }

    /**
     * Remove the picture of a group.
     *
     * @param array{groupJid: string, instanceName: string} $fields
     * @return array{success: true, group: GroupShape}
     */
    public function deleteGroupPicture(array $fields): array
    {
        return $this->call('deleteGroupPicture', $fields);
    }

    /**
     * Add, remove, promote or demote members of a group.
     *
     * @param array{groupJid: string, instanceName: string, add?: list<string>, remove?: list<string>, promote?: list<string>, demote?: list<string>} $fields
     * @return array{success: true, group: GroupShape, members: list<MemberOutcomeShape>}
     */
    public function changeGroupMembers(array $fields): array
    {
        return $this->call('changeGroupMembers', $fields);
    }

    /**
     * Get the invite link of a group.
     *
     * @param array{groupJid: string, instanceName: string} $fields
     * @return array{success: true, code: string, link: string}
     */
    public function getGroupInvite(array $fields): array
    {
        return $this->call('getGroupInvite', $fields);
    }

    /**
     * Replace the invite link of a group; the old link no longer works.
     *
     * @param array{groupJid: string, instanceName: string} $fields
     * @return array{success: true, code: string, link: string}
     */
    public function resetGroupInvite(array $fields): array
    {
        return $this->call('resetGroupInvite', $fields);
    }

    /**
     * Show the group of an invite link without joining it.
     *
     * @param array{code: string, instanceName: string} $fields
     * @return array{success: true, preview: array{groupJid: string, subject: string, description: string|null, ownerJid: string|null, createdAt: string|null, size: int, joinApproval: bool}}
     */
    public function previewGroupInvite(array $fields): array
    {
        return $this->call('previewGroupInvite', $fields);
    }

    /**
     * Join the group of an invite link.
     *
     * @param JoinGroupShape $fields
     * @return array{success: true, groupJid: string, status: 'joined'|'requested'}
     */
    public function joinGroup(array $fields): array
    {
        return $this->call('joinGroup', $fields);
    }

    /**
     * Leave a group.
     *
     * @param array{groupJid: string, instanceName: string} $fields
     * @return array{success: true, groupJid: string}
     */
    public function leaveGroup(array $fields): array
    {
        return $this->call('leaveGroup', $fields);
    }

    /**
     * List the people who ask to join a group.
     *
     * @param array{groupJid: string, instanceName: string} $fields
     * @return array{success: true, count: int, requests: list<array{jid: string, phone: string|null, chat: string, number: string|null, lid: string|null, username: string|null, requestedAt: string|null}>}
     */
    public function listJoinRequests(array $fields): array
    {
        return $this->call('listJoinRequests', $fields);
    }

    /**
     * Approve or reject requests to join a group.
     *
     * @param array{groupJid: string, instanceName: string, approve?: list<string>, reject?: list<string>} $fields
     * @return array{success: true, group: GroupShape, requests: list<array{number: string|null, chat: string, outcome: 'approved'|'rejected'|'no_request'|'refused', networkCode: int|null}>}
     */
    public function answerJoinRequests(array $fields): array
    {
        return $this->call('answerJoinRequests', $fields);
    }

    /**
     * Reject an incoming call.
     *
     * @param array{callId: string, instanceName: string} $fields
     * @return array{success: true, call: CallShape}
     */
    public function rejectCall(array $fields): array
    {
        return $this->call('rejectCall', $fields);
    }

    /**
     * Read what a person shows: about text, picture, business profile, and whether they are blocked.
     *
     * @param array{number: string, instanceName: string} $fields
     * @return array{success: true, person: PersonDetailsShape}
     */
    public function getPerson(array $fields): array
    {
        return $this->call('getPerson', $fields);
    }

    /**
     * Block a person.
     *
     * @param array{number: string, instanceName: string} $fields
     * @return array{success: true, person: array{number: string|null, jid: string, isBlocked: bool}}
     */
    public function blockPerson(array $fields): array
    {
        return $this->call('blockPerson', $fields);
    }

    /**
     * Unblock a person.
     *
     * @param array{number: string, instanceName: string} $fields
     * @return array{success: true, person: array{number: string|null, jid: string, isBlocked: bool}}
     */
    public function unblockPerson(array $fields): array
    {
        return $this->call('unblockPerson', $fields);
    }

    /**
     * List the people that the account has blocked.
     *
     * @param array{instanceName: string} $fields
     * @return array{success: true, count: int, people: list<array{jid: string, phone: string|null, chat: string, number: string|null, lid: string|null, username: string|null}>}
     */
    public function getBlocklist(array $fields): array
    {
        return $this->call('getBlocklist', $fields);
    }

    /**
     * List the people whose presence is followed, with the last reported presence.
     *
     * @param array{instanceName: string} $fields
     * @return array{success: true, count: int, subscriptions: list<PresenceSubscriptionShape>}
     */
    public function listPresence(array $fields): array
    {
        return $this->call('listPresence', $fields);
    }

    /**
     * Follow the presence of people, or stop following it.
     *
     * @param SubscribePresenceShape $fields
     * @return array{success: true, count: int, subscriptions: list<PresenceSubscriptionShape>, numbers: list<array{number: string|null, chat: string, outcome: 'subscribed'|'unsubscribed'|'not_on_network'}>}
     */
    public function subscribePresence(array $fields): array
    {
        return $this->call('subscribePresence', $fields);
    }

    /**
     * Ask the network whether a number is registered.
     *
     * @param array{instanceName?: string, instance?: string, number?: string, phone?: string} $fields
     * @return array{success: true, status: 'success', data: array{exists: bool, jid: string, number: string, instance: string}}
     */
    public function checkNumber(array $fields = []): array
    {
        return $this->call('checkNumber', $fields);
    }

    /**
     * Ask the network which of up to 200 numbers are registered.
     *
     * @param array{instanceName: string, numbers: string} $fields
     * @return array{success: true, count: int, numbers: list<array{number: string, exists: bool, jid: string}>}
     */
    public function checkNumbers(array $fields): array
    {
        return $this->call('checkNumbers', $fields);
    }

    /**
     * Get plan, subscription, usage and limits.
     *
     * @return AccountLimitsShape
     */
    public function accountLimits(): array
    {
        return $this->call('accountLimits', []);
    }

    /**
     * Get counts of messages, deliveries and sessions.
     *
     * @param array{range?: 'day'|'week'|'month', since?: string, until?: string, utcOffsetMinutes?: int, instanceName?: string} $fields
     * @return StatisticsShape
     */
    public function getStatistics(array $fields = []): array
    {
        return $this->call('getStatistics', $fields);
    }

    /**
     * List the API keys of the account.
     *
     * @return array{success: true, count: int, apiKeys: list<ApiKeyShape>}
     */
    public function listApiKeys(): array
    {
        return $this->call('listApiKeys', []);
    }

    /**
     * Create an API key.
     *
     * @param CreateApiKeyShape $fields
     * @return array{success: true, apiKey: ApiKeyShape, key: string}
     */
    public function createApiKey(array $fields): array
    {
        return $this->call('createApiKey', $fields);
    }

    /**
     * Get the API key of this request: its scopes, walls and instances.
     *
     * @return array{success: true, apiKey: ApiKeyShape, instances: list<array{apiInstanceName: string, displayName: string}>}
     */
    public function currentApiKey(): array
    {
        return $this->call('currentApiKey', []);
    }

    /**
     * Revoke an API key; takes effect within a second.
     *
     * @param array{id: int} $fields
     * @return array{success: true, apiKey: ApiKeyShape}
     */
    public function revokeApiKey(array $fields): array
    {
        return $this->call('revokeApiKey', $fields);
    }

    /**
     * Replace an API key; the old one stays valid for `overlapHours`.
     *
     * @param array{id: int, overlapHours?: int} $fields
     * @return array{success: true, apiKey: ApiKeyShape, key: string}
     */
    public function rotateApiKey(array $fields): array
    {
        return $this->call('rotateApiKey', $fields);
    }

    /**
     * Check the sign-in that an agent requests, for the authorization page.
     *
     * @param ReviewAgentSignInShape $fields
     * @return array{success: true, agent: RequestingAgentShape, refusalUrl: string}
     */
    public function reviewAgentSignIn(array $fields): array
    {
        return $this->call('reviewAgentSignIn', $fields);
    }

    /**
     * Allow the sign-in of an agent: returns where the browser goes with a code for a key with walls.
     *
     * @param GrantAgentSignInShape $fields
     * @return array{success: true, redirectUrl: string}
     */
    public function grantAgentSignIn(array $fields): array
    {
        return $this->call('grantAgentSignIn', $fields);
    }

    /**
     * List what keys did, newest first.
     *
     * @param array{keyId?: int, page?: int, limit?: int} $fields
     * @return array{success: true, count: int, page: int, limit: int, hasMore: bool, entries: list<AuditEntryShape>}
     */
    public function listAudit(array $fields = []): array
    {
        return $this->call('listAudit', $fields);
    }

    /**
     * List what keys did, newest first: every item of every page.
     *
     * @param array{keyId?: int, page?: int, limit?: int} $fields
     * @return \Generator<int, AuditEntryShape>
     */
    public function iterateAudit(array $fields = []): \Generator
    {
        return $this->pages('listAudit', $fields);
    }

    /**
     * Create a webhook, or update one by its id.
     *
     * @param SaveWebhookShape $fields
     * @return array{success: true, webhook: WebhookShape}
     */
    public function saveWebhook(array $fields): array
    {
        return $this->call('saveWebhook', $fields);
    }

    /**
     * List webhooks with masked secrets.
     *
     * @param array{instanceName?: string} $fields
     * @return array{success: true, count: int, webhooks: list<WebhookShape>}
     */
    public function listWebhooks(array $fields = []): array
    {
        return $this->call('listWebhooks', $fields);
    }

    /**
     * Get a webhook with its secret masked.
     *
     * @param array{id: int} $fields
     * @return array{success: true, webhook: WebhookShape}
     */
    public function getWebhook(array $fields): array
    {
        return $this->call('getWebhook', $fields);
    }

    /**
     * Delete a webhook.
     *
     * @param array{id: int} $fields
     * @return array{success: true, id: int}
     */
    public function deleteWebhook(array $fields): array
    {
        return $this->call('deleteWebhook', $fields);
    }

    /**
     * Replace the secret of a webhook and return the new one.
     *
     * @param array{id: int, overlapHours?: int} $fields
     * @return array{success: true, webhook: WebhookShape}
     */
    public function rotateWebhookSecret(array $fields): array
    {
        return $this->call('rotateWebhookSecret', $fields);
    }

    /**
     * Send a signed test event and return the response of the receiver.
     *
     * @param array{id: int} $fields
     * @return array{success: true, delivered: bool, attempt: DeliveryAttemptShape, request: array{headers: array<string, string>, body: string}}
     */
    public function testWebhook(array $fields): array
    {
        return $this->call('testWebhook', $fields);
    }

    /**
     * List the deliveries of a webhook with all attempts, newest event first.
     *
     * @param array{id: int, status?: 'pending'|'delivered'|'retrying'|'dead', page?: int, limit?: int} $fields
     * @return array{success: true, count: int, page: int, limit: int, hasMore: bool, deliveries: list<DeliveryShape>}
     */
    public function listDeliveries(array $fields): array
    {
        return $this->call('listDeliveries', $fields);
    }

    /**
     * List the deliveries of a webhook with all attempts, newest event first: every item of every page.
     *
     * @param array{id: int, status?: 'pending'|'delivered'|'retrying'|'dead', page?: int, limit?: int} $fields
     * @return \Generator<int, DeliveryShape>
     */
    public function iterateDeliveries(array $fields): \Generator
    {
        return $this->pages('listDeliveries', $fields);
    }

    /**
     * Get a delivery with its requests and responses.
     *
     * @param array{id: int, deliveryId: int} $fields
     * @return array{success: true, delivery: DeliveryDetailShape}
     */
    public function getDelivery(array $fields): array
    {
        return $this->call('getDelivery', $fields);
    }

    /**
     * Send a delivery again.
     *
     * @param array{id: int, deliveryId: int} $fields
     * @return array{success: true, delivery: DeliveryShape}
     */
    public function replayDelivery(array $fields): array
    {
        return $this->call('replayDelivery', $fields);
    }

    /**
     * Send all events since a given time again, in order.
     *
     * @param array{id: int, since: string} $fields
     * @return array{success: true, queued: int, complete: bool, until: string|null}
     */
    public function replayWebhook(array $fields): array
    {
        return $this->call('replayWebhook', $fields);
    }

    /**
     * Create a destination, or update one by its id.
     *
     * @param SaveDestinationShape $fields
     * @return array{success: true, destination: DestinationShape}
     */
    public function saveDestination(array $fields): array
    {
        return $this->call('saveDestination', $fields);
    }

    /**
     * List destinations.
     *
     * @param array{instanceName?: string} $fields
     * @return array{success: true, count: int, destinations: list<DestinationShape>}
     */
    public function listDestinations(array $fields = []): array
    {
        return $this->call('listDestinations', $fields);
    }

    /**
     * Get a destination.
     *
     * @param array{id: int} $fields
     * @return array{success: true, destination: DestinationShape}
     */
    public function getDestination(array $fields): array
    {
        return $this->call('getDestination', $fields);
    }

    /**
     * Delete a destination.
     *
     * @param array{id: int} $fields
     * @return array{success: true, id: int}
     */
    public function deleteDestination(array $fields): array
    {
        return $this->call('deleteDestination', $fields);
    }

    /**
     * Send a test message and return what the broker confirmed.
     *
     * @param array{id: int} $fields
     * @return array{success: true, delivered: bool, attempt: DeliveryAttemptShape, request: array{headers: array<string, string>, body: string}}
     */
    public function testDestination(array $fields): array
    {
        return $this->call('testDestination', $fields);
    }

    /**
     * List the deliveries of a destination with all attempts, newest event first.
     *
     * @param array{id: int, status?: 'pending'|'delivered'|'retrying'|'dead', page?: int, limit?: int} $fields
     * @return array{success: true, count: int, page: int, limit: int, hasMore: bool, deliveries: list<DeliveryShape>}
     */
    public function listDestinationDeliveries(array $fields): array
    {
        return $this->call('listDestinationDeliveries', $fields);
    }

    /**
     * List the deliveries of a destination with all attempts, newest event first: every item of every page.
     *
     * @param array{id: int, status?: 'pending'|'delivered'|'retrying'|'dead', page?: int, limit?: int} $fields
     * @return \Generator<int, DeliveryShape>
     */
    public function iterateDestinationDeliveries(array $fields): \Generator
    {
        return $this->pages('listDestinationDeliveries', $fields);
    }

    /**
     * Get a delivery with its messages and confirmations.
     *
     * @param array{id: int, deliveryId: int} $fields
     * @return array{success: true, delivery: DeliveryDetailShape}
     */
    public function getDestinationDelivery(array $fields): array
    {
        return $this->call('getDestinationDelivery', $fields);
    }

    /**
     * Send a delivery again.
     *
     * @param array{id: int, deliveryId: int} $fields
     * @return array{success: true, delivery: DeliveryShape}
     */
    public function replayDestinationDelivery(array $fields): array
    {
        return $this->call('replayDestinationDelivery', $fields);
    }

    /**
     * Send all events since a given time again, in order.
     *
     * @param array{id: int, since: string} $fields
     * @return array{success: true, queued: int, complete: bool, until: string|null}
     */
    public function replayDestination(array $fields): array
    {
        return $this->call('replayDestination', $fields);
    }

    /**
     * Connect an instance with an inbox of Chatwoot, or change the connection.
     *
     * @param array{instanceName: string, url: string, accountId: int, token?: string, inboxName?: string, inboxId?: int, gatewayUrl?: string, enabled?: bool, signAgentNames?: bool, ignoreGroups?: bool, reopenConversation?: bool, conversationPending?: bool} $fields
     * @return array{success: true, bridge: ChatwootBridgeShape}
     */
    public function saveChatwoot(array $fields): array
    {
        return $this->call('saveChatwoot', $fields);
    }

    /**
     * Get the connection of an instance with Chatwoot.
     *
     * @param array{instanceName: string} $fields
     * @return array{success: true, bridge: ChatwootBridgeShape}
     */
    public function getChatwoot(array $fields): array
    {
        return $this->call('getChatwoot', $fields);
    }

    /**
     * Remove the connection of an instance with Chatwoot.
     *
     * @param array{instanceName: string} $fields
     * @return array{success: true}
     */
    public function deleteChatwoot(array $fields): array
    {
        return $this->call('deleteChatwoot', $fields);
    }

    /**
     * Hand stored messages over to Chatwoot, oldest first.
     *
     * @param array{instanceName: string, number?: string, groupJid?: string, chat?: string, days?: int, cursor?: string, limit?: int} $fields
     * @return array{success: true, pushed: int, next: string|null, failure: string|null}
     */
    public function pushChatwootHistory(array $fields): array
    {
        return $this->call('pushChatwootHistory', $fields);
    }

    /**
     * Read the event log from a cursor, oldest first, or backwards from its end.
     *
     * @param array{instanceName?: string, events?: string, after?: string, before?: string, limit?: int} $fields
     * @return array{success: true, count: int, hasMore: bool, next: string|null, events: list<EventShape>}
     */
    public function listEvents(array $fields = []): array
    {
        return $this->call('listEvents', $fields);
    }

    /**
     * Resume a held gateway: start sessions, sending and webhooks.
     *
     * @return array{success: true, resumed: bool}
     */
    public function adminResume(): array
    {
        return $this->call('adminResume', []);
    }

    /**
     * List the nodes on the database, and those that ended in the last 24 hours.
     *
     * @return array{success: true, untaken: int, nodes: list<NodeShape>}
     */
    public function adminListNodes(): array
    {
        return $this->call('adminListNodes', []);
    }

    /**
     * Drain a node: it hands over its instances and takes none.
     *
     * @param array{nodeId: int} $fields
     * @return array{success: true, node: NodeShape}
     */
    public function adminDrainNode(array $fields): array
    {
        return $this->call('adminDrainNode', $fields);
    }

    /**
     * Resume a draining node: it takes instances again.
     *
     * @param array{nodeId: int} $fields
     * @return array{success: true, node: NodeShape}
     */
    public function adminResumeNode(array $fields): array
    {
        return $this->call('adminResumeNode', $fields);
    }

    /**
     * List plans.
     *
     * @param array{page?: int, limit?: int} $fields
     * @return array{success: true, count: int, page: int, limit: int, hasMore: bool, plans: list<PlanShape>}
     */
    public function adminListPlans(array $fields = []): array
    {
        return $this->call('adminListPlans', $fields);
    }

    /**
     * List plans: every item of every page.
     *
     * @param array{page?: int, limit?: int} $fields
     * @return \Generator<int, PlanShape>
     */
    public function adminIteratePlans(array $fields = []): \Generator
    {
        return $this->pages('adminListPlans', $fields);
    }

    /**
     * Create a plan.
     *
     * @param CreatePlanShape $fields
     * @return array{success: true, plan: PlanShape}
     */
    public function adminCreatePlan(array $fields): array
    {
        return $this->call('adminCreatePlan', $fields);
    }

    /**
     * Get a plan.
     *
     * @param array{id: int} $fields
     * @return array{success: true, plan: PlanShape}
     */
    public function adminGetPlan(array $fields): array
    {
        return $this->call('adminGetPlan', $fields);
    }

    /**
     * Update a plan; omitted fields stay unchanged.
     *
     * @param array{id: int, name?: string, interval?: 'day'|'week'|'month'|'year', currency?: string, amount?: int, limits?: PlanLimitsShape, features?: array{ai: bool, flowBuilder: bool, campaigns: bool, templates: bool, voiceCalls: bool}, requestsPerSecond?: int|null} $fields
     * @return array{success: true, plan: PlanShape}
     */
    public function adminUpdatePlan(array $fields): array
    {
        return $this->call('adminUpdatePlan', $fields);
    }

    /**
     * Delete a plan that no account uses.
     *
     * @param array{id: int} $fields
     * @return array{success: true, id: int}
     */
    public function adminDeletePlan(array $fields): array
    {
        return $this->call('adminDeletePlan', $fields);
    }

    /**
     * List the instances of all accounts, newest first.
     *
     * @param array{page?: int, limit?: int, accountId?: int, state?: 'connecting'|'open'|'close', search?: string} $fields
     * @return array{success: true, count: int, page: int, limit: int, hasMore: bool, instances: list<OperatorInstanceShape>}
     */
    public function adminListInstances(array $fields = []): array
    {
        return $this->call('adminListInstances', $fields);
    }

    /**
     * List the instances of all accounts, newest first: every item of every page.
     *
     * @param array{page?: int, limit?: int, accountId?: int, state?: 'connecting'|'open'|'close', search?: string} $fields
     * @return \Generator<int, OperatorInstanceShape>
     */
    public function adminIterateInstances(array $fields = []): \Generator
    {
        return $this->pages('adminListInstances', $fields);
    }

    /**
     * Get counts of messages, deliveries and sessions of all accounts, or of one.
     *
     * @param array{range?: 'day'|'week'|'month', since?: string, until?: string, utcOffsetMinutes?: int, accountId?: int} $fields
     * @return OperatorStatisticsShape
     */
    public function adminGetStatistics(array $fields = []): array
    {
        return $this->call('adminGetStatistics', $fields);
    }

    /**
     * List accounts.
     *
     * @param array{page?: int, limit?: int} $fields
     * @return array{success: true, count: int, page: int, limit: int, hasMore: bool, accounts: list<AccountShape>}
     */
    public function adminListAccounts(array $fields = []): array
    {
        return $this->call('adminListAccounts', $fields);
    }

    /**
     * List accounts: every item of every page.
     *
     * @param array{page?: int, limit?: int} $fields
     * @return \Generator<int, AccountShape>
     */
    public function adminIterateAccounts(array $fields = []): \Generator
    {
        return $this->pages('adminListAccounts', $fields);
    }

    /**
     * Create an account and its first API key.
     *
     * @param CreateAccountShape $fields
     * @return array{success: true, account: AccountShape, key: string}
     */
    public function adminCreateAccount(array $fields): array
    {
        return $this->call('adminCreateAccount', $fields);
    }

    /**
     * Get an account.
     *
     * @param array{id: int} $fields
     * @return array{success: true, account: AccountShape}
     */
    public function adminGetAccount(array $fields): array
    {
        return $this->call('adminGetAccount', $fields);
    }

    /**
     * Rename an account.
     *
     * @param array{id: int, name: string} $fields
     * @return array{success: true, account: AccountShape}
     */
    public function adminUpdateAccount(array $fields): array
    {
        return $this->call('adminUpdateAccount', $fields);
    }

    /**
     * Delete an account that has no instances.
     *
     * @param array{id: int} $fields
     * @return array{success: true, id: int}
     */
    public function adminDeleteAccount(array $fields): array
    {
        return $this->call('adminDeleteAccount', $fields);
    }

    /**
     * Change the plan, status or dates of a subscription.
     *
     * @param array{id: int, planId?: int, status?: 'active'|'trialing'|'past_due'|'canceled'|'expired'|'pending', currentPeriodStart?: string, currentPeriodEnd?: string|null, trialEndsAt?: string|null, expiresAt?: string|null} $fields
     * @return array{success: true, account: AccountShape}
     */
    public function adminUpdateSubscription(array $fields): array
    {
        return $this->call('adminUpdateSubscription', $fields);
    }

    /**
     * List the users of an account.
     *
     * @param array{id: int, page?: int, limit?: int} $fields
     * @return array{success: true, count: int, page: int, limit: int, hasMore: bool, users: list<UserShape>}
     */
    public function adminListUsers(array $fields): array
    {
        return $this->call('adminListUsers', $fields);
    }

    /**
     * List the users of an account: every item of every page.
     *
     * @param array{id: int, page?: int, limit?: int} $fields
     * @return \Generator<int, UserShape>
     */
    public function adminIterateUsers(array $fields): \Generator
    {
        return $this->pages('adminListUsers', $fields);
    }

    /**
     * Add a user to an account.
     *
     * @param array{id: int, name: string, email: string} $fields
     * @return array{success: true, user: UserShape}
     */
    public function adminCreateUser(array $fields): array
    {
        return $this->call('adminCreateUser', $fields);
    }

    /**
     * Update a user; omitted fields stay unchanged.
     *
     * @param array{id: int, userId: int, name?: string, email?: string} $fields
     * @return array{success: true, user: UserShape}
     */
    public function adminUpdateUser(array $fields): array
    {
        return $this->call('adminUpdateUser', $fields);
    }

    /**
     * Remove a user.
     *
     * @param array{id: int, userId: int} $fields
     * @return array{success: true, id: int}
     */
    public function adminDeleteUser(array $fields): array
    {
        return $this->call('adminDeleteUser', $fields);
    }

    /**
     * List the API keys of an account.
     *
     * @param array{id: int} $fields
     * @return array{success: true, count: int, apiKeys: list<ApiKeyShape>}
     */
    public function adminListKeys(array $fields): array
    {
        return $this->call('adminListKeys', $fields);
    }

    /**
     * Create an API key for an account.
     *
     * @param array{id: int, name: string, scopes?: list<'send'|'instances'|'instances:use'|'instances:manage'|'contacts'|'webhooks'|'account'|'keys'|'images'|'sandbox'|'read'>, instances?: list<string>|null, chats?: list<string>|'wrote_first'|null, messagesPerDay?: int|null, approval?: bool, approvalOnPhone?: bool, expiresAt?: string|null} $fields
     * @return array{success: true, apiKey: ApiKeyShape, key: string}
     */
    public function adminCreateKey(array $fields): array
    {
        return $this->call('adminCreateKey', $fields);
    }

    /**
     * Revoke an API key of an account.
     *
     * @param array{id: int, keyId: int} $fields
     * @return array{success: true, apiKey: ApiKeyShape}
     */
    public function adminRevokeKey(array $fields): array
    {
        return $this->call('adminRevokeKey', $fields);
    }

    /**
     * Replace an API key of an account.
     *
     * @param array{id: int, keyId: int, overlapHours?: int} $fields
     * @return array{success: true, apiKey: ApiKeyShape, key: string}
     */
    public function adminRotateKey(array $fields): array
    {
        return $this->call('adminRotateKey', $fields);
    }

    /**
     * Check that the process is alive.
     *
     * @return array{status: 'ok', version: string, held: 'restored'|'sessions_off'|null}
     */
    public function healthz(): array
    {
        return $this->call('healthz', []);
    }

    /**
     * Check that the process can work: store and workers respond.
     *
     * @return array{status: 'ready', checks: array<string, 'ok'>, held: 'restored'|'sessions_off'|null, clock: array{state: 'steady'|'stepped'|'following', differenceMs: float}}
     */
    public function readyz(): array
    {
        return $this->call('readyz', []);
    }

    /**
     * Get metrics for Prometheus.
     *
     * @return FileContent
     */
    public function metrics(): FileContent
    {
        return $this->call('metrics', []);
    }

    /**
     * List the phones of the account.
     *
     * @return array{success: true, phones: list<SandboxPhoneShape>}
     */
    public function sandboxListPhones(): array
    {
        return $this->call('sandboxListPhones', []);
    }

    /**
     * Create a person with a phone, or rename one.
     *
     * @param array{number: string, name?: string} $fields
     * @return array{success: true, phone: SandboxPhoneShape}
     */
    public function sandboxCreatePhone(array $fields): array
    {
        return $this->call('sandboxCreatePhone', $fields);
    }

    /**
     * Get a phone with its linked devices.
     *
     * @param array{number: string} $fields
     * @return array{success: true, phone: SandboxPhoneShape}
     */
    public function sandboxGetPhone(array $fields): array
    {
        return $this->call('sandboxGetPhone', $fields);
    }

    /**
     * Change the profile and the privacy settings of a person.
     *
     * @param array{number: string, about?: string, privacy?: array{last?: 'all'|'contacts'|'contact_blacklist'|'none', online?: 'match_last_seen'|'all', profile?: 'all'|'contacts'|'contact_blacklist'|'none', status?: 'all'|'contacts'|'contact_blacklist'|'none', readreceipts?: 'all'|'none', groupadd?: 'all'|'contacts'|'contact_blacklist', calladd?: 'all'|'known', messages?: 'all'|'contacts'}, disappearingSeconds?: int, business?: array{description?: string, category?: string, address?: string, email?: string, website?: string}|null, hidesNumber?: bool, username?: string|null} $fields
     * @return array{success: true, phone: SandboxPhoneShape}
     */
    public function sandboxChangePhone(array $fields): array
    {
        return $this->call('sandboxChangePhone', $fields);
    }

    /**
     * Scan a login code with the phone.
     *
     * @param array{number: string, qr?: string, instanceName?: string} $fields
     * @return array{success: true, device: array{number: string, id: float}|null}
     */
    public function sandboxScan(array $fields): array
    {
        return $this->call('sandboxScan', $fields);
    }

    /**
     * Type a pairing code into the phone.
     *
     * @param array{number: string, code: string} $fields
     * @return array{success: true, device: array{number: string, id: float}|null}
     */
    public function sandboxEnterCode(array $fields): array
    {
        return $this->call('sandboxEnterCode', $fields);
    }

    /**
     * Save a contact in the address book of the phone.
     *
     * @param array{owner: string, number: string, name: string} $fields
     * @return array{success: true}
     */
    public function sandboxSaveContact(array $fields): array
    {
        return $this->call('sandboxSaveContact', $fields);
    }

    /**
     * Set or remove the profile picture.
     *
     * @param array{number: string, base64: string|null} $fields
     * @return array{success: true, phone: SandboxPhoneShape}
     */
    public function sandboxSetPicture(array $fields): array
    {
        return $this->call('sandboxSetPicture', $fields);
    }

    /**
     * Get the profile picture of the phone, or one that the phone sees.
     *
     * @param array{number: string, of?: string, id?: string} $fields
     * @return FileContent
     */
    public function sandboxGetPicture(array $fields): FileContent
    {
        return $this->call('sandboxGetPicture', $fields);
    }

    /**
     * Block a person on the phone, or end the blocking.
     *
     * @param array{owner: string, number: string, blocked?: bool} $fields
     * @return array{success: true, phone: SandboxPhoneShape}
     */
    public function sandboxBlock(array $fields): array
    {
        return $this->call('sandboxBlock', $fields);
    }

    /**
     * List the messages that the phone shows, oldest first.
     *
     * @param array{number: string, after?: string, chat?: string|'status@broadcast', limit?: int, from?: 'start'|'end', before?: string, waitMs?: int} $fields
     * @return array{success: true, messages: list<SandboxMessageShape>, cursor: float}
     */
    public function sandboxListMessages(array $fields): array
    {
        return $this->call('sandboxListMessages', $fields);
    }

    /**
     * Get a message, or wait until it is there and has the given status.
     *
     * @param array{number: string, id: string, status?: 'delivered'|'read'|'played', waitMs?: int} $fields
     * @return array{success: true, message: SandboxMessageShape}
     */
    public function sandboxGetMessage(array $fields): array
    {
        return $this->call('sandboxGetMessage', $fields);
    }

    /**
     * Get the decrypted media of a message.
     *
     * @param array{number: string, id: string, card?: string} $fields
     * @return FileContent
     */
    public function sandboxGetMedia(array $fields): FileContent
    {
        return $this->call('sandboxGetMedia', $fields);
    }

    /**
     * List the chats of the phone, latest first.
     *
     * @param array{number: string, page?: int, limit?: int} $fields
     * @return array{success: true, chats: list<array{chat: string, name: string, isGroup: bool, pictureId: string|null, unread: float, last: SandboxMessageShape|null, archived: bool, pinned: bool, mutedUntil: float|null, markedUnread: bool, disappearingSeconds: float, labels: list<string>}>, hasMore: bool}
     */
    public function sandboxListChats(array $fields): array
    {
        return $this->call('sandboxListChats', $fields);
    }

    /**
     * List the chats of the phone, latest first: every item of every page.
     *
     * @param array{number: string, page?: int, limit?: int} $fields
     * @return \Generator<int, array{chat: string, name: string, isGroup: bool, pictureId: string|null, unread: float, last: SandboxMessageShape|null, archived: bool, pinned: bool, mutedUntil: float|null, markedUnread: bool, disappearingSeconds: float, labels: list<string>}>
     */
    public function sandboxIterateChats(array $fields): \Generator
    {
        return $this->pages('sandboxListChats', $fields);
    }

    /**
     * Archive, pin, mute or mark a chat.
     *
     * @param array{number: string, chat: string, archived?: bool, pinned?: bool, mutedUntil?: int|null, unread?: bool} $fields
     * @return array{success: true}
     */
    public function sandboxChangeChat(array $fields): array
    {
        return $this->call('sandboxChangeChat', $fields);
    }

    /**
     * Delete a chat on the phone and its linked devices.
     *
     * @param array{number: string, chat: string} $fields
     * @return array{success: true}
     */
    public function sandboxDeleteChat(array $fields): array
    {
        return $this->call('sandboxDeleteChat', $fields);
    }

    /**
     * List the typing notifications that the phone received.
     *
     * @param array{number: string, after?: int, waitMs?: int} $fields
     * @return array{success: true, typing: list<array{seq: float, chat: string, from: string, state: 'typing'|'recording'|'paused', timestamp: float}>}
     */
    public function sandboxListTyping(array $fields): array
    {
        return $this->call('sandboxListTyping', $fields);
    }

    /**
     * Show typing or recording.
     *
     * @param array{number: string, chat: string, state?: 'typing'|'recording'|'paused'} $fields
     * @return array{success: true}
     */
    public function sandboxType(array $fields): array
    {
        return $this->call('sandboxType', $fields);
    }

    /**
     * Send a message from the phone to a number or a group.
     *
     * @param array{number: string, to: string, text?: string, media?: array{type: 'image'|'video'|'audio'|'document'|'sticker', base64: string, caption?: string, mimetype?: string, fileName?: string, voiceNote?: bool, videoNote?: bool, viewOnce?: bool, seconds?: int}, location?: array{latitude: float, longitude: float, name?: string, address?: string}, contact?: array{name: string, number: string}, poll?: array{name: string, options: list<string>, selectableCount?: int}, event?: array{name: string, description?: string, startsAt: string, endsAt?: string, place?: string, canceled?: bool}, order?: array{orderId: string, token?: string, itemCount: int, total: string, currency: string, title?: string, message?: string}, product?: array{productId: string, title: string, description?: string, price: string, currency: string, retailerId?: string, url?: string, message?: string}, album?: array{images?: int, videos?: int}, albumId?: string, quoted?: string, ad?: array{sourceId: string, ctwaClid?: string, sourceUrl?: string, sourceApp?: string, title?: string, body?: string}} $fields
     * @return array{success: true, messageId: string}
     */
    public function sandboxSend(array $fields): array
    {
        return $this->call('sandboxSend', $fields);
    }

    /**
     * Send a file from the phone; the request body is the file.
     *
     * @param array{number: string, to: string, type: 'image'|'video'|'audio'|'document'|'sticker', caption?: string, fileName?: string, voiceNote?: 'true'|'false', videoNote?: 'true'|'false', viewOnce?: 'true'|'false', seconds?: int, quoted?: string, file: string, contentType?: string} $fields
     * @return array{success: true, messageId: string}
     */
    public function sandboxSendMedia(array $fields): array
    {
        return $this->call('sandboxSendMedia', $fields);
    }

    /**
     * Send any message content of the protocol from the phone.
     *
     * @param array{number: string, to: string, content?: array<string, mixed>, protobuf?: string} $fields
     * @return array{success: true, messageId: string}
     */
    public function sandboxSendContent(array $fields): array
    {
        return $this->call('sandboxSendContent', $fields);
    }

    /**
     * Give the phone a passkey, and choose whether the network demands it before it links a device.
     *
     * @param array{number: string, demanded?: bool} $fields
     * @return array{success: true, phone: SandboxPhoneShape}
     */
    public function sandboxSetPasskey(array $fields): array
    {
        return $this->call('sandboxSetPasskey', $fields);
    }

    /**
     * Get the passkey of the phone with its private key, for the virtual authenticator of a browser.
     *
     * @param array{number: string} $fields
     * @return array{success: true, passkey: SandboxPasskeyShape}
     */
    public function sandboxGetPasskey(array $fields): array
    {
        return $this->call('sandboxGetPasskey', $fields);
    }

    /**
     * Sign with the passkey of the phone, as the browser of its owner would.
     *
     * @param array{number: string, options: array{challenge: string}, origin?: string} $fields
     * @return array{success: true, assertion: SandboxAssertionShape}
     */
    public function sandboxSignAssertion(array $fields): array
    {
        return $this->call('sandboxSignAssertion', $fields);
    }

    /**
     * Edit a message of the phone for everyone.
     *
     * @param array{number: string, messageId: string, text: string, plain?: bool} $fields
     * @return array{success: true, messageId: string}
     */
    public function sandboxEdit(array $fields): array
    {
        return $this->call('sandboxEdit', $fields);
    }

    /**
     * Delete a message for everyone: one that the phone sent, or as an admin any message of the group.
     *
     * @param array{number: string, messageId: string} $fields
     * @return array{success: true, messageId: string}
     */
    public function sandboxRemove(array $fields): array
    {
        return $this->call('sandboxRemove', $fields);
    }

    /**
     * Mark a chat or one message as read.
     *
     * @param array{number: string, chat: string|'status@broadcast', messageId?: string, played?: bool} $fields
     * @return array{success: true, messageIds: list<string>}
     */
    public function sandboxRead(array $fields): array
    {
        return $this->call('sandboxRead', $fields);
    }

    /**
     * Tap a reply button or pick a list row.
     *
     * @param array{number: string, messageId: string, buttonId?: string, rowId?: string} $fields
     * @return array{success: true, messageId: string}
     */
    public function sandboxTap(array $fields): array
    {
        return $this->call('sandboxTap', $fields);
    }

    /**
     * Vote in a poll.
     *
     * @param array{number: string, messageId: string, options: list<string>} $fields
     * @return array{success: true, messageId: string}
     */
    public function sandboxVote(array $fields): array
    {
        return $this->call('sandboxVote', $fields);
    }

    /**
     * React to a message; an empty emoji removes the reaction.
     *
     * @param array{number: string, messageId: string, emoji: string} $fields
     * @return array{success: true, messageId: string}
     */
    public function sandboxReact(array $fields): array
    {
        return $this->call('sandboxReact', $fields);
    }

    /**
     * Pin a message in its chat, or unpin it.
     *
     * @param array{number: string, messageId: string, seconds: int|null} $fields
     * @return array{success: true, messageId: string}
     */
    public function sandboxPin(array $fields): array
    {
        return $this->call('sandboxPin', $fields);
    }

    /**
     * Forward a message to another chat.
     *
     * @param array{number: string, messageId: string, to: string} $fields
     * @return array{success: true, messageId: string}
     */
    public function sandboxForward(array $fields): array
    {
        return $this->call('sandboxForward', $fields);
    }

    /**
     * Set how long the messages of a chat are kept.
     *
     * @param array{number: string, chat: string, seconds: 0|86400|604800|7776000} $fields
     * @return array{success: true}
     */
    public function sandboxSetDisappearing(array $fields): array
    {
        return $this->call('sandboxSetDisappearing', $fields);
    }

    /**
     * Open the app on the phone, or put the phone away.
     *
     * @param array{number: string, available: bool} $fields
     * @return array{success: true, phone: SandboxPhoneShape}
     */
    public function sandboxSetPresence(array $fields): array
    {
        return $this->call('sandboxSetPresence', $fields);
    }

    /**
     * Star a message, or remove the star.
     *
     * @param array{number: string, messageId: string, starred: bool} $fields
     * @return array{success: true}
     */
    public function sandboxStar(array $fields): array
    {
        return $this->call('sandboxStar', $fields);
    }

    /**
     * Delete a message on the phone and its linked devices only.
     *
     * @param array{number: string, messageId: string} $fields
     * @return array{success: true}
     */
    public function sandboxDeleteForMe(array $fields): array
    {
        return $this->call('sandboxDeleteForMe', $fields);
    }

    /**
     * List the labels of the phone.
     *
     * @param array{number: string} $fields
     * @return array{success: true, labels: list<array{id: string, name: string, color: float}>}
     */
    public function sandboxListLabels(array $fields): array
    {
        return $this->call('sandboxListLabels', $fields);
    }

    /**
     * Make a label on a business phone, or change one.
     *
     * @param array{number: string, labelId?: string, name: string, color?: int} $fields
     * @return array{success: true, labelId: string}
     */
    public function sandboxSaveLabel(array $fields): array
    {
        return $this->call('sandboxSaveLabel', $fields);
    }

    /**
     * Delete a label of the phone.
     *
     * @param array{number: string, labelId: string} $fields
     * @return array{success: true}
     */
    public function sandboxDeleteLabel(array $fields): array
    {
        return $this->call('sandboxDeleteLabel', $fields);
    }

    /**
     * Give a label to a chat on the phone, or take it away.
     *
     * @param array{number: string, chat: string, labelId: string, labeled?: bool} $fields
     * @return array{success: true}
     */
    public function sandboxLabelChat(array $fields): array
    {
        return $this->call('sandboxLabelChat', $fields);
    }

    /**
     * Remove the messages of a chat from the phone and its linked devices.
     *
     * @param array{number: string, chat: string, keepStarred?: bool} $fields
     * @return array{success: true}
     */
    public function sandboxClearChat(array $fields): array
    {
        return $this->call('sandboxClearChat', $fields);
    }

    /**
     * List the calls of the phone, or wait for one that fits.
     *
     * @param array{number: string, callId?: string, status?: 'ringing'|'answered'|'rejected'|'missed'|'ended', waitMs?: int} $fields
     * @return array{success: true, calls: list<SandboxCallShape>}
     */
    public function sandboxListCalls(array $fields): array
    {
        return $this->call('sandboxListCalls', $fields);
    }

    /**
     * Call a number with the phone.
     *
     * @param array{number: string, to: string, video?: bool} $fields
     * @return array{success: true, call: SandboxCallShape}
     */
    public function sandboxPlaceCall(array $fields): array
    {
        return $this->call('sandboxPlaceCall', $fields);
    }

    /**
     * Answer a call on the phone.
     *
     * @param array{number: string, callId: string} $fields
     * @return array{success: true, call: SandboxCallShape}
     */
    public function sandboxAnswerCall(array $fields): array
    {
        return $this->call('sandboxAnswerCall', $fields);
    }

    /**
     * End or reject a call on the phone.
     *
     * @param array{number: string, callId: string} $fields
     * @return array{success: true, call: SandboxCallShape}
     */
    public function sandboxHangUp(array $fields): array
    {
        return $this->call('sandboxHangUp', $fields);
    }

    /**
     * Post a status from the phone.
     *
     * @param array{number: string, text?: string, backgroundColor?: string, media?: array{type: 'image'|'video'|'audio'|'document'|'sticker', base64: string, caption?: string, mimetype?: string, fileName?: string, voiceNote?: bool, videoNote?: bool, viewOnce?: bool, seconds?: int}, to?: list<string>} $fields
     * @return array{success: true, messageId: string}
     */
    public function sandboxPostStatus(array $fields): array
    {
        return $this->call('sandboxPostStatus', $fields);
    }

    /**
     * Let the file of a message expire on the network; phones keep theirs.
     *
     * @param array{number: string, messageId: string} $fields
     * @return array{success: true}
     */
    public function sandboxExpireMedia(array $fields): array
    {
        return $this->call('sandboxExpireMedia', $fields);
    }

    /**
     * List the groups that the account created.
     *
     * @return array{success: true, groups: list<SandboxGroupShape>}
     */
    public function sandboxListGroups(): array
    {
        return $this->call('sandboxListGroups', []);
    }

    /**
     * Create a group.
     *
     * @param array{subject: string, members: list<string>, admin: string} $fields
     * @return array{success: true, group: SandboxGroupShape, outcomes: list<array{number: string, outcome: 'done'|'requested'|'blocked'|'must_be_invited'|'not_found'|'not_possible'|'already_a_member'}>}
     */
    public function sandboxCreateGroup(array $fields): array
    {
        return $this->call('sandboxCreateGroup', $fields);
    }

    /**
     * Get a group.
     *
     * @param array{jid: string} $fields
     * @return array{success: true, group: SandboxGroupShape}
     */
    public function sandboxGetGroup(array $fields): array
    {
        return $this->call('sandboxGetGroup', $fields);
    }

    /**
     * Change a group.
     *
     * @param array{jid: string, by?: string, subject?: string, description?: string, announcement?: bool, locked?: bool, joinApproval?: bool, memberAdd?: 'admins'|'all', disappearingSeconds?: int, pictureBase64?: string|null} $fields
     * @return array{success: true, group: SandboxGroupShape}
     */
    public function sandboxChangeGroup(array $fields): array
    {
        return $this->call('sandboxChangeGroup', $fields);
    }

    /**
     * List the groups that the phone is in, as the phone shows them.
     *
     * @param array{number: string} $fields
     * @return array{success: true, groups: list<SandboxGroupShape>}
     */
    public function sandboxListPhoneGroups(array $fields): array
    {
        return $this->call('sandboxListPhoneGroups', $fields);
    }

    /**
     * Add, remove, promote or demote members.
     *
     * @param array{jid: string, by?: string, change: 'add'|'remove'|'promote'|'demote', members: list<string>} $fields
     * @return array{success: true, group: SandboxGroupShape, outcomes: list<array{number: string, outcome: 'done'|'requested'|'blocked'|'must_be_invited'|'not_found'|'not_possible'|'already_a_member'}>}
     */
    public function sandboxChangeMembers(array $fields): array
    {
        return $this->call('sandboxChangeMembers', $fields);
    }

    /**
     * Leave a group with a phone.
     *
     * @param array{jid: string, number: string} $fields
     * @return array{success: true, group: SandboxGroupShape}
     */
    public function sandboxLeaveGroup(array $fields): array
    {
        return $this->call('sandboxLeaveGroup', $fields);
    }

    /**
     * Approve or reject requests to join a group.
     *
     * @param array{jid: string, by?: string, action: 'approve'|'reject', members: list<string>} $fields
     * @return array{success: true, group: SandboxGroupShape, outcomes: list<array{number: string, outcome: 'done'|'requested'|'blocked'|'must_be_invited'|'not_found'|'not_possible'|'already_a_member'}>}
     */
    public function sandboxAnswerRequests(array $fields): array
    {
        return $this->call('sandboxAnswerRequests', $fields);
    }

    /**
     * Send a personal invitation to people who are not in the group.
     *
     * @param array{jid: string, by?: string, members: list<string>, caption?: string} $fields
     * @return array{success: true, invitations: list<array{number: string, messageId: string}>}
     */
    public function sandboxInvite(array $fields): array
    {
        return $this->call('sandboxInvite', $fields);
    }

    /**
     * Replace the code of the invite link.
     *
     * @param array{jid: string, by?: string} $fields
     * @return array{success: true, group: SandboxGroupShape}
     */
    public function sandboxResetInvite(array $fields): array
    {
        return $this->call('sandboxResetInvite', $fields);
    }

    /**
     * Join a group with an invite code or with an invitation that the phone received.
     *
     * @param array{number: string, code?: string, messageId?: string} $fields
     * @return array{success: true, jid: string, outcome: 'joined'|'requested'}
     */
    public function sandboxJoinGroup(array $fields): array
    {
        return $this->call('sandboxJoinGroup', $fields);
    }

    /**
     * List the lasting faults of the account’s phones.
     *
     * @return array{success: true, faults: list<array{number: string, kind: string}>}
     */
    public function sandboxListFaults(): array
    {
        return $this->call('sandboxListFaults', []);
    }

    /**
     * Start a fault.
     *
     * @param array{number: string, kind: 'disconnect', code?: int}|array{number: string, kind: 'reject', code?: int, count?: int}|array{number: string, kind: 'refuse', code?: int, seconds?: int, count?: int}|array{number: string, kind: 'replace'}|array{number: string, kind: 'silent'}|array{number: string, kind: 'offline'}|array{number: string, kind: 'unlink'}|array{number: string, kind: 'linking', variant: 'options_missing'|'late_request'|'options_error'|'ref_error'|'prologue_error'|'continuation_withheld'|'second_request'|'nonce_error'|'pairing_request_error'|'drop_after_request'|'drop_at_options'|'drop_at_ref'|'drop_at_prologue'|'drop_before_continuation'|'drop_at_nonce'|'drop_at_pairing_request'|'registration_refresh'|'app_state_key_withheld'|'early_success'|'code_refused'|'code_refresh'|'code_refresh_by_owner'|'hello_without_key'}|array{number: string, kind: 'restrict', seconds?: int} $fields
     * @return array{success: true, faults: list<array{number: string, kind: string}>}
     */
    public function sandboxCreateFault(array $fields): array
    {
        return $this->call('sandboxCreateFault', $fields);
    }

    /**
     * End the faults of one number, or all.
     *
     * @param array{number?: string, kind?: 'reject'|'refuse'|'restrict'|'silent'|'offline'|'linking'} $fields
     * @return array{success: true, faults: list<array{number: string, kind: string}>}
     */
    public function sandboxClearFaults(array $fields = []): array
    {
        return $this->call('sandboxClearFaults', $fields);
    }

    /**
     * Put frames of any content on the wire to the linked devices of a phone.
     *
     * @param array{number: string, frames: list<array{as: 'hello', bytes: string}|array{as: 'socket', bytes: string}|array{as: 'frame', bytes: string}|array{as: 'stanza', bytes: string}|array{as: 'plaintext', from: string, bytes: string}|array{as: 'media', bytes: string}|array{as: 'patch', collection: string, bytes: string}|array{as: 'action', collection: string, index: list<string>, bytes: string}>} $fields
     * @return array{success: true, sent: float}
     */
    public function sandboxInjectFrames(array $fields): array
    {
        return $this->call('sandboxInjectFrames', $fields);
    }

    /**
     * Get the address of the network, its addressing mode and the versions of clients.
     *
     * @return array{success: true, wsUrl: string, rootPublicKey: string, addressing: 'pn'|'lid', minimumVersion: string|null, announcedVersion: string}
     */
    public function sandboxGetNetwork(): array
    {
        return $this->call('sandboxGetNetwork', []);
    }

    /**
     * Set the addressing mode of the network and the versions of clients, for every account.
     *
     * @param array{addressing?: 'pn'|'lid', minimumVersion?: string|null, announcedVersion?: string|null} $fields
     * @return array{success: true, wsUrl: string, rootPublicKey: string, addressing: 'pn'|'lid', minimumVersion: string|null, announcedVersion: string}
     */
    public function sandboxSetNetwork(array $fields = []): array
    {
        return $this->call('sandboxSetNetwork', $fields);
    }

    /**
     * List the changes of the account’s phones, groups and faults.
     *
     * @param array{after?: string, waitMs?: int} $fields
     * @return array{success: true, changes: list<array{about: 'messages', number: string, chat: string}|array{about: 'typing', number: string, chat: string, from: string, state: 'typing'|'recording'|'paused'}|array{about: 'calls', number: string}|array{about: 'world'}>, cursor: string, missed: bool}
     */
    public function sandboxListChanges(array $fields = []): array
    {
        return $this->call('sandboxListChanges', $fields);
    }

    /**
     * List the frames that were sent to and from the account’s phones.
     *
     * @param array{after?: int, id?: string, number?: string, tag?: 'message'|'receipt'|'ack'|'notification'|'call', limit?: int} $fields
     * @return array{success: true, frames: list<array{seq: float, atMs: float, direction: 'in'|'out', number: string, device: float, tag: string, id: string, attributes: array<string, string>}>}
     */
    public function sandboxListFrames(array $fields = []): array
    {
        return $this->call('sandboxListFrames', $fields);
    }
}
