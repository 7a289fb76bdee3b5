// A name server on the loopback: a test decides each answer, and may change it between two questions.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'

export type QueryType = 'A' | 'AAAA'

/** Addresses; an empty list for a name without any; undefined leaves the question open for ever. */
export type DnsAnswer = (name: string, type: QueryType) => readonly string[] | undefined

export interface DnsServer {
  /** As name servers are given to a resolver. */
  address: string
  queries(): number
  /** How many sockets the questions came from. */
  askers(): number
  close(): Promise<void>
}

const TYPES: Record<number, QueryType> = { 1: 'A', 28: 'AAAA' }
const HEADER_BYTES = 12

export async function startDnsServer(answer: DnsAnswer): Promise<DnsServer> {
  let queries = 0
  const askers = new Set<number>()
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const question = readQuestion(query)
    if (!question) return
    queries += 1
    askers.add(from.port)
    const addresses = answer(question.name, question.type)
    if (addresses) socket.send(reply(query, question.end, addresses), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queries: () => queries,
    askers: () => askers.size,
    async close() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

function readQuestion(query: Buffer): { name: string; type: QueryType; end: number } | undefined {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const type = TYPES[query.readUInt16BE(at + 1)]
  return type && { name: labels.join('.').toLowerCase(), type, end: at + 5 }
}

/** Nothing may be kept: each answer lives for zero seconds. */
function reply(query: Buffer, questionEnd: number, addresses: readonly string[]): Buffer {
  const header = Buffer.from(query.subarray(0, HEADER_BYTES))
  header.writeUInt16BE(0x8180, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(addresses.length, 6)
  header.writeUInt32BE(0, 8)
  return Buffer.concat([header, query.subarray(HEADER_BYTES, questionEnd), ...addresses.map(record)])
}

function record(address: string): Buffer {
  const bytes = isIPv4(address) ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address)
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(bytes.length === 4 ? 1 : 28, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(bytes.length, 10)
  return Buffer.concat([head, bytes])
}

function ipv6Bytes(address: string): Buffer {
  const [left = '', right = ''] = address.split('::')
  const groups = (text: string) => text.split(':').filter((group) => group !== '')
  const zeros = Array.from({ length: 8 - groups(left).length - groups(right).length }, () => '0')
  const all = [...groups(left), ...zeros, ...groups(right)]
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex')
}
