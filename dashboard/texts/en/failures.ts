// Why a message failed, by reason.
import type { FailureReason } from '../../../src/contract/sending.ts'

export const failures = {
  networkCode: (code: number) => `network code ${code}`,
  reasons: {
    number_not_on_network: 'nobody on the network has this number',
    rejected_by_network: 'the network refused it',
    account_restricted: 'the network does not let this account start new chats right now',
    media_unavailable: 'the file could not be fetched',
    media_too_large: 'the file is too large',
    expired: 'it could not be sent within 24 hours',
    canceled: 'it was cancelled',
    instance_deleted: 'the instance was deleted',
    logged_out: 'the instance was logged out',
    internal: 'something went wrong inside',
  } satisfies Record<FailureReason, string>,
}
