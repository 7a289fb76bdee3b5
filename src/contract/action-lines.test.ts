import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actionLines } from './action-lines.ts'

test('each button is a line with what it does, between title and footer', () => {
  const buttons = [
    { buttonId: 'yes', buttonText: { displayText: 'Yes' } },
    { urlButton: { displayText: 'Site', url: 'https://example.com' } },
    { callButton: { displayText: 'Ring', phoneNumber: '+5511912345678' } },
    { copyButton: { displayText: 'Copy', copyCode: 'WELCOME10' } },
    { replyButton: { displayText: 'Talk', buttonId: 'person' } },
  ]
  assert.deepEqual(actionLines({ interactive: { title: 'T', body: 'B', footer: 'F', buttons } }), [
    '[title] T',
    '[reply] Yes: yes',
    '[open] Site: https://example.com',
    '[call] Ring: +5511912345678',
    '[copy] Copy: WELCOME10',
    '[reply] Talk: person',
    '[footer] F',
  ])
})

test('rows of a menu and cards are lines too', () => {
  const sections = [{ title: 'Drinks', rows: [{ title: 'Coffee', description: 'Hot', rowId: 'coffee' }] }]
  assert.deepEqual(
    actionLines({ interactive: { text: 'x', buttonText: 'Open', sections, footerText: 'F' } }),
    ['[menu] Open', '[section] Drinks', '[row] Coffee: Hot: coffee', '[footer] F'],
  )
  const buttons = [{ buttonId: 'buy', buttonText: { displayText: 'Buy' } }]
  const cards = [{ header: { mediaUrl: 'https://example.com/a.png' }, body: 'Shoe', buttons }]
  assert.deepEqual(actionLines({ interactive: { body: 'x', cards } }), [
    '[card 1] Shoe',
    '[picture] https://example.com/a.png',
    '[reply] Buy: buy',
  ])
})

test('a payment key is a line with its owner and type', () => {
  const content = { merchantName: 'Shop', keyType: 'email', key: 'shop@example.com' }
  assert.deepEqual(actionLines(content), ['[pix] Shop: email: shop@example.com'])
  assert.deepEqual(actionLines({ ...content, keyType: null }), ['[pix] Shop: shop@example.com'])
})

test('other content has none, and odd values are left out', () => {
  assert.deepEqual(actionLines({ message: 'hi' }), [])
  assert.deepEqual(actionLines({ interactive: null }), [])
  assert.deepEqual(actionLines({ interactive: { title: 5, buttons: [{ urlButton: { url: 7 } }] } }), [
    '[open] ',
  ])
})
