import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { RESTORE_MARK } from '../../src/instances/restore-queries.ts'
import { temporaryDirectory } from '../support/engines.ts'
import { type SandboxWorld, startSandboxWorld } from '../support/sandbox-world.ts'
import { newKey } from '../support/started.ts'
import { dashboard, skip } from './dashboard.ts'
import { choosePreference } from './preferences.ts'

/** A gateway on a restored database. */
async function startRestored(operatorKey: string): Promise<SandboxWorld> {
  const environment = {
    DATA_DIR: await temporaryDirectory(),
    API_KEY: newKey(),
    OPERATOR_KEY: operatorKey,
  }
  const original = await startSandboxWorld(environment)
  await original.pair('5511955550001')
  await original.app.store.db
    .insertInto('facts')
    .values({ name: RESTORE_MARK, value: String(Date.now()) })
    .execute()
  await original.stop()
  return startSandboxWorld(environment)
}

describe('a gateway on hold', { skip }, () => {
  test('every page shows the hold in the reader’s language; the operator resumes it after a confirmation', async () => {
    const { open, world } = await dashboard()
    const copy = await startRestored(world.app.operatorKey)
    try {
      const at = copy.app.url
      const door = await open('/instances', { at })
      await door.page.getByText('This gateway is on hold.').waitFor()
      await door.close()

      const inside = await open('/instances', { at, signedInAs: copy.key })
      await inside.page.getByText('This gateway is on hold.').waitFor()
      await inside.page.getByText('gateway on hold').waitFor()
      for (const [language, words] of [
        ['Português', 'Este gateway está suspenso.'],
        ['Español', 'Este gateway está suspendido.'],
      ] as const) {
        await choosePreference(inside.page, language)
        await inside.page.getByText(words).waitFor()
      }
      await inside.close()

      const operator = await open('/operator', { at, operator: true })
      const { page } = operator
      await page.getByRole('button', { name: 'Resume' }).click()
      const question = page.getByRole('dialog')
      await question.getByText('Stop the original first.').waitFor()
      await question.getByRole('button', { name: 'Cancel' }).click()
      assert.equal((await copy.api('readyz', { key: null })).held, 'restored')
      await page.getByRole('button', { name: 'Resume' }).click()
      await question.getByRole('button', { name: 'Resume' }).click()
      await page.getByText('Gateway resumed.').waitFor()
      await page.getByText('This gateway is on hold.').waitFor({ state: 'detached' })
      assert.equal((await copy.api('readyz', { key: null })).held, null)
      await operator.close()
    } finally {
      await copy.stop()
    }
  })
})
