// Whether the store opens, has the schema of this program, is sound, takes writes, and fits the master key.
import type { Settings } from '../../config.ts'
import { MASTER_KEY_FILE, readMasterKey } from '../../key-files.ts'
import type { Maintenance, SchemaStatus } from '../../maintenance.ts'
import { type Finding, messageOf, ok, warning, wrong } from './finding.ts'

export async function checkStore(settings: Settings, maintenance: Maintenance): Promise<Finding[]> {
  const where = maintenance.engine === 'sqlite' ? `SQLite in ${settings.DATA_DIR}` : 'PostgreSQL'
  let schema: SchemaStatus | undefined
  try {
    schema = await maintenance.schema()
  } catch (error) {
    return [wrong('store', `${where} does not open: ${messageOf(error)}`, openingAdvice(maintenance, error))]
  }
  if (schema === undefined || schema.applied.length === 0)
    return [ok('store', `${where} holds no data yet; the first start makes it`)]
  return [
    ok('store', `${where} opens`),
    migrationFinding(schema),
    await integrityFinding(maintenance),
    await writeFinding(maintenance),
    await masterKeyFinding(settings, maintenance),
  ]
}

function openingAdvice({ engine }: Maintenance, error: unknown): string {
  if (/newer than this program|differs from the one/.test(messageOf(error)))
    return 'run the release that made the data, or a later one'
  return engine === 'sqlite'
    ? 'run this as the user that runs the server; if the file is damaged, restore the last backup'
    : 'see that PostgreSQL runs and that DATABASE_URL is right'
}

function migrationFinding({ applied, pending }: SchemaStatus): Finding {
  if (pending.length === 0) return ok('migrations', `all ${applied.length} applied`)
  return warning(
    'migrations',
    `${pending.length} pending`,
    'restart the server, or stop it and run: npm run cli -- migrate',
  )
}

async function integrityFinding(maintenance: Maintenance): Promise<Finding> {
  const todo = 'stop the server, keep a copy of DATA_DIR, and restore the last backup into an empty one'
  try {
    const [first] = await maintenance.integrityFaults()
    if (first !== undefined) return wrong('integrity', first, todo)
  } catch (error) {
    return wrong('integrity', messageOf(error), todo)
  }
  return ok(
    'integrity',
    maintenance.engine === 'sqlite' ? 'quick_check finds no fault' : 'left to PostgreSQL',
  )
}

async function writeFinding(maintenance: Maintenance): Promise<Finding> {
  try {
    await maintenance.checkWrite()
    return ok('write', 'a write was committed')
  } catch (error) {
    return wrong(
      'write',
      `a write failed: ${messageOf(error)}`,
      'see that the disk is not full and that this user may write to the database',
    )
  }
}

async function masterKeyFinding(settings: Settings, maintenance: Maintenance): Promise<Finding> {
  const todo = `set MASTER_KEY or ${settings.DATA_DIR}/${MASTER_KEY_FILE} to the key that was used before`
  try {
    const key = await readMasterKey(settings.DATA_DIR, settings.MASTER_KEY)
    if (key === undefined) return wrong('master key', 'there is data, but no master key', todo)
    const opens = await maintenance.opensWith(key)
    return opens === false
      ? wrong('master key', 'the data was encrypted with another one', todo)
      : ok('master key', opens === true ? 'opens the data' : 'nothing was encrypted yet')
  } catch (error) {
    return wrong('master key', messageOf(error), todo)
  }
}
