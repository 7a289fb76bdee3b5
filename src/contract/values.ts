// Values and limits that endpoints share, without the schemas.

// The values that endpoints and events of groups share.

export const MEMBER_ACTIONS = ['add', 'remove', 'promote', 'demote'] as const
export type MemberAction = (typeof MEMBER_ACTIONS)[number]

/** Who may add members. */
export const MEMBER_ADD = ['all', 'admins'] as const

/** How long messages stay, in seconds; 0: for ever. The network has no other values. */
export const TIMER_SECONDS = { off: 0, day: 86_400, week: 604_800, quarter: 7_776_000 } as const
export const DISAPPEARING_SECONDS = [
  TIMER_SECONDS.off,
  TIMER_SECONDS.day,
  TIMER_SECONDS.week,
  TIMER_SECONDS.quarter,
] as const

/** `mutedUntil` of a chat that is muted without an end. */
export const MUTED_FOR_EVER = '9999-12-31T00:00:00.000Z'

// Limits of quick replies, without schemas, so that the dashboard can use them.

export const MAX_QUICK_REPLIES = 200
export const MAX_QUICK_REPLY_LENGTH = 4096
export const SHORTCUT = /^[\p{L}\p{N}_-]{1,32}$/u

// Values of statistics that the dashboard needs without schemas.

export const STATISTICS_RANGES = ['day', 'week', 'month'] as const
export type StatisticsRange = (typeof STATISTICS_RANGES)[number]

/** For how long an old key or secret stays valid beside the new one. */
export const OVERLAP_HOURS = { usual: 24, most: 168 } as const
