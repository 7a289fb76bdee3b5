// The values that endpoints and events of groups share.

export const MEMBER_ACTIONS = ['add', 'remove', 'promote', 'demote'] as const
export type MemberAction = (typeof MEMBER_ACTIONS)[number]

/** Who may add members. */
export const MEMBER_ADD = ['all', 'admins'] as const

/** How long messages stay, in seconds; 0: for ever. The network has no other values. */
export const DISAPPEARING_SECONDS = [0, 86_400, 604_800, 7_776_000] as const
