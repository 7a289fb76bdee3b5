// The values of walls that schemas, rules and the dashboard share. Without the schemas, so that a browser can load them.

/** In place of a list of chats: people from whom the instance has received a message. */
export const WROTE_FIRST = 'wrote_first'
export const MAX_WALL_INSTANCES = 100
export const MAX_WALL_CHATS = 100
export const MAX_MESSAGES_PER_DAY = 1_000_000
/** What the authorization page can give to an agent. */
export const AGENT_SCOPES = ['read', 'send', 'contacts'] as const
export type AgentScope = (typeof AGENT_SCOPES)[number]
