// Sends one message of every kind, changes some of them, and asks what the phone shows.
import type { z } from 'zod'
import type { CallOptions, Client } from '../../../contract/client.ts'
import type { MessageKind, SendAnswer } from '../../../contract/sending.ts'
import { wallClock } from '../../../kernel/async/clock.ts'
import { type Check, type Section, SHOWN } from './findings.ts'
import { choice } from './interview.ts'
import { bytesOf, FILES, type FileName } from './sample-files.ts'
import { instanceOf, record, type Trial, until } from './trial.ts'

type Answer = z.output<typeof SendAnswer>
type Send = (input: { body: unknown }, options: CallOptions) => Promise<Answer>

const WAIT_SECONDS = 60
const DELIVERY_MS = 30_000
/** Typing before each message, as a person would need. */
const TYPING_MS = 1000

export async function sendEverything(trial: Trial): Promise<void> {
  for (const [name, sample] of SAMPLES) {
    const check = await sendAndFollow(trial, 'sending', name, () => sendSample(trial, sample))
    await askShown(trial, check, sample.shows)
  }
}

async function sendSample(trial: Trial, sample: Sample): Promise<Answer> {
  const { account, signal } = trial
  const { recipient, messageIds } = trial.private
  const body = sample.body({
    number: recipient,
    mediaId: sample.file === undefined ? '' : await upload(trial, sample.file),
    now: new Date(wallClock()),
    textId: messageIds.get('text') ?? '',
  })
  const send = account[sample.route] as unknown as Send
  // A status goes to a list of people.
  const to = sample.route === 'sendStatus' ? {} : { number: recipient, delay: TYPING_MS }
  return send(
    { body: { instanceName: instanceOf(trial), ...to, ...body } },
    { signal, waitSeconds: WAIT_SECONDS },
  )
}

async function upload({ account, signal }: Trial, name: FileName): Promise<string> {
  const file = { bytes: bytesOf(name), contentType: FILES[name].contentType }
  return (await account.uploadMedia({ file }, { signal })).mediaId
}

/** Sends a message and follows it until the phone has it. */
export const sendAndFollow = (
  trial: Trial,
  section: Section,
  name: string,
  send: () => Promise<Answer>,
): Promise<Check> => {
  trial.interview.say(`\nSending: ${name}`)
  return record(trial, section, name, async () => {
    const { messageId } = await send()
    trial.private.messageIds.set(name, messageId)
    const message = await untilDelivered(trial, messageId)
    const { failure, status, sentAt, deliveredAt, readAt, createdAt } = message
    if (failure) return { outcome: 'failed', reason: failure.reason, code: failure.code }
    if (sentAt === null) return { outcome: 'failed', reason: `still ${status}` }
    const since = (time: string | null) =>
      time === null ? undefined : Math.max(0, Date.parse(time) - Date.parse(createdAt))
    return { outcome: 'ok', sentMs: since(sentAt), deliveredMs: since(deliveredAt ?? readAt) }
  })
}

async function untilDelivered(trial: Trial, messageId: string) {
  const read = async () =>
    (
      await trial.account.getMessage(
        { params: { messageId }, query: { instanceName: instanceOf(trial) } },
        { signal: trial.signal },
      )
    ).message
  const settled = await until(trial, DELIVERY_MS, async () => {
    const message = await read()
    return message.failure || message.deliveredAt || message.readAt ? message : undefined
  })
  return settled ?? read()
}

async function askShown({ interview, findings }: Trial, check: Check, shows: string): Promise<void> {
  if (check.outcome !== 'ok') return
  interview.say(`The phone should show ${shows}.`)
  check.shown = {}
  for (const platform of findings.platforms) {
    const question = choice(`shown.${check.name}.${platform}`, `What does ${platform} show?`, SHOWN)
    check.shown[platform] = await interview.ask(question)
  }
}

interface Change {
  name: string
  /** The check whose message is changed. */
  of: string
  shows: string
  make(trial: Trial, messageId: string, options: CallOptions): Promise<Answer>
}

const CHANGES: readonly Change[] = [
  {
    name: 'edit',
    of: 'text',
    shows: 'the first text as "Edited", marked as edited',
    make: ({ account }, messageId, options) =>
      account.editMessage({ params: { messageId }, body: { message: 'Edited' } }, options),
  },
  {
    name: 'reaction',
    of: 'text',
    shows: 'a thumb on the first text',
    make: ({ account }, messageId, options) =>
      account.reactToMessage({ params: { messageId }, body: { emoji: '👍' } }, options),
  },
  {
    name: 'pin',
    of: 'image',
    shows: 'the picture pinned above the chat',
    make: ({ account }, messageId, options) =>
      account.pinMessage({ params: { messageId }, body: { seconds: 86_400 } }, options),
  },
  {
    name: 'delete',
    of: 'location',
    shows: 'the location as deleted',
    make: ({ account }, messageId, options) =>
      account.deleteMessage({ params: { messageId }, query: {} }, options),
  },
]

export async function changeMessages(trial: Trial): Promise<void> {
  const { findings, signal } = trial
  for (const { name, of, shows, make } of CHANGES) {
    const messageId = trial.private.messageIds.get(of)
    if (messageId === undefined) {
      findings.checks.push({ section: 'changes', name, outcome: 'skipped' })
      continue
    }
    const check = await sendAndFollow(trial, 'changes', name, () =>
      make(trial, messageId, { signal, waitSeconds: WAIT_SECONDS }),
    )
    await askShown(trial, check, shows)
  }
}

/** Proves that the connection works again. */
export const sendText = (trial: Trial, name: string): Promise<void> =>
  sendTextTo(trial, { number: trial.private.recipient }, 'connection', name)

export const sendTextTo = async (
  trial: Trial,
  to: { number: string } | { chat: string },
  section: Section,
  name: string,
): Promise<void> => {
  const body = {
    instanceName: instanceOf(trial),
    ...to,
    message: 'Live check: still here',
    delay: TYPING_MS,
  }
  await sendAndFollow(trial, section, name, () =>
    trial.account.sendText({ body }, { signal: trial.signal, waitSeconds: WAIT_SECONDS }),
  )
}

// One message of every kind, with what a phone should show. A kind without a sample is a type error.

type SendRoute = Extract<keyof Client, `send${string}`>

interface SampleParts {
  number: string
  /** The uploaded file of the sample; empty if it has none. */
  mediaId: string
  now: Date
  /** The id of the text that was sent first. */
  textId: string
}

interface Sample {
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

const SAMPLES: readonly (readonly [name: string, sample: Sample])[] = [
  ...Object.entries(KINDS),
  ...Object.entries(FORMS),
]
