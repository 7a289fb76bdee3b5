// The menu for language and appearance.
import type { Page } from 'playwright-core'

/** Chooses an option of the menu in any language. */
export async function choosePreference(page: Page, option: string): Promise<void> {
  const menu = page.getByRole('button', {
    name: /^(Language and appearance|Idioma e aparência|Idioma y apariencia): /,
  })
  const choice = page.getByRole('radio', { name: option, exact: true })
  if (!(await choice.isVisible())) await menu.click()
  await choice.check()
}
