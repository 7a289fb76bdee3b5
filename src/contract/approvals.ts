// Sends that a person approves: one of them with everything that the decision needs, its files, and the decision.
import { z } from 'zod'
import { plainText, success, timestamp } from './fields.ts'
import { mediaId } from './media.ts'
import { byInstance, byMessageId, Message, OneMessage } from './messages.ts'
import { endpoint } from './route.ts'

/** Messages of the chat that are shown with a send. */
export const RECENT_MESSAGES = 10

const ApprovalFile = z.object({
  field: z.string().meta({
    description:
      'The field of `content` that names the file; `forwardOf` for the file of a forwarded message',
    examples: ['mediaId', 'interactive.cards.0.header.mediaId'],
  }),
  mediaId: z.string().nullable().meta({ description: 'Null for the file of a forwarded message' }),
  mimetype: z.string().nullable().meta({ description: 'Null: not known before the file is read' }),
  sizeBytes: z.int().nullable(),
  fileName: z.string().nullable(),
  path: z.string().meta({
    description: 'Path of the file below `/api/v1`',
    examples: ['/messages/3EB0A1B2C3D4E5F60718/approval/files/media-4fzyo82mvyrQ0b1cT7n_xA'],
  }),
})

export const Approval = z
  .object({
    message: Message.meta({ description: 'All of the send, as it is stored' }),
    requestedAt: timestamp,
    version: z.int().meta({
      description:
        'Counts the changes of the send. The decision names it, so that only what was seen is approved',
    }),
    approveBy: timestamp.meta({ description: 'The send fails as `expired` if it was not approved by then' }),
    key: z
      .object({ id: z.int(), name: z.string().nullable() })
      .meta({ description: 'The key that sends; `name` is null if the key does not exist any more' }),
    chatName: z.string().nullable().meta({ description: 'Name of the person or group, if known' }),
    text: z
      .object({
        value: z.string(),
        field: z.string().meta({ description: 'The field of `content` that has the text' }),
        minLength: z.int(),
        maxLength: z.int(),
      })
      .nullable()
      .meta({
        description:
          'The text that `POST /messages/{messageId}/approve` can replace. Null: the send has none, or is forwarded as it was',
      }),
    files: z.array(ApprovalFile).meta({
      description: 'The files of the send that are stored, in the order of the content',
    }),
    target: Message.nullable().meta({
      description: 'The message that an `edit`, `delete`, `reaction` or `pin` changes; null for other types',
    }),
    recentMessages: z.array(Message).meta({
      description: `The last messages of the chat, up to ${RECENT_MESSAGES}, newest first, without those of which nothing was sent; none for a status post`,
    }),
  })
  .meta({ id: 'Approval' })

const common = { tag: 'Messages', params: byMessageId, query: byInstance('the waiting message') } as const
const REASONS = ['message_not_found', 'instance_not_found', 'message_not_awaiting_approval'] as const

export const getApproval = endpoint({
  ...common,
  summary: 'Get a send that waits for approval, with everything that the decision needs',
  description:
    'The whole send with its files, the key that sends, and the last messages of the chat. Keys with walls get 403: the answer contains ' +
    'what other keys have sent.',
  answer: z.object({ success, approval: Approval }),
  reasons: REASONS,
})

export const getApprovalFile = endpoint({
  ...common,
  summary: 'Download a file of a send that waits for approval',
  description:
    'The stored file that the recipient gets. Content and media type are untrusted. The limits of downloads are those of ' +
    '`GET /messages/{messageId}/media`.',
  params: byMessageId.extend({ mediaId: mediaId.meta({ description: '`mediaId` of one of the `files`' }) }),
  answer: { file: true, contentTypes: ['*/*'], description: 'The file, with its media type' },
  reasons: [...REASONS, 'media_not_found', 'too_many_downloads'],
})

export const approveMessage = endpoint({
  ...common,
  summary: 'Approve a send that waits for approval',
  description:
    'The message gets the status `queued`, or `scheduled` if its `sendAt` is later. Keys with walls cannot approve sends. A send is not ' +
    'approved any more 24 hours after the time at which it would have been sent, or after its `expiresAt`; then it fails as `expired`.',
  body: z
    .strictObject({
      version: z
        .int()
        .min(1)
        .max(1_000_000)
        .optional()
        .meta({ description: '`version` of the send as the person saw it; another one is refused' }),
      text: z
        .string()
        .max(65_536)
        .optional()
        .meta({
          description:
            'Replaces the text or caption of the send; empty removes a caption. The limits are those of `text` in the approval. Mentions stay, ' +
            'and a link preview stays if the first link is the same',
        }),
    })
    .default({})
    .meta({ id: 'ApproveSend', examples: [{ version: 1, text: 'Hello, your order has arrived.' }] }),
  answer: OneMessage,
  reasons: [...REASONS, 'approval_changed'],
})

export const rejectMessage = endpoint({
  ...common,
  summary: 'Reject a send that waits for approval',
  description:
    'The message fails with the reason `rejected`. Keys with walls cannot reject sends; they can cancel their own.',
  body: z
    .strictObject({
      reason: plainText(1, 200)
        .optional()
        .meta({ description: 'Why, for the program that sends; it becomes `failure.error`' }),
    })
    .default({})
    .meta({ id: 'RejectSend', examples: [{ reason: 'Please offer the discount first.' }] }),
  answer: OneMessage,
  reasons: REASONS,
})
