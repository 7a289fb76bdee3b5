// The page "Approvals": a person sees all of a send with its picture and the chat, edits the text, and approves or rejects it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { lineAndPerson } from './chats.ts'
import { dashboard, skip } from './dashboard.ts'

/** What the test needs of an image in the page. */
interface Picture {
  naturalWidth: number
  decode(): Promise<void>
}

const LONG = `${'A long offer that goes beyond the list. '.repeat(8)}The end of the text.`

describe('approvals', { skip }, () => {
  test('a send opens with text, picture and chat; its text is edited and approved, and another one is rejected', async () => {
    const { open, world } = await dashboard()
    const { line, person } = await lineAndPerson(world)
    const agent = await world.call('createApiKey', {
      key: world.key,
      body: { name: 'Sales agent', approval: true },
    })
    const as = { key: agent.json.key as string }
    const to = { instanceName: line.name, number: person, delay: 0 }
    const greeting = await world.call('sendText', {
      key: world.key,
      body: { ...to, message: 'Welcome to the shop' },
    })
    await world.world.shown(person, greeting.json.messageId)
    const picture = await sharp({ create: { width: 320, height: 200, channels: 3, background: '#c33' } })
      .png()
      .toBuffer()
    const upload = await world.call('uploadMedia', {
      ...as,
      query: { fileName: 'offer.png' },
      headers: { 'content-type': 'image/png' },
      body: picture,
    })
    const { mediaId } = upload.json
    const media = await world.call('sendMedia', { ...as, body: { ...to, mediaId, message: LONG } })
    const poll = await world.call('sendPoll', {
      ...as,
      body: { ...to, pollName: 'Which colour?', options: ['Red', 'Blue'] },
    })
    assert.deepEqual([media.json.status, poll.json.status], ['awaiting_approval', 'awaiting_approval'])
    const { page, close } = await open('/conversations/approvals', { signedInAs: world.key })

    const row = page.getByRole('row').filter({ hasText: 'A long offer' })
    await row.waitFor()
    assert.match((await row.textContent()) ?? '', /…/)
    assert.doesNotMatch((await row.textContent()) ?? '', /The end of the text/)
    await row.getByRole('button', { name: 'Show all' }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByText('The end of the text').first().waitFor()
    for (const text of ['Sales agent', line.name, 'Welcome to the shop', 'offer.png'])
      await sheet.getByText(text).first().waitFor()
    const shown = sheet.locator('figure img')
    await shown.evaluate((image) => (image as unknown as Picture).decode())
    assert.equal(await shown.evaluate((image) => (image as unknown as Picture).naturalWidth), 320)
    await sheet.getByLabel('Text').fill('A short offer')
    await sheet.getByRole('button', { name: 'Approve with changes' }).click()
    await sheet.waitFor({ state: 'detached' })
    const received = await world.world.shown(person, media.json.messageId)
    assert.equal(received.media?.caption ?? received.text, 'A short offer')

    const second = page.getByRole('row').filter({ hasText: 'Which colour?' })
    await second.getByRole('button', { name: 'Show all' }).click()
    for (const text of ['Red', 'Blue']) await sheet.getByText(text, { exact: true }).waitFor()
    assert.equal(await sheet.getByText('vote').count(), 0, 'a poll that was not sent has no count of votes')
    await sheet.getByRole('button', { name: 'Reject' }).click()
    await sheet.getByLabel('Reason').fill('Ask for the size')
    await sheet.getByRole('button', { name: 'Reject' }).click()
    await page.getByText('Nothing waits for approval').waitFor()
    const { json } = await world.call('getMessage', {
      key: world.key,
      params: { messageId: poll.json.messageId },
    })
    assert.deepEqual(json.message.failure.error, 'Ask for the size')

    const coupon = { copyButton: { displayText: 'Copy the coupon', copyCode: 'WELCOME10' } }
    const interactive = { body: 'For you', buttons: [coupon] }
    await world.call('sendCta', { ...as, body: { ...to, interactive } })
    const key = { merchantName: 'Padaria Central', keyType: 'email', key: 'shop@example.com' }
    await world.call('sendPix', { ...as, body: { ...to, ...key } })
    await page
      .getByRole('row')
      .filter({ hasText: 'For you' })
      .getByRole('button', { name: 'Show all' })
      .click()
    for (const text of ['Copy the coupon', 'WELCOME10']) await sheet.getByText(text).waitFor()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    await page.getByRole('row').filter({ hasText: 'PIX' }).getByRole('button', { name: 'Show all' }).click()
    for (const text of ['Padaria Central', 'E-mail', 'shop@example.com'])
      await sheet.getByText(text).waitFor()
    await page.keyboard.press('Escape')
    await close()
  })
})
