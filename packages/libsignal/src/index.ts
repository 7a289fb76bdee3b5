// The Signal protocol, with the names that the network library imports from `libsignal`.
export * as crypto from './crypto.ts'
export * as curve from './curve.ts'
export { decryptFromGroup, distributionOf, encryptForGroup, withDistribution } from './groups.ts'
export { ProtocolAddress } from './protocol-address.ts'
export { createSenderKey, SenderKeyRecord } from './sender-keys.ts'
export { SessionBuilder } from './session-builder.ts'
export { SessionCipher } from './session-cipher.ts'
export { SessionRecord } from './session-record.ts'
