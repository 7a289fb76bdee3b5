// What a phone can send besides text: a file, a location, a contact, a poll, an event, an order or a product.

import { useState } from 'react'
import type { CallerInput } from '../../../src/contract/route.ts'
import type { sandboxRoutes } from '../../../src/contract/sandbox.ts'
import { api } from '../../gateway/api.ts'
import { AreaField } from '../../ui/area-field.tsx'
import { Button } from '../../ui/button.tsx'
import fieldsCss from '../../ui/fields.module.css'
import { Form, TextField } from '../../ui/fields.tsx'
import { useTexts } from '../../ui/language.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { FileForm, type PhoneSending } from './file-form.tsx'
import { Glyph } from './glyph.tsx'
import { useAct } from './sandbox-queries.ts'
import sheetCss from './sheet.module.css'
import { Sheet } from './sheet.tsx'
import { phoneTexts } from './texts/phone-texts.ts'

type Content = Omit<CallerInput<(typeof sandboxRoutes)['sandboxSend']>['body'], 'to' | 'quoted'>
interface FormProps {
  send(content: Content): void
}

export function AttachSheet(props: PhoneSending & { onClose(): void }) {
  const { number, chat, quoted, onClose, onSent } = props
  const t = useTexts(phoneTexts)
  const act = useAct()
  const finish = () => {
    onClose()
    onSent()
  }
  const send = (content: Content) =>
    act(api.sandboxSend({ params: { number }, body: { to: chat, ...content, ...quoted } }), finish)
  return (
    <Sheet title={t.attach} onClose={onClose}>
      <Tabs
        label={t.attach}
        tabs={[
          { id: 'file', title: t.attachment.file, content: () => <FileForm {...props} onSent={finish} /> },
          { id: 'location', title: t.location, content: () => <LocationForm send={send} /> },
          { id: 'contact', title: t.kinds.contact, content: () => <ContactForm send={send} /> },
          { id: 'poll', title: t.kinds.poll, content: () => <PollForm send={send} /> },
          { id: 'event', title: t.kinds.event, content: () => <EventForm send={send} /> },
          { id: 'order', title: t.kinds.order, content: () => <OrderForm send={send} /> },
          { id: 'product', title: t.kinds.product, content: () => <ProductForm send={send} /> },
        ]}
      />
    </Sheet>
  )
}

function LocationForm({ send }: FormProps) {
  const t = useTexts(phoneTexts)
  const [latitude, setLatitude] = useState('-23.561')
  const [longitude, setLongitude] = useState('-46.656')
  const [name, setName] = useState('')
  const location = { latitude: Number(latitude), longitude: Number(longitude), ...(name ? { name } : {}) }
  return (
    <Form onSubmit={() => send({ location })}>
      <div className={sheetCss.pair}>
        <TextField label={t.latitude} value={latitude} onChange={setLatitude} inputMode="decimal" />
        <TextField label={t.longitude} value={longitude} onChange={setLongitude} inputMode="decimal" />
      </div>
      <TextField label={t.place} value={name} onChange={setName} />
      <Button kind="primary" submit>
        <Glyph name="pin" /> {t.sendLocation}
      </Button>
    </Form>
  )
}

function ContactForm({ send }: FormProps) {
  const t = useTexts(phoneTexts)
  const [name, setName] = useState('')
  const [number, setNumber] = useState('')
  return (
    <Form onSubmit={() => send({ contact: { name: name.trim(), number } })}>
      <TextField label={t.name} value={name} onChange={setName} maxLength={256} />
      <TextField
        label={t.number}
        hint={t.numberHint}
        value={number}
        onChange={setNumber}
        inputMode="tel"
        maxLength={40}
      />
      <Button kind="primary" submit disabled={name.trim() === '' || number.trim() === ''}>
        <Glyph name="person" /> {t.sendContact}
      </Button>
    </Form>
  )
}

/** The maximum of the network. */
const MOST_OPTIONS = 12

function PollForm({ send }: FormProps) {
  const t = useTexts(phoneTexts)
  const [name, setName] = useState('')
  const [lines, setLines] = useState('')
  const [isMany, setMany] = useState(false)
  const options = [...new Set(lines.split('\n').map((line) => line.trim()))].filter((line) => line !== '')
  const isComplete = name.trim() !== '' && options.length >= 2 && options.length <= MOST_OPTIONS
  return (
    <Form onSubmit={() => send({ poll: { name: name.trim(), options, selectableCount: isMany ? 0 : 1 } })}>
      <TextField label={t.question} value={name} onChange={setName} maxLength={255} />
      <AreaField label={t.pollOptions} rows={3} value={lines} onChange={setLines} />
      <label className={fieldsCss.check}>
        <input type="checkbox" checked={isMany} onChange={({ target }) => setMany(target.checked)} />
        {t.pollAny}
      </label>
      <Button kind="primary" submit disabled={!isComplete}>
        <Glyph name="list" /> {t.sendPoll}
      </Button>
    </Form>
  )
}

const AMOUNT = /^\d{1,12}(\.\d{1,3})?$/
const CURRENCY = /^[A-Z]{3}$/

function OrderForm({ send }: FormProps) {
  const t = useTexts(phoneTexts)
  const [orderId, setOrderId] = useState('')
  const [items, setItems] = useState('1')
  const [total, setTotal] = useState('49.90')
  const [currency, setCurrency] = useState('BRL')
  const [note, setNote] = useState('')
  const itemCount = Number(items)
  const isComplete =
    orderId.trim() !== '' &&
    Number.isInteger(itemCount) &&
    itemCount > 0 &&
    AMOUNT.test(total) &&
    CURRENCY.test(currency)
  const order = () => ({
    orderId: orderId.trim(),
    itemCount,
    total,
    currency,
    ...(note.trim() === '' ? {} : { message: note.trim() }),
  })
  return (
    <Form onSubmit={() => send({ order: order() })}>
      <TextField label={t.attachment.orderId} value={orderId} onChange={setOrderId} maxLength={128} />
      <TextField label={t.attachment.items} value={items} onChange={setItems} inputMode="numeric" />
      <div className={sheetCss.pair}>
        <TextField label={t.attachment.total} value={total} onChange={setTotal} inputMode="decimal" />
        <TextField label={t.attachment.currency} value={currency} onChange={setCurrency} maxLength={3} />
      </div>
      <AreaField label={t.attachment.note} value={note} onChange={setNote} maxLength={4096} />
      <Button kind="primary" submit disabled={!isComplete}>
        <Glyph name="list" /> {t.attachment.sendOrder}
      </Button>
    </Form>
  )
}

function ProductForm({ send }: FormProps) {
  const t = useTexts(phoneTexts)
  const [title, setTitle] = useState('')
  const [price, setPrice] = useState('49.90')
  const [currency, setCurrency] = useState('BRL')
  const [note, setNote] = useState('')
  const isComplete = title.trim() !== '' && AMOUNT.test(price) && CURRENCY.test(currency)
  const product = () => ({
    productId: title.trim().slice(0, 128),
    title: title.trim(),
    price,
    currency,
    ...(note.trim() === '' ? {} : { message: note.trim() }),
  })
  return (
    <Form onSubmit={() => send({ product: product() })}>
      <TextField label={t.attachment.productName} value={title} onChange={setTitle} maxLength={256} />
      <div className={sheetCss.pair}>
        <TextField label={t.attachment.price} value={price} onChange={setPrice} inputMode="decimal" />
        <TextField label={t.attachment.currency} value={currency} onChange={setCurrency} maxLength={3} />
      </div>
      <AreaField label={t.attachment.note} value={note} onChange={setNote} maxLength={4096} />
      <Button kind="primary" submit disabled={!isComplete}>
        <Glyph name="list" /> {t.attachment.sendProduct}
      </Button>
    </Form>
  )
}

/** `datetime-local` has the time of the reader's clock without its zone. */
const localTime = (time: Date): string =>
  new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

const HOUR_MS = 3_600_000

function EventForm({ send }: FormProps) {
  const t = useTexts(phoneTexts)
  const [name, setName] = useState('')
  const [starts, setStarts] = useState(() => localTime(new Date(Date.now() + 24 * HOUR_MS)))
  const [ends, setEnds] = useState('')
  const [place, setPlace] = useState('')
  const [description, setDescription] = useState('')
  const event = () => ({
    name: name.trim(),
    startsAt: new Date(starts).toISOString(),
    ...(ends === '' ? {} : { endsAt: new Date(ends).toISOString() }),
    ...(place.trim() === '' ? {} : { place: place.trim() }),
    ...(description.trim() === '' ? {} : { description: description.trim() }),
  })
  return (
    <Form onSubmit={() => send({ event: event() })}>
      <TextField label={t.attachment.eventName} value={name} onChange={setName} maxLength={100} />
      <TextField type="datetime-local" label={t.attachment.starts} value={starts} onChange={setStarts} />
      <TextField type="datetime-local" label={t.attachment.ends} value={ends} onChange={setEnds} />
      <TextField label={t.place} value={place} onChange={setPlace} maxLength={1000} />
      <AreaField
        label={t.attachment.description}
        value={description}
        onChange={setDescription}
        maxLength={2048}
      />
      <Button kind="primary" submit disabled={name.trim() === '' || starts === ''}>
        <Glyph name="date" /> {t.attachment.sendEvent}
      </Button>
    </Form>
  )
}
