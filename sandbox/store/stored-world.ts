// The world in memory, with the database that it is saved in.
import type { World } from '../model/world.ts'
import type { Database } from './database.ts'

export interface StoredWorld {
  readonly database: Database
  readonly world: World
}
