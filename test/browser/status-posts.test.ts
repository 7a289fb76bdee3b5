// Status posts on the conversations page: posted by the form, and received from people.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { png } from '../support/sample-files.ts'
import { until } from '../support/sandbox-world.ts'
import { bubble, chatOf, lineAndPerson } from './chats.ts'
import { dashboard, skip } from './dashboard.ts'

const STATUS = 'status@broadcast'

describe('status posts', { skip }, () => {
  test('a text, an uploaded picture and a scheduled post reach the chosen people; posts of others appear live', async () => {
    const { open, world } = await dashboard()
    const { line, person } = await lineAndPerson(world)
    const { page, close } = await open(`/conversations?instance=${line.name}`, {
      signedInAs: world.key,
    })
    await page.getByRole('tab', { name: 'Status', exact: true }).click()
    await page.getByRole('link', { name: /Status posts/ }).click()
    await page.getByRole('heading', { name: 'Status posts' }).waitFor()
    const form = page.getByRole('form', { name: 'Write a message' })
    assert.equal(await form.getByRole('button', { name: 'Message type' }).count(), 0, 'a status has one form')
    assert.equal(await form.getByLabel('Typing (ms)').count(), 0)
    const shownBody = async () =>
      JSON.parse(
        (await page.getByRole('tabpanel', { name: 'JSON body' }).locator('pre').textContent()) ?? '',
      ) as Record<string, unknown>
    const post = async (button = 'Send'): Promise<string> => {
      const body = await shownBody()
      const answered = page.waitForResponse((response) => response.url().endsWith('/api/v1/send/status'))
      await form.getByRole('button', { name: button }).click()
      const answer = await answered
      assert.equal(answer.status(), 200, await answer.text())
      assert.deepEqual(answer.request().postDataJSON(), body)
      return ((await answer.json()) as { messageId: string }).messageId
    }

    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByRole('alert').filter({ hasText: 'Required.' }).waitFor()
    await form.getByLabel('Message').fill('Open until midnight')
    await form.getByLabel('Background colour').fill('#112233')
    await form.getByLabel('Font').selectOption('Bold')
    await form.getByLabel('Who sees it').selectOption('Chosen numbers')
    await form.getByRole('textbox', { name: 'Phone number' }).fill(person)
    const text = await world.world.shown(person, await post())
    assert.deepEqual([text.chat, text.text, text.backgroundColor], [STATUS, 'Open until midnight', '#112233'])
    await bubble(page, 'Open until midnight').waitFor()

    await form.getByLabel('Type', { exact: true }).selectOption('Picture')
    await form
      .locator('input[type=file]')
      .setInputFiles({ name: 'shop.png', mimeType: 'image/png', buffer: png(8, 8) })
    await form.getByRole('status').filter({ hasText: 'shop.png' }).waitFor()
    await form.getByLabel('Caption').fill('Our new shop')
    await form.getByLabel('Who sees it').selectOption('Chosen numbers')
    await form.getByRole('textbox', { name: 'Phone number' }).fill(person)
    const picture = await world.world.shown(person, await post())
    assert.deepEqual([picture.media?.type, picture.media?.caption ?? picture.text], ['image', 'Our new shop'])

    await world.world.post(`/phones/${person}/status`, { text: 'On holiday', to: [line.number] })
    await bubble(page, 'On holiday').getByText('Bob').waitFor()

    // Without an audience a post fails, and the page says why.
    await form.getByLabel('Message').fill('Is anyone there?')
    await post()
    await bubble(page, 'Is anyone there?')
      .getByText(/^Not sent/)
      .waitFor()

    await bubble(page, 'Open until midnight').getByRole('button', { name: 'Message actions' }).click()
    assert.equal(await page.getByRole('button', { name: 'Reply', exact: true }).count(), 0)
    await page.getByRole('button', { name: 'Delete for everyone' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete for everyone' }).click()
    await page.getByText('This message was deleted.').waitFor()
    await until(
      () => world.world.shown(person, text.id),
      ({ deleted }) => deleted === true,
      'the deleted status',
    )

    await form.getByText('Options: schedule, expiry').click()
    await form.getByLabel('Message').fill('Tomorrow')
    await form.getByLabel('Send at').fill(
      await page.evaluate<string>(
        `(() => { const at = new Date(Date.now() + 7200000);
          return new Date(at.getTime() - at.getTimezoneOffset() * 60000).toISOString().slice(0, 16) })()`,
      ),
    )
    await post('Schedule')
    await bubble(page, 'Tomorrow').getByText('Scheduled').waitFor()
    await page.goto(`/conversations/scheduled?instance=${line.name}`)
    const row = page.getByRole('row').filter({ hasText: 'Tomorrow' })
    await row.getByText('Status posts').waitFor()
    await row.getByRole('button', { name: /^Actions for/ }).click()
    await page.getByRole('button', { name: 'Open conversation' }).click()
    await bubble(page, 'Tomorrow').waitFor()
    assert.equal(new URL(page.url()).searchParams.get('chat'), STATUS)
    await close()
  })

  test('a picture that is dropped on the posts becomes the file of the next post', async () => {
    const { open, world } = await dashboard()
    const { line } = await lineAndPerson(world)
    const { page, close } = await open(chatOf(line, STATUS), { signedInAs: world.key })
    const form = page.getByRole('form', { name: 'Write a message' })
    await form.getByLabel('Message').fill('Look')
    const base64 = png(6, 6).toString('base64')
    await page.evaluate(`(() => {
      const data = new DataTransfer()
      const bytes = Uint8Array.from(atob('${base64}'), (character) => character.charCodeAt(0))
      data.items.add(new File([bytes], 'dropped.png', { type: 'image/png' }))
      document.querySelector('[role=log]').dispatchEvent(
        new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }))
    })()`)
    await form.getByRole('status').filter({ hasText: 'dropped.png' }).waitFor()
    assert.equal(await form.getByLabel('Type', { exact: true }).inputValue(), 'image')
    assert.equal(await form.getByLabel('Caption').inputValue(), 'Look')
    await close()
  })
})
