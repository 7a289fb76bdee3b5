// Runs the node `n8n-nodes-evolution-api` as it is published, with what n8n gives a node: parameters with their declared defaults,
// credentials, and an HTTP client.
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

// oxlint-disable-next-line typescript/no-explicit-any -- foreign code without types
type Foreign = any

interface Declared {
  name: string
  default?: unknown
  displayOptions?: { show?: Record<string, unknown[]> }
}

export interface NodeCall {
  /** `POST message/sendText`, as the node has asked for it. */
  call: string
  status: number
  /** What the gateway has answered. */
  json: Foreign
  /** What the node passes on to the next one. */
  output: Foreign
}

export type RunNode = (
  resource: string,
  operation: string,
  parameters?: Record<string, unknown>,
) => Promise<NodeCall>

interface RequestOptions {
  method: string
  uri: string
  headers: Record<string, string>
  body?: unknown
}

const NODE = 'n8n-nodes-evolution-api/dist/nodes/EvolutionApi/EvolutionApi.node.js'

/** Every path that the sources of the node contain, without the instance: `message/sendText`. */
export function nodePaths(): string[] {
  const directory = join(dirname(createRequire(import.meta.url).resolve(NODE)), 'execute')
  const sources = globSync('**/*.js', { cwd: directory }).map((file) =>
    readFileSync(join(directory, file), 'utf8'),
  )
  const found = sources.flatMap((source) => Array.from(source.matchAll(/[`']\/([a-zA-Z]+\/[a-zA-Z]+)/g)))
  return [...new Set(found.map(([, path = '']) => path))].toSorted()
}

const PREFIX = '/compat/evolution/'

export function evolutionNode(serverUrl: string, apikey: string): RunNode {
  const require = createRequire(import.meta.url)
  const { EvolutionApi } = require(NODE)
  const node: Foreign = new EvolutionApi()
  const declared: Declared[] = node.description.properties
  return async (resource, operation, given = {}) => {
    const parameters: Record<string, unknown> = { resource, operation, instanceName: 'shop', ...given }
    let seen: Omit<NodeCall, 'output'> | undefined
    const runtime = {
      getInputData: () => [{ json: {} }],
      getNode: () => ({ name: 'Evolution API' }),
      continueOnFail: () => true,
      getCredentials: async () => ({ 'server-url': serverUrl, apikey }),
      getNodeParameter: (path: string, _item: number, fallback?: unknown) =>
        parameterOf(declared, parameters, path, fallback),
      helpers: {
        returnJsonArray: (data: unknown) => (Array.isArray(data) ? data : [data]),
        request: async (options: RequestOptions) => {
          const { status, json } = await request(options)
          const path = new URL(options.uri).pathname.slice(PREFIX.length)
          const call = `${options.method} ${path.split('/').slice(0, 2).join('/')}`
          seen = { call, status, json }
          if (status >= 400) throw new Error(`${status} - ${JSON.stringify(json)}`)
          return json
        },
      },
    }
    const [output] = await node.execute.call(runtime)
    if (!seen) throw new Error(`${operation} has not sent a request: ${JSON.stringify(output)}`)
    return { ...seen, output: output[0]?.json ?? output[0] }
  }
}

/** The value that was given, else the default that the node declares for this operation. */
function parameterOf(
  declared: Declared[],
  parameters: Record<string, unknown>,
  path: string,
  fallback: unknown,
): unknown {
  const [name = '', ...inner] = path.split('.')
  const isShown = ({ displayOptions }: Declared) =>
    Object.entries(displayOptions?.show ?? {}).every(
      ([other, values]) => parameters[other] === undefined || values.includes(parameters[other]),
    )
  const value = Object.hasOwn(parameters, name)
    ? parameters[name]
    : declared.find((each) => each.name === name && isShown(each))?.default
  const found = inner.reduce<Foreign>((outer, key) => outer?.[key], value)
  if (found !== undefined) return found
  if (fallback !== undefined) return fallback
  throw new Error(`Could not get parameter "${path}"`)
}

async function request({ method, uri, headers: given, body }: RequestOptions) {
  const headers = new Headers(given)
  headers.set('accept', 'application/json')
  if (body !== undefined) headers.set('content-type', 'application/json')
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await fetch(uri, { method, headers, ...sent })
  return { status: response.status, json: (await response.json()) as Foreign }
}
