// Each kind of message on a sandbox phone, and what the gateway receives from the phone.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import type { RouteId } from '../../src/contract/routes.ts'
import type { Answer } from '../support/gateway.ts'
import { mp4, ogg, pdf, png } from '../support/sample-files.ts'
import { type PairedInstance, until } from '../support/sandbox-world.ts'
import { startWebHost, type WebHost } from '../support/web-host.ts'
import type { Account } from './chats.ts'
import { dashboard, type OpenPage, skip } from './dashboard.ts'

const OWNER = '5511971000001'
const ANA = '5511971000002'
const FILES: Record<string, { bytes: Buffer; type: string }> = {
  '/photo.png': { bytes: png(40, 30), type: 'image/png' },
  '/film.mp4': { bytes: mp4(), type: 'video/mp4' },
  '/paper.pdf': { bytes: pdf(), type: 'application/pdf' },
  '/voice.ogg': { bytes: ogg(), type: 'audio/ogg' },
}
const reply = (buttonId: string, displayText: string) => ({ buttonId, buttonText: { displayText }, type: 1 })

describe('a chat on the phone', { skip }, () => {
  let world: Account
  let files: WebHost
  let line: PairedInstance
  let open: OpenPage
  let phone: Locator
  before(async () => {
    files = await startWebHost((request, response) => {
      const file = FILES[request.url ?? '']
      response.writeHead(file ? 200 : 404, { 'content-type': file?.type ?? 'text/plain' })
      response.end(file?.bytes ?? '')
    })
    const shared = await dashboard()
    world = await shared.world.otherAccount()
    line = await world.pair(OWNER, 'Shop')
    await world.world.phone(ANA, 'Ana')
    await world.world.send(ANA, { to: OWNER, text: 'first words' })
    await received('text', (content) => content.text === 'first words')
    open = await shared.open('/phone', { signedInAs: world.key })
    phone = open.page.getByRole('region', { name: 'Ana’s phone' })
    await phone.getByRole('button', { name: /Shop/ }).click()
    await phone.getByRole('log').getByText('first words').waitFor()
  })
  after(async () => {
    await open?.close()
    await files?.close()
  })

  /** Sends with the API and returns the bubble of that message on Ana's phone. */
  const sent = async (id: RouteId, body: Record<string, unknown>) => {
    const { messageId } = await world.api(id, { body: { instanceName: line.name, number: ANA, ...body } })
    const bubble = phone.locator(`[data-message="${messageId}"]`)
    await bubble.waitFor()
    return { messageId: messageId as string, bubble }
  }
  /** The first matching message of that type that the gateway received. */
  const received = async (
    type: string,
    fits: (content: Answer['json']) => boolean,
  ): Promise<Answer['json']> => {
    const read = async () => {
      const query = { instanceName: line.name, direction: 'incoming', limit: 100 }
      const { messages } = await world.api('listMessages', { query })
      return (messages as Answer['json'][]).find((each) => each.type === type && fits(each.content))
    }
    return until(read, (found) => found !== undefined, `a ${type}`)
  }
  const media = async (element: Locator, path: string) => {
    const file = FILES[path]
    const answer = await open.page.request.get(
      (await element.getAttribute('src')) ?? (await element.getAttribute('href')) ?? '',
    )
    assert.equal(answer.status(), 200)
    assert.ok(file && (await answer.body()).equals(file.bytes), path)
  }

  test('text with formatting', async () => {
    const { bubble } = await sent('sendText', { message: 'Hello *bold* _thin_ ~gone~ ```x = 1```', delay: 0 })
    assert.equal(await bubble.locator('strong').textContent(), 'bold')
    assert.equal(await bubble.locator('em').textContent(), 'thin')
    assert.equal(await bubble.locator('s').textContent(), 'gone')
    assert.equal(await bubble.locator('code').textContent(), 'x = 1')
  })

  test('image with caption', async () => {
    const { bubble } = await sent('sendMedia', {
      type: 'image',
      mediaUrl: `${files.url}/photo.png`,
      message: 'Look here',
      delay: 0,
    })
    await bubble.getByText('Look here').waitFor()
    await media(bubble.getByRole('img', { name: 'Look here' }), '/photo.png')
  })

  test('video', async () => {
    const { bubble } = await sent('sendMedia', { type: 'video', mediaUrl: `${files.url}/film.mp4`, delay: 0 })
    await media(bubble.locator('video'), '/film.mp4')
  })

  test('audio', async () => {
    const { bubble } = await sent('sendMedia', {
      type: 'audio',
      mediaUrl: `${files.url}/voice.ogg`,
      delay: 0,
    })
    await media(bubble.locator('audio'), '/voice.ogg')
  })

  test('document with a download under its name', async () => {
    const { bubble } = await sent('sendMedia', {
      type: 'document',
      mediaUrl: `${files.url}/paper.pdf`,
      fileName: 'offer.pdf',
      delay: 0,
    })
    const link = bubble.getByRole('link', { name: /offer\.pdf/ })
    assert.equal(await link.getAttribute('download'), 'offer.pdf')
    await media(link, '/paper.pdf')
  })

  test('location', async () => {
    const { bubble } = await sent('sendLocation', {
      latitude: -23.5614,
      longitude: -46.6559,
      name: 'Our shop',
      address: 'Avenida Paulista 1000',
    })
    for (const text of ['Our shop', 'Avenida Paulista 1000', '-23.5614, -46.6559'])
      await bubble.getByText(text).waitFor()
  })

  test('reply buttons: a tap is received by the gateway', async () => {
    const { bubble } = await sent('sendButton', {
      interactive: {
        type: 'button',
        title: 'Your order',
        body: 'Send it today?',
        footer: 'The shop',
        buttons: [reply('yes-1', 'Yes, please'), reply('no-1', 'No')],
      },
      delay: 0,
    })
    for (const text of ['Your order', 'Send it today?', 'The shop']) await bubble.getByText(text).waitFor()
    await bubble.getByRole('button', { name: 'Yes, please' }).click()
    const tap = await received('button_reply', (content) => content.interactiveReplyId === 'yes-1')
    assert.equal(tap.content.text, 'Yes, please')
    await phone.getByRole('log').locator('[data-author=mine]').getByText('Yes, please').waitFor()
  })

  test('list: opens as a sheet with sections, and the selected row is received by the gateway', async () => {
    const { bubble } = await sent('sendList', {
      interactive: {
        type: 'list',
        title: 'Menu',
        text: 'What will it be?',
        buttonText: 'See the menu',
        footerText: 'Till ten',
        sections: [
          { title: 'Mains', rows: [{ title: 'Rice', description: 'with beans', rowId: 'rice-1' }] },
          { title: 'Sweets', rows: [{ title: 'Cake', description: 'dark', rowId: 'cake-1' }] },
        ],
      },
      delay: 0,
    })
    for (const text of ['Menu', 'What will it be?', 'Till ten'])
      await bubble.getByText(text, { exact: true }).waitFor()
    await bubble.getByRole('button', { name: 'See the menu' }).click()
    const sheet = phone.getByRole('dialog', { name: 'See the menu' })
    await sheet.getByRole('group', { name: 'Mains' }).getByText('with beans').waitFor()
    await open.page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    await bubble.getByRole('button', { name: 'See the menu' }).click()
    await sheet.getByRole('radio', { name: /Cake/ }).check()
    await sheet.getByRole('button', { name: 'Send' }).click()
    const tap = await received('list_reply', (content) => content.interactiveReplyId === 'cake-1')
    assert.equal(tap.content.text, 'Cake')
    await sheet.waitFor({ state: 'detached' })
  })

  test('call to action: a link and a call', async () => {
    const { bubble } = await sent('sendCta', {
      interactive: {
        type: 'cta',
        title: 'Find us',
        body: 'We are here',
        footer: 'Every day',
        buttons: [
          { index: 1, urlButton: { displayText: 'Our site', url: 'https://shop.example/a?b=1' } },
          { index: 2, callButton: { displayText: 'Ring us', phoneNumber: '+5511999990000' } },
        ],
      },
      delay: 0,
    })
    for (const text of ['Find us', 'We are here', 'Every day']) await bubble.getByText(text).waitFor()
    const link = bubble.getByRole('link', { name: /Our site/ })
    assert.equal(await link.getAttribute('href'), 'https://shop.example/a?b=1')
    assert.equal(await link.getAttribute('rel'), 'noopener noreferrer')
    await bubble.getByRole('button', { name: 'Ring us' }).click()
    await open.page.getByRole('status').getByText('+5511999990000').waitFor()
  })

  test('mixed buttons: a code is copied, and a reply is received; a PIX key is shown whole', async () => {
    const { bubble } = await sent('sendCta', {
      interactive: {
        body: 'Your coupon',
        buttons: [
          { copyButton: { displayText: 'Copy it', copyCode: 'WELCOME10' } },
          { replyButton: { displayText: 'Talk to us', buttonId: 'person' } },
        ],
      },
      delay: 0,
    })
    await bubble.getByRole('button', { name: 'Copy it' }).waitFor()
    await bubble.getByRole('button', { name: 'Talk to us' }).click()
    await received('button_reply', (content) => content.interactiveReplyId === 'person')
    const pix = await sent('sendPix', {
      merchantName: 'Padaria Central',
      keyType: 'email',
      key: 'shop@example.com',
    })
    await pix.bubble.getByRole('button', { name: /Padaria Central.*shop@example\.com/ }).waitFor()
  })

  test('carousel: cards with pictures, and a tap on a card', async () => {
    const card = (number: number) => ({
      header: { type: 'image', mediaUrl: `${files.url}/photo.png` },
      body: `Shoe ${number}`,
      buttons: [reply(`buy-${number}`, `Buy ${number}`)],
    })
    const { bubble } = await sent('sendCarousel', {
      interactive: { type: 'carousel', body: 'This week', cards: [card(1), card(2)] },
      delay: 0,
    })
    await bubble.getByText('This week').waitFor()
    const cards = bubble.getByRole('list', { name: 'Cards' }).getByRole('listitem')
    assert.equal(await cards.count(), 2)
    await cards.nth(1).getByText('Shoe 2').waitFor()
    await media(cards.nth(1).getByRole('img').first(), '/photo.png')
    await cards.nth(1).getByRole('button', { name: 'Buy 2' }).click()
    await received('button_reply', (content) => content.interactiveReplyId === 'buy-2')
  })

  test('poll: a vote is counted, received by the gateway and can be withdrawn', async () => {
    const { bubble, messageId } = await sent('sendPoll', {
      pollName: 'Lunch?',
      options: ['rice', 'beans', 'both'],
      selectableCount: 2,
    })
    await bubble.getByText('Choose up to 2').waitFor()
    const option = (name: string, votes: number) =>
      bubble.getByRole('button', { name: new RegExp(`^${name} ${votes} `) })
    await option('beans', 0).click()
    await option('beans', 1).waitFor()
    await received(
      'poll_vote',
      ({ targetMessageId, options }) => targetMessageId === messageId && options.join() === 'beans',
    )
    await option('beans', 1).click()
    await option('beans', 0).waitFor()
    await received(
      'poll_vote',
      ({ targetMessageId, options }) => targetMessageId === messageId && options.length === 0,
    )
  })

  test('an open chat is read; a reaction and a reply are received by the gateway', async () => {
    const { bubble, messageId } = await sent('sendText', { message: 'Are you there?', delay: 0 })
    await until(
      () => world.api('getMessage', { params: { messageId } }),
      ({ message }) => message.status === 'read',
      'read',
    )
    await bubble.getByRole('button', { name: 'React or reply' }).click()
    await bubble.getByRole('button', { name: 'React with 👍' }).click()
    await received('reaction', (content) => content.targetMessageId === messageId && content.emoji === '👍')
    await bubble.getByRole('listitem').filter({ hasText: '👍' }).waitFor()
    await bubble.getByRole('button', { name: 'React or reply' }).click()
    await bubble.getByRole('button', { name: 'Reply', exact: true }).click()
    await phone.getByText('Reply to Shop').waitFor()
    await phone.getByRole('textbox', { name: 'Message' }).fill('Yes I am')
    await open.page.keyboard.press('Enter')
    const answer = await received('text', (content) => content.text === 'Yes I am')
    assert.equal(answer.content.quoted.messageId, messageId)
    await phone
      .getByRole('log')
      .locator('[data-author=mine]', { hasText: 'Yes I am' })
      .getByText('Are you there?')
      .waitFor()
  })

  test('ticks: a message of the phone is shown as delivered', async () => {
    await phone.getByRole('textbox', { name: 'Message' }).fill('tick tock')
    await phone.getByRole('button', { name: 'Send' }).click()
    const mine = phone.getByRole('log').locator('[data-author=mine]', { hasText: 'tick tock' })
    await mine.getByRole('img', { name: 'Delivered' }).waitFor()
  })

  test('a file and a location are received by the gateway', async () => {
    const attach = async (kind: string) => {
      await phone.getByRole('button', { name: 'Attach' }).click()
      const opened = phone.getByRole('dialog', { name: 'Attach' })
      await opened.getByRole('tab', { name: kind }).click()
      return opened
    }
    const files = await attach('File')
    await files
      .getByLabel('Choose a file')
      .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: png(9, 9) })
    await files.getByRole('button', { name: 'Send file' }).click()
    const image = await received('image', () => true)
    assert.equal(image.content.media.mimetype, 'image/png')
    const sheet = await attach('Location')
    await sheet.getByLabel('Latitude').fill('38.72')
    await sheet.getByLabel('Longitude').fill('-9.14')
    await sheet.getByLabel('Place name').fill('Lisboa')
    await sheet.getByRole('button', { name: 'Send location' }).click()
    const location = await received('location', () => true)
    assert.deepEqual(
      [location.content.latitude, location.content.longitude, location.content.name],
      [38.72, -9.14, 'Lisboa'],
    )
  })

  test('a contact and a poll are received by the gateway', async () => {
    const attach = async (kind: string) => {
      await phone.getByRole('button', { name: 'Attach' }).click()
      const sheet = phone.getByRole('dialog', { name: 'Attach' })
      await sheet.getByRole('tab', { name: kind }).click()
      return sheet
    }
    const card = await attach('Contact')
    const sendCard = card.getByRole('button', { name: 'Send contact' })
    assert.ok(await sendCard.isDisabled())
    await card.getByLabel('Name').fill('Carla')
    await card.getByLabel('Number').fill('+55 11 97100-0009')
    await sendCard.click()
    const contact = await received('contact', () => true)
    assert.deepEqual(
      contact.content.contacts.map((one: Answer['json']) => [one.name, one.phones[0].phone]),
      [['Carla', '5511971000009']],
    )
    await phone.getByRole('log').locator('[data-author=mine]').getByText('Carla').waitFor()

    const form = await attach('Poll')
    await form.getByLabel('Question').fill('Which day?')
    await form.getByLabel('Answers, one per line').fill('Monday\n\n Tuesday \nMonday')
    await form.getByLabel('Choose one or more').check()
    await form.getByRole('button', { name: 'Send poll' }).click()
    const poll = await received('poll', () => true)
    assert.deepEqual(
      [poll.content.pollName, poll.content.options, poll.content.selectableCount],
      ['Which day?', ['Monday', 'Tuesday'], 2],
    )
    await phone.getByRole('log').locator('[data-author=mine]').getByText('Choose one or more').waitFor()
    await phone.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('a sent message can be edited; a message of another person cannot', async () => {
    await phone.getByRole('textbox', { name: 'Message' }).fill('Tusday')
    await phone.getByRole('button', { name: 'Send' }).click()
    const mine = phone.getByRole('log').locator('[data-author=mine]', { hasText: 'Tusday' })
    const { messageId } = await received('text', (content) => content.text === 'Tusday')
    await mine.getByRole('button', { name: 'React or reply' }).click()
    await mine.getByRole('button', { name: 'Edit' }).click()
    assert.equal(await mine.getByLabel('New text').inputValue(), 'Tusday')
    await mine.getByLabel('New text').fill('Tuesday')
    await mine.getByRole('button', { name: 'Edit' }).click()
    const changed = phone.locator(`[data-message="${messageId}"]`)
    await changed.getByText('Tuesday', { exact: true }).waitFor()
    await changed.getByText('edited').waitFor()
    const edit = await received('edit', (content) => content.text === 'Tuesday')
    assert.equal(edit.content.targetMessageId, messageId)
    const { bubble } = await sent('sendText', { message: 'not yours', delay: 0 })
    await bubble.getByRole('button', { name: 'React or reply' }).click()
    await bubble.getByRole('button', { name: 'Reply', exact: true }).waitFor()
    assert.equal(await bubble.getByRole('button', { name: 'Edit' }).count(), 0)
    await bubble.getByRole('button', { name: 'React or reply' }).click()
  })

  test('a typing indicator is shown before the message and replaced by it', async () => {
    const sending = sent('sendText', { message: 'slowly', delay: 4000 })
    await phone.getByText('Shop is typing…').waitFor({ state: 'attached' })
    await sending
    await phone.getByText('Shop is typing…').waitFor({ state: 'detached' })
  })

  test('a sent message is deleted for everyone', async () => {
    await phone.getByRole('textbox', { name: 'Message' }).fill('a slip')
    await phone.getByRole('button', { name: 'Send' }).click()
    const mine = phone.getByRole('log').locator('[data-author=mine]', { hasText: 'a slip' })
    await mine.getByRole('button', { name: 'React or reply' }).click()
    await mine.getByRole('button', { name: 'Delete for everyone' }).click()
    await phone.getByText('This message was deleted').waitFor()
    await received('delete', () => true)
  })
})
