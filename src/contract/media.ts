// Files to send: their limits, and the upload of a file before it is sent.
import { z } from 'zod'
import { plainText, success, timestamp } from './fields.ts'
import { MEDIA_LIMIT_BYTES } from './media-limits.ts'
import { endpoint } from './route.ts'

export { MEDIA_LIMIT_BYTES } from './media-limits.ts'

const MB = 1024 * 1024

/** How long new messages can use an uploaded file. */
export const UPLOAD_HOURS = 24
/** How much the uploaded files of an account may have together. */
export const UPLOAD_QUOTA_BYTES = 1024 * MB

export const mediaFileName = plainText(1, 255).refine((name) => !/[/\\]/.test(name), {
  error: 'must not contain / or \\',
})

export const mediaId = z
  .string()
  .regex(/^media-[\w-]{22}$/, { error: 'expected a mediaId from POST /media' })
  .meta({
    description: 'An uploaded file (`POST /media`), instead of `mediaUrl`',
    examples: ['media-4fzyo82mvyrQ0b1cT7n_xA'],
  })

export const uploadMedia = endpoint({
  tag: 'Sending',
  summary: 'Upload a file to send',
  description:
    'The body is the file itself, and `Content-Type` its media type; a form (`multipart/form-data`) is refused. The answer has a `mediaId`, which `POST /send/media`, ' +
    '`POST /send/sticker` the cards of `POST /send/carousel` and the headers of buttons take instead of a `mediaUrl`, for as many messages as wanted ' +
    `within ${UPLOAD_HOURS} hours. The file is stored encrypted. The uploaded files of an account may have ` +
    `${UPLOAD_QUOTA_BYTES / MB} MB together.`,
  query: z.strictObject({
    fileName: mediaFileName.optional().meta({
      description: 'Name of the file, shown with a document unless the send gives another one',
      examples: ['invoice.pdf'],
    }),
  }),
  upload: {
    maxBytes: MEDIA_LIMIT_BYTES.document,
    description: 'The file, of any media type; an image can be sent as `image` up to 16 MB',
  },
  answer: z
    .object({
      success,
      mediaId: z.string(),
      mimetype: z.string(),
      sizeBytes: z.int(),
      sha256: z.string().meta({ description: 'Of the file, in hex' }),
      expiresAt: timestamp,
    })
    .meta({
      id: 'UploadedMedia',
      examples: [
        {
          success: true,
          mediaId: 'media-4fzyo82mvyrQ0b1cT7n_xA',
          mimetype: 'application/pdf',
          sizeBytes: 48_213,
          sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
          expiresAt: '2026-02-01T12:00:00.000Z',
        },
      ],
    }),
  reasons: ['upload_space_full'],
})
