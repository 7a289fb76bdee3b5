// The rule of the audit list: which requests of keys are recorded, and what of them. Never a text, a file or a secret.

export interface AuditedRequest {
  method: string
  status: number
  /** Whether the key has walls. */
  isWalled: boolean
}

/** Everything that may change something, and everything that the key was denied. To a key with walls, 404 is a denial as well. */
export const isAudited = ({ method, status, isWalled }: AuditedRequest): boolean =>
  method !== 'GET' || status === 403 || (isWalled && status === 404)

const NAME = /^[\w.@+-]{1,100}$/

/** An identifier as the request gave it; null for anything else, because a refused request was not checked. */
export const auditedName = (value: unknown): string | null => {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && NAME.test(text) ? text : null
}
