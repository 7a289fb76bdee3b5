// Checks that the database opens, has the current schema, is intact, accepts writes, and matches the master key.
import type { Maintenance, SchemaStatus } from '../../../app/maintenance.ts'
import type { Settings } from '../../../config.ts'
import { commandLine } from '../../../kernel/process/command-line.ts'
import { examineMasterKey } from '../master-key.ts'
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
    return [ok('store', `${where} has no data yet; the first start creates it`)]
  return [
    ok('store', `${where} opens`),
    migrationFinding(schema),
    await integrityFinding(maintenance),
    await writeFinding(maintenance),
    await masterKeyFinding(settings, maintenance),
    ...(await holdFindings(settings, maintenance)),
  ]
}

function openingAdvice({ engine }: Maintenance, error: unknown): string {
  if (/newer than this program|differs from the one/.test(messageOf(error)))
    return 'run the release that created the database, or a later one'
  return engine === 'sqlite'
    ? 'run the doctor as the user that runs the server; if the file is damaged, restore the last backup'
    : 'check that PostgreSQL runs and that DATABASE_URL is correct'
}

function migrationFinding({ applied, pending }: SchemaStatus): Finding {
  if (pending.length === 0) return ok('migrations', `all ${applied.length} applied`)
  return warning(
    'migrations',
    `${pending.length} pending`,
    `restart the server, or stop it and run: ${commandLine('migrate')}`,
  )
}

async function integrityFinding(maintenance: Maintenance): Promise<Finding> {
  const todo = 'stop the server, keep a copy of DATA_DIR, and restore the last backup into an empty DATA_DIR'
  try {
    const [first] = await maintenance.integrityFaults()
    if (first !== undefined) return wrong('integrity', first, todo)
  } catch (error) {
    return wrong('integrity', messageOf(error), todo)
  }
  return ok(
    'integrity',
    maintenance.engine === 'sqlite'
      ? 'quick_check found no errors'
      : 'not checked: PostgreSQL checks its own data',
  )
}

async function writeFinding(maintenance: Maintenance): Promise<Finding> {
  try {
    await maintenance.checkWrite()
    return ok('write', 'a test write succeeded')
  } catch (error) {
    return wrong(
      'write',
      `a test write failed: ${messageOf(error)}`,
      'check that the disk is not full and that this user may write to the database',
    )
  }
}

async function holdFindings({ SESSIONS }: Settings, maintenance: Maintenance): Promise<Finding[]> {
  const restoredAt = await maintenance.restoredAt()
  const restored =
    restoredAt === undefined
      ? []
      : [
          warning(
            'hold',
            `the database was restored at ${new Date(restoredAt).toISOString()}: sessions, sending and webhooks are held`,
            `for a trial, leave it held; to take over from the original, stop the original and run: ${commandLine('resume --yes')}`,
          ),
        ]
  const off =
    SESSIONS === 'off'
      ? [
          warning(
            'hold',
            'SESSIONS=off: sessions, sending and webhooks are held',
            'unset SESSIONS and restart the server',
          ),
        ]
      : []
  return [...restored, ...off]
}

async function masterKeyFinding(settings: Settings, maintenance: Maintenance): Promise<Finding> {
  const { location, state } = await examineMasterKey(settings, maintenance)
  const todo =
    location === 'MASTER_KEY'
      ? 'set MASTER_KEY to the previous master key'
      : `put the previous master key into ${location}, or set MASTER_KEY or MASTER_KEY_FILE as for the server`
  switch (state) {
    case 'fits':
      return ok('master key', `${location} decrypts the data`)
    case 'unused':
      return ok('master key', `${location} is set; there is no encrypted data yet`)
    case 'other':
      return wrong('master key', `${location} does not decrypt the data: another key was used`, todo)
    case 'missing':
      return wrong('master key', `${location} does not exist, but there is encrypted data`, todo)
    case 'unreadable':
      return wrong(
        'master key',
        `${location} cannot be read`,
        'run the doctor as the user that runs the server',
      )
    case 'invalid':
      return wrong('master key', `${location} does not hold 32 bytes in base64`, todo)
  }
}
