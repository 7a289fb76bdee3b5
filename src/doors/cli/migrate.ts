// `migrate`: applies pending migrations, lists them, or moves the data from SQLite to PostgreSQL.

import type { MoveReport, SchemaStatus } from '../../app/maintenance.ts'
import { prepareDirectory } from '../../data-dir/secrets.ts'
import { command, type Output } from './command.ts'
import type { Context } from './context.ts'
import { table } from './print.ts'
import { UsageError } from './usage-error.ts'

export const migrate = command({
  name: 'migrate',
  summary: 'Apply pending migrations, or move the data from SQLite to PostgreSQL',
  description:
    'The server does the same at every start. With SQLite, stop the server first.\n' +
    'With --to, the data of DATA_DIR is copied to an empty PostgreSQL database and compared row by row. The old file is only read.\n' +
    'Afterwards no server starts on it any more. A password can be given as PGPASSWORD instead of in the URL.',
  parameters: [],
  options: {
    status: { type: 'boolean', help: 'Only list applied and pending migrations' },
    to: { type: 'string', value: 'URL', help: 'Move the data to this empty PostgreSQL database' },
  },
  async run(context, { status, to }) {
    const settings = context.settings()
    if (to !== undefined) return moveTo(context, to, status === true)
    const { createMaintenance } = await import('../../app/maintenance.ts')
    const maintenance = createMaintenance(settings, context.environment)
    if (status === true) return statusOf(maintenance.engine, await maintenance.schema())
    await prepareDirectory(settings.DATA_DIR)
    const before = await maintenance.schema()
    await maintenance.migrate()
    const known = new Set(before?.applied.map(({ version }) => version))
    const after = (await maintenance.schema())?.applied ?? []
    const applied = after
      .filter(({ version }) => !known.has(version))
      .map(({ version, name }) => ({ version, name }))
    const lines = applied.map(({ version, name }) => `Applied ${label(version, name)}`)
    return {
      json: { engine: maintenance.engine, applied, version: after.at(-1)?.version ?? 0 },
      text: lines.length === 0 ? 'Nothing to do: the database is up to date.' : lines.join('\n'),
    }
  },
})

async function moveTo(context: Context, url: string, isStatus: boolean): Promise<Output> {
  const settings = context.settings()
  const { DATA_DIR: directory } = settings
  if (isStatus) throw new UsageError('--status and --to cannot be combined')
  if (settings.DATABASE_URL !== undefined)
    throw new UsageError('DATABASE_URL is set: unset it, because --to moves the SQLite data of DATA_DIR')
  if (!URL.canParse(url) || !/^postgres(ql)?:$/.test(new URL(url).protocol))
    throw new UsageError('--to: expected a postgres:// URL')
  const { moveToPostgres } = await import('../../app/maintenance.ts')
  const report = await moveToPostgres(directory, url, progressTo(context))
  return { json: report, text: `${summaryOf(report)}\n${nextSteps(directory)}` }
}

/** One line per table, and one for each further tenth of a large one. */
function progressTo({ streams }: Context): (table: string, done: number, of: number) => void {
  let [last, tenth] = ['', -1]
  return (name, done, of) => {
    const reached = of === 0 ? 10 : Math.floor((done / of) * 10)
    if (name === last && reached === tenth) return
    ;[last, tenth] = [name, reached]
    streams.notes.write(`${name}: ${done} of ${of} rows\n`)
  }
}

function summaryOf(report: MoveReport): string {
  if (report.outcome === 'moved_before') return 'The data was moved by an earlier run, which is complete now.'
  const rows = report.tables.reduce((sum, moved) => sum + moved.rows, 0)
  const replaced =
    report.replacedTexts === 0
      ? ''
      : `\n${report.replacedTexts} texts had NUL characters, which PostgreSQL cannot store. Each was replaced by U+FFFD.`
  return `Moved ${rows} rows in ${report.tables.length} tables. Their numbers and checksums are the same in both databases.${replaced}`
}

const nextSteps = (directory: string): string =>
  `Start the server with DATABASE_URL set to the new database, and with DATA_DIR=${directory} as before: the master key, the API keys\n` +
  'and the files of messages stay there. Sessions go on without a scan.\n' +
  `Never use ${directory}/switchboard.db again: its session keys are out of date as soon as the server runs on the new database.\n` +
  'A server refuses to start on it. Make a backup of the new database, then delete the old file.'

const label = (version: number, name: string): string => `${String(version).padStart(4, '0')}-${name}`

function statusOf(engine: string, schema: SchemaStatus | undefined): Output {
  if (schema === undefined) {
    return {
      json: { engine, applied: [], pending: null },
      text: 'There is no database yet. The first start of the server creates it.',
    }
  }
  const applied = schema.applied.map(({ version, name, appliedAt }) => ({
    version,
    name,
    appliedAt: new Date(appliedAt).toISOString(),
  }))
  const pending = schema.pending.map(({ version, name }) => ({ version, name }))
  const rows = [
    ...applied.map(({ version, name, appliedAt }) => [label(version, name), appliedAt]),
    ...pending.map(({ version, name }) => [label(version, name), 'pending']),
  ]
  return { json: { engine, applied, pending }, text: table(['migration', 'applied'], rows) }
}
