// The settings: one schema for the environment variables.
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import {
  allowTargets,
  CLIENT_VERSION,
  collectorOf,
  converted,
  dialects,
  EXPECTED_FILES_URL,
  type FilesLocation,
  headersOf,
  keyText,
  parseFilesUrl,
  pemFile,
  proxyUrl,
  secretKey,
  trustProxy,
  wholeNumber,
} from './config-forms.ts'

export { type FilesLocation, isSecretKey, type ObjectLocation } from './config-forms.ts'

const EXPECTED_NODE_URL = 'expected http://host:port or https://host:port'

/** Several nodes need a location that all of them can read. */
export const filesLocationOf = ({
  FILES_URL,
  NODE_URL,
}: Pick<Settings, 'FILES_URL' | 'NODE_URL'>): FilesLocation =>
  FILES_URL ?? { kind: NODE_URL === undefined ? 'disk' : 'postgres' }

/** Whether a passkey that the network demands may be used. On the real network the operator has to want it. */
export const allowsPasskeys = ({ PASSKEY_LINKING, NETWORK }: Pick<Settings, 'PASSKEY_LINKING' | 'NETWORK'>) =>
  (PASSKEY_LINKING ?? (NETWORK === 'sandbox' ? 'on' : 'off')) === 'on'

/** `npm run docs:settings` writes descriptions and defaults to docs/settings.md. */
export const SettingsSchema = z.object({
  HOST: z
    .string()
    .min(1)
    .transform((host) => host.replace(/^\[(.*)\]$/, '$1'))
    .default('127.0.0.1')
    .meta({
      description:
        'Address to listen on: `127.0.0.1` or `::1` for this machine only, `0.0.0.0` for IPv4, `::` for IPv6 and IPv4',
    }),
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
        'URL of a running sandbox (`npm run sandbox`). The server waits up to a minute for it when it starts. If not set, the server starts and stops its own',
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
  WHATSAPP_VERSION: z
    .string()
    .regex(CLIENT_VERSION, { error: 'expected a version such as 2.3000.1023456789' })
    .optional()
    .meta({
      description:
        'Version of the client that sessions present to the network, such as `2.3000.1023456789`. If not set, it is read from the ' +
        'page of the network',
    }),
  PASSKEY_LINKING: z
    .enum(['on', 'off'])
    .optional()
    .meta({
      description:
        '`on`: when the network demands a passkey before it links an instance, the owner can use it. `off`: such a link ends. If not set: ' +
        '`on` with the sandbox, `off` with `NETWORK=whatsapp`, where it has not been proven with a phone',
    }),
  ALLOW_TARGETS: allowTargets.meta({
    description:
      'Private addresses, blocks and host names that webhooks, destinations, media URLs and proxies may use, separated by commas. ' +
      'Connections of webhooks and destinations to them may be without TLS. The addresses the gateway and its sandbox listen on are never allowed',
  }),
  HTTPS_PROXY: proxyUrl.meta({
    description:
      'Proxy for outgoing `https` and `wss` connections: `http://`, `https://` or `socks5://`, with `user:password@` before the host ' +
      'if needed. Also `https_proxy`',
  }),
  HTTP_PROXY: proxyUrl.meta({
    description: 'The same for outgoing `http` and `ws` connections. Also `http_proxy`',
  }),
  NO_PROXY: z
    .string()
    .optional()
    .meta({
      description:
        'Hosts that are reached without these proxies: names with their subdomains, addresses, blocks, each with or without a port, ' +
        'or `*`; separated by commas. The loopback is always reached directly. Also `no_proxy`',
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
  COMPAT: dialects.meta({
    description:
      'Other APIs that are served beside that of this gateway, separated by commas: `evolution` at `/compat/evolution` ' +
      '([compat/evolution.md](compat/evolution.md)), `cloud` at `/compat/cloud` ([compat/cloud.md](compat/cloud.md)). If not set, there are none',
  }),
  RATE_LIMIT: wholeNumber(0, 1_000_000, 1000).meta({
    description: 'Requests per second per key; bursts up to twice that. 0 turns the limit off',
  }),
  SEND_CONCURRENCY: wholeNumber(1, 100, 5).meta({
    description: 'Number of chats per instance that are sent to at the same time',
  }),
  NODE_URL: z
    .url({ protocol: /^https?$/, error: EXPECTED_NODE_URL })
    .refine((text) => /^https?:\/\/[^/]+:\d+\/?$/.test(text), { error: EXPECTED_NODE_URL })
    .optional()
    .meta({
      description:
        'With PostgreSQL: `http://host:port` or `https://host:port` where other nodes reach this one. The node listens on this port ' +
        'of `HOST`. If set, nodes work side by side; otherwise a further process waits as a standby',
    }),
  NODE_CERT_FILE: pemFile.meta({
    description:
      'With `NODE_URL=https://…`: PEM file with the certificate of this node, for both sides of TLS',
  }),
  NODE_KEY_FILE: pemFile.meta({
    description: 'With `NODE_URL=https://…`: PEM file with the key of that certificate',
  }),
  NODE_CA_FILE: pemFile.meta({
    description:
      'With `NODE_URL=https://…`: PEM file with the authority that signed the certificates of all nodes',
  }),
  NODE_TLS_NAME: z.string().min(1).max(253).optional().meta({
    description:
      'With `NODE_URL=https://…`: a name that the certificates of all nodes have. If not set, each has the host of its `NODE_URL`',
  }),
  FILES_URL: converted(parseFilesUrl, EXPECTED_FILES_URL).meta({
    description:
      'Where files of received messages are stored: `disk` (`DATA_DIR`), `postgres`, or an S3-compatible store as ' +
      '`s3://bucket/prefix?endpoint=https://host:port&region=eu-central-1`. If not set: `postgres` with `NODE_URL`, otherwise `disk`',
  }),
  FILES_ACCESS_KEY: keyText(1)
    .optional()
    .meta({ description: 'Access key of the S3-compatible store; required with `FILES_URL=s3://…`' }),
  FILES_SECRET_KEY: keyText(1)
    .optional()
    .meta({ description: 'Secret key of the S3-compatible store; required with `FILES_URL=s3://…`' }),
  LEASE_SECONDS: wholeNumber(12, 120, 12).meta({
    description:
      'With PostgreSQL: seconds after which other nodes take over from one that no longer renews its lease',
  }),
  WATCHDOG_SECONDS: wholeNumber(0, 3600, 60).meta({
    description:
      'Seconds without progress of the event loop after which the process ends, so that its supervisor starts it again; 0 turns this off',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: converted(
    collectorOf,
    'expected an http or https URL without credentials and query',
  ).meta({
    description:
      'Base URL of an OpenTelemetry collector, such as `http://127.0.0.1:4318`: [traces](#traces) are sent to `/v1/traces` below it. ' +
      'If not set, there are none',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: converted(
    headersOf,
    'expected name=value, separated by commas, with percent-encoded values',
  ).meta({
    description:
      'Headers of requests to the collector, as `name=value,name=value` with percent-encoded values',
  }),
  OTEL_SERVICE_NAME: z
    .string()
    .max(255)
    .default('switchboard')
    .meta({ description: 'Name of this gateway in traces' }),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .meta({ description: 'Lowest severity that is logged' }),
})

export interface Settings extends z.output<typeof SettingsSchema> {
  /** The file that `MASTER_KEY` was read from. */
  MASTER_KEY_FILE?: string | undefined
}

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

/** Settings that all nodes must share. A generated key would be different on each. */
const missingForNodes = (environment: NodeJS.ProcessEnv): string[] => [
  ...['DATABASE_URL', 'MASTER_KEY', 'OPERATOR_KEY']
    .filter((name) => !environment[name])
    .map((name) => `${name}: required with NODE_URL, with the same value on every node`),
  ...(environment.NETWORK !== 'whatsapp' && !environment.SANDBOX_URL
    ? ['SANDBOX_URL: required with NODE_URL and NETWORK=sandbox: all nodes use the same sandbox']
    : []),
]

const NODE_TLS_FILES = ['NODE_CERT_FILE', 'NODE_KEY_FILE', 'NODE_CA_FILE']

/** All nodes use TLS, or none does. */
function nodeTlsFaults(environment: NodeJS.ProcessEnv): string[] {
  const isTls = /^https:/i.test(environment.NODE_URL ?? '')
  if (isTls)
    return NODE_TLS_FILES.filter((name) => !environment[name]).map(
      (name) => `${name}: required with NODE_URL=https://…`,
    )
  return [...NODE_TLS_FILES, 'NODE_TLS_NAME']
    .filter((name) => environment[name])
    .map((name) => `${name}: expected only with NODE_URL=https://…`)
}

function filesFaults(location: FilesLocation | undefined, environment: NodeJS.ProcessEnv): string[] {
  if (location?.kind === 'postgres' && !environment.DATABASE_URL)
    return ['DATABASE_URL: required with FILES_URL=postgres']
  if (location?.kind === 'disk' && environment.NODE_URL)
    return [
      'FILES_URL: disk is not possible with NODE_URL, because the other nodes cannot read it; expected postgres or s3://…',
    ]
  if (location?.kind !== 's3') return []
  return ['FILES_ACCESS_KEY', 'FILES_SECRET_KEY']
    .filter((name) => !environment[name])
    .map((name) => `${name}: required with FILES_URL=s3://…`)
}

/**
 * Settings that can be in a file, as container platforms provide secrets: `MASTER_KEY_FILE` names the file with `MASTER_KEY`.
 * `SANDBOX_KEY` is missing, because `SANDBOX_KEY_FILE` is another setting.
 */
const SETTINGS_IN_FILES = [
  'API_KEY',
  'OPERATOR_KEY',
  'MASTER_KEY',
  'DATABASE_URL',
  'FILES_ACCESS_KEY',
  'FILES_SECRET_KEY',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const

/** The environment with the content of these files, and a fault for each that is not usable. */
function readFiles(environment: NodeJS.ProcessEnv): { values: NodeJS.ProcessEnv; faults: string[] } {
  const values = { ...environment }
  const faults: string[] = []
  for (const name of SETTINGS_IN_FILES) {
    const path = environment[`${name}_FILE`]
    if (!path) continue
    if (environment[name]) faults.push(`${name}, ${name}_FILE: set one of them`)
    try {
      values[name] = readFileSync(path, 'utf8').trim()
      if (!values[name]) faults.push(`${name}_FILE: the file is empty`)
    } catch (error) {
      faults.push(`${name}_FILE: cannot be read (${(error as NodeJS.ErrnoException).code})`)
    }
  }
  return { values, faults }
}

/** Faults contain the variable and the expected form, never the value, which may be a secret. */
export function readSettings(given: NodeJS.ProcessEnv): Settings {
  const { values: environment, faults } = readFiles({ ...given, ...lowerCaseProxies(given) })
  const named = Object.keys(SettingsSchema.shape).map(
    (name) => [name, environment[name] || undefined] as const,
  )
  const parsed = SettingsSchema.safeParse(Object.fromEntries(named))
  faults.push(...(parsed.error?.issues ?? []).map(sentenceOf), ...combinedFaults(environment))
  if (parsed.success && faults.length === 0)
    return { ...parsed.data, MASTER_KEY_FILE: environment.MASTER_KEY_FILE || undefined }
  // One value can break several rules with the same message.
  throw new SettingsError([...new Set(faults)])
}

/** Other programs read these variables in both forms, and prefer this one. */
const lowerCaseProxies = (given: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    (['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'] as const).flatMap((name) => {
      const value = given[name.toLowerCase()]
      return value ? [[name, value]] : []
    }),
  )

const sentenceOf = ({ path, message }: z.core.$ZodIssue): string =>
  `${path.join('.')}: ${message.replaceAll(/received .*/g, '')}`

/** Faults of settings that depend on each other. */
function combinedFaults(environment: NodeJS.ProcessEnv): string[] {
  const faults: string[] = []
  if (Boolean(environment.SANDBOX_CERT_FILE) !== Boolean(environment.SANDBOX_KEY_FILE)) {
    faults.push('SANDBOX_CERT_FILE, SANDBOX_KEY_FILE: set both or neither')
  }
  if (environment.API_KEY && environment.API_KEY === environment.OPERATOR_KEY) faults.push(SAME_KEYS)
  if (environment.SANDBOX_URL && !environment.SANDBOX_KEY) {
    faults.push('SANDBOX_KEY: required with SANDBOX_URL')
  }
  if (environment.NODE_URL) faults.push(...missingForNodes(environment))
  faults.push(...nodeTlsFaults(environment))
  return [...faults, ...filesFaults(parseFilesUrl(environment.FILES_URL ?? ''), environment)]
}
