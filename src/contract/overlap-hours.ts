/** For how long an old key or secret stays valid beside the new one. */
export const OVERLAP_HOURS = { usual: 24, most: 168 } as const
