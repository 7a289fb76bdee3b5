// The open conversation: pictures, players and voice, several files at once, the keyboard, and messages that wait for the connection.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { ogg, png } from '../support/sample-files.ts'
import { until } from '../support/sandbox-world.ts'
import { bubble, chatOf, jidOf, lineAndPerson } from './chats.ts'
import { dashboard, skip, untilFocused, widthOf } from './dashboard.ts'

const composer = (page: Page) => page.getByRole('form', { name: 'Write a message' })
const picture = (name: string, size: number) => ({ name, mimeType: 'image/png', buffer: png(size, size) })
/** The id of the message that has the focus. */
const focused = (page: Page) => page.evaluate<string | null>('document.activeElement.dataset.message ?? null')

/** The browser of the tests has no microphone: a tone takes its place. */
const TONE = `navigator.mediaDevices.getUserMedia = async () => {
  const context = new AudioContext()
  const tone = context.createOscillator()
  const target = context.createMediaStreamDestination()
  tone.connect(target)
  tone.start()
  return target.stream
}`

async function openChat(developer = false) {
  const { open, world } = await dashboard()
  const { line, person } = await lineAndPerson(world)
  const opened = await open(chatOf(line, jidOf(person)), { signedInAs: world.key, developer })
  await opened.page.getByLabel('Message', { exact: true }).waitFor()
  return { ...opened, world, line, person }
}

describe('the open conversation', { skip }, () => {
  test('several files are shown before they are sent, and as pictures after it; the viewer goes through them', async () => {
    const { page, close, world, line, person } = await openChat()
    const received = { type: 'image', base64: png(7, 7).toString('base64'), caption: 'mine' }
    await world.world.send(person, { to: line.number, media: received })
    assert.equal(await widthOf(bubble(page, 'mine').getByRole('img', { name: 'Picture' })), 7)
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Message type' }).click()
    await page.getByRole('button', { name: 'Photos and files' }).click()
    await (await chooser).setFiles([picture('one.png', 5), picture('two.png', 6), picture('none.png', 4)])
    const tray = composer(page).getByRole('list', { name: 'Files to send' })
    assert.equal(await widthOf(tray.locator('img').nth(1)), 6)
    await tray.getByRole('button', { name: 'Remove: none.png' }).click()
    await page.getByLabel('Message', { exact: true }).fill('Both')
    const answered = page.waitForResponse((response) => response.url().endsWith('/send/album'))
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const { members } = (await (await answered).json()) as { members: { messageId: string }[] }
    const [first, second] = members.map(({ messageId }) => page.locator(`[data-message="${messageId}"]`))
    assert.ok(first && second)
    await first.getByText('Delivered').waitFor()
    assert.equal(await widthOf(first.getByRole('img', { name: 'Picture' })), 5)
    await first.getByText('Both').waitFor()
    // Without what this page still has of them, the gateway gives the files that it sent.
    await page.reload()
    assert.equal(await widthOf(second.getByRole('img', { name: 'Picture' })), 6)
    await second.getByRole('button', { name: 'Open picture' }).click()
    const viewer = page.getByRole('dialog', { name: 'Pictures' })
    await viewer.getByText('3 of 3').waitFor()
    await page.keyboard.press('ArrowLeft')
    await viewer.getByText('2 of 3').waitFor()
    await viewer.getByText('Both').waitFor()
    await page.keyboard.press('ArrowLeft')
    assert.equal(await widthOf(viewer.getByRole('img', { name: 'Picture' })), 7)
    await viewer.getByRole('link', { name: 'Download' }).waitFor()
    await page.keyboard.press('Escape')
    await viewer.waitFor({ state: 'detached' })
    await untilFocused(page, 'Open picture')
    await close()
  })

  test('voice is recorded as phones play it, and a received one is played', async () => {
    const { page, close, world, line, person } = await openChat()
    await page.evaluate(TONE)
    await page.getByRole('button', { name: 'Record a voice message' }).click()
    await page.getByRole('timer').getByText('0:01').waitFor()
    const answered = page.waitForResponse((response) => response.url().endsWith('/send/media'))
    await page.getByRole('button', { name: 'Send voice message' }).click()
    const { messageId } = (await (await answered).json()) as { messageId: string }
    const { media } = await world.world.shown(person, messageId)
    assert.deepEqual([media?.mimetype, media?.voiceNote], ['audio/ogg; codecs=opus', true])
    await page.locator(`[data-message="${messageId}"]`).getByText('Delivered').waitFor()
    const player = page.locator(`[data-message="${messageId}"]`).getByRole('group', { name: 'Voice' })
    await player.getByRole('button', { name: 'Play' }).click()
    await until(
      () => player.getByRole('slider', { name: 'Position' }).getAttribute('max'),
      (length) => Number(length) >= 1,
      'the length of the recording',
    )
    await player.getByRole('button', { name: 'Speed: 1×' }).click()
    await player.getByRole('button', { name: 'Speed: 1.5×' }).waitFor()
    const audio = { type: 'audio', base64: ogg().toString('base64'), voiceNote: true }
    const id = await world.world.send(person, { to: line.number, media: audio })
    await page.locator(`[data-message="${id}"]`).getByRole('group', { name: 'Voice' }).waitFor()
    await page.evaluate(`navigator.mediaDevices.getUserMedia = async () => {
      throw new DOMException('no', 'NotAllowedError')
    }`)
    await page.getByRole('button', { name: 'Record a voice message' }).click()
    await page.getByRole('alert').filter({ hasText: 'The microphone is blocked.' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByLabel('Message', { exact: true }).waitFor()
    await close()
  })

  test('the conversation is one stop of the Tab key; arrows, Enter and Escape work in it', async () => {
    const { page, close, world, line, person } = await openChat()
    const ids: string[] = []
    for (const text of ['first', 'second', 'third'])
      ids.push(await world.world.send(person, { to: line.number, text }))
    await bubble(page, 'third').waitFor()
    const message = page.getByLabel('Message', { exact: true })
    await message.focus()
    await page.keyboard.press('ArrowUp')
    assert.equal(await focused(page), ids[2])
    await page.keyboard.press('ArrowUp')
    assert.equal(await focused(page), ids[1])
    await page.keyboard.press('ArrowRight')
    await untilFocused(page, 'Message actions')
    await page.keyboard.press('Escape')
    assert.equal(await focused(page), ids[1])
    await page.keyboard.press('Enter')
    await page.locator('[popover]:popover-open').getByRole('button', { name: 'Reply' }).waitFor()
    await page.keyboard.press('Escape')
    await untilFocused(page, 'Message actions')
    await page.keyboard.press('Escape')
    assert.equal(await focused(page), ids[1])
    // Back into the conversation leads to the same message, past its other controls.
    await page.keyboard.press('Tab')
    assert.equal(await focused(page), null)
    await page.keyboard.press('Shift+Tab')
    assert.equal(await focused(page), ids[1])
    await page.keyboard.press('Home')
    assert.equal(await focused(page), ids[0])
    await page.keyboard.press('Escape')
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'TEXTAREA')
    await close()
  })

  test('a text that does not reach the gateway is kept, survives a reload, and is sent once', async () => {
    const { page, close, world, line } = await openChat()
    const message = page.getByLabel('Message', { exact: true })
    const keys = new Set<string | undefined>()
    let isDown = true
    await page.route('**/api/v1/send/text', async (route) => {
      keys.add(route.request().headers()['idempotency-key'])
      if (!isDown) return route.continue()
      // The gateway takes it, and the answer is lost.
      await route.fetch()
      await route.abort()
    })
    await message.fill('Are you there?')
    await message.press('Enter')
    const waiting = page.getByRole('log').getByText('Waiting for the connection')
    await waiting.waitFor()
    assert.equal(await message.inputValue(), '')
    await message.fill('not this one')
    await message.press('Enter')
    await until(
      () => waiting.count(),
      (count) => count === 2,
      'both are kept',
    )
    await bubble(page, 'not this one').getByRole('button', { name: 'Discard' }).click()
    isDown = false
    await page.reload()
    await bubble(page, 'Are you there?').getByText('Delivered').waitFor()
    await waiting.waitFor({ state: 'detached' })
    assert.equal(keys.size, 1)
    assert.equal(await bubble(page, 'Are you there?').count(), 1)
    const query = { instanceName: line.name, limit: 100 }
    const { messages } = await world.api('listMessages', { query })
    assert.deepEqual(
      messages.map(({ content }: { content: { message: string } }) => content.message),
      ['Are you there?'],
    )
    await close()
  })
})
