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

/** Sets of scopes for usual tasks. A form offers them; a key has only the scopes. */
export const SCOPE_PRESETS = {
  everything: [],
  answers: ['read', 'send', 'contacts', 'instances:use'],
  reads: ['read'],
  sends: ['send'],
  integrates: ['read', 'webhooks'],
  administers: ['instances:manage', 'webhooks', 'account', 'keys'],
} as const satisfies Record<string, readonly Scope[]>
export type ScopePreset = keyof typeof SCOPE_PRESETS

/** The preset with exactly these scopes. */
export const presetOf = (scopes: readonly Scope[]): ScopePreset | undefined =>
  (Object.keys(SCOPE_PRESETS) as ScopePreset[]).find((name) => {
    const preset: readonly Scope[] = SCOPE_PRESETS[name]
    return preset.length === scopes.length && preset.every((scope) => scopes.includes(scope))
  })
