// An S3-compatible object store in memory. It checks every signature by its own reading of the specification, lists in short pages,
// and fails or stays silent on request.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { faultOfSignature } from './aws-signature.ts'

export const BUCKET = 'media'
export const REGION = 'eu-test-1'
export const ACCESS_KEY = 'AKIATESTTESTTEST'
export const SECRET_KEY = 'secret/of+the/test=store'
const EXPECTED = { service: 's3', region: REGION, accessKey: ACCESS_KEY, secretKey: SECRET_KEY }
const PAGE_SIZE = 2

/** How the next requests are answered: a status, or `silent`, `cut` (the connection breaks) or `garbage`. */
export type Fault = number | 'silent' | 'cut' | 'garbage'

export interface ObjectServer {
  endpoint: string
  /** By key, without the bucket. */
  objects: Map<string, Buffer>
  /** Method and path of every request. */
  requests: string[]
  /** One entry per request, used in order. */
  faults: Fault[]
  /** While it is set, all requests are answered like this. */
  fault: Fault | undefined
  close(): Promise<void>
}

export async function startObjectServer(): Promise<ObjectServer> {
  const state = {
    objects: new Map<string, Buffer>(),
    requests: [] as string[],
    faults: [] as Fault[],
    fault: undefined as Fault | undefined,
  }
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      state.requests.push(`${request.method} ${request.url}`)
      const fault = state.faults.shift() ?? state.fault
      if (fault === undefined) answer(state.objects, request, body, response)
      else misbehave(fault, response)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return Object.assign(state, {
    endpoint: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}

/** As the setting `FILES_URL` and the two keys beside it. */
export const objectSettings = (server: Pick<ObjectServer, 'endpoint'>): Record<string, string> => ({
  FILES_URL: `s3://${BUCKET}/some/prefix?endpoint=${server.endpoint}&region=${REGION}`,
  FILES_ACCESS_KEY: ACCESS_KEY,
  FILES_SECRET_KEY: SECRET_KEY,
})

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function misbehave(fault: Fault, response: ServerResponse): void {
  if (fault === 'silent') return
  if (fault === 'cut') response.socket?.destroy()
  else if (fault === 'garbage') response.socket?.end('not HTTP\r\n\r\n')
  else refuse(response, fault, 'Faulty')
}

function refuse(response: ServerResponse, status: number, code: string): void {
  const key = `<AWSAccessKeyId>${ACCESS_KEY}</AWSAccessKeyId>`
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>refused</Message>${key}</Error>`)
}

function answer(
  objects: Map<string, Buffer>,
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): void {
  const fault = faultOfSignature(request, body, EXPECTED)
  if (fault) return refuse(response, 403, fault)
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
  const [, bucket, ...rest] = decodeURIComponent(pathname).split('/')
  if (bucket !== BUCKET) return refuse(response, 404, 'NoSuchBucket')
  const key = rest.join('/')
  if (key === '') {
    response.writeHead(200, { 'content-type': 'application/xml' }).end(listOf(objects, searchParams))
    return
  }
  if (request.method === 'PUT') objects.set(key, body)
  if (request.method === 'DELETE') objects.delete(key)
  if (request.method !== 'GET') {
    response.writeHead(request.method === 'PUT' ? 200 : 204).end()
    return
  }
  const object = objects.get(key)
  const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
  if (object && range) sendRange(object, Number(range[1]), Number(range[2]), response)
  else if (object) response.writeHead(200).end(object)
  else refuse(response, 404, 'NoSuchKey')
}

function sendRange(object: Buffer, first: number, last: number, response: ServerResponse): void {
  if (first >= object.length) return refuse(response, 416, 'InvalidRange')
  const end = Math.min(last, object.length - 1)
  const headers = { 'content-range': `bytes ${first}-${end}/${object.length}` }
  response.writeHead(206, headers).end(object.subarray(first, end + 1))
}

/** One short page: names up to the delimiter, after the name in the token. */
function listOf(objects: Map<string, Buffer>, query: URLSearchParams): string {
  const [prefix, delimiter] = [query.get('prefix') ?? '', query.get('delimiter') ?? '']
  const after = Buffer.from(query.get('continuation-token') ?? '', 'base64').toString()
  const names = [...objects.keys()]
    .filter((key) => key.startsWith(prefix))
    .map((key) => {
      const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length)
      return end < 0 ? key : key.slice(0, end + 1)
    })
  const rest = [...new Set(names)].sort().filter((name) => name > after)
  const page = rest.slice(0, PAGE_SIZE)
  const entries = page.map((name) =>
    name.endsWith('/')
      ? `<CommonPrefixes><Prefix>${name}</Prefix></CommonPrefixes>`
      : `<Contents><Key>${name}</Key><Size>1</Size></Contents>`,
  )
  const token = Buffer.from(page.at(-1) ?? '').toString('base64')
  const next = rest.length > page.length ? `<NextContinuationToken>${token}</NextContinuationToken>` : ''
  return `<?xml version="1.0"?><ListBucketResult><Name>${BUCKET}</Name><Prefix>${prefix}</Prefix>${entries.join('')}${next}</ListBucketResult>`
}
