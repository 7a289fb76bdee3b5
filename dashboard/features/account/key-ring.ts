// The API keys of one account, managed by the account or by the operator.
import type { z } from 'zod'
import type { ApiKey } from '../../../src/contract/account.ts'
import type { Scope } from '../../../src/contract/scopes.ts'
import { api } from '../../gateway/api.ts'
import type { KeyWalls } from './wall-form.ts'

export interface KeyRing {
  queryKey: readonly string[]
  /** The key of the current sign-in. */
  ownId: number | undefined
  list(): Promise<{ apiKeys: z.output<typeof ApiKey>[] }>
  create(name: string, scopes: Scope[], walls: KeyWalls): Promise<{ key: string }>
  /** Whether the instances of the account can be listed, for a wall around them. */
  hasInstances: boolean
  rotate(keyId: string, overlapHours: number): Promise<{ key: string }>
  revoke(keyId: string): Promise<unknown>
}

export const ownKeys = (ownId: number | undefined): KeyRing => ({
  queryKey: ['keys'],
  ownId,
  list: () => api.listApiKeys(),
  create: (name, scopes, walls) => api.createApiKey({ body: { name, scopes, ...walls } }),
  hasInstances: true,
  rotate: (id, overlapHours) => api.rotateApiKey({ params: { id }, body: { overlapHours } }),
  revoke: (id) => api.revokeApiKey({ params: { id } }),
})

export const keysOfAccount = (id: string): KeyRing => ({
  queryKey: ['operator', 'keys', id],
  ownId: undefined,
  list: () => api.adminListKeys({ params: { id } }),
  create: (name, scopes, walls) => api.adminCreateKey({ params: { id }, body: { name, scopes, ...walls } }),
  hasInstances: false,
  rotate: (keyId, overlapHours) => api.adminRotateKey({ params: { id, keyId }, body: { overlapHours } }),
  revoke: (keyId) => api.adminRevokeKey({ params: { id, keyId } }),
})
