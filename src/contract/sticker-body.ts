// The body of `POST /send/sticker`.
import { hasOneSource, mediaSource, noDelay, ONE_SOURCE } from './message-bodies.ts'
import { sendBody } from './send-fields.ts'

export const StickerBody = sendBody({ ...mediaSource, delay: noDelay })
  .refine(hasOneSource, ONE_SOURCE)
  .meta({
    id: 'SendSticker',
    examples: [
      {
        instanceName: 'support-k3v9x2ma',
        number: '5511912345678',
        mediaUrl: 'https://example.com/smile.webp',
      },
    ],
  })
