// POST /send/cta
import { contract } from '../support/gateway.ts'
import { headerRules } from './header-rules.ts'
import { refuses, sendRules, stores } from './send-rules.ts'

const urlButton = { displayText: 'Our site', url: 'https://example.com/?a=b' }
const callButton = { displayText: 'Call us', phoneNumber: '+55 11 91234-5678' }
const copyButton = { displayText: 'Copy', copyCode: 'WELCOME10' }
const replyButton = { displayText: 'Talk to a person', buttonId: 'person' }
const valid = { body: 'Need help?', buttons: [{ index: 0, urlButton }] }
const withButtons = (buttons: unknown) => ({ interactive: { ...valid, buttons } })

contract('POST /send/cta', (gateway) => {
  const fixture = sendRules(gateway, { id: 'sendCta', type: 'cta', drawsDelay: false, to: 'number' })
  headerRules(fixture, 'sendCta', valid)

  const whole = {
    type: 'cta',
    body: 'Need help?',
    title: 'Help',
    footer: 'Any time',
    buttons: [
      { index: 0, urlButton },
      { index: 1, callButton },
      { index: 2, urlButton },
    ],
  }
  const mixed = {
    ...valid,
    buttons: [
      { replyButton },
      { copyButton },
      { urlButton },
      { callButton },
      ...Array.from({ length: 6 }, (_, index) => ({ replyButton: { ...replyButton, buttonId: `${index}` } })),
    ],
  }
  stores(fixture, 'sendCta', 'stores every field, with one to ten buttons of any types', [
    [{ interactive: whole }, { interactive: whole }],
    [{ interactive: mixed }, { interactive: mixed }],
    [withButtons([{ callButton }]), { interactive: { ...valid, buttons: [{ callButton }] } }],
  ])

  refuses(fixture, 'sendCta', 'a button does not have exactly one form', [
    [withButtons([{ index: 0 }]), 'interactive.buttons.0'],
    [withButtons([{ index: 0, urlButton, callButton }]), 'interactive.buttons.0'],
    [withButtons([{ index: 0, urlButton }, {}]), 'interactive.buttons.1'],
    [withButtons([{ copyButton, replyButton }]), 'interactive.buttons.0'],
  ])

  refuses(fixture, 'sendCta', 'there is no button, more than ten, or two that reply with the same id', [
    [withButtons([]), 'interactive.buttons'],
    [withButtons(Array.from({ length: 11 }, (_, index) => ({ index, urlButton }))), 'interactive.buttons'],
    [withButtons(undefined), 'interactive.buttons'],
    [withButtons([{ replyButton }, { urlButton }, { replyButton }]), 'interactive.buttons'],
  ])

  const url = 'interactive.buttons.0.urlButton.url'
  const phone = 'interactive.buttons.0.callButton.phoneNumber'
  refuses(fixture, 'sendCta', 'a URL is not http or https, or a phone number is not valid', [
    ...[
      'javascript:alert(1)',
      'ftp://example.com',
      'example.com',
      '',
      `https://example.com/${'x'.repeat(2048)}`,
    ].map((wrong) => [withButtons([{ urlButton: { ...urlButton, url: wrong } }]), url] as const),
    ...['', '12', 'call me', '+55 11 91234x5678', '1'.repeat(30), 5511912345678].map(
      (wrong) => [withButtons([{ callButton: { ...callButton, phoneNumber: wrong } }]), phone] as const,
    ),
  ])

  refuses(fixture, 'sendCta', 'a field is missing, empty, too long or unknown', [
    [{ interactive: { buttons: valid.buttons } }, 'interactive.body'],
    [{ interactive: { ...valid, body: 'x'.repeat(1025) } }, 'interactive.body'],
    [{ interactive: { ...valid, type: 'button' } }, 'interactive.type'],
    [{ interactive: { ...valid, title: '' } }, 'interactive.title'],
    [{ interactive: { ...valid, footer: 'x'.repeat(1025) } }, 'interactive.footer'],
    [{ interactive: { ...valid, cards: [] } }, 'interactive.cards'],
    [withButtons([{ index: -1, urlButton }]), 'interactive.buttons.0.index'],
    [withButtons([{ index: 0.5, urlButton }]), 'interactive.buttons.0.index'],
    [withButtons([{ urlButton: { url: urlButton.url } }]), 'interactive.buttons.0.urlButton.displayText'],
    [withButtons([{ callButton: { ...callButton, x: 1 } }]), 'interactive.buttons.0.callButton.x'],
    [
      withButtons([{ copyButton: { ...copyButton, copyCode: '' } }]),
      'interactive.buttons.0.copyButton.copyCode',
    ],
    [
      withButtons([{ copyButton: { ...copyButton, copyCode: 'x'.repeat(1025) } }]),
      'interactive.buttons.0.copyButton.copyCode',
    ],
    [
      withButtons([{ replyButton: { ...replyButton, buttonId: 'x'.repeat(257) } }]),
      'interactive.buttons.0.replyButton.buttonId',
    ],
    [withButtons([{ replyButton: { buttonId: 'a' } }]), 'interactive.buttons.0.replyButton.displayText'],
  ])
})
