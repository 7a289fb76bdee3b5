// The names of an instance in answers and events.

interface InstanceRow {
  display_name: string
  api_name: string
}

/** Each name appears under two fields: the older fields stay for callers that use them. */
export const instanceNames = (row: InstanceRow) => ({
  instanceName: row.display_name,
  displayName: row.display_name,
  apiInstanceName: row.api_name,
  internalName: row.api_name,
})
