// Short intervals for the driver of the network: the real ones are made for people and real networks.
export const SHORT_INTERVALS = { keepAliveMs: 500, codeMs: 2000, pairingCodeMs: 2000 }
