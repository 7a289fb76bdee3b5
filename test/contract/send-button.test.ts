// POST /send/button
import { contract } from '../support/gateway.ts'
import { headerRules } from './header-rules.ts'
import { refuses, sendRules, stores } from './send-rules.ts'

const button = (id: string, text = id) => ({ buttonId: id, buttonText: { displayText: text }, type: 1 })
const valid = { body: 'Is tomorrow fine?', buttons: [button('yes')] }
const ids = (count: number) => Array.from({ length: count }, (_, index) => button(`b${index}`))

contract('POST /send/button', (gateway) => {
  const fixture = sendRules(gateway, { id: 'sendButton', type: 'button', drawsDelay: false, to: 'number' })
  headerRules(fixture, 'sendButton', valid)

  const whole = {
    type: 'button',
    title: 'Delivery',
    body: 'Is tomorrow\nfine?',
    footer: 'Reply within a day',
    buttons: [button('yes', 'Yes 👍'), button('no', 'No'), button('later', 'Later')],
  }
  stores(fixture, 'sendButton', 'stores every field, with one to three buttons', [
    [{ interactive: whole }, { interactive: whole }],
    [{ interactive: valid }, { interactive: valid }],
    [
      { interactive: { ...valid, buttons: [{ buttonId: 'yes', buttonText: { displayText: 'Yes' } }] } },
      { interactive: { ...valid, buttons: [{ buttonId: 'yes', buttonText: { displayText: 'Yes' } }] } },
    ],
    [{ type: undefined, interactive: valid }, { interactive: valid }],
  ])

  refuses(fixture, 'sendButton', 'there is no button, more than three, or two with the same id', [
    [{ interactive: { ...valid, buttons: [] } }, 'interactive.buttons'],
    [{ interactive: { ...valid, buttons: ids(4) } }, 'interactive.buttons'],
    [{ interactive: { ...valid, buttons: [button('a'), button('a')] } }, 'interactive.buttons'],
    [{ interactive: { ...valid, buttons: 'yes' } }, 'interactive.buttons'],
    [{ interactive: { ...valid, buttons: undefined } }, 'interactive.buttons'],
  ])

  refuses(fixture, 'sendButton', 'a field is missing, empty, too long or unknown', [
    [{ interactive: { buttons: ids(1) } }, 'interactive.body'],
    [{ interactive: { ...valid, body: '' } }, 'interactive.body'],
    [{ interactive: { ...valid, body: 'x'.repeat(1025) } }, 'interactive.body'],
    [{ interactive: { ...valid, title: 'x'.repeat(1025) } }, 'interactive.title'],
    [{ interactive: { ...valid, footer: 5 } }, 'interactive.footer'],
    [{ interactive: { ...valid, type: 'list' } }, 'interactive.type'],
    [{ interactive: { ...valid, text: 'x' } }, 'interactive.text'],
    [{ interactive: [] }, 'interactive'],
    [{ interactive: null }, 'interactive'],
    [{ type: 'text' }, 'type'],
    [
      { interactive: { ...valid, buttons: [{ ...button('a'), buttonId: '' }] } },
      'interactive.buttons.0.buttonId',
    ],
    [
      { interactive: { ...valid, buttons: [{ ...button('a'), buttonText: 'Yes' }] } },
      'interactive.buttons.0.buttonText',
    ],
    [
      { interactive: { ...valid, buttons: [{ ...button('a'), buttonText: {} }] } },
      'interactive.buttons.0.buttonText.displayText',
    ],
    [{ interactive: { ...valid, buttons: [{ ...button('a'), type: 1.5 }] } }, 'interactive.buttons.0.type'],
    [{ interactive: { ...valid, buttons: [{ ...button('a'), url: 'x' }] } }, 'interactive.buttons.0.url'],
  ])
})
