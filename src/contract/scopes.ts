// The scopes of API keys. Without the schemas, so that a browser can load them.

export const SCOPES = [
  'send',
  'instances',
  'instances:use',
  'instances:manage',
  'contacts',
  'webhooks',
  'account',
  'keys',
  'images',
  'sandbox',
  'read',
] as const
export type Scope = (typeof SCOPES)[number]

/** The name from before the scope was divided, which stored keys have. */
const currentName = (scope: Scope): Scope => (scope === 'instances' ? 'instances:manage' : scope)

/** Who administers instances may also use them. */
function allows(held: Scope, needed: Scope): boolean {
  const [name, other] = [currentName(held), currentName(needed)]
  return name === other || (name === 'instances:manage' && other === 'instances:use')
}

/** Whether a key with these scopes may do what one of the needed scopes allows. A key without scopes may do everything. */
export const hasScope = (held: readonly Scope[], anyOf: readonly Scope[]): boolean =>
  held.length === 0 || held.some((scope) => anyOf.some((needed) => allows(scope, needed)))
