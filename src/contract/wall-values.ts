// The values of walls that schemas, rules and the dashboard share, and which routes a key with walls can call at all. Without the
// schemas, so that a browser can load them.
import type { Route, Wall } from './route.ts'
import { hasScope, type Scope } from './scopes.ts'

/** In place of a list of chats: people from whom the instance has received a message. */
export const WROTE_FIRST = 'wrote_first'
export const MAX_WALL_INSTANCES = 100
export const MAX_WALL_CHATS = 100
export const MAX_MESSAGES_PER_DAY = 1_000_000
/** What the authorization page can give to an agent. */
export const AGENT_SCOPES = ['read', 'send', 'contacts'] as const
export type AgentScope = (typeof AGENT_SCOPES)[number]

export interface Walls {
  /** API names; null: all instances. */
  instances: readonly string[] | null
  /** Network identifiers, or the people who wrote to the instance; null: all chats. */
  chats: readonly string[] | typeof WROTE_FIRST | null
  /** Null: as many as the plan allows. */
  messagesPerDay: number | null
  /** Whether sends wait until a person approves them. */
  approval: boolean
  /** Whether the owner is also asked on the phone of the instance. */
  approvalOnPhone: boolean
}

export const NO_WALLS: Walls = {
  instances: null,
  chats: null,
  messagesPerDay: null,
  approval: false,
  approvalOnPhone: false,
}

export const hasWalls = (walls: Walls): boolean =>
  walls.instances !== null || walls.chats !== null || walls.messagesPerDay !== null || walls.approval

/** Whether there is anything of the account that the key does not see. */
export const seesPart = ({ instances, chats }: Walls): boolean => instances !== null || chats !== null

/** Whether a key with these walls may use a route of this kind at all, for the best of all targets. */
export function wallAdmits(walls: Walls, wall: Wall): boolean {
  switch (wall) {
    case 'refused':
      return !hasWalls(walls)
    case 'account':
      return !seesPart(walls)
    case 'instance':
    case 'counts':
      return walls.chats === null
    case 'change':
      return walls.chats === null && !walls.approval
    case 'chatChange':
      return !walls.approval
    default:
      return true
  }
}

/** What a key may do. */
export interface KeyRights {
  /** Empty: all scopes. */
  scopes: readonly Scope[]
  walls: Walls
}

/** Whether a key can use the route for anything: what it cannot use need not be offered to it. */
export const mayCall = (
  { scopes, walls }: KeyRights,
  { scopes: needed, wall = 'refused' }: Pick<Route, 'scopes' | 'wall'>,
): boolean => (!needed || hasScope(scopes, needed)) && wallAdmits(walls, wall)
