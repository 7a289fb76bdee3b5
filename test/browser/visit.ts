// How a browser gets to a page, and from there to its dialogs and states.
import type { Locator, Page } from 'playwright-core'

export interface State {
  name: string
  /** Goes there from the state before it. */
  reach(page: Page): Promise<unknown>
  /** The part that is new; without it the whole page is checked. */
  part?(page: Page): Locator
}

export interface Visit {
  /** The path in the table of pages. */
  path: string
  name: string
  address: string
  ready(page: Page): Promise<unknown>
  states?: State[]
}

export const click = (page: Page, name: string | RegExp) =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click()
export const theDialog = (page: Page): Locator => page.locator('dialog[open]')

/** A dialog that these buttons open, one after the other. The dialog before it is closed first. */
export const dialog = (name: string, ...buttons: (string | RegExp)[]): State => ({
  name,
  async reach(page) {
    await closeAll(page)
    for (const button of buttons) await click(page, button)
    await theDialog(page).waitFor()
  },
  part: theDialog,
})

export async function closeAll(page: Page): Promise<void> {
  while ((await page.locator('dialog[open], [popover]:popover-open, [role=dialog]').count()) > 0)
    await page.keyboard.press('Escape')
}

export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
