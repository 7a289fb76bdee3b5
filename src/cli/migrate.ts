// `migrate`: applies pending migrations, or lists them.

import type { SchemaStatus } from '../app/maintenance.ts'
import { prepareDirectory } from '../data-dir/secrets.ts'
import { command, type Output } from './command.ts'
import { table } from './print.ts'

export const migrate = command({
  name: 'migrate',
  summary: 'Apply pending migrations',
  description: 'The server does the same at every start. With SQLite, stop the server first.',
  parameters: [],
  options: { status: { type: 'boolean', help: 'Only list applied and pending migrations' } },
  async run(context, { status }) {
    const settings = context.settings()
    const { createMaintenance } = await import('../app/maintenance.ts')
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
