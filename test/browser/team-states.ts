// States of an open conversation for people who work in a team: details, quick replies and the palette.
import type { Locator, Page } from 'playwright-core'
import { click, closeAll, dialog, type State, theDialog } from './visit.ts'

const form = (page: Page): Locator => page.getByRole('form', { name: 'Write a message' })

export const teamStates: State[] = [
  dialog('chat-details', 'Details'),
  dialog('quick-replies', 'More', 'Quick replies'),
  {
    name: 'quick-reply-edit',
    reach: (page) => click(page, /^\/hours/),
    part: theDialog,
  },
  {
    name: 'quick-replies-offered',
    async reach(page) {
      await closeAll(page)
      await form(page).getByLabel('Message', { exact: true }).fill('/ho')
      await form(page).getByRole('option', { name: /hours/ }).waitFor()
    },
    part: form,
  },
  {
    name: 'palette',
    async reach(page) {
      await form(page).getByLabel('Message', { exact: true }).fill('')
      await page.keyboard.press('Control+k')
      await theDialog(page).getByRole('option', { name: /Bob/ }).waitFor()
    },
    part: theDialog,
  },
]
