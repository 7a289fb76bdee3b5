import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { proto } from 'baileys'
import { receive } from '../../../test/support/wire-messages.ts'

const referral = (contextInfo: proto.IContextInfo) =>
  receive({ extendedTextMessage: { text: 'hi', contextInfo } }).content['referral']

describe('the advertisement that a message came from', () => {
  test('is part of the message, with the click, the conversion and the entry point', () => {
    const found = referral({
      externalAdReply: {
        title: 'Sale',
        body: 'Up to 50 %',
        mediaType: 2,
        thumbnailUrl: 'https://x.test/t.jpg',
        sourceType: 'ad',
        sourceId: '120210000000000000',
        sourceUrl: 'https://fb.me/abc',
        sourceApp: 'instagram',
        ctwaClid: 'ARB-click',
        ref: 'spring',
        originalImageUrl: 'https://x.test/o.jpg',
        greetingMessageBody: 'How can we help?',
        adType: 1,
      },
      conversionSource: 'FB_Ads',
      conversionData: Buffer.from('opaque'),
      conversionDelaySeconds: 7,
      entryPointConversionSource: 'ctwa_ad',
      entryPointConversionApp: 'instagram',
      entryPointConversionDelaySeconds: 9,
      entryPointConversionExternalSource: 'FB_Ads',
      entryPointConversionExternalMedium: 'feed',
      ctwaSignals: 'signals',
      ctwaPayload: Buffer.from('payload'),
    })
    assert.deepEqual(found, {
      sourceType: 'ad',
      sourceId: '120210000000000000',
      sourceUrl: 'https://fb.me/abc',
      sourceApp: 'instagram',
      ctwaClid: 'ARB-click',
      ref: 'spring',
      title: 'Sale',
      body: 'Up to 50 %',
      mediaType: 'video',
      thumbnailUrl: 'https://x.test/t.jpg',
      originalImageUrl: 'https://x.test/o.jpg',
      greeting: 'How can we help?',
      adType: 'cawc',
      conversion: { source: 'FB_Ads', data: Buffer.from('opaque').toString('base64'), delaySeconds: 7 },
      ctwaSignals: 'signals',
      ctwaPayload: Buffer.from('payload').toString('base64'),
      entryPoint: {
        source: 'ctwa_ad',
        app: 'instagram',
        delaySeconds: 9,
        externalSource: 'FB_Ads',
        externalMedium: 'feed',
      },
    })
  })

  test('may consist of opaque data alone', () => {
    assert.deepEqual(referral({ ctwaPayload: Buffer.from([1]) }), { ctwaPayload: 'AQ==' })
    assert.deepEqual(referral({ conversionData: Buffer.from([2]) }), { conversion: { data: 'Ag==' } })
  })

  test('comes with every kind that carries it, such as an image', () => {
    const contextInfo = { externalAdReply: { ctwaClid: 'x' } }
    const { content } = receive({ imageMessage: { contextInfo } })
    assert.deepEqual(content['referral'], { ctwaClid: 'x', adType: 'ctwa' })
  })

  test('is absent without an advertisement: a card, a new chat from a search, a quote', () => {
    for (const info of [
      { externalAdReply: { title: 'Card', body: 'No ad', sourceUrl: 'https://x.test' } },
      { entryPointConversionSource: 'global_search_new_chat' },
      { stanzaId: 'M1' },
    ])
      assert.equal(referral(info), undefined)
  })

  test('limits what a stranger wrote', () => {
    const found = referral({
      externalAdReply: { ctwaClid: `${'a'.repeat(2047)}😀`, title: 'x'.repeat(100_000) },
      ctwaPayload: Buffer.alloc(20_000),
    }) as { ctwaClid: string; title: string; ctwaPayload?: string }
    assert.deepEqual([found.title.length, found.ctwaPayload], [2048, undefined])
    assert.ok(found.ctwaClid.isWellFormed())
  })
})
