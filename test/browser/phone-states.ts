// The phones of the sandbox: each screen and sheet of a phone.
import type { Locator, Page } from 'playwright-core'
import type { State, Visit } from './visit.ts'

const bob = (page: Page): Locator => page.getByRole('region', { name: 'Bob’s phone' })
const sheetOf = (page: Page): Locator => bob(page).getByRole('dialog')

const closeSheet = async (page: Page): Promise<void> => {
  if ((await sheetOf(page).count()) > 0) await sheetOf(page).getByRole('button', { name: 'Close' }).click()
}

/** One of the screens at the bottom of the phone, or its profile. */
const screen = (name: string): State => ({
  name: `phone-${name.toLowerCase()}`,
  async reach(page) {
    await closeSheet(page)
    await bob(page).getByRole('button', { name, exact: true }).click()
  },
  part: bob,
})

const attach = (kind: string): State => ({
  name: `phone-attach-${kind.toLowerCase()}`,
  async reach(page) {
    if ((await sheetOf(page).count()) === 0) await bob(page).getByRole('button', { name: 'Attach' }).click()
    await sheetOf(page).getByRole('tab', { name: kind }).click()
  },
  part: sheetOf,
})

const groupTab = (name: string): State => ({
  name: `phone-group-${name.toLowerCase()}`,
  async reach(page) {
    if ((await bob(page).getByRole('dialog', { name: 'Launch' }).count()) === 0) {
      await closeSheet(page)
      await bob(page).getByRole('button', { name: 'Back' }).click()
      await bob(page)
        .getByRole('button', { name: /Launch/ })
        .click()
      await bob(page).getByRole('button', { name: '2 members' }).click()
    }
    await sheetOf(page).getByRole('tab', { name }).click()
  },
  part: sheetOf,
})

/** A sheet of the menu of the message that the phone has received. */
const messageSheet = (name: string, action: string): State => ({
  name: `phone-${name}`,
  async reach(page) {
    await closeSheet(page)
    const bubble = bob(page).getByRole('log').locator('[data-author=theirs]', { hasText: 'Twelve euros' })
    await bubble.getByRole('button', { name: 'React or reply' }).click()
    await bubble.getByRole('button', { name: action, exact: true }).click()
    await sheetOf(page).waitFor()
  },
  part: sheetOf,
})

export const phonePage: Visit = {
  path: '/phone',
  name: 'phones',
  address: '/phone',
  ready: (page) => bob(page).getByRole('button', { name: /Shop/ }).first().waitFor(),
  states: [
    {
      name: 'phone-chat',
      async reach(page) {
        await bob(page).getByRole('button', { name: /Shop/ }).first().click()
        await bob(page).getByRole('log').getByText('Twelve euros').waitFor()
      },
      part: bob,
    },
    ...['File', 'Location', 'Contact', 'Poll', 'Event'].map(attach),
    {
      name: 'phone-edit',
      async reach(page) {
        await closeSheet(page)
        const mine = bob(page).getByRole('log').locator('[data-author=mine]').first()
        await mine.getByRole('button', { name: 'React or reply' }).click()
        await mine.getByRole('button', { name: 'Edit' }).click()
        await mine.getByLabel('New text').waitFor()
      },
      part: bob,
    },
    messageSheet('forward', 'Forward'),
    messageSheet('pin', 'Pin'),
    {
      name: 'phone-chat-info',
      async reach(page) {
        await closeSheet(page)
        await bob(page).getByRole('button', { name: 'Chat info' }).click()
        await sheetOf(page).waitFor()
      },
      part: sheetOf,
    },
    ...['Members', 'Info', 'Settings'].map(groupTab),
    ...['Status', 'Calls', 'Devices', 'Faults', 'Profile'].map(screen),
    {
      name: 'phone-call',
      async reach(page) {
        await bob(page).getByRole('button', { name: 'Calls', exact: true }).click()
        const called = bob(page).getByLabel('New call')
        await called.selectOption(await called.locator('option', { hasText: 'Shop' }).getAttribute('value'))
        await bob(page).getByRole('button', { name: 'Voice call' }).click()
        await bob(page).getByRole('status').filter({ hasText: 'Shop' }).waitFor()
        await page.getByText('Bob is calling').waitFor()
      },
    },
  ],
}
