// POST /send/carousel
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { refuses, sendRules, stores } from './send-rules.ts'
import { freshInstance, storedMessages } from './sender.ts'
import { uploadRules } from './upload-rules.ts'

const button = (id: string) => ({ buttonId: id, buttonText: { displayText: `Buy ${id}` }, type: 1 })
const header = { type: 'image', mediaUrl: 'https://example.com/shoe.jpg' }
const card = (count = 1) => ({
  header,
  body: 'Shoe, 49',
  buttons: Array.from({ length: count }, (_, index) => button(`b${index}`)),
})
const withCards = (cards: unknown) => ({ interactive: { body: 'This week', cards } })
const kept = (cards: unknown[]) => [withCards(cards), withCards(cards)] as const

contract('POST /send/carousel', (gateway) => {
  const fixture = sendRules(gateway, {
    id: 'sendCarousel',
    type: 'carousel',
    drawsDelay: false,
    to: 'number',
  })
  uploadRules(
    fixture,
    'sendCarousel',
    (file) => withCards([card(), { ...card(), header: file }]),
    'interactive.cards.1.header.',
  )

  const whole = { type: 'carousel', body: 'This\nweek', cards: [card(1), card(2), card(3)] }
  stores(fixture, 'sendCarousel', 'stores every field, with one to ten cards of one to three buttons', [
    [{ interactive: whole }, { interactive: whole }],
    kept(Array.from({ length: 10 }, () => card())),
    kept([{ ...card(), header: { mediaUrl: header.mediaUrl } }]),
  ])

  refuses(
    fixture,
    'sendCarousel',
    'there is no card, more than ten, or a card without buttons or with more than three',
    [
      [withCards([]), 'interactive.cards'],
      [withCards(undefined), 'interactive.cards'],
      [withCards(Array.from({ length: 11 }, () => card())), 'interactive.cards'],
      [withCards([card(0)]), 'interactive.cards.0.buttons'],
      [withCards([card(), card(4)]), 'interactive.cards.1.buttons'],
    ],
  )

  refuses(fixture, 'sendCarousel', 'a field is missing, empty, too long or unknown', [
    [{ interactive: { cards: [card()] } }, 'interactive.body'],
    [{ interactive: { ...whole, body: 'x'.repeat(1025) } }, 'interactive.body'],
    [{ interactive: { ...whole, title: 'x' } }, 'interactive.title'],
    [{ interactive: { ...whole, type: 'cta' } }, 'interactive.type'],
    [withCards([{ ...card(), body: '' }]), 'interactive.cards.0.body'],
    [withCards([{ ...card(), header: undefined }]), 'interactive.cards.0.header'],
    [withCards([{ ...card(), header: { ...header, type: 'video' } }]), 'interactive.cards.0.header.type'],
    [withCards([{ ...card(), header: { type: 'image' } }]), 'interactive.cards.0.header.mediaUrl'],
    [withCards([{ ...card(), footer: 'x' }]), 'interactive.cards.0.footer'],
  ])

  test('400 url_not_allowed when the picture of any card is not an http or https URL', async () => {
    const running = await fixture()
    const { instance, send } = await freshInstance(running, 'sendCarousel')
    for (const mediaUrl of [
      '/etc/passwd',
      'file:///etc/passwd',
      'data:image/png;base64,AAAA',
      'https://u:p@example.com/a',
    ]) {
      const answer = await send(withCards([card(), { ...card(), header: { type: 'image', mediaUrl } }]))
      assert.equal(answer.status, 400)
      assert.equal(answer.json.reason, 'url_not_allowed')
      assert.equal(answer.json.details[0].path, 'interactive.cards.1.header.mediaUrl')
    }
    assert.equal((await storedMessages(running, instance.id)).length, 0)
  })
})
