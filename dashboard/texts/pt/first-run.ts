export const firstRun = {}
