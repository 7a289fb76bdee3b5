// Sends of the dialect: each body becomes the body of a send of this API.
import { z } from 'zod'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { STATUS_FONTS } from '../../contract/status-body.ts'
import { invalidField } from '../../errors.ts'
import { personOf } from './addresses.ts'
import { call, looseFlag, messageKey, optionalText, text, wholeNumber } from './call.ts'
import { requireMedia } from './files.ts'
import { common, commonOf, NAMES, send, sentMessage } from './send.ts'

export const sendText = call({
  admission: 'sendText',
  status: 201,
  body: z.object({ ...common, text }),
  fields: { ...NAMES, message: 'text' },
  handle: (context, { body }) =>
    send(
      context,
      'sendText',
      { ...commonOf(context, body), message: body.text, ...(body.linkPreview && { linkPreview: true }) },
      body.quoted,
    ),
})

const MEDIA_NAMES = {
  ...NAMES,
  type: 'mediatype',
  message: 'caption',
  mediaUrl: 'media',
  'Content-Type': 'mimetype',
}

export const sendMedia = call({
  admission: 'sendMedia',
  status: 201,
  fileField: 'media',
  body: z.object({
    ...common,
    mediatype: z.enum(['image', 'document', 'video', 'audio']),
    media: optionalText,
    mimetype: optionalText,
    caption: optionalText,
    fileName: optionalText,
    gifPlayback: looseFlag.nullish(),
  }),
  fields: MEDIA_NAMES,
  async handle(context, { body }) {
    const { mediatype, media, mimetype, fileName } = body
    const file = await requireMedia(context, { field: 'media', value: media, mimetype, fileName })
    return send(
      context,
      'sendMedia',
      {
        ...commonOf(context, body),
        type: mediatype,
        ...file,
        ...omitUndefined({
          message: body.caption ?? undefined,
          // The bytes of an image show its type, and clients give the same one for all.
          mimetype: mediatype === 'image' ? undefined : mimetype || undefined,
          fileName: fileName || undefined,
        }),
      },
      body.quoted,
    )
  },
})

/** A call whose only own field is a file. */
const fileCall = (field: 'audio' | 'video') =>
  call({
    admission: 'sendMedia',
    status: 201,
    fileField: field,
    body: z.object({ ...common, audio: optionalText, video: optionalText }),
    fields: { ...MEDIA_NAMES, mediaUrl: field },
    async handle(context, { body }) {
      const file = await requireMedia(context, { field, value: body[field] })
      return send(context, 'sendMedia', { ...commonOf(context, body), type: field, ...file }, body.quoted)
    },
  })

export const sendWhatsAppAudio = fileCall('audio')
/** This API has no video notes: they are sent as videos. */
export const sendPtv = fileCall('video')

export const sendSticker = call({
  admission: 'sendSticker',
  status: 201,
  fileField: 'sticker',
  body: z.object({ ...common, sticker: optionalText }),
  fields: { ...NAMES, mediaUrl: 'sticker' },
  async handle(context, { body }) {
    const file = await requireMedia(context, { field: 'sticker', value: body.sticker })
    return send(context, 'sendSticker', { ...commonOf(context, body), ...file }, body.quoted)
  },
})

export const sendLocation = call({
  admission: 'sendLocation',
  status: 201,
  body: z.object({
    ...common,
    latitude: z.coerce.number(),
    longitude: z.coerce.number(),
    name: text,
    address: text,
  }),
  fields: NAMES,
  handle: (context, { body }) =>
    send(
      context,
      'sendLocation',
      {
        ...commonOf(context, body),
        latitude: body.latitude,
        longitude: body.longitude,
        ...omitUndefined({ name: body.name || undefined, address: body.address || undefined }),
      },
      body.quoted,
    ),
})

const card = z.object({
  fullName: text,
  phoneNumber: text,
  wuid: optionalText,
  organization: optionalText,
  email: optionalText,
  url: optionalText,
})

export const sendContact = call({
  admission: 'sendContact',
  status: 201,
  body: z.object({ ...common, contact: z.array(card) }),
  fields: { ...NAMES, contacts: 'contact' },
  handle: (context, { body }) =>
    send(
      context,
      'sendContact',
      {
        ...commonOf(context, body),
        contacts: body.contact.map(({ fullName, phoneNumber, organization, email }) => ({
          name: fullName,
          phone: phoneNumber,
          ...omitUndefined({ organisation: organization || undefined, email: email || undefined }),
        })),
      },
      body.quoted,
    ),
})

export const sendReaction = call({
  admission: 'reactToMessage',
  status: 201,
  body: z.object({ key: messageKey, reaction: text }),
  fields: { messageId: 'key.id', emoji: 'reaction' },
  async handle(context, { body }) {
    const emoji = body.reaction === '' ? null : body.reaction
    const answer = await context.use('reactToMessage', {
      params: { messageId: body.key.id },
      body: { instanceName: context.instanceName, emoji },
    })
    return sentMessage(context, answer, { emoji, targetMessageId: body.key.id })
  },
})

export const sendPoll = call({
  admission: 'sendPoll',
  status: 201,
  body: z.object({
    ...common,
    name: text,
    selectableCount: wholeNumber.min(0).max(10),
    values: z.array(text),
  }),
  fields: { ...NAMES, pollName: 'name', options: 'values' },
  handle: (context, { body }) =>
    send(
      context,
      'sendPoll',
      {
        ...commonOf(context, body),
        pollName: body.name,
        options: body.values,
        // 0 stands for any number of options.
        selectableCount: body.selectableCount || body.values.length,
      },
      body.quoted,
    ),
})

export const sendStatus = call({
  admission: 'sendStatus',
  status: 201,
  fileField: 'content',
  body: z.object({
    type: z.enum(['text', 'image', 'audio', 'video']),
    content: optionalText,
    caption: optionalText,
    backgroundColor: optionalText,
    font: wholeNumber.min(0).max(5).nullish(),
    statusJidList: z.array(text).nullish(),
    allContacts: looseFlag.nullish(),
  }),
  fields: { message: 'content', mediaUrl: 'content', to: 'statusJidList' },
  async handle(context, { body }) {
    const { type, content, caption, allContacts, statusJidList } = body
    if (type === 'audio')
      throw invalidField('type', 'a status with audio is not available: expected text, image or video')
    if (!allContacts && !statusJidList?.length)
      throw invalidField('statusJidList', 'required unless allContacts is true')
    const { instanceName } = context
    const audience = allContacts ? {} : { to: (statusJidList ?? []).map(personOf) }
    if (type === 'text')
      return send(context, 'sendStatus', {
        instanceName,
        type,
        message: content ?? '',
        ...audience,
        ...styleOf(body),
      })
    const file = await requireMedia(context, { field: 'content', value: content })
    return send(context, 'sendStatus', {
      instanceName,
      type,
      ...file,
      ...audience,
      ...(caption && { message: caption }),
    })
  },
})

const styleOf = ({
  backgroundColor,
  font,
}: {
  backgroundColor?: string | null | undefined
  font?: number | null | undefined
}) =>
  omitUndefined({
    backgroundColor: backgroundColor || undefined,
    font: typeof font === 'number' ? STATUS_FONTS[font] : undefined,
  })
