// The client of the Switchboard API. Works in Node, browsers, Deno and Bun, without dependencies.
export { createClient, type SwitchboardClient } from './client.ts'
export { type CallFailure, SwitchboardError } from './error.ts'
export type { FollowInput } from './events.ts'
export type { Iterators, Operations } from './generated/operations.ts'
export type * from './generated/types.ts'
export { type DeliveryToVerify, deliveredEvents, verifyDelivery } from './generated/verify-delivery.ts'
export type { CallOptions, ClientSettings, FileContent, SendOptions } from './settings.ts'
