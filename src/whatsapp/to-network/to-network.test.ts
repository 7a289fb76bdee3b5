import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BinaryNode } from 'baileys'
import { overTheWire, sendFacts, uploaded } from '../../../test/support/wire-messages.ts'
import type { OutgoingContent } from '../../network/message.ts'
import { toNetwork } from './index.ts'
import type { UploadedMedia } from './uploaded-media.ts'

const send = (outgoing: OutgoingContent, media: UploadedMedia[] = []) => {
  const { message, additionalNodes } = toNetwork(outgoing, sendFacts(media))
  return { message: overTheWire(message), additionalNodes }
}
const parsed = (json: string | null | undefined): unknown => JSON.parse(json ?? '')
const mediaUrl = 'https://example.com/files/Report%202026.pdf?token=1'

const FLOW_NODE: BinaryNode = {
  tag: 'biz',
  attrs: { actual_actors: '2', host_storage: '2', privacy_mode_ts: '1767000000' },
  content: [
    {
      tag: 'interactive',
      attrs: { type: 'native_flow', v: '1' },
      content: [{ tag: 'native_flow', attrs: { v: '9', name: 'mixed' } }],
    },
    { tag: 'quality_control', attrs: { source_type: 'third_party' } },
  ],
}

describe('to the network', () => {
  test('the same content and facts give the same bytes, so that a re-send is the same message', () => {
    const poll: OutgoingContent = {
      kind: 'poll',
      content: { pollName: 'Day?', options: ['a', 'b'], selectableCount: 1 },
    }
    assert.deepEqual(send(poll), send(poll))
  })

  test('every message carries the secret it was given', () => {
    const { message } = send({ kind: 'text', content: { message: 'hi' } })
    assert.deepEqual([...(message.messageContextInfo?.messageSecret ?? [])], Array(32).fill(7))
    assert.throws(() =>
      toNetwork(
        { kind: 'text', content: { message: 'hi' } },
        { ...sendFacts(), messageSecret: new Uint8Array(31) },
      ),
    )
  })

  test('a text is a plain conversation, even with a link in it', () => {
    const { message, additionalNodes } = send({
      kind: 'text',
      content: { message: 'see https://example.com 👋\nbye' },
    })
    assert.equal(message.conversation, 'see https://example.com 👋\nbye')
    assert.equal(message.extendedTextMessage, null)
    assert.deepEqual(additionalNodes, [])
  })

  test('an image keeps its caption, its size and the type found in the file', () => {
    const media = uploaded({ width: 640, height: 480, jpegThumbnail: new Uint8Array([1, 2]) })
    const { message } = send({ kind: 'image', content: { mediaUrl, message: 'look' } }, [media])
    const image = message.imageMessage
    assert.equal(image?.caption, 'look')
    assert.equal(image?.mimetype, 'image/png')
    assert.deepEqual([image?.width, image?.height], [640, 480])
    assert.deepEqual([...(image?.jpegThumbnail ?? [])], [1, 2])
    assert.equal(image?.directPath, media.directPath)
    assert.equal(Number(image?.fileLength), 4096)
  })

  test('an empty caption is none, and a stated type wins over the one found', () => {
    const content = { mediaUrl, message: '', mimetype: 'image/webp' }
    const { message } = send({ kind: 'image', content }, [uploaded()])
    assert.equal(message.imageMessage?.caption, null)
    assert.equal(message.imageMessage?.mimetype, 'image/webp')
  })

  test('a video keeps its caption and length', () => {
    const media = uploaded({ mimetype: 'video/mp4', seconds: 12.6 })
    const { message } = send({ kind: 'video', content: { mediaUrl, message: 'film' } }, [media])
    assert.equal(message.videoMessage?.caption, 'film')
    assert.equal(message.videoMessage?.seconds, 13)
  })

  const names: [string, string | undefined, string][] = [
    ['https://example.com/files/Report%202026.pdf?x=1', undefined, 'Report 2026.pdf'],
    ['https://example.com/files/Report.pdf', 'Mine.pdf', 'Mine.pdf'],
    ['https://example.com/', undefined, 'file'],
    ['https://example.com/%2e%2e%2fetc%2Fpasswd', undefined, '..etcpasswd'],
    ['https://example.com/100%', undefined, '100%'],
  ]
  for (const [url, fileName, expected] of names) {
    test(`a document from ${url} ${fileName ? `named ${fileName}` : ''} is shown as ${expected}`, () => {
      const content = { mediaUrl: url, ...(fileName !== undefined && { fileName }), message: 'yours' }
      const { message } = send({ kind: 'document', content }, [uploaded({ mimetype: 'application/pdf' })])
      assert.equal(message.documentMessage?.fileName, expected)
      assert.equal(message.documentMessage?.title, expected)
      assert.equal(message.documentMessage?.caption, 'yours')
      assert.equal(message.documentWithCaptionMessage, null)
    })
  }

  const voices: [found: string, stated: string | undefined, voice: boolean, sentAs: string][] = [
    ['audio/ogg; codecs=opus', undefined, true, 'audio/ogg; codecs=opus'],
    ['audio/ogg;codecs="opus"', undefined, true, 'audio/ogg; codecs=opus'],
    ['audio/opus', undefined, true, 'audio/ogg; codecs=opus'],
    ['audio/ogg; codecs=opus', 'audio/ogg', true, 'audio/ogg; codecs=opus'],
    ['audio/ogg', undefined, false, 'audio/ogg'],
    ['audio/ogg; codecs=vorbis', undefined, false, 'audio/ogg; codecs=vorbis'],
    ['audio/mpeg', undefined, false, 'audio/mpeg'],
    ['audio/ogg; codecs=opus', 'audio/mpeg', false, 'audio/mpeg'],
    ['application/octet-stream', 'audio/ogg; codecs=opus', true, 'audio/ogg; codecs=opus'],
  ]
  for (const [found, stated, voice, sentAs] of voices) {
    test(`audio found as ${found}, stated as ${stated}, is ${voice ? 'a voice message' : 'a file'}`, () => {
      const media = uploaded({ mimetype: found, seconds: 3, waveform: new Uint8Array([5]) })
      const content = { mediaUrl, ...(stated !== undefined && { mimetype: stated }) }
      const { message } = send({ kind: 'audio', content }, [media])
      assert.equal(message.audioMessage?.ptt, voice)
      assert.equal(message.audioMessage?.mimetype, sentAs)
      assert.equal(message.audioMessage?.waveform?.length, voice ? 1 : undefined)
    })
  }

  test('reply buttons are a native flow with the node that makes phones show them, not wrapped', () => {
    const { message, additionalNodes } = send({
      kind: 'button',
      content: {
        interactive: {
          title: 'Delivery',
          body: 'Tomorrow?',
          footer: 'Thanks',
          buttons: [
            { buttonId: 'yes', buttonText: { displayText: 'Yes' }, type: 1 },
            { buttonId: 'no', buttonText: { displayText: 'No' } },
          ],
        },
      },
    })
    const interactive = message.interactiveMessage
    assert.equal(message.viewOnceMessage, null)
    assert.equal(interactive?.header?.title, 'Delivery')
    assert.equal(interactive?.body?.text, 'Tomorrow?')
    assert.equal(interactive?.footer?.text, 'Thanks')
    const buttons = interactive?.nativeFlowMessage?.buttons ?? []
    assert.deepEqual(
      buttons.map(({ name, buttonParamsJson }) => [name, parsed(buttonParamsJson)]),
      [
        ['quick_reply', { display_text: 'Yes', id: 'yes' }],
        ['quick_reply', { display_text: 'No', id: 'no' }],
      ],
    )
    assert.deepEqual(additionalNodes, [FLOW_NODE])
  })

  test('a call to action gives addresses and international numbers, in the order of their index', () => {
    const { message, additionalNodes } = send({
      kind: 'cta',
      content: {
        interactive: {
          body: 'Help?',
          buttons: [
            { index: 2, callButton: { displayText: 'Call', phoneNumber: '55 (11) 91234-5678' } },
            { index: 1, urlButton: { displayText: 'Site', url: 'https://example.com/a?b=1' } },
          ],
        },
      },
    })
    const interactive = message.interactiveMessage
    assert.equal(interactive?.header, null)
    assert.equal(interactive?.footer, null)
    assert.deepEqual(
      interactive?.nativeFlowMessage?.buttons?.map(({ name, buttonParamsJson }) => [
        name,
        parsed(buttonParamsJson),
      ]),
      [
        [
          'cta_url',
          {
            display_text: 'Site',
            url: 'https://example.com/a?b=1',
            merchant_url: 'https://example.com/a?b=1',
          },
        ],
        ['cta_call', { display_text: 'Call', phone_number: '+5511912345678' }],
      ],
    )
    assert.deepEqual(additionalNodes, [FLOW_NODE])
  })

  test('a file above buttons is in their header, in the form of its kind and with its own name', () => {
    const at = 'https://example.com/menu.bin'
    const texts = { title: 'Menu', body: 'Today' }
    const replies = [{ buttonId: 'a', buttonText: { displayText: 'A' } }]
    const image = send(
      {
        kind: 'button',
        content: { interactive: { ...texts, header: { type: 'image', mediaUrl: at }, buttons: replies } },
      },
      [uploaded({ directPath: '/i', width: 640, height: 480 })],
    )
    const { header } = image.message.interactiveMessage ?? {}
    assert.deepEqual(
      [
        header?.hasMediaAttachment,
        header?.title,
        header?.imageMessage?.directPath,
        header?.imageMessage?.width,
      ],
      [true, 'Menu', '/i', 640],
    )
    assert.equal(image.message.imageMessage, null)
    assert.deepEqual(image.additionalNodes, [FLOW_NODE])
    const links = [{ urlButton: { displayText: 'Site', url: 'https://example.com/' } }]
    const [video, document] = (['video', 'document'] as const).map((type) => {
      const above = { type, mediaUrl: at, ...(type === 'document' && { fileName: 'Menu.pdf' }) }
      const content = { interactive: { body: 'x', header: above, buttons: links } }
      return send({ kind: 'cta', content }, [uploaded({ seconds: 7 })]).message.interactiveMessage?.header
    })
    assert.equal(video?.videoMessage?.seconds, 7)
    assert.equal(document?.documentMessage?.fileName, 'Menu.pdf')
  })

  test('buttons of all types are mixed in one native flow', () => {
    const { message, additionalNodes } = send({
      kind: 'cta',
      content: {
        interactive: {
          body: 'Your order',
          buttons: [
            { replyButton: { displayText: 'Cancel it', buttonId: 'cancel' } },
            { copyButton: { displayText: 'Copy', copyCode: 'WELCOME10' } },
            { urlButton: { displayText: 'Site', url: 'https://example.com' } },
          ],
        },
      },
    })
    assert.deepEqual(
      message.interactiveMessage?.nativeFlowMessage?.buttons?.map(({ name, buttonParamsJson }) => [
        name,
        parsed(buttonParamsJson),
      ]),
      [
        ['quick_reply', { display_text: 'Cancel it', id: 'cancel' }],
        ['cta_copy', { display_text: 'Copy', copy_code: 'WELCOME10' }],
        [
          'cta_url',
          { display_text: 'Site', url: 'https://example.com', merchant_url: 'https://example.com' },
        ],
      ],
    )
    assert.deepEqual(additionalNodes, [FLOW_NODE])
  })

  test('a PIX key is a payment flow with a node that names it, without an amount', () => {
    const { message, additionalNodes } = send({
      kind: 'pix',
      content: { merchantName: 'Padaria Central', keyType: 'cnpj', key: '11222333000181' },
    })
    const { body, nativeFlowMessage } = message.interactiveMessage ?? {}
    const [button, ...others] = nativeFlowMessage?.buttons ?? []
    assert.deepEqual([body, button?.name, others], [null, 'payment_info', []])
    const { reference_id: reference, ...payment } = parsed(button?.buttonParamsJson) as Record<
      string,
      unknown
    >
    assert.match(String(reference), /^[\dA-F]{11}$/)
    const nothing = { value: 0, offset: 100 }
    assert.deepEqual(payment, {
      currency: 'BRL',
      total_amount: nothing,
      type: 'physical-goods',
      order: {
        status: 'pending',
        subtotal: nothing,
        order_type: 'ORDER',
        items: [{ name: '', amount: nothing, quantity: 0, sale_amount: nothing }],
      },
      payment_settings: [
        {
          type: 'pix_static_code',
          pix_static_code: { merchant_name: 'Padaria Central', key: '11222333000181', key_type: 'CNPJ' },
        },
      ],
      share_payment_status: false,
    })
    assert.deepEqual(additionalNodes, [{ tag: 'biz', attrs: { native_flow_name: 'payment_info' } }])
  })

  test('a list is a list message with its own node', () => {
    const { message, additionalNodes } = send({
      kind: 'list',
      content: {
        interactive: {
          title: 'Menu',
          text: 'What?',
          buttonText: 'Open',
          footerText: 'Until 18:00',
          sections: [
            { title: 'Drinks', rows: [{ title: 'Coffee', description: 'Hot', rowId: 'coffee' }] },
            { rows: [{ title: 'Cake', rowId: 'cake' }] },
          ],
        },
      },
    })
    const list = message.listMessage
    assert.deepEqual(
      [list?.title, list?.description, list?.buttonText, list?.footerText, list?.listType],
      ['Menu', 'What?', 'Open', 'Until 18:00', 1],
    )
    assert.deepEqual(
      list?.sections?.map(({ title, rows }) => [
        title,
        rows?.map((row) => [row.title, row.description, row.rowId]),
      ]),
      [
        ['Drinks', [['Coffee', 'Hot', 'coffee']]],
        [null, [['Cake', null, 'cake']]],
      ],
    )
    assert.deepEqual(additionalNodes, [
      { tag: 'biz', attrs: {}, content: [{ tag: 'list', attrs: { type: 'product_list', v: '2' } }] },
    ])
  })

  const cards = ['red', 'blue'].map((colour) => ({
    header: { type: 'image' as const, mediaUrl: `https://example.com/${colour}.jpg` },
    body: colour,
    buttons: [{ buttonId: `buy-${colour}`, buttonText: { displayText: 'Buy' } }],
  }))
  test('a carousel has a picture and buttons on each card, each card its own picture', () => {
    const { message, additionalNodes } = send(
      { kind: 'carousel', content: { interactive: { body: 'This week', cards } } },
      [uploaded({ directPath: '/red' }), uploaded({ directPath: '/blue' })],
    )
    const interactive = message.interactiveMessage
    assert.equal(interactive?.body?.text, 'This week')
    assert.equal(interactive?.carouselMessage?.messageVersion, 1)
    assert.deepEqual(
      interactive?.carouselMessage?.cards?.map((card) => [
        card.body?.text,
        card.header?.hasMediaAttachment,
        card.header?.imageMessage?.directPath,
        parsed(card.nativeFlowMessage?.buttons?.[0]?.buttonParamsJson),
      ]),
      [
        ['red', true, '/red', { display_text: 'Buy', id: 'buy-red' }],
        ['blue', true, '/blue', { display_text: 'Buy', id: 'buy-blue' }],
      ],
    )
    assert.deepEqual(additionalNodes, [FLOW_NODE])
  })

  test('media that was not uploaded, or too much of it, is refused rather than sent without', () => {
    const carousel: OutgoingContent = { kind: 'carousel', content: { interactive: { body: 'x', cards } } }
    assert.throws(() => send(carousel, [uploaded()]))
    assert.throws(() => send(carousel, [uploaded(), uploaded(), uploaded()]))
    assert.throws(() => send({ kind: 'image', content: { mediaUrl } }))
    const interactive = { header: { type: 'video' as const, mediaUrl }, body: 'x', buttons: [] }
    assert.throws(() => send({ kind: 'button', content: { interactive } }))
    assert.throws(() => send({ kind: 'audio', content: { mediaUrl } }, [uploaded(), uploaded()]))
  })

  test('a location keeps coordinates, name and address', () => {
    const content = { latitude: -23.5614, longitude: 0, name: 'Shop', address: 'Paulista 1000' }
    const { message } = send({ kind: 'location', content })
    const location = message.locationMessage
    assert.deepEqual(
      [location?.degreesLatitude, location?.degreesLongitude, location?.name, location?.address],
      [-23.5614, 0, 'Shop', 'Paulista 1000'],
    )
  })

  for (const [selectableCount, form] of [
    [1, 'pollCreationMessageV3'],
    [2, 'pollCreationMessage'],
  ] as const) {
    test(`a poll with ${selectableCount} answer(s) is a ${form}`, () => {
      const options = ['Mon', 'Tue', 'Wed']
      const { message, additionalNodes } = send({
        kind: 'poll',
        content: { pollName: 'Day?', options, selectableCount },
      })
      assert.equal(message[form]?.name, 'Day?')
      assert.deepEqual(
        message[form]?.options?.map((option) => option.optionName),
        options,
      )
      assert.equal(message[form]?.selectableOptionsCount, selectableCount)
      assert.deepEqual(additionalNodes, [{ tag: 'meta', attrs: { polltype: 'creation' } }])
    })
  }

  test('an event keeps title, times and place', () => {
    const content = {
      name: 'Tasting',
      description: 'Six wines',
      startsAt: '2025-12-29T09:20:00.000Z',
      endsAt: '2025-12-29T10:20:00.000Z',
      place: 'Our shop',
      latitude: -23.5,
      longitude: 0,
    }
    const { message, additionalNodes } = send({ kind: 'event', content })
    const { name, description, startTime, endTime, location, isCanceled, joinLink } =
      message.eventMessage ?? {}
    assert.deepEqual(
      [name, description, Number(startTime), Number(endTime), isCanceled, joinLink],
      ['Tasting', 'Six wines', 1_767_000_000, 1_767_003_600, false, null],
    )
    assert.deepEqual(
      [location?.name, location?.degreesLatitude, location?.degreesLongitude],
      ['Our shop', -23.5, 0],
    )
    assert.deepEqual(additionalNodes, [{ tag: 'meta', attrs: { event_type: 'creation' } }])
  })

  test('an event with a call has its link, and one without a place has no location', () => {
    const content = { name: 'Call', startsAt: '2025-12-29T09:20:00.000Z', call: 'audio' } as const
    const callLink = 'https://call.whatsapp.com/voice/x'
    const { message } = toNetwork({ kind: 'event', content }, { ...sendFacts(), callLink })
    assert.deepEqual([message.eventMessage?.joinLink, message.eventMessage?.location], [callLink, undefined])
  })

  test('a text with colours and a font is the card of a status', () => {
    const style = { backgroundColor: '#ff8800', textColor: '#ffffff', font: 'exo2' } as const
    const { message } = send({ kind: 'text', content: { message: 'open', ...style } })
    const { text, backgroundArgb, textArgb, font } = message.extendedTextMessage ?? {}
    assert.deepEqual([text, backgroundArgb, textArgb, font], ['open', 0xff_ff_88_00, 0xff_ff_ff_ff, 9])
  })
})
