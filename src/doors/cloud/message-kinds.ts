// The simple kinds of messages: each content becomes the body of a send of this API.
import { z } from 'zod'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { invalidField } from '../../errors.ts'
import { optionalText, text } from './call.ts'
import { kind } from './kind.ts'

export const textKind = kind({
  content: z.object({ body: text, preview_url: z.boolean().nullish() }),
  fields: { message: 'body' },
  send: ({ use }, common, { body, preview_url: preview }) =>
    use('sendText', { body: { ...common, message: body, ...(preview && { linkPreview: true }) } }),
})

export const file = z.object({
  id: optionalText,
  link: optionalText,
  caption: optionalText,
  filename: optionalText,
})
export const FILE_NAMES = { mediaUrl: 'link', mediaId: 'id', message: 'caption', fileName: 'filename' }

/** A file is at a URL, or was uploaded before. */
export const sourceOf = ({ id, link }: Pick<z.output<typeof file>, 'id' | 'link'>) =>
  omitUndefined({ mediaId: id || undefined, mediaUrl: link || undefined })

export const mediaKind = (type: 'image' | 'video' | 'audio' | 'document') =>
  kind({
    content: file,
    fields: FILE_NAMES,
    send: ({ use }, common, content) =>
      use('sendMedia', {
        body: {
          ...common,
          type,
          ...sourceOf(content),
          ...omitUndefined({
            message: content.caption || undefined,
            fileName: content.filename || undefined,
          }),
        },
      }),
  })

export const stickerKind = kind({
  content: file,
  fields: FILE_NAMES,
  send: ({ use }, common, content) => use('sendSticker', { body: { ...common, ...sourceOf(content) } }),
})

export const locationKind = kind({
  content: z.object({
    latitude: z.coerce.number(),
    longitude: z.coerce.number(),
    name: optionalText,
    address: optionalText,
  }),
  fields: { latitude: 'latitude', longitude: 'longitude', name: 'name', address: 'address' },
  send: ({ use }, common, { latitude, longitude, name, address }) =>
    use('sendLocation', {
      body: {
        ...common,
        latitude,
        longitude,
        ...omitUndefined({ name: name || undefined, address: address || undefined }),
      },
    }),
})

const card = z.object({
  name: z.object({ formatted_name: optionalText, first_name: optionalText, last_name: optionalText }),
  phones: z.array(z.object({ phone: optionalText, wa_id: optionalText })).nullish(),
  emails: z.array(z.object({ email: optionalText })).nullish(),
  org: z.object({ company: optionalText }).nullish(),
})

/** A card of this API has one number and one e-mail address: the first ones. */
function cardOf({ name, phones, emails, org }: z.output<typeof card>, index: number) {
  const [phone] = phones ?? []
  const number = phone?.wa_id || phone?.phone
  if (!number) throw invalidField(`contacts.${index}.phones`, 'required: a card needs a number')
  const spoken = [name.first_name, name.last_name].filter(Boolean).join(' ')
  return {
    name: name.formatted_name || spoken,
    phone: number,
    ...omitUndefined({ organisation: org?.company || undefined, email: emails?.[0]?.email || undefined }),
  }
}

export const contactsKind = kind({
  content: z.array(card),
  fields: { contacts: '' },
  send: ({ use }, common, cards) => use('sendContact', { body: { ...common, contacts: cards.map(cardOf) } }),
})

/** An empty emoji withdraws the reaction. */
export const reactionKind = kind({
  content: z.object({ message_id: text, emoji: optionalText }),
  fields: { messageId: 'message_id', emoji: 'emoji' },
  send: ({ use, id }, _common, { message_id: messageId, emoji }) =>
    use('reactToMessage', { params: { messageId }, body: { instanceName: id, emoji: emoji || null } }),
})
