// The settings: one schema over the environment, and the only reader of it (decisions 1).
import { z } from 'zod'

const secretKey = z.string().min(32, { error: 'expected at least 32 characters' }).max(256).optional()
const wholeNumber = (min: number, max: number, fallback: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, { error: 'expected a whole number' })
    .transform(Number)
    .pipe(z.number().min(min).max(max))
    .default(fallback)

const targetName = z
  .string()
  .regex(/^[^\s/?#@:\\]+$/)
  .refine((name) => URL.canParse(`http://${name}`))
const allowTargets = z
  .string()
  .transform((text) => text.split(',').map((entry) => entry.trim()))
  .pipe(
    z.array(
      z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6(), targetName], {
        error: 'expected an address, a block such as 10.0.0.0/8 or a host name',
      }),
    ),
  )
  .optional()

const pemFile = z.string().min(1).optional()

/** Descriptions and defaults here are the table in docs/operating.md. */
export const SettingsSchema = z.object({
  HOST: z.string().min(1).default('127.0.0.1').meta({ description: 'Address to listen on' }),
  PORT: wholeNumber(0, 65_535, 8080).meta({ description: 'Port to listen on; 0 picks a free one' }),
  DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .meta({ description: 'Directory of the SQLite file, generated keys and media' }),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, { error: 'expected postgres://…' })
    .optional()
    .meta({ description: '`postgres://…` keeps everything in PostgreSQL instead of SQLite' }),
  NETWORK: z
    .enum(['sandbox', 'whatsapp'])
    .default('sandbox')
    .meta({ description: '`sandbox` (nothing leaves the machine) or `whatsapp`' }),
  SANDBOX_CERT_FILE: pemFile.meta({
    description:
      'PEM file: the sandbox network serves `wss` and `https`; only together with `SANDBOX_KEY_FILE`',
  }),
  SANDBOX_KEY_FILE: pemFile.meta({ description: 'PEM file of the key of `SANDBOX_CERT_FILE`' }),
  SANDBOX_URL: z
    .url({ protocol: /^https?$/, error: 'expected an http or https URL' })
    .optional()
    .meta({
      description:
        'A sandbox network that runs already (`npm run sandbox`); absent: the server starts one and ends it',
    }),
  SANDBOX_KEY: z
    .string()
    .min(16, { error: 'expected at least 16 characters' })
    .optional()
    .meta({ description: 'The `API_KEY` of that sandbox network; needed with `SANDBOX_URL`' }),
  API_KEY: secretKey.meta({
    description:
      'Key of the first account, at least 32 characters; absent: made at first start, kept in `first-api-key`',
  }),
  OPERATOR_KEY: secretKey.meta({
    description:
      'Key of the operator API, at least 32 characters; absent: made at first start, kept in `operator-key`',
  }),
  MASTER_KEY: z
    .base64({ error: 'expected 32 bytes in base64' })
    .refine((text) => Buffer.from(text, 'base64').length === 32, { error: 'expected 32 bytes in base64' })
    .optional()
    .meta({
      description:
        'Encrypts credentials and secrets at rest, 32 bytes in base64; absent: kept in `master-key`',
    }),
  ALLOW_TARGETS: allowTargets.meta({
    description:
      'Addresses, blocks and host names that webhooks and media may reach although they are private, with commas between',
  }),
  EXTRA_CA_FILE: z.string().min(1).optional().meta({
    description:
      'PEM file of further certificate authorities for outgoing TLS; verification cannot be turned off',
  }),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'expected an http or https URL' })
    .optional()
    .meta({ description: 'How the outside reaches this server; absent: taken from the request' }),
  RATE_LIMIT: wholeNumber(0, 1_000_000, 1000).meta({
    description: 'Requests a second and key, twice that in a burst; 0: off',
  }),
  SEND_CONCURRENCY: wholeNumber(1, 100, 5).meta({
    description: 'Chats of one instance that are written to at the same time',
  }),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .meta({ description: 'Least severe level that is logged' }),
})

export type Settings = z.output<typeof SettingsSchema>

/** All faults of the settings at once, each with its variable. Exit code 78 (configuration error). */
export class SettingsError extends Error {
  static readonly exitCode = 78
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`the settings are not valid:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
    this.name = 'SettingsError'
    this.faults = faults
  }
}

/** Faults name the variable and what is expected, never its value: it may be a secret. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const named = Object.keys(SettingsSchema.shape).map(
    (name) => [name, environment[name] || undefined] as const,
  )
  const parsed = SettingsSchema.safeParse(Object.fromEntries(named))
  const faults = (parsed.error?.issues ?? []).map(
    (issue) => `${issue.path.join('.')}: ${issue.message.replaceAll(/received .*/g, '')}`,
  )
  if (Boolean(environment.SANDBOX_CERT_FILE) !== Boolean(environment.SANDBOX_KEY_FILE)) {
    faults.push('SANDBOX_CERT_FILE, SANDBOX_KEY_FILE: expected both or none')
  }
  if (environment.SANDBOX_URL && !environment.SANDBOX_KEY) {
    faults.push('SANDBOX_KEY: expected the key of the network at SANDBOX_URL')
  }
  if (parsed.success && faults.length === 0) return parsed.data
  // One value can break several rules of the same sentence.
  throw new SettingsError([...new Set(faults)])
}
