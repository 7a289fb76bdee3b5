// Versions of clients: the oldest one that may log in, and the one that the page of the network announces.
import { DEFAULT_CONNECTION_CONFIG, type proto } from 'baileys'
import type { World } from '../model/world.ts'
import type { Database } from '../store/database.ts'
import { writeSetting } from '../store/documents.ts'

type Versions = World['versions']

export function setVersions(world: World, database: Database, change: Partial<Versions>): void {
  world.versions = { ...world.versions, ...change }
  writeSetting(database, 'versions', world.versions)
}

/** Unless another one is set: the version of the network library, or the oldest one that may log in if that is newer. */
export function announcedVersion({ versions: { announced, minimum } }: Pick<World, 'versions'>): string {
  const usual = DEFAULT_CONNECTION_CONFIG.version.join('.')
  return announced ?? (minimum !== null && isOlder(partsOf(usual), partsOf(minimum)) ? minimum : usual)
}

/** Also of clients that are not paired yet: the network checks the version first. */
export function isOutdated(
  { versions }: Pick<World, 'versions'>,
  { userAgent }: proto.IClientPayload,
): boolean {
  const { primary, secondary, tertiary } = userAgent?.appVersion ?? {}
  const presented = [primary ?? 0, secondary ?? 0, tertiary ?? 0]
  return versions.minimum !== null && isOlder(presented, partsOf(versions.minimum))
}

const partsOf = (version: string): number[] => version.split('.').map(Number)

function isOlder(one: readonly number[], other: readonly number[]): boolean {
  const difference = other.map((part, index) => (one[index] ?? 0) - part).find((each) => each !== 0)
  return (difference ?? 0) < 0
}
