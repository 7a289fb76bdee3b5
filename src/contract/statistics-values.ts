// Values of statistics that the dashboard needs without schemas.

export const STATISTICS_RANGES = ['day', 'week', 'month'] as const
export type StatisticsRange = (typeof STATISTICS_RANGES)[number]
