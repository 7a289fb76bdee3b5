// `migrate`: brings the database to the schema of this program, or says where it stands.
import { prepareDirectory } from '../key-files.ts'
import type { SchemaStatus } from '../maintenance.ts'
import { command, type Output } from './command.ts'
import { table } from './print.ts'

export const migrate = command({
  name: 'migrate',
  summary: 'Apply pending migrations and say what was done',
  description: 'The server does the same at every start. On SQLite, stop the server first.',
  parameters: [],
  options: { status: { type: 'boolean', help: 'Only say what is applied and what is pending' } },
  async run(context, { status }) {
    const settings = context.settings()
    const { createMaintenance } = await import('../maintenance.ts')
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

const label = (version: number, name: string): string => `${String(version).padStart(4, '0')}-${name}`

function statusOf(engine: string, schema: SchemaStatus | undefined): Output {
  if (schema === undefined) {
    return {
      json: { engine, applied: [], pending: null },
      text: 'There is no data yet; the first start makes it.',
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
