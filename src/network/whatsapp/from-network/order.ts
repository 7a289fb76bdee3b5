// An order from a catalogue, and a product that a person shares or asks about.
import type { JsonObject } from '../../message.ts'
import { type Resolve, resolveJid } from './people.ts'
import type { ReadKind } from './reading.ts'
import { countOf, present, textOrNull, type WireNumber } from './wire-values.ts'

/** A stranger writes these fields. Longer texts are cut off; a part of an id, a token or an address is of no use. */
const MAX_WORDS = 65_536
const MAX_TEXT = 2048
const MAX_OPAQUE = 1024
const MAX_JID = 128

export const readOrder: ReadKind = ({ orderMessage }, { resolve }) => {
  if (!orderMessage) return null
  const { orderId, token, itemCount, totalAmount1000, totalCurrencyCode, orderTitle, sellerJid } =
    orderMessage
  return {
    type: 'order',
    text: words(orderMessage.message),
    content: {
      orderId: opaque(orderId),
      token: opaque(token),
      itemCount: countOf(itemCount),
      ...money('total', totalAmount1000, totalCurrencyCode),
      title: text(orderTitle),
      seller: person(sellerJid, resolve),
    },
    contextInfo: orderMessage.contextInfo,
  }
}

export const readProduct: ReadKind = ({ productMessage }, { resolve }) => {
  if (!productMessage) return null
  const { product, businessOwnerJid, catalog, body, footer, contextInfo } = productMessage
  return {
    type: 'product',
    text: words(body),
    content: {
      productId: opaque(product?.productId),
      title: text(product?.title),
      description: text(product?.description),
      ...money('price', product?.priceAmount1000, product?.currencyCode),
      retailerId: opaque(product?.retailerId),
      url: opaque(product?.url, MAX_TEXT),
      business: person(businessOwnerJid, resolve),
      ...present({
        // The wire format does not distinguish a missing price from 0.
        salePrice:
          Number(product?.salePriceAmount1000 ?? 0) === 0 ? null : amount(product?.salePriceAmount1000),
        catalog: text(catalog?.title),
        footer: text(footer),
      }),
    },
    contextInfo,
  }
}

const cut = (value: string | null | undefined, most: number): string | null =>
  textOrNull(value?.slice(0, most).toWellFormed())
const words = (value: string | null | undefined) => cut(value, MAX_WORDS)
const text = (value: string | null | undefined) => cut(value, MAX_TEXT)

const opaque = (value: string | null | undefined, most = MAX_OPAQUE): string | null =>
  value && value.length <= most ? textOrNull(value) : null

function person(jid: string | null | undefined, resolve: Resolve): string | null {
  const known = opaque(jid, MAX_JID)
  return known === null ? null : resolveJid(known, resolve)
}

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
