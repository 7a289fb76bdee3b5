// The overview, and one of its charts as a table.
import type { Visit } from './visit.ts'

export const overview: Visit = {
  path: '/overview',
  name: 'overview',
  address: '/overview',
  ready: (page) => page.getByRole('img', { name: /^Messages over time/ }).waitFor(),
  states: [
    {
      name: 'overview-table',
      async reach(page) {
        await page.getByText('Messages as a table').click()
        await page.getByRole('table').first().waitFor()
      },
    },
  ],
}
