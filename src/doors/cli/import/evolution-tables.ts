// The tables of Evolution API that an import reads, with the columns that it uses. Prisma made them.

export interface ForeignInstance {
  id: string
  name: string
  token: string | null
  integration: string | null
}

export type UncheckedRow = Record<string, unknown>

/** One row of each table belongs to an instance. */
export const TABLES_OF_INSTANCE = ['Setting', 'Webhook', 'Proxy'] as const
export type TableOfInstance = (typeof TABLES_OF_INSTANCE)[number]

export interface EvolutionTables {
  instances(): Promise<ForeignInstance[]>
  /** As it is stored; undefined: there is none. */
  creds(instanceId: string): Promise<string | undefined>
  rowOf(table: TableOfInstance, instanceId: string): Promise<UncheckedRow | undefined>
  /** The people that the program knows by a name. */
  contacts(instanceId: string): AsyncIterable<{ jid: string; name: string }>
  runningNow(): Promise<string | undefined>
  close(): Promise<void>
}

/** Undefined: not a row of the table. */
export function toInstanceRow({ id, name, token, integration }: UncheckedRow): ForeignInstance | undefined {
  if (typeof id !== 'string' || typeof name !== 'string') return undefined
  return { id, name, token: textOrNull(token), integration: textOrNull(integration) }
}

export function toContact({ remoteJid, pushName }: UncheckedRow): { jid: string; name: string }[] {
  return typeof remoteJid === 'string' && typeof pushName === 'string' && pushName !== ''
    ? [{ jid: remoteJid, name: pushName }]
    : []
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)
