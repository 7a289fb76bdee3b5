// The first line of a migration says which programs it works with, and whether it runs outside a transaction:
//
//   -- works with: 9                  programs of schema version 9 and later may go on; the migration only adds
//   -- works with: 9; concurrently    the same, and its statements build or drop indexes beside the traffic (PostgreSQL only)
//
// Without such a line, all older programs have to stop.

export interface MigrationHeader {
  /** The oldest schema version whose program may use the database after this migration. */
  worksWith: number
  /** Its statements run one by one, outside a transaction. Each of them can be repeated. */
  isConcurrent: boolean
}

const HEADER = /^-- works with: (\d+)(; concurrently)?$/
const MEANT_AS_HEADER = /^-- *(works[ -]with|concurrently)/i

export function readHeader(version: number, sql: string): MigrationHeader {
  const [line = ''] = sql.split('\n', 1)
  const match = HEADER.exec(line.trimEnd())
  if (!match) {
    if (MEANT_AS_HEADER.test(line)) throw new Error(`migration ${version}: cannot read "${line}"`)
    return { worksWith: version, isConcurrent: false }
  }
  const worksWith = Number(match[1])
  if (worksWith < 1 || worksWith > version)
    throw new Error(`migration ${version}: works with ${worksWith}, expected 1 to ${version}`)
  return { worksWith, isConcurrent: match[2] !== undefined }
}

export interface IndexStatement {
  sql: string
  index: string
}

const INDEX_STATEMENT =
  /^(?:create (?:unique )?index concurrently if not exists|drop index concurrently if exists) ([a-z0-9_]+)\b/i

/** The statements of a concurrent migration. Others cannot be repeated after a crash, or cannot run outside a transaction. */
export function indexStatements({ version, sql }: { version: number; sql: string }): IndexStatement[] {
  const statements = sql
    .replaceAll(/^\s*--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
  return statements.map((statement) => {
    const index = INDEX_STATEMENT.exec(statement.replaceAll(/\s+/g, ' '))?.[1]
    if (index === undefined)
      throw new Error(
        `migration ${version}: expected "create index concurrently if not exists" or "drop index concurrently if exists", ` +
          `found "${statement.slice(0, 60)}"`,
      )
    return { sql: statement, index }
  })
}
