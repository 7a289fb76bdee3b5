// Serves the dashboard at `/`: its page for every path of a page, and its files. Pages load nothing from other origins.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { BASE_PATHS } from '../../contract/route.ts'
import { GatewayError } from '../../errors.ts'

const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; " +
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // Voice messages are recorded on the page itself; nothing that it would embed may listen.
  'Permissions-Policy': 'camera=(), microphone=(self), geolocation=()',
}
/** For scripts and styles, which are not documents: the others would only make each of the files that a page loads larger by half a kilobyte. */
const PART_HEADERS = {
  'X-Content-Type-Options': HEADERS['X-Content-Type-Options'],
  'Cross-Origin-Resource-Policy': HEADERS['Cross-Origin-Resource-Policy'],
}
const IMMUTABLE = 'public, max-age=31536000, immutable'

/** The compressed copies have the name of the file before their ending. */
const IS_PART = /\.(?:js|css)(?:\.br|\.gz)?$/

const NOT_BUILT = `<!doctype html><html lang="en"><title>Switchboard</title><h1>The dashboard is not built</h1>
<p>Run <code>npm run build</code> and start the server again. The API works without it; its reference is at <a href="/docs">/docs</a>.</p></html>`

/** Paths for programs: an unknown path below them is never answered with a page. */
const PROGRAM_PATHS = [
  ...Object.values(BASE_PATHS).filter((path) => path !== ''),
  '/api',
  '/admin',
  '/sandbox',
  '/docs',
  '/openapi.json',
  '/healthz',
  '/readyz',
  '/metrics',
  '/assets',
]

/** Whether a browser requests a page of the dashboard: plain path segments only, no file name. */
export function isPageRequest(request: FastifyRequest): boolean {
  const path = request.url.split('?')[0] ?? ''
  return (
    (request.method === 'GET' || request.method === 'HEAD') &&
    (request.headers.accept ?? '').includes('text/html') &&
    /^(\/[A-Za-z0-9_-]+)+\/?$/.test(path) &&
    !PROGRAM_PATHS.some((known) => path === known || path.startsWith(`${known}/`))
  )
}

export interface Dashboard {
  /** Serves the built files. */
  addTo(app: FastifyInstance): Promise<void>
  sendPage(reply: FastifyReply): FastifyReply
}

/** The dashboard that was built into this directory, or a page that explains how to build it. */
export function openDashboard(directory: string): Dashboard {
  const index = join(directory, 'index.html')
  const assets = join(directory, 'assets')
  const page = existsSync(index) ? readFileSync(index, 'utf8') : undefined
  const sendPage = (reply: FastifyReply): FastifyReply =>
    reply
      .code(page === undefined ? 503 : 200)
      .headers({ ...HEADERS, 'Cache-Control': 'no-cache' })
      .type('text/html; charset=utf-8')
      .send(page ?? NOT_BUILT)
  return {
    sendPage,
    async addTo(app) {
      app.get('/', async (_request, reply) => sendPage(reply))
      if (page === undefined) return
      await app.register(fastifyStatic, {
        root: directory,
        // The routes below serve the files. One for each of them would be a fifth of the work of a start.
        serve: false,
        index: false,
        cacheControl: false,
        // The build compresses each file once (scripts/dashboard.ts), so that no request pays for it.
        preCompressed: true,
        setHeaders(reply, path) {
          const headers = IS_PART.test(path) ? PART_HEADERS : HEADERS
          for (const [name, value] of Object.entries(headers)) reply.header(name, value)
          reply.header('Cache-Control', dirname(path) === assets ? IMMUTABLE : 'no-cache')
        },
      })
      addFiles(app, directory)
    },
  }
}

/** Serves the files that exist now, by their exact names, so that no other path can reach a file. */
function addFiles(app: FastifyInstance, directory: string): void {
  for (const file of filesIn(directory)) app.get(`/${file}`, (_request, reply) => reply.sendFile(file))
  const assets = new Set(filesIn(join(directory, 'assets')))
  app.get<{ Params: { name: string } }>('/assets/:name', ({ params: { name } }, reply) => {
    if (!assets.has(name)) throw new GatewayError('not_found')
    return reply.sendFile(`assets/${name}`)
  })
}

/** Without the compressed copies: a client receives them under the name of the file. */
const filesIn = (directory: string): string[] =>
  readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name))
    .map(({ name }) => name)
