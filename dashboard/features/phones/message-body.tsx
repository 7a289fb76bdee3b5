// The content of a message on a phone, by kind.

import { Avatar } from '../../chat/avatar.tsx'
import { FormattedText } from '../../chat/formatted-text.tsx'
import { addressOf, api } from '../../gateway/api.ts'
import { classNames } from '../../ui/class-names.ts'
import { useFormat, useTexts } from '../../ui/language.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { Glyph } from './glyph.tsx'
import css from './message-body.module.css'
import { PollBody } from './poll-body.tsx'
import { useAct, type WorldMessage } from './sandbox-queries.ts'
import { phoneTexts } from './texts/phone-texts.ts'

const EventBody = onDemand(async () => (await import('./rare-bodies.tsx')).EventBody)
const CatalogBody = onDemand(async () => (await import('./rare-bodies.tsx')).CatalogBody)
const InviteBody = onDemand(async () => (await import('./rare-bodies.tsx')).InviteBody)
const OnceBody = onDemand(async () => (await import('./rare-bodies.tsx')).OnceBody)

interface Props {
  number: string
  message: WorldMessage
}

export function MessageBody({ number, message }: Props) {
  const t = useTexts(phoneTexts)
  const { media, location, contacts, poll, event, order, product, groupInvite, interactive, text } = message
  if (media && !interactive) {
    const body = <MediaBody number={number} message={message} media={media} />
    return message.viewOnce ? <OnceBody>{body}</OnceBody> : body
  }
  if (location) return <LocationBody location={location} />
  if (contacts) return contacts.map((contact) => <ContactBody key={contact.vcard} {...contact} />)
  if (event) return <EventBody event={event} />
  if (order ?? product) return <CatalogBody message={message} />
  if (groupInvite) return <InviteBody number={number} message={message} invite={groupInvite} />
  if (poll) return <PollBody number={number} messageId={message.id} poll={poll} />
  if (interactive) {
    return (
      <>
        {media ? <MediaBody number={number} message={message} media={media} /> : null}
        {interactive.title ? <strong className={css.bubbleTitle}>{interactive.title}</strong> : null}
        {interactive.body ? <Words text={interactive.body} /> : null}
        {interactive.footer ? <span className={css.bubbleFooter}>{interactive.footer}</span> : null}
      </>
    )
  }
  if (text === null) return <em className="muted">{t.unknownKind(message.kind)}</em>
  return (
    <>
      {message.preview ? <PreviewCard preview={message.preview} /> : null}
      <Words text={text} />
    </>
  )
}

const Words = ({ text }: { text: string }) => (
  <span className={css.words}>
    <FormattedText text={text} />
  </span>
)

/** The card below which a text with a link is shown. It opens nothing: the link in the text does. */
const PreviewCard = ({ preview }: { preview: NonNullable<WorldMessage['preview']> }) => (
  <div className={css.previewCard}>
    <strong>{preview.title}</strong>
    {preview.description ? <span className="small">{preview.description}</span> : null}
    <span className="small">{URL.parse(preview.url)?.host ?? preview.url}</span>
  </div>
)

type Media = NonNullable<WorldMessage['media']>

function MediaBody({ number, message, media }: Props & { media: Media }) {
  const t = useTexts(phoneTexts)
  const address = addressOf('sandboxGetMedia', { params: { number, id: message.id } })
  const caption = media.caption ? <Words text={media.caption} /> : null
  switch (media.type) {
    case 'image':
    case 'sticker':
      return (
        <>
          <img
            className={classNames(css.phonePicture, media.type === 'sticker' && css.sticker)}
            src={address}
            alt={media.caption ?? t.kinds[media.type]}
            loading="lazy"
          />
          {caption}
        </>
      )
    case 'video':
      return (
        <>
          {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- what people send each other has none */}
          <video
            className={classNames(css.phonePicture, media.videoNote && css.round)}
            src={address}
            controls
            preload="metadata"
            aria-label={t.kinds.video}
          />
          {caption}
        </>
      )
    case 'audio':
      return <Sound number={number} message={message} media={media} address={address} />
    case 'document':
      return (
        <>
          <FileLink media={media} address={address} />
          {caption}
        </>
      )
  }
}

function Sound({ number, message, media, address }: Props & { media: Media; address: string }) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const label = media.voiceNote ? t.kinds.voice : t.kinds.audio
  return (
    <div className={css.sound}>
      <span className="small">{label}</span>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- what people send each other has none */}
      <audio
        src={address}
        controls
        preload="metadata"
        aria-label={label}
        onPlay={() => {
          if (message.fromMe || message.status === 'played') return
          const body = { chat: message.chat, messageId: message.id, played: true }
          act(api.sandboxRead({ params: { number }, body }))
        }}
      />
    </div>
  )
}

function FileLink({ media, address }: { media: Media; address: string }) {
  const t = useTexts(phoneTexts)
  const format = useFormat()
  const name = media.fileName ?? t.kinds.document
  return (
    <a className={css.phoneFile} href={address} download={name}>
      <Glyph name="file" />
      <span>
        <strong>
          <span className="sr-only">{t.download} </span>
          {name}
        </strong>
        <small>
          {format.number(Math.ceil(media.sizeBytes / 1024))} kB · {media.mimetype}
        </small>
      </span>
    </a>
  )
}

function LocationBody({ location }: { location: NonNullable<WorldMessage['location']> }) {
  const { latitude, longitude, name, address } = location
  return (
    <div className={css.phonePlace}>
      <svg className={css.map} viewBox="0 0 240 120" aria-hidden="true">
        <path className={css.water} d="M0 92c40-22 66 8 110-6s70-34 130-22v56H0z" />
        <path className={css.street} d="M-5 40 245 18M40-5 70 125M120-5l10 130M200-5l-20 130M-5 70l250-26" />
        <path className={css.pin} d="M120 66s15-14 15-26a15 15 0 0 0-30 0c0 12 15 26 15 26" />
        <circle className={css.pinEye} cx="120" cy="40" r="5" />
      </svg>
      {name ? <strong>{name}</strong> : null}
      {address ? <span>{address}</span> : null}
      <span className="number small">
        {latitude}, {longitude}
      </span>
    </div>
  )
}

function ContactBody({ name, vcard }: { name: string; vcard: string }) {
  const number = /waid=(\d+)/.exec(vcard)?.[1] ?? /TEL[^:\n]*:\s*\+?([\d ()-]+)/.exec(vcard)?.[1]
  return (
    <div className={css.contactCard}>
      <Avatar id={number ?? name} title={name} />
      <span>
        <strong>{name}</strong>
        {number ? <span className="number small">+{number}</span> : null}
      </span>
    </div>
  )
}
