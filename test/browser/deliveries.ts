// The deliveries on the page of a webhook.
import type { Locator, Page } from 'playwright-core'

/** One button per delivery, which opens it. */
export const deliveryRows = (page: Page): Locator =>
  page.getByRole('region', { name: 'Deliveries' }).locator('button[aria-expanded]')

/** The details of the open delivery. */
export const openedDelivery = (page: Page): Locator => page.locator('[id^="delivery-"]')
