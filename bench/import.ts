// How long does it take to import 100 sessions of the published library, each with 812 one-time keys and 100 contacts? (wanted: 30 s)
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readSettings } from '../src/config.ts'
import { importSessions } from '../src/doors/cli/import/import-sessions.ts'
import { makeAccount } from '../src/store/conformance/tenant.ts'
import { engines, temporaryDirectory } from '../test/support/engines.ts'
import { writeForeignFolder } from '../test/support/foreign-session.ts'
import { openStore } from '../test/support/open-store.ts'
import { atMost, report } from './report.ts'

const SESSIONS = 100
const CONTACTS = 100
const WANTED_S = 30

const folders = await temporaryDirectory()
for (let index = 0; index < SESSIONS; index += 1)
  await writeForeignFolder(join(folders, `line-${index}`), String(5_511_940_000_000 + index), CONTACTS)
for (const engine of engines) {
  const at = await engine.createLocation()
  const store = await openStore(at)
  await makeAccount(store)
  await store.close()
  const settings = readSettings({ DATA_DIR: at.directory, DATABASE_URL: at.databaseUrl })
  const request = {
    from: 'baileys-folder',
    location: folders,
    isApplied: true,
    accountId: undefined,
    isStopped: true,
  }
  const before = performance.now()
  const sessions = await importSessions(settings, request, () => undefined)
  const seconds = (performance.now() - before) / 1000
  const imported = sessions.filter(({ outcome }) => outcome === 'imported').length
  if (imported !== SESSIONS) throw new Error(`${imported} of ${SESSIONS} sessions were imported`)
  report({
    question: `Import of ${SESSIONS} sessions with ${CONTACTS} contacts each, on ${engine.name}`,
    value: seconds,
    unit: 's',
    wanted: atMost(seconds, WANTED_S, 's'),
  })
  await at.dispose()
}
await rm(folders, { recursive: true })
