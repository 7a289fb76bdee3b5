// What can be done with a message on the conversations page, and how it arrives on the phone.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { pdf, png } from '../support/sample-files.ts'
import { type Shown, until } from '../support/sandbox-world.ts'
import { bubble, chatOf, chooseKind, jidOf, lineAndPerson } from './chats.ts'
import { dashboard, skip, untilFocused } from './dashboard.ts'

/** A message of the page by its id: its text may also be in a quote. */
const messageOf = (page: Page, id: string): Locator => page.locator(`[data-message="${id}"]`)
const openMenu = (page: Page, id: string) =>
  messageOf(page, id).getByRole('button', { name: 'Message actions' }).click()
const choose = async (page: Page, id: string, action: string) => {
  await openMenu(page, id)
  await page.getByRole('button', { name: action, exact: true }).click()
}
const write = async (page: Page, text: string) => {
  await page.getByLabel('Message', { exact: true }).fill(text)
  await page.keyboard.press('Enter')
}
/** A moment of the browser's clock, as an input of date and time takes it. */
const inMinutes = (page: Page, minutes: number): Promise<string> =>
  page.evaluate<string>(
    `(() => { const at = new Date(Date.now() + ${minutes} * 60000);
      return new Date(at.getTime() - at.getTimezoneOffset() * 60000).toISOString().slice(0, 16) })()`,
  )

/** Drops a file on the messages, or pastes it into the form. */
async function giveFile(page: Page, event: 'drop' | 'paste', file: File): Promise<void> {
  const base64 = Buffer.from(await file.arrayBuffer()).toString('base64')
  const [target, made] = {
    drop: ['[role=log]', "new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data })"],
    paste: [
      'form textarea',
      "new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data })",
    ],
  }[event] as [string, string]
  await page.evaluate(`(() => {
    const data = new DataTransfer()
    const bytes = Uint8Array.from(atob('${base64}'), (character) => character.charCodeAt(0))
    data.items.add(new File([bytes], '${file.name}', { type: '${file.type}' }))
    document.querySelector('${target}').dispatchEvent(${made})
  })()`)
}

describe('messages and what is done with them', { skip }, () => {
  test('reply, react, edit, pin, forward and delete reach the phone, and changes of the phone appear live', async () => {
    const { open, world } = await dashboard()
    const { line, person } = await lineAndPerson(world)
    const carol = await world.world.phone('5511977700001', 'Carol')
    await world.message(line, await world.world.send(carol, { to: line.number, text: 'I am Carol' }))
    const question = await world.world.send(person, { to: line.number, text: 'How much is it?' })
    await world.message(line, question)
    const { page, close } = await open(chatOf(line, jidOf(person)), { signedInAs: world.key })
    await page.getByLabel('Typing (ms)').fill('0')
    const onPhone = (id: string, fits: (message: Shown) => boolean) =>
      until(() => world.world.shown(person, id), fits, `the change of ${id}`)

    await choose(page, question, 'Reply')
    await page.getByText('Reply to:').waitFor()
    await page.locator('textarea:focus').waitFor()
    const answered = page.waitForResponse((response) => response.url().endsWith('/send/text'))
    await write(page, 'Ten euros')
    const { messageId: reply } = (await (await answered).json()) as { messageId: string }
    assert.deepEqual((await world.world.shown(person, reply)).quoted, {
      id: question,
      text: 'How much is it?',
    })
    const quote = bubble(page, 'Ten euros').locator('blockquote').getByRole('button')
    assert.match((await quote.textContent()) ?? '', /BobHow much is it\?/)
    await quote.click()
    await page.locator(`[data-message="${question}"]:focus`).waitFor()
    assert.equal(await page.getByText('Reply to:').count(), 0, 'the next message is not a reply')

    await choose(page, question, '👍')
    await onPhone(question, ({ reactions }) => reactions?.[line.number] === '👍')
    await messageOf(page, question).getByText('👍', { exact: true }).waitFor()
    await openMenu(page, question)
    await page.getByLabel('Other emoji').fill('🎉')
    await page.getByRole('button', { name: 'React', exact: true }).click()
    await onPhone(question, ({ reactions }) => reactions?.[line.number] === '🎉')
    await openMenu(page, question)
    await page.getByRole('button', { name: '🎉', pressed: true }).click()
    await onPhone(question, ({ reactions }) => !reactions?.[line.number])
    await messageOf(page, question).getByText('🎉').waitFor({ state: 'detached' })

    // By keyboard: the menu opens, and the focus returns to its button after the dialog.
    const menuButton = messageOf(page, reply).getByRole('button', { name: 'Message actions' })
    await menuButton.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Edit', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('New text').fill('Twelve euros')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await untilFocused(page, 'Message actions')
    assert.equal(await page.evaluate('document.activeElement.closest("article")?.dataset.message'), reply)
    await bubble(page, 'Twelve euros').getByText('edited').waitFor()
    await onPhone(reply, ({ text, edited }) => edited === true && text === 'Twelve euros')

    await choose(page, reply, 'Pin')
    await page.getByLabel('For how long').selectOption('24 hours')
    await page.getByRole('dialog').getByRole('button', { name: 'Pin' }).click()
    await page.getByRole('list', { name: 'Pinned messages' }).getByText('Twelve euros').waitFor()
    await onPhone(reply, ({ pinnedUntil }) => pinnedUntil !== undefined)
    await choose(page, reply, 'Remove pin')
    await page.getByRole('list', { name: 'Pinned messages' }).waitFor({ state: 'detached' })

    await choose(page, question, 'Forward')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: 'Carol' }).check()
    await dialog.getByRole('button', { name: 'Forward' }).click()
    await dialog.waitFor({ state: 'detached' })
    const copy = await until(
      async () => (await world.world.messages(carol)).find(({ text }) => text === 'How much is it?'),
      (message) => message !== undefined,
      'the forwarded message',
    )
    assert.equal(copy?.forwarded, true)

    await choose(page, reply, 'Delete for everyone')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete for everyone' }).click()
    await page.getByText('This message was deleted.').waitFor()
    await onPhone(reply, ({ deleted }) => deleted === true)

    await world.world.post(`/phones/${person}/react`, { messageId: question, emoji: '❤️' })
    await messageOf(page, question).getByText('❤️').waitFor()
    await world.world.post(`/phones/${person}/edit`, { messageId: question, text: 'How much was it?' })
    await bubble(page, 'How much was it?').getByText('edited').waitFor()
    await world.world.post(`/phones/${person}/pin`, { messageId: question, seconds: 86_400 })
    await page.getByRole('list', { name: 'Pinned messages' }).getByText('How much was it?').waitFor()

    await world.world.post('/faults', { number: line.number, kind: 'reject', code: 405 })
    await choose(page, question, '😂')
    await messageOf(page, question)
      .getByText('The last change was not sent: the network rejected it')
      .waitFor()
    assert.equal(await messageOf(page, question).getByText('😂').count(), 0)
    await page.setViewportSize({ width: 390, height: 800 })
    await openMenu(page, question)
    await page.getByRole('button', { name: 'Reply', exact: true }).waitFor()
    await page.setViewportSize({ width: 1280, height: 860 })

    await page.goto(chatOf(line, jidOf(carol)))
    await bubble(page, 'How much is it?').getByText('Forwarded').waitFor()
    await close()
  })

  test('files are chosen, dropped and pasted; stickers and contacts are sent', async () => {
    const { open, world } = await dashboard()
    const { line, person } = await lineAndPerson(world)
    const { page, close } = await open(chatOf(line, jidOf(person)), { signedInAs: world.key })
    await page.getByLabel('Typing (ms)').fill('0')
    const form = page.getByRole('form', { name: 'Write a message' })
    /** Sends what is in the form; the message on the phone. */
    const sent = async (): Promise<Shown> => {
      const answered = page.waitForResponse((response) => response.url().includes('/api/v1/send/'))
      await form.getByRole('button', { name: 'Send' }).click()
      const answer = await answered
      assert.equal(answer.status(), 200, await answer.text())
      return world.world.shown(person, ((await answer.json()) as { messageId: string }).messageId)
    }
    const chooser = form.locator('input[type=file]')

    await chooseKind(page, 'Media')
    await chooser.setInputFiles({ name: 'empty.png', mimeType: 'image/png', buffer: Buffer.alloc(0) })
    await form.getByRole('alert').filter({ hasText: 'empty.png is empty.' }).waitFor()
    // The upload is held until the test has seen its progress.
    const held = Promise.withResolvers<void>()
    await page.route('**/api/v1/media?*', async (route) => {
      await held.promise
      await route.continue()
    })
    await chooser.setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: png(4, 4) })
    await form.getByRole('progressbar', { name: 'Uploading photo.png' }).waitFor()
    await form.getByRole('button', { name: 'Cancel' }).click()
    await form.getByLabel('File URL').waitFor()
    await chooser.setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: png(4, 4) })
    held.resolve()
    await form.getByRole('status').filter({ hasText: 'photo.png' }).waitFor()
    await form.getByLabel('View once').check()
    const picture = await sent()
    assert.deepEqual([picture.media?.type, picture.viewOnce], ['image', true])
    await bubble(page, 'View once').waitFor()

    await chooseKind(page, 'Text')
    await page.getByLabel('Message', { exact: true }).fill('The invoice')
    await giveFile(
      page,
      'drop',
      new File([new Uint8Array(pdf())], 'invoice.pdf', { type: 'application/pdf' }),
    )
    await form.getByRole('status').filter({ hasText: 'invoice.pdf' }).waitFor()
    const paper = await sent()
    assert.deepEqual(
      [paper.media?.type, paper.media?.fileName, paper.text],
      ['document', 'invoice.pdf', 'The invoice'],
    )
    await chooseKind(page, 'Text')
    await giveFile(page, 'paste', new File([new Uint8Array(png(5, 5))], 'image.png', { type: 'image/png' }))
    await form.getByRole('status').filter({ hasText: 'image.png' }).waitFor()
    assert.equal((await sent()).media?.type, 'image')

    await chooseKind(page, 'Sticker')
    await chooser.setInputFiles({ name: 'smile.png', mimeType: 'image/png', buffer: png(8, 8) })
    await form.getByRole('status').filter({ hasText: 'smile.png' }).waitFor()
    assert.equal((await sent()).kind, 'sticker')
    await chooseKind(page, 'Contact')
    await form.getByLabel('Name').fill('Ana Souza')
    await form.getByLabel('Phone number').fill('5511912345678')
    await form.getByLabel('E-mail').fill('ana@example.com')
    assert.deepEqual(
      (await sent()).contacts?.map(({ name }) => name),
      ['Ana Souza'],
    )
    await bubble(page, 'Ana Souza').waitFor()

    await page.route('**/api/v1/media?*', (route) =>
      route.fulfill({
        status: 507,
        contentType: 'application/json',
        body: JSON.stringify({ success: false, error: 'full', reason: 'upload_space_full' }),
      }),
    )
    await chooseKind(page, 'Media')
    await chooser.setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: png(4, 4) })
    await form.getByRole('alert').filter({ hasText: 'Your space for uploaded files is full.' }).waitFor()
    await close()
  })

  test('a message is scheduled, listed for all instances and for one, opened and cancelled', async () => {
    const { open, world } = await dashboard()
    const [one, two] = [await lineAndPerson(world, 'Uma'), await lineAndPerson(world, 'Duas')]
    const sendAt = new Date(Date.now() + 3_600_000).toISOString()
    await world.api('sendText', {
      body: { instanceName: two.line.name, number: two.person, message: 'from the API', sendAt },
    })
    const { page, close } = await open(chatOf(one.line, jidOf(one.person)), { signedInAs: world.key })
    const form = page.getByRole('form', { name: 'Write a message' })
    await page.getByLabel('Message', { exact: true }).fill('Happy birthday')
    await form.getByText('Options: schedule, expiry').click()
    await form.getByLabel('Send at').fill(await inMinutes(page, 120))
    await form.getByLabel('Expires at').fill(await inMinutes(page, 60))
    await form.getByRole('button', { name: 'Schedule' }).click()
    await form.getByRole('alert').filter({ hasText: 'must be later than sendAt' }).waitFor()
    await form.getByLabel('Expires at').fill(await inMinutes(page, 180))
    await form.getByRole('button', { name: 'Schedule' }).click()
    await bubble(page, 'Happy birthday').getByText('Scheduled').waitFor()
    await page.reload()
    await bubble(page, 'Happy birthday').getByText('Scheduled').waitFor()

    await page.goto('/conversations')
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('button', { name: 'Scheduled messages' }).click()
    await page.getByRole('heading', { level: 1, name: 'Scheduled messages' }).waitFor()
    const row = (text: string) => page.getByRole('row').filter({ hasText: text })
    await row('from the API').getByText(`+${two.person}`).waitFor()
    await page.getByRole('combobox', { name: 'Instance' }).selectOption(one.line.name)
    await row('from the API').waitFor({ state: 'detached' })
    const menu = row('Happy birthday').getByRole('button', { name: /^Actions for/ })
    await menu.click()
    await page.getByRole('button', { name: 'Cancel message' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel message' }).click()
    await page.getByText('No scheduled messages').waitFor()
    await page.getByRole('combobox', { name: 'Instance' }).selectOption('All instances')
    await row('from the API')
      .getByRole('button', { name: /^Actions for/ })
      .click()
    await page.getByRole('button', { name: 'Open conversation' }).click()
    await bubble(page, 'from the API').getByRole('button', { name: 'Cancel' }).click()
    await bubble(page, 'from the API').getByText('Not sent: it was cancelled').waitFor()
    await close()
  })
})
