// The status of a message, and why it failed.
import type { FailureReason } from '../../../src/contract/sending.ts'

export const chat = {
  statuses: {
    awaiting_approval: 'Waits for approval',
    scheduled: 'Scheduled',
    queued: 'Queued',
    sending: 'Sending',
    sent: 'Sent',
    delivered: 'Delivered',
    read: 'Read',
    played: 'Played',
    failed: 'Failed',
  },
  networkCode: (code: number) => `network code ${code}`,
  failures: {
    number_not_on_network: 'this number is not on the network',
    not_a_group_member: 'the instance is not in this group, or the group does not exist',
    rejected_by_network: 'the network rejected it',
    account_restricted: 'the network does not allow this account to start new chats at the moment',
    media_unavailable: 'the file could not be downloaded',
    media_too_large: 'the file is too large',
    expired: 'it could not be sent in time',
    canceled: 'it was cancelled',
    rejected: 'it was rejected',
    instance_deleted: 'the instance was deleted',
    logged_out: 'the instance was logged out',
    target_not_sent: 'the message it refers to was not sent',
    target_deleted: 'the message it refers to was deleted',
    no_recipients: 'no person of its audience is on the network',
    internal: 'internal error',
  } satisfies Record<FailureReason, string>,
}
