// One message of every kind, with what a phone should show. A kind without a sample is a type error.
import type { Client } from '../../../contract/client.ts'
import type { MessageKind } from '../../../contract/sending.ts'
import type { FileName } from './sample-files.ts'

export type SendRoute = Extract<keyof Client, `send${string}`>

export interface SampleParts {
  number: string
  /** The uploaded file of the sample; empty if it has none. */
  mediaId: string
  now: Date
  /** The id of the text that was sent first. */
  textId: string
}

export interface Sample {
  route: SendRoute
  /** Completes the sentence "The phone should show …". */
  shows: string
  file?: FileName
  body(parts: SampleParts): Record<string, unknown>
}

const HOUR_MS = 3_600_000
const replyButton = (buttonId: string, displayText: string) => ({ buttonId, buttonText: { displayText } })

const media = (type: 'image' | 'video' | 'document' | 'audio', shows: string, more: object = {}): Sample => ({
  route: 'sendMedia',
  shows,
  file: type,
  body: ({ mediaId }) => ({ type, mediaId, ...more }),
})

const KINDS: Record<MessageKind, Sample> = {
  text: {
    route: 'sendText',
    shows: 'a text with a bold word, an accent and an emoji',
    body: () => ({ message: 'Live check: *bold*, é, 👋' }),
  },
  image: media('image', 'a picture of a green ring with a caption', { message: 'A ring' }),
  video: media('video', 'a video of two seconds with a moving square', { message: 'A square' }),
  document: media('document', 'a PDF file that opens and has one line', { fileName: 'live-check.pdf' }),
  audio: media('audio', 'a voice message of two seconds that plays a tone'),
  album: {
    route: 'sendAlbum',
    shows: 'two pictures of a green ring as one album',
    file: 'image',
    body: ({ mediaId }) => ({ files: [{ mediaId, message: 'A ring' }, { mediaId }] }),
  },
  button: {
    route: 'sendButton',
    shows: 'a text with the buttons "Yes" and "No"',
    body: () => ({
      interactive: { body: 'Two buttons?', buttons: [replyButton('yes', 'Yes'), replyButton('no', 'No')] },
    }),
  },
  list: {
    route: 'sendList',
    shows: 'a text with a button that opens a list of two rows',
    body: () => ({
      interactive: {
        text: 'A list?',
        buttonText: 'Open',
        sections: [
          {
            title: 'Drinks',
            rows: [
              { rowId: 'coffee', title: 'Coffee' },
              { rowId: 'tea', title: 'Tea' },
            ],
          },
        ],
      },
    }),
  },
  cta: {
    route: 'sendCta',
    shows: 'a text with a button that opens a web page and one that calls a number',
    body: ({ number }) => ({
      interactive: {
        body: 'A link and a call?',
        buttons: [
          { urlButton: { displayText: 'Page', url: 'https://example.com' } },
          { callButton: { displayText: 'Call', phoneNumber: `+${number}` } },
        ],
      },
    }),
  },
  carousel: {
    route: 'sendCarousel',
    shows: 'two cards side by side, each with a picture and a button',
    file: 'image',
    body: ({ mediaId }) => ({
      interactive: {
        body: 'Two cards?',
        cards: ['One', 'Two'].map((name) => ({
          header: { mediaId },
          body: `Card ${name}`,
          buttons: [replyButton(name.toLowerCase(), name)],
        })),
      },
    }),
  },
  pix: {
    route: 'sendPix',
    shows:
      'a PIX key with the name "A shop" and a button that copies it (phones outside Brazil may show nothing)',
    body: () => ({
      merchantName: 'A shop',
      keyType: 'random',
      key: '123e4567-e89b-42d3-a456-426614174000',
    }),
  },
  location: {
    route: 'sendLocation',
    shows: 'a map with a title',
    body: () => ({ latitude: 48.8584, longitude: 2.2945, name: 'A tower' }),
  },
  poll: {
    route: 'sendPoll',
    shows: 'a poll with two options',
    body: () => ({ pollName: 'Which one?', options: ['First', 'Second'] }),
  },
  sticker: {
    route: 'sendSticker',
    shows: 'a sticker of a green ring, without a bubble around it',
    file: 'image',
    body: ({ mediaId }) => ({ mediaId }),
  },
  contact: {
    route: 'sendContact',
    shows: 'a contact card that opens the chat with your own number',
    body: ({ number }) => ({ contacts: [{ name: 'Live check', phone: number }] }),
  },
  event: {
    route: 'sendEvent',
    shows: 'an event in one hour, with a place',
    body: ({ now }) => ({
      name: 'Live check',
      startsAt: new Date(now.getTime() + HOUR_MS).toISOString(),
      place: 'Here',
    }),
  },
}

/** Forms that are not kinds of their own. */
const FORMS: Record<string, Sample> = {
  reply: {
    route: 'sendText',
    shows: 'a reply that quotes the first text',
    body: ({ textId }) => ({ message: 'A reply', ...(textId === '' ? {} : { quotedMessageId: textId }) }),
  },
  'view once': media('image', 'a picture that opens once', { viewOnce: true }),
  status: {
    route: 'sendStatus',
    shows: 'a status with a green background, if the recipient has saved the number of the instance',
    body: ({ number }) => ({ message: 'Live check', to: [number] }),
  },
}

export const SAMPLES: readonly (readonly [name: string, sample: Sample])[] = [
  ...Object.entries(KINDS),
  ...Object.entries(FORMS),
]
