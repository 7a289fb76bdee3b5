// The settings of an instance that were never changed.
export const DEFAULTS = {
  rejectCalls: false,
  rejectCallsText: null,
  readOnReply: false,
  viewWithoutReceipts: false,
  alwaysOnline: false,
  ignoreGroups: false,
  syncHistory: 'recent',
  deviceName: null,
  proxy: null,
}
