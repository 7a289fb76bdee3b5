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
