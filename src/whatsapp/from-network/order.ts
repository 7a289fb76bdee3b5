// An order from a catalogue, and a product that a person shares or asks about.
import type { JsonObject } from '../../network/message.ts'
import { type Resolve, resolveJid } from './people.ts'
import { markCut, type Reading, type ReadKind } from './reading.ts'
import { countOf, present, textOrNull, type WireNumber } from './wire-values.ts'

/** A stranger writes these fields. Longer texts are cut off; a part of an id, a token or an address is of no use. Both are marked. */
const MAX_WORDS = 65_536
const MAX_TEXT = 2048
const MAX_OPAQUE = 1024
const MAX_JID = 128

export const readOrder: ReadKind = ({ orderMessage }, { resolve }) => {
  if (!orderMessage) return null
  const { orderId, token, itemCount, totalAmount1000, totalCurrencyCode, orderTitle, sellerJid } =
    orderMessage
  const { text, opaque, mark } = boundedTexts()
  return mark({
    type: 'order',
    text: text(orderMessage.message, MAX_WORDS),
    content: {
      orderId: opaque(orderId),
      token: opaque(token),
      itemCount: countOf(itemCount),
      ...money('total', totalAmount1000, totalCurrencyCode),
      title: text(orderTitle),
      seller: person(opaque(sellerJid, MAX_JID), resolve),
    },
    contextInfo: orderMessage.contextInfo,
  })
}

export const readProduct: ReadKind = ({ productMessage }, { resolve }) => {
  if (!productMessage) return null
  const { product, businessOwnerJid, catalog, body, footer, contextInfo } = productMessage
  const { text, opaque, mark } = boundedTexts()
  return mark({
    type: 'product',
    text: text(body, MAX_WORDS),
    content: {
      productId: opaque(product?.productId),
      title: text(product?.title),
      description: text(product?.description),
      ...money('price', product?.priceAmount1000, product?.currencyCode),
      retailerId: opaque(product?.retailerId),
      url: opaque(product?.url, MAX_TEXT),
      business: person(opaque(businessOwnerJid, MAX_JID), resolve),
      ...present({
        // The wire format does not distinguish a missing price from 0.
        salePrice:
          Number(product?.salePriceAmount1000 ?? 0) === 0 ? null : amount(product?.salePriceAmount1000),
        catalog: text(catalog?.title),
        footer: text(footer),
      }),
    },
    contextInfo,
  })
}

type Text = string | null | undefined

/** Reads the texts of one message, and remembers whether one of them was over its bound. */
function boundedTexts() {
  let truncated = false
  const fits = (value: Text, most: number): boolean => {
    const isWithin = (value?.length ?? 0) <= most
    if (!isWithin) truncated = true
    return isWithin
  }
  return {
    text: (value: Text, most = MAX_TEXT) =>
      textOrNull(fits(value, most) ? value : value?.slice(0, most).toWellFormed()),
    opaque: (value: Text, most = MAX_OPAQUE) => (fits(value, most) ? textOrNull(value) : null),
    mark: (reading: Reading) => markCut(reading, { truncated }),
  }
}

const person = (jid: string | null, resolve: Resolve): string | null =>
  jid === null ? null : resolveJid(jid, resolve)

function money(name: string, thousandths: WireNumber, currency: string | null | undefined): JsonObject {
  const code = /^[A-Za-z]{3}$/.test(currency ?? '') ? (currency ?? '').toUpperCase() : null
  return { [name]: amount(thousandths), currency: code }
}

const THOUSAND = 1000n

/** Thousandths as an exact decimal number, such as `49.9`; null: missing, or not an amount. */
function amount(thousandths: WireNumber): string | null {
  const value = wholeOf(thousandths)
  if (value === null || value < 0n) return null
  const fraction = String(value % THOUSAND)
    .padStart(3, '0')
    .replace(/0+$/, '')
  return fraction === '' ? String(value / THOUSAND) : `${value / THOUSAND}.${fraction}`
}

/** Exactly: a Long may be greater than the numbers that JavaScript keeps. */
function wholeOf(value: WireNumber): bigint | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'object') {
    const { low, high } = value
    return (BigInt(high) << 32n) + BigInt(low >>> 0)
  }
  return /^-?\d{1,20}$/.test(String(value)) ? BigInt(value) : null
}
