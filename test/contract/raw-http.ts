// HTTP over a raw socket, for requests that a client library would normalize or refuse.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import type { Answer } from '../support/gateway.ts'

/** The server must close the connection; a longer wait fails the test. */
const PATIENCE_MS = 60_000

/** Sends the bytes unchanged and reads until the server closes the connection. */
export function exchange(url: string, bytes: string | Buffer): Promise<Answer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) })
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    // The server may close the connection during the write; its response up to then counts.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (chunks.length === 0 && error.code !== 'EPIPE') reject(error)
    })
    socket.setTimeout(PATIENCE_MS, () => {
      reject(new Error('the server keeps the connection open'))
      socket.destroy()
    })
    socket.on('close', () => resolve(Promise.try(parse, Buffer.concat(chunks))))
    socket.write(bytes)
  })
}

/** A request with `Connection: close` and the given header lines. */
export const request = (method: string, target: string, lines: readonly string[] = [], body = ''): string =>
  [`${method} ${target} HTTP/1.1`, 'Host: gateway', 'Connection: close', ...lines, '', body].join('\r\n')

function parse(bytes: Buffer): Answer {
  const end = bytes.indexOf('\r\n\r\n')
  assert.ok(end > 0, 'the server closed without an answer')
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const headers = new Headers(
    lines.map((line): [string, string] => [
      line.slice(0, line.indexOf(':')),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  const body = bytes.subarray(end + 4)
  const isJson = headers.get('content-type')?.startsWith('application/json') ?? false
  return {
    status: Number(first.split(' ')[1]),
    headers,
    json: isJson ? JSON.parse(body.toString()) : undefined,
    bytes: body,
  }
}
