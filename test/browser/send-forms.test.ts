import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { mp4, ogg, pdf, png } from '../support/sample-files.ts'
import type { Shown } from '../support/sandbox-world.ts'
import { startWebHost, type WebHost } from '../support/web-host.ts'
import { chatOf, chooseKind, jidOf, lineAndPerson } from './chats.ts'
import { dashboard, skip } from './dashboard.ts'

describe('every kind of message from the form to the phone', { skip }, () => {
  const FILES: Record<string, { bytes: Buffer; type: string }> = {
    '/photo.png': { bytes: png(3, 2), type: 'image/png' },
    '/film.mp4': { bytes: mp4(), type: 'video/mp4' },
    '/paper.pdf': { bytes: pdf(), type: 'application/pdf' },
    '/voice.ogg': { bytes: ogg(), type: 'audio/ogg' },
  }
  let files: WebHost
  before(async () => {
    files = await startWebHost((request, response) => {
      const file = FILES[request.url ?? '']
      response.writeHead(file ? 200 : 404, { 'content-type': file?.type ?? 'text/plain' })
      response.end(file?.bytes ?? '')
    })
  })
  after(() => files.close())

  /** Fills fields by label; `label#index` selects one of several fields with the same label. */
  const fill = async (page: Page, values: Record<string, string>) => {
    for (const [name, value] of Object.entries(values)) {
      const [label = '', nth = '0'] = name.split('#')
      await page.locator('[data-form]').getByLabel(label, { exact: false }).nth(Number(nth)).fill(value)
    }
  }

  interface Case {
    name: string
    kind: string
    fill(page: Page): Promise<void>
    shown(message: Shown): unknown
    expected: unknown
  }
  const media = (type: string, path: string, mimetype: string): Case => ({
    name: type,
    kind: 'Media',
    async fill(page) {
      await page.getByLabel('Type', { exact: true }).selectOption(type)
      await fill(page, { 'File URL': files.url + path, 'File name': `a${path.slice(-4)}` })
    },
    shown: ({ media: got }) => [got?.type, got?.mimetype],
    expected: [type, mimetype],
  })
  const CASES: Case[] = [
    {
      name: 'text',
      kind: 'Text',
      fill: (page) => fill(page, { Message: 'Two\nlines' }),
      shown: ({ kind, text }) => [kind, text],
      expected: ['text', 'Two\nlines'],
    },
    media('image', '/photo.png', 'image/png'),
    media('video', '/film.mp4', 'video/mp4'),
    media('document', '/paper.pdf', 'application/pdf'),
    media('audio', '/voice.ogg', 'audio/ogg; codecs=opus'),
    {
      name: 'reply buttons',
      kind: 'Buttons',
      async fill(page) {
        await page.getByRole('button', { name: 'Add: Button' }).click()
        await fill(page, { Title: 'Delivery', Text: 'Tomorrow?', 'Label#0': 'Yes', 'Label#1': 'No' })
      },
      shown: ({ interactive }) => [
        interactive?.title,
        interactive?.body,
        interactive?.buttons?.map(({ text, id }) => [text, id]),
      ],
      expected: [
        'Delivery',
        'Tomorrow?',
        [
          ['Yes', 'option-1'],
          ['No', 'option-2'],
        ],
      ],
    },
    {
      name: 'list',
      kind: 'List',
      async fill(page) {
        await page.getByRole('button', { name: 'Add: Row' }).click()
        await fill(page, {
          Text: 'What would you like?',
          'List button label': 'Open',
          'Row title#0': 'Coffee',
          'Row title#1': 'Tea',
        })
      },
      shown: ({ interactive }) => [
        interactive?.body,
        interactive?.sections?.flatMap(({ rows }) => rows.map(({ title, rowId }) => [title, rowId])),
      ],
      expected: [
        'What would you like?',
        [
          ['Coffee', 'row-1'],
          ['Tea', 'row-2'],
        ],
      ],
    },
    {
      name: 'mixed buttons',
      kind: 'Mixed buttons',
      async fill(page) {
        for (const [position, action] of ['call', 'copy', 'reply'].entries()) {
          await page.getByRole('button', { name: 'Add: Button' }).click()
          await page
            .getByLabel('Action', { exact: true })
            .nth(position + 1)
            .selectOption(action)
        }
        await fill(page, {
          Text: 'Need help?',
          'Label#0': 'Site',
          URL: 'https://example.com/',
          'Label#1': 'Ring',
          'Phone number': '+5511912345678',
          'Label#2': 'Copy',
          'Code to copy': 'WELCOME10',
          'Label#3': 'Talk',
        })
      },
      shown: ({ interactive }) =>
        interactive?.buttons?.map(({ type, text, url, phoneNumber, id }) => [
          type,
          text,
          url ?? phoneNumber ?? id,
        ]),
      expected: [
        ['url', 'Site', 'https://example.com/'],
        ['call', 'Ring', '+5511912345678'],
        ['copy', 'Copy', 'WELCOME10'],
        ['reply', 'Talk', 'button-4'],
      ],
    },
    {
      name: 'carousel',
      kind: 'Carousel',
      fill: (page) =>
        fill(page, {
          'Text above the cards': 'This week',
          'Picture URL': `${files.url}/photo.png`,
          'Card text': 'Shoe, 49',
          Label: 'Buy',
        }),
      shown: ({ interactive }) => [
        interactive?.body,
        interactive?.cards?.map(({ body, hasImage, buttons }) => [
          body,
          hasImage,
          buttons.map(({ text }) => text),
        ]),
      ],
      expected: ['This week', [['Shoe, 49', true, ['Buy']]]],
    },
    {
      name: 'location',
      kind: 'Location',
      fill: (page) => fill(page, { Latitude: '-23.5614', Longitude: '-46.6559', 'Place name': 'Our shop' }),
      shown: ({ location }) => location?.name,
      expected: 'Our shop',
    },
    {
      name: 'poll',
      kind: 'Poll',
      async fill(page) {
        await page.getByRole('button', { name: 'Add: Option' }).click()
        const options = page.getByRole('textbox', { name: 'Option', exact: true })
        for (const [index, day] of ['Mon', 'Tue', 'Wed'].entries()) await options.nth(index).fill(day)
        await fill(page, { Question: 'Which day?', 'Answers per voter': '2' })
      },
      shown: ({ poll }) => [poll?.name, poll?.options, poll?.selectableCount],
      expected: ['Which day?', ['Mon', 'Tue', 'Wed'], 2],
    },
    {
      name: 'event',
      kind: 'Event',
      async fill(page) {
        await fill(page, {
          Title: 'Tasting',
          'Starts at': '2036-12-24T18:00',
          'Ends at': '2036-12-24T20:00',
          Place: 'Our shop',
          Description: 'Six wines',
        })
        await page.getByLabel('Call link').selectOption('video')
      },
      shown: ({ event }) => [
        event?.name,
        event?.place,
        event?.description,
        Date.parse(event?.endsAt ?? '') - Date.parse(event?.startsAt ?? ''),
        event?.callLink?.includes('/video/'),
      ],
      expected: ['Tasting', 'Our shop', 'Six wines', 2 * 3_600_000, true],
    },
  ]

  test('is received field by field, and the shown request is the one that was sent', async () => {
    const { open, world } = await dashboard()
    const { line, person } = await lineAndPerson(world)
    const { page, close } = await open(chatOf(line, jidOf(person)), { signedInAs: world.key })
    await page.getByLabel('Typing (ms)').fill('0')
    for (const one of CASES) {
      await chooseKind(page, one.kind)
      await one.fill(page)
      const shownBody = JSON.parse(
        (await page.getByRole('tabpanel', { name: 'JSON body' }).locator('pre').textContent()) ?? '',
      ) as unknown
      const answered = page.waitForResponse((response) => response.request().method() === 'POST')
      await page.getByRole('button', { name: 'Send' }).click()
      const answer = await answered
      assert.equal(answer.status(), 200, `${one.name}: ${await answer.text()}`)
      assert.deepEqual(answer.request().postDataJSON(), shownBody)
      const { messageId } = (await answer.json()) as { messageId: string }
      assert.deepEqual(one.shown(await world.world.shown(person, messageId)), one.expected, one.name)
    }
    await page
      .getByRole('log')
      .getByRole('article')
      .nth(CASES.length - 1)
      .getByText('Delivered')
      .waitFor()
    await close()
  })
})
