// Where this browser keeps messages that wait for the gateway. Apart from what sends them, because every page asks whether there are any.
export const KEPT_PREFIX = 'switchboard.kept.'

export const hasKeptSends = (): boolean =>
  Object.keys(localStorage).some((name) => name.startsWith(KEPT_PREFIX))
