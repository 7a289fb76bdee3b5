// Orders from a catalogue and shared products keep what a shop needs, whatever a stranger writes into them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { proto } from 'baileys'
import { ANA, GROUP, ME, receive } from '../../../test/support/wire-messages.ts'

const order: proto.Message.IOrderMessage = {
  orderId: '1189442939',
  token: 'AR4x8cVb1w==',
  itemCount: 3,
  message: 'Please without onions',
  orderTitle: 'Padaria Central',
  sellerJid: ME.jid,
  totalAmount1000: 149_900,
  totalCurrencyCode: 'BRL',
}

describe('an order', () => {
  test('has its id, token, items, total, seller and the words of the customer', () => {
    const { type, text, content } = receive({ orderMessage: order })
    assert.deepEqual([type, text], ['order', 'Please without onions'])
    assert.deepEqual(content, {
      orderId: '1189442939',
      token: 'AR4x8cVb1w==',
      itemCount: 3,
      total: '149.9',
      currency: 'BRL',
      title: 'Padaria Central',
      seller: ME.jid,
    })
  })

  test('names the seller by number, and quotes and mentions as every message does', () => {
    const contextInfo = {
      stanzaId: 'Q1',
      participant: ANA.lid,
      quotedMessage: { conversation: 'menu' },
      isForwarded: true,
    }
    const { content, quoted } = receive({ orderMessage: { ...order, sellerJid: ME.lid, contextInfo } })
    assert.equal(content.seller, ME.jid)
    assert.equal(content.forwarded, true)
    assert.deepEqual(quoted, { messageId: 'Q1', text: 'menu', participant: ANA.jid })
  })

  test('without anything has every field, as null', () => {
    const { type, text, content } = receive({ orderMessage: {} })
    assert.deepEqual([type, text], ['order', null])
    assert.deepEqual(content, {
      orderId: null,
      token: null,
      itemCount: null,
      total: null,
      currency: null,
      title: null,
      seller: null,
    })
  })

  test('has an exact total, also beyond the numbers that JSON keeps', () => {
    const totalOf = (totalAmount1000: number | bigint) => {
      const value = typeof totalAmount1000 === 'bigint' ? wireLong(totalAmount1000) : totalAmount1000
      return receive({ orderMessage: { totalAmount1000: value } }).content.total
    }
    assert.equal(totalOf(1), '0.001')
    assert.equal(totalOf(1000), '1')
    assert.equal(totalOf(12_340), '12.34')
    assert.equal(totalOf(9_007_199_254_740_993n), '9007199254740.993')
    assert.equal(totalOf(9_223_372_036_854_775_807n), '9223372036854775.807')
    assert.equal(totalOf(-1500), null, 'no order has a negative total')
  })

  test('of a stranger is bounded: what is too long is cut off or left out, and the message is marked', () => {
    const { content, text } = receive({
      orderMessage: {
        orderId: 'i'.repeat(5000),
        token: 't'.repeat(5000),
        message: 'm'.repeat(100_000),
        orderTitle: 'o'.repeat(5000),
        sellerJid: `${'9'.repeat(5000)}@s.whatsapp.net`,
        totalCurrencyCode: 'not a currency',
        itemCount: -4,
      },
    })
    assert.deepEqual(content, {
      orderId: null,
      token: null,
      itemCount: null,
      total: null,
      currency: null,
      title: 'o'.repeat(2048),
      seller: null,
      truncated: true,
    })
    assert.equal(text?.length, 65_536)
  })

  test('in a group, or as a disappearing message, is an order too', () => {
    const inGroup = receive({ orderMessage: order }, { chat: GROUP, participant: ANA.jid })
    assert.deepEqual([inGroup.type, inGroup.chat], ['order', GROUP])
    assert.equal(receive({ ephemeralMessage: { message: { orderMessage: order } } }).type, 'order')
  })
})

describe('a product', () => {
  test('has its id, title, price, the business and the words of the customer', () => {
    const { type, text, content } = receive({
      productMessage: {
        product: {
          productId: '6540',
          title: 'Shoe',
          description: 'Leather, black',
          currencyCode: 'USD',
          priceAmount1000: 49_990,
          salePriceAmount1000: 39_000,
          retailerId: 'SKU-7',
          url: 'https://shop.example/7',
        },
        businessOwnerJid: ME.lid,
        catalog: { title: 'Summer' },
        body: 'Is this available?',
        footer: 'Size 42',
      },
    })
    assert.deepEqual([type, text], ['product', 'Is this available?'])
    assert.deepEqual(content, {
      productId: '6540',
      title: 'Shoe',
      description: 'Leather, black',
      price: '49.99',
      salePrice: '39',
      currency: 'USD',
      retailerId: 'SKU-7',
      url: 'https://shop.example/7',
      business: ME.jid,
      catalog: 'Summer',
      footer: 'Size 42',
    })
  })

  test('is marked if one of its texts was cut off, and only then', () => {
    const contentOf = (product: proto.Message.ProductMessage.IProductSnapshot) =>
      receive({ productMessage: { product } }).content
    assert.equal('truncated' in contentOf({ description: 'd'.repeat(2048) }), false)
    const cut = contentOf({ description: 'd'.repeat(2049) })
    assert.deepEqual([cut.description, cut.truncated], ['d'.repeat(2048), true])
    assert.equal(contentOf({ url: `https://shop.example/${'x'.repeat(2048)}` }).truncated, true)
  })

  test('without anything has the fields of every product, as null', () => {
    const { type, text, content } = receive({ productMessage: {} })
    assert.deepEqual([type, text], ['product', null])
    assert.deepEqual(content, {
      productId: null,
      title: null,
      description: null,
      price: null,
      currency: null,
      retailerId: null,
      url: null,
      business: null,
    })
  })
})

test('a reply to an order or a product has its text', () => {
  const quotedText = (quotedMessage: proto.IMessage) =>
    receive({
      extendedTextMessage: {
        text: 'ok',
        contextInfo: { stanzaId: 'Q', participant: ANA.jid, quotedMessage },
      },
    }).quoted?.text
  assert.equal(quotedText({ orderMessage: order }), 'Please without onions')
  assert.equal(quotedText({ orderMessage: { orderTitle: 'Padaria' } }), 'Padaria')
  assert.equal(quotedText({ productMessage: { product: { title: 'Shoe' } } }), 'Shoe')
})

function wireLong(value: bigint): NonNullable<proto.Message.IOrderMessage['totalAmount1000']> {
  const low = Number(BigInt.asIntN(32, value))
  const high = Number(BigInt.asIntN(32, value >> 32n))
  const bytes = proto.Message.OrderMessage.fromObject({ totalAmount1000: { low, high, unsigned: false } })
  if (bytes.totalAmount1000 === null || bytes.totalAmount1000 === undefined) throw new Error('no value')
  return bytes.totalAmount1000
}
