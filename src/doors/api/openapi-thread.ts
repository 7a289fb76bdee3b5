// Builds the OpenAPI document in a thread that ends afterwards: it takes a sixth of the time of a start, and only some servers are
// ever asked for it. It is compressed here as well: the server keeps a tenth of it, and no request pays for the compression.
import { parentPort, workerData } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import type { Route } from '../../contract/route.ts'
import { routes } from '../../contract/routes.ts'
import { sandboxRoutes } from '../../contract/sandbox.ts'
import { buildOpenApi } from './openapi.ts'

export interface DocumentRequest {
  serverUrl: string
  hasSandbox: boolean
}

const { serverUrl, hasSandbox } = workerData as DocumentRequest
const documented = [
  ...Object.values<Route>(routes),
  ...(hasSandbox ? Object.values<Route>(sandboxRoutes) : []),
]
parentPort?.postMessage(gzipSync(JSON.stringify(buildOpenApi(documented, serverUrl))))
