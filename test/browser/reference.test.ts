// The API reference in a browser: it renders under its policy, which allows no inline script. A violation of it fails the test.
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { dashboard, skip } from './dashboard.ts'

describe('the API reference', { skip }, () => {
  test('renders the operations of the API', async () => {
    const { open } = await dashboard()
    const { page, close } = await open('/docs/')
    await page.getByText('Send a text').first().waitFor()
    await page.screenshot({ path: join(import.meta.dirname, 'screenshots', 'reference.png') })
    await close()
  })
})
