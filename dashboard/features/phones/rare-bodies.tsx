// Contents of a bubble that are loaded only when a chat has them: an event, an order, a product, an invitation to a group, view-once media.

import { type ReactNode, useState } from 'react'
import { Avatar } from '../../chat/avatar.tsx'
import { api } from '../../gateway/api.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { useFormat, useTexts } from '../../ui/language.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { Glyph } from './glyph.tsx'
import css from './message-body.module.css'
import { useAct, type WorldMessage } from './sandbox-queries.ts'
import { phoneTexts } from './texts/phone-texts.ts'
import { isOver } from './timers.ts'

export function EventBody({ event }: { event: NonNullable<WorldMessage['event']> }) {
  const t = useTexts(phoneTexts)
  const format = useFormat()
  return (
    <div className={css.eventCard}>
      <strong>
        <Glyph name="date" /> {event.name}
      </strong>
      {event.canceled ? <Badge tone="bad">{t.attachment.canceled}</Badge> : null}
      <span className="small">
        {format.dateTime(event.startsAt)}
        {event.endsAt ? ` – ${format.dateTime(event.endsAt)}` : null}
      </span>
      {event.place ? (
        <span className="small">
          <Glyph name="pin" /> {event.place}
        </span>
      ) : null}
      {event.description ? <span className={css.words}>{event.description}</span> : null}
    </div>
  )
}

/** An order from a catalogue, or a product of one. */
export function CatalogBody({ message: { order, product, text } }: { message: WorldMessage }) {
  const t = useTexts(phoneTexts)
  const format = useFormat()
  const price = order ? order.total : (product?.price ?? '')
  const currency = (order ?? product)?.currency ?? null
  return (
    <div className={css.eventCard}>
      <strong>{(order ?? product)?.title || (order ? t.kinds.order : t.kinds.product)}</strong>
      <span className="small">
        {order ? `${order.itemCount} × · ` : null}
        {format.price(price, currency)}
      </span>
      {order ? <span className="small number">{order.orderId}</span> : null}
      {product?.description ? <span className={css.words}>{product.description}</span> : null}
      {text ? <span className={css.words}>{text}</span> : null}
    </div>
  )
}

interface InviteProps {
  number: string
  message: WorldMessage
  invite: NonNullable<WorldMessage['groupInvite']>
}

export function InviteBody({ number, message, invite }: InviteProps) {
  const t = useTexts(phoneTexts)
  const act = useAct()
  const toasts = useToasts()
  const isExpired = isOver(invite.expiresAt * 1000)
  const join = async () => {
    const { outcome } = await api.sandboxJoinGroup({ params: { number }, body: { messageId: message.id } })
    toasts.done(outcome === 'requested' ? t.group.outcomes.requested : t.group.outcomes.done)
  }
  return (
    <div className={css.eventCard}>
      <span className={css.contactCard}>
        <Avatar id={invite.jid} title={invite.subject} />
        <span>
          <strong>{invite.subject}</strong>
          <span className="small">{t.kinds.groupInvite}</span>
        </span>
      </span>
      {message.text ? <span className={css.words}>{message.text}</span> : null}
      {isExpired ? <span className="small">{t.group.expired}</span> : null}
      {message.fromMe || isExpired ? null : (
        <Button small aria-label={t.joinNamed(invite.subject)} onClick={() => act(join())}>
          {t.join}
        </Button>
      )}
    </div>
  )
}

/** The phone shows view-once media as often as it is opened, but never by itself. */
export function OnceBody({ children }: { children: ReactNode }) {
  const t = useTexts(phoneTexts)
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={css.once}>
      {isOpen ? <div>{children}</div> : null}
      <Button
        small
        kind="quiet"
        aria-label={isOpen ? t.act.hideOnce : t.act.openOnce}
        onClick={() => setOpen(!isOpen)}
      >
        <Glyph name="once" /> {isOpen ? t.act.hideOnce : t.act.viewOnce}
      </Button>
    </div>
  )
}
