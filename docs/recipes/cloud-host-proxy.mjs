// Leads a program whose code names graph.facebook.com to the gateway: a proxy for this one host, with a certificate of an authority that only
// that program trusts.
import { readFileSync } from 'node:fs'
import { createServer, request as requestPlainly } from 'node:http'
import { createServer as createSecureServer, request as requestSecurely } from 'node:https'

const HOST = 'graph.facebook.com'
const PREFIX = '/compat/cloud'
const gateway = new URL(process.env.SWITCHBOARD_URL ?? 'http://127.0.0.1:8080')
const isBehindTls = gateway.protocol === 'https:'
const directory = process.env.CERTIFICATES ?? 'cloud-proxy'

/** URLs of received files have the prefix. */
const pathOf = (path) => (path.startsWith(`${PREFIX}/`) ? path : PREFIX + path)

function pass(request, response, path) {
  const { connection: _connection, 'proxy-connection': _proxyConnection, ...headers } = request.headers
  const onward = (isBehindTls ? requestSecurely : requestPlainly)(
    gateway,
    {
      method: request.method,
      path: pathOf(path),
      headers: {
        ...headers,
        // The gateway names files by this host, so that they are led here as well. A server with TLS is found by its own name.
        host: isBehindTls ? gateway.host : HOST,
        'x-forwarded-proto': 'https',
        'x-forwarded-for': request.socket.remoteAddress,
      },
    },
    (answer) => {
      response.writeHead(answer.statusCode, answer.headers)
      answer.on('error', () => response.destroy()).pipe(response)
    },
  )
  onward.on('error', (error) => {
    console.error(`The gateway did not answer: ${error.message}`)
    if (response.headersSent) response.destroy()
    else response.writeHead(502).end()
  })
  response.on('close', () => onward.destroy())
  request.pipe(onward)
}

const secure = createSecureServer(
  { cert: readFileSync(`${directory}/cert.pem`), key: readFileSync(`${directory}/key.pem`) },
  (request, response) => pass(request, response, request.url),
)
secure.on('tlsClientError', ({ message }) => console.error(`The program refused the certificate: ${message}`))

/** Some programs hand the whole request to the proxy, instead of asking it for a connection. */
const proxy = createServer((request, response) => {
  const url = URL.parse(request.url)
  if (url?.protocol === 'https:' && url.host === HOST) pass(request, response, url.pathname + url.search)
  else response.writeHead(403).end(`This proxy leads to ${HOST} only.\n`)
})
proxy.on('connect', ({ url }, socket, head) => {
  socket.on('error', () => socket.destroy())
  if (url.toLowerCase() !== `${HOST}:443`) {
    console.error(`Refused a connection to ${JSON.stringify(url)}.`)
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    return
  }
  socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
  socket.unshift(head)
  secure.emit('connection', socket)
})
proxy.listen(Number(process.env.PORT ?? 3002), process.env.LISTEN ?? '127.0.0.1', () => {
  const { address, port } = proxy.address()
  console.log(`${HOST} leads to ${gateway.origin} with HTTPS_PROXY=http://${address}:${port}`)
})
