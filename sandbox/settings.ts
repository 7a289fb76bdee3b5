// The settings of the sandbox process, parsed from its environment.
import { z } from 'zod'

const blank = (value: unknown) => (value === '' ? undefined : value)

/** The descriptions are the text of `--help`. */
const environment = z.object({
  HOST: z
    .preprocess(blank, z.string().default('127.0.0.1'))
    .transform((host) => host.replace(/^\[(.*)\]$/, '$1'))
    .describe('Address to listen on; default: 127.0.0.1'),
  PORT: z
    .preprocess(blank, z.coerce.number().int().min(0).max(65_535).default(8081))
    .describe('Port of sockets, media and API; 0 selects a free one; default: 8081'),
  API_KEY: z
    .preprocess(
      blank,
      z
        .string()
        .min(16)
        .regex(/^[\x21-\x7e]*$/, 'must not contain spaces')
        .optional(),
    )
    .describe('Bearer key of the API, at least 16 characters; default: random, printed once on stderr'),
  DATA_DIR: z
    .preprocess(blank, z.string().optional())
    .describe('Directory of the state; default: none, the state ends with the process'),
  SANDBOX_CERT_FILE: z
    .preprocess(blank, z.string().optional())
    .describe('PEM certificate file: sockets use wss, media and API https; default: none'),
  SANDBOX_KEY_FILE: z
    .preprocess(blank, z.string().optional())
    .describe('PEM file with the private key of SANDBOX_CERT_FILE; default: none'),
  SANDBOX_EXIT_WITH: z
    .preprocess(blank, z.enum(['none', 'ipc', 'stdin']).default('none'))
    .describe('ipc or stdin: stops when the parent process closes that channel; default: none'),
})

export const helpText = (): string =>
  [
    'The sandbox network alone. It takes no arguments; its settings are environment variables:',
    '',
    ...Object.entries(environment.shape).map(
      ([name, { description }]) => `  ${name.padEnd(18)} ${description}`,
    ),
    '',
    'When it accepts connections, it prints one line of JSON with its addresses.',
  ].join('\n')

export interface SandboxSettings {
  host: string
  port: number
  dataDir: string | undefined
  apiKey: string | undefined
  tls: { certFile: string; keyFile: string } | undefined
  exitWith: 'none' | 'ipc' | 'stdin'
}

/** Throws one error that names every invalid variable. */
export function readSettings(env: Record<string, string | undefined>): SandboxSettings {
  const result = environment.safeParse(env)
  const problems = (result.error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  if (Boolean(env['SANDBOX_CERT_FILE']) !== Boolean(env['SANDBOX_KEY_FILE']))
    problems.push('SANDBOX_CERT_FILE and SANDBOX_KEY_FILE: must be given together')
  if (!result.success || problems.length > 0) throw new Error(problems.join('; '))
  const values = result.data
  const { SANDBOX_CERT_FILE: certFile, SANDBOX_KEY_FILE: keyFile } = values
  return {
    host: values.HOST,
    port: values.PORT,
    dataDir: values.DATA_DIR,
    apiKey: values.API_KEY,
    tls: certFile !== undefined && keyFile !== undefined ? { certFile, keyFile } : undefined,
    exitWith: values.SANDBOX_EXIT_WITH,
  }
}
