// For credentials on a healthy store: nothing is refused there, so nothing is set aside.
const unexpected = (): Promise<void> => Promise.reject(new Error('the store refused data'))

export const NO_GUARD = { setAsideStored: unexpected, setAsideKey: unexpected }
