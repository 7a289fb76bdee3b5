// The pages of webhooks and destinations, with their dialogs and states.
import type { SeededAccount } from './seeded-account.ts'
import { click, closeAll, dialog, theDialog, type Visit } from './visit.ts'

const webhooks = (seed: SeededAccount): Visit[] => [
  {
    path: '/webhooks',
    name: 'webhooks',
    address: '/webhooks',
    ready: (page) => page.getByRole('link', { name: 'Backend' }).waitFor(),
    states: [
      dialog('webhook-new', 'New webhook'),
      dialog('webhook-secret', 'Actions for Backend', 'New secret'),
      {
        name: 'webhook-test',
        async reach(page) {
          await closeAll(page)
          await click(page, 'Actions for Backend')
          await click(page, 'Send test')
          await theDialog(page).getByText('HTTP 500').waitFor()
        },
        part: theDialog,
      },
    ],
  },
  {
    path: '/webhooks/:id',
    name: 'webhook-delivery',
    address: `/webhooks/${seed.webhookId}`,
    async ready(page) {
      await page.getByRole('region', { name: 'Deliveries' }).locator('button[aria-expanded]').last().click()
      await page.locator('[id^="delivery-"]').getByText('HTTP 500').first().waitFor()
    },
    states: [
      dialog('webhook-replay', /^Actions for /, 'Replay events…'),
      {
        name: 'webhook-replayed',
        async reach(page) {
          await theDialog(page).getByRole('button', { name: 'Replay' }).click()
          await theDialog(page)
            .getByText(/\d+ events queued\./)
            .waitFor()
        },
        part: theDialog,
      },
    ],
  },
]

const destinations = (seed: SeededAccount): Visit[] => [
  {
    path: '/destinations',
    name: 'destinations',
    address: '/destinations',
    ready: (page) => page.getByText('amqps://broker.example.com:5671/crm').waitFor(),
    states: [
      dialog('destination-new', 'New destination'),
      dialog('destination-edit', 'Actions for Broker', 'Edit'),
      {
        name: 'destination-test',
        async reach(page) {
          await closeAll(page)
          await click(page, 'Actions for Broker')
          await click(page, 'Send test')
          await theDialog(page).getByText('The host name could not be resolved.').waitFor()
        },
        part: theDialog,
      },
      dialog('destination-delete', 'Actions for Broker', 'Delete'),
    ],
  },
  {
    path: '/destinations/:id',
    name: 'destination-delivery',
    address: `/destinations/${seed.destinationId}`,
    async ready(page) {
      await page.getByRole('region', { name: 'Deliveries' }).locator('button[aria-expanded]').last().click()
      await page
        .locator('[id^="delivery-"]')
        .getByText('The host name could not be resolved.')
        .first()
        .waitFor()
    },
    states: [
      {
        name: 'destination-delivery-replayed',
        async reach(page) {
          await click(page, 'Send again')
          await page.getByText('Queued for delivery.').waitFor()
        },
      },
      dialog('destination-replay', 'Replay events…'),
      {
        name: 'destination-replayed',
        async reach(page) {
          await theDialog(page).getByRole('button', { name: 'Replay' }).click()
          await theDialog(page)
            .getByText(/\d+ events queued\./)
            .waitFor()
        },
        part: theDialog,
      },
    ],
  },
]

export const receiverPages = (seed: SeededAccount): Visit[] => [...webhooks(seed), ...destinations(seed)]
