// The settings: one schema for the environment variables.
import { z } from 'zod'

/** Characters that an `Authorization` header can carry. A space would end the key. */
const KEY_CHARACTERS = /^[\x21-\x7e]*$/
const keyText = (minLength: number) =>
  z
    .string()
    .min(minLength, { error: `expected at least ${minLength} characters` })
    .max(256, { error: 'expected at most 256 characters' })
    .regex(KEY_CHARACTERS, { error: 'expected printable ASCII characters without spaces' })
const secretKey = keyText(32).optional()
export const isSecretKey = (text: string): boolean => keyText(32).safeParse(text).success
const wholeNumber = (min: number, max: number, fallback: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, { error: 'expected a whole number' })
    .transform(Number)
    .pipe(z.number().min(min).max(max))
    .default(fallback)

const commaList = z.string().transform((text) => text.split(',').map((entry) => entry.trim()))
const addressOrBlock = [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()] as const
const targetName = z
  .string()
  .regex(/^[^\s/?#@:\\]+$/)
  .refine((name) => URL.canParse(`http://${name}`))
const allowTargets = commaList
  .pipe(
    z.array(
      z.union([...addressOrBlock, targetName], {
        error: 'expected IP addresses, blocks such as 10.0.0.0/8, or host names, separated by commas',
      }),
    ),
  )
  .optional()

const PROXIES = {
  error: 'expected IP addresses or blocks such as 10.0.0.0/8, separated by commas; /0 is not allowed',
}
/** With a block of all addresses, every client could choose its address and evade the limit on wrong keys. */
const trustProxy = commaList
  .pipe(z.array(z.union(addressOrBlock, PROXIES).refine((entry) => !entry.endsWith('/0'), PROXIES)))
  .optional()

const pemFile = z.string().min(1).optional()

/** `npm run docs:settings` writes descriptions and defaults to docs/operating.md. */
export const SettingsSchema = z.object({
  HOST: z.string().min(1).default('127.0.0.1').meta({ description: 'Address to listen on' }),
  PORT: wholeNumber(0, 65_535, 8080).meta({ description: 'Port to listen on; 0 selects a free port' }),
  DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .meta({ description: 'Directory for the SQLite file, generated keys and media' }),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, { error: 'expected postgres://…' })
    .optional()
    .meta({ description: '`postgres://…` stores the data in PostgreSQL instead of SQLite' }),
  NETWORK: z
    .enum(['sandbox', 'whatsapp'])
    .default('sandbox')
    .meta({ description: '`sandbox` (a simulated network on this machine) or `whatsapp`' }),
  SESSIONS: z.enum(['on', 'off']).default('on').meta({
    description: '`off` starts without sessions, sending and webhooks: data can be read, but nothing is sent',
  }),
  SANDBOX_CERT_FILE: pemFile.meta({
    description: 'PEM certificate file: the sandbox serves `wss` and `https`. Requires `SANDBOX_KEY_FILE`',
  }),
  SANDBOX_KEY_FILE: pemFile.meta({ description: 'PEM file with the private key for `SANDBOX_CERT_FILE`' }),
  SANDBOX_URL: z
    .url({ protocol: /^https?$/, error: 'expected an http or https URL' })
    .optional()
    .meta({
      description:
        'URL of a running sandbox (`npm run sandbox`). If not set, the server starts and stops its own',
    }),
  SANDBOX_KEY: keyText(16)
    .optional()
    .meta({ description: 'The `API_KEY` of the sandbox at `SANDBOX_URL`; required with `SANDBOX_URL`' }),
  API_KEY: secretKey.meta({
    description:
      'API key of the first account, at least 32 characters. If not set, the first start generates one in `first-api-key`',
  }),
  OPERATOR_KEY: secretKey.meta({
    description:
      'Key of the operator API, at least 32 characters. If not set, the first start generates one in `operator-key`',
  }),
  MASTER_KEY: z
    .base64({ error: 'expected 32 bytes in base64' })
    .refine((text) => Buffer.from(text, 'base64').length === 32, { error: 'expected 32 bytes in base64' })
    .optional()
    .meta({
      description:
        'Encrypts credentials and secrets at rest, 32 bytes in base64. If not set, the first start generates one in `master-key`',
    }),
  ALLOW_TARGETS: allowTargets.meta({
    description:
      'Private addresses, blocks and host names that webhooks and media URLs may use, separated by commas. The addresses the ' +
      'gateway and its sandbox listen on are never allowed',
  }),
  EXTRA_CA_FILE: z.string().min(1).optional().meta({
    description:
      'PEM file with additional certificate authorities for outgoing TLS. Verification cannot be turned off',
  }),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'expected an http or https URL' })
    .optional()
    .meta({ description: 'Public URL of this server. If not set, it is taken from the request' }),
  TRUST_PROXY: trustProxy.meta({
    description:
      'Addresses and blocks of reverse proxies, separated by commas. Their `X-Forwarded-For` header gives the client address. ' +
      'If not set, the header is ignored',
  }),
  RATE_LIMIT: wholeNumber(0, 1_000_000, 1000).meta({
    description: 'Requests per second per key; bursts up to twice that. 0 turns the limit off',
  }),
  SEND_CONCURRENCY: wholeNumber(1, 100, 5).meta({
    description: 'Number of chats per instance that are sent to at the same time',
  }),
  LEASE_SECONDS: wholeNumber(12, 120, 12).meta({
    description:
      'With PostgreSQL: seconds after which a standby takes over from a process that no longer renews its lease',
  }),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .meta({ description: 'Lowest severity that is logged' }),
})

export type Settings = z.output<typeof SettingsSchema>

/** Lists all faults, each with its variable. Exit code 78 (configuration error). */
export class SettingsError extends Error {
  static readonly exitCode = 78
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`the settings are not valid:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
    this.name = 'SettingsError'
    this.faults = faults
  }
}

/** With the same key, every program of the account would have the operator's rights. */
export const SAME_KEYS = 'API_KEY: must be different from OPERATOR_KEY'

/** Faults contain the variable and the expected form, never the value, which may be a secret. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const named = Object.keys(SettingsSchema.shape).map(
    (name) => [name, environment[name] || undefined] as const,
  )
  const parsed = SettingsSchema.safeParse(Object.fromEntries(named))
  const faults = (parsed.error?.issues ?? []).map(
    (issue) => `${issue.path.join('.')}: ${issue.message.replaceAll(/received .*/g, '')}`,
  )
  if (Boolean(environment.SANDBOX_CERT_FILE) !== Boolean(environment.SANDBOX_KEY_FILE)) {
    faults.push('SANDBOX_CERT_FILE, SANDBOX_KEY_FILE: set both or neither')
  }
  if (environment.API_KEY && environment.API_KEY === environment.OPERATOR_KEY) faults.push(SAME_KEYS)
  if (environment.SANDBOX_URL && !environment.SANDBOX_KEY) {
    faults.push('SANDBOX_KEY: required with SANDBOX_URL')
  }
  if (parsed.success && faults.length === 0) return parsed.data
  // One value can break several rules with the same message.
  throw new SettingsError([...new Set(faults)])
}
