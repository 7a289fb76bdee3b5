// The body of `POST /send/album`.
import { z } from 'zod'
import { mediaFileName } from './media.ts'
import {
  caption,
  hasOneCaption,
  hasOneSource,
  mediaSource,
  noDelay,
  ONE_CAPTION,
  ONE_SOURCE,
} from './message-bodies.ts'
import { sendBody } from './send-fields.ts'

/** As phones: an album of one file is that file. */
const MIN_FILES = 2
const MAX_FILES = 30

const albumFile = z
  .strictObject({
    type: z.enum(['image', 'video']).optional().meta({
      description:
        'If absent: by the type of the uploaded file, or by the ending of `fileName` or of `mediaUrl`',
    }),
    ...mediaSource,
    message: z.string().max(1024).optional().meta({ description: 'Caption' }),
    caption,
    fileName: mediaFileName.optional(),
  })
  .refine(hasOneCaption, ONE_CAPTION)
  .refine(hasOneSource, ONE_SOURCE)

export const AlbumBody = sendBody({
  files: z
    .array(albumFile)
    .min(MIN_FILES)
    .max(MAX_FILES)
    .meta({ description: `${MIN_FILES} to ${MAX_FILES} images and videos, in their order` }),
  delay: noDelay,
}).meta({
  id: 'SendAlbum',
  examples: [
    {
      instanceName: 'support-k3v9x2ma',
      number: '5511912345678',
      files: [
        { mediaUrl: 'https://example.com/front.jpg', message: 'Front' },
        { mediaUrl: 'https://example.com/back.jpg' },
      ],
    },
  ],
})
