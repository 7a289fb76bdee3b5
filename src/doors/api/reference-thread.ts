// Renders the API reference in a thread that ends afterwards. The package holds its script of 4 MB twice as text, about 50 MB of
// memory, which only visitors of /docs need.
import { parentPort, workerData } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import scalar from '@scalar/fastify-api-reference'
import Fastify from 'fastify'

/** What the thread hands over. */
export interface RenderedReference {
  page: string
  /** Starts the reference. It is a file, because the policy of the page allows no script inside it. */
  start: string
  /** Compressed with gzip. */
  script: Uint8Array
}

const { title } = workerData as { title: string }
const app = Fastify()
await app.register(scalar, {
  routePrefix: '/docs',
  configuration: {
    url: '/openapi.json',
    pageTitle: title,
    favicon: 'data:,',
    authentication: { preferredSecurityScheme: 'accountKey' },
    // Features that contact the vendor's servers are off. The policy of the page blocks them anyway, but their buttons would
    // do nothing.
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
  },
})
const INLINE_SCRIPT = /<script type="text\/javascript">([\s\S]*?)<\/script>/g
const rendered = (await app.inject('/docs/')).body
const [inline, ...others] = [...rendered.matchAll(INLINE_SCRIPT)]
if (!inline || others.length > 0) throw new Error('the page of the reference does not have the expected form')
const page = rendered.replace(inline[0], '<script src="js/start.js"></script>')
const script = await app.inject('/docs/js/scalar.js')
parentPort?.postMessage({
  page,
  start: inline[1] ?? '',
  script: gzipSync(script.rawPayload),
} satisfies RenderedReference)
