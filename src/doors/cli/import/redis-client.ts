// The few commands of Redis that reading takes, over its protocol (RESP 2). A server that answers anything else ends the import.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { SourceError } from './session-source.ts'

export type RedisReply = string | number | null | RedisReply[]

export interface RedisClient {
  command(...words: string[]): Promise<RedisReply>
  close(): void
}

const TIMEOUT_MS = 15_000
/** A page of a scan with the largest keys. */
const MAX_REPLY_BYTES = 64 * 1024 * 1024
const MAX_DEPTH = 4
const CR_LF = Buffer.from('\r\n')

/** `redis://[user:password@]host[:port][/database]`, or `rediss://` with TLS. */
export async function connectRedis(url: string): Promise<RedisClient> {
  const { protocol, hostname, port, username, password, pathname } = parseUrl(url)
  const address = { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || 6379) }
  const socket =
    protocol === 'rediss:' ? connectTls({ ...address, servername: address.host }) : connect(address)
  const client = createClient(socket)
  try {
    await once(socket, protocol === 'rediss:' ? 'secureConnect' : 'connect', {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (password !== '')
      await client.command(
        'AUTH',
        ...[username, password].filter((word) => word !== '').map(decodeURIComponent),
      )
    if (pathname.length > 1) await client.command('SELECT', pathname.slice(1))
    return client
  } catch (error) {
    client.close()
    if (error instanceof SourceError) throw error
    throw new SourceError(`Redis cannot be reached (${(error as NodeJS.ErrnoException).code ?? 'no answer'})`)
  }
}

function parseUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed && /^rediss?:$/.test(parsed.protocol) && parsed.hostname !== '') return parsed
  throw new SourceError('SOURCE: expected redis://[user:password@]host[:port][/database]')
}

function createClient(socket: Socket): RedisClient {
  let pending: PromiseWithResolvers<RedisReply> | undefined
  let received: Buffer[] = []
  let size = 0
  const fail = (error: Error): void => {
    socket.destroy()
    pending?.reject(error)
    pending = undefined
  }
  socket.setTimeout(TIMEOUT_MS, () => fail(new SourceError('Redis does not answer')))
  socket.on('error', fail)
  socket.on('close', () => fail(new SourceError('Redis has closed the connection')))
  socket.on('data', (chunk: Buffer) => {
    received.push(chunk)
    size += chunk.length
    if (size > MAX_REPLY_BYTES) return fail(new SourceError('an answer of Redis is too large'))
    // A long answer comes in many chunks: it is read when it can be complete, which its end shows.
    if (!chunk.subarray(-2).equals(CR_LF)) return
    try {
      const bytes = Buffer.concat(received)
      received = [bytes]
      const found = readReply(bytes, 0, 0)
      if (!found) return
      ;[received, size] = [[], 0]
      pending?.resolve(found.reply)
      pending = undefined
    } catch (error) {
      fail(error as Error)
    }
  })
  return {
    command(...words) {
      const answer = Promise.withResolvers<RedisReply>()
      pending = answer
      socket.write(encodeCommand(words))
      return answer.promise
    },
    close: () => void socket.destroy(),
  }
}

const encodeCommand = (words: readonly string[]): string =>
  `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`

interface Found {
  reply: RedisReply
  end: number
}

/** Undefined: the answer is not complete yet. Throws where Redis reports an error, or writes what is not its protocol. */
export function readReply(bytes: Buffer, start: number, depth: number): Found | undefined {
  const lineEnd = bytes.indexOf(CR_LF, start)
  if (lineEnd < 0) return undefined
  const line = bytes.toString('latin1', start + 1, lineEnd)
  const after = lineEnd + CR_LF.length
  switch (String.fromCharCode(bytes[start] ?? 0)) {
    case '+':
      return { reply: line, end: after }
    case '-':
      // Its first word is the kind of error. The rest could repeat what was sent.
      throw new SourceError(`Redis refuses a command (${line.split(' ', 1)[0]})`)
    case ':':
      return { reply: lengthIn(line), end: after }
    case '$':
      return readBulk(bytes, lengthIn(line), after)
    case '*':
      return readList(bytes, lengthIn(line), after, depth)
    default:
      throw new SourceError('the server does not speak the protocol of Redis')
  }
}

function lengthIn(line: string): number {
  if (!/^-?\d{1,15}$/.test(line)) throw new SourceError('the server does not speak the protocol of Redis')
  return Number(line)
}

function readBulk(bytes: Buffer, length: number, start: number): Found | undefined {
  if (length < 0) return { reply: null, end: start }
  const end = start + length
  if (bytes.length < end + CR_LF.length) return undefined
  return { reply: bytes.toString('utf8', start, end), end: end + CR_LF.length }
}

function readList(bytes: Buffer, length: number, start: number, depth: number): Found | undefined {
  if (depth >= MAX_DEPTH) throw new SourceError('the server does not speak the protocol of Redis')
  const items: RedisReply[] = []
  let end = start
  while (items.length < length) {
    const item = readReply(bytes, end, depth + 1)
    if (!item) return undefined
    items.push(item.reply)
    end = item.end
  }
  return { reply: items, end }
}
