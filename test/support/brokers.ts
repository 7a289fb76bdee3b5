// Brokers of their own for tests: servers that can be killed and started again on the same port, and what a consumer reads from them.
// RabbitMQ takes long to start, so that the one of the machine is used, with queues of its own.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DestinationType } from '../../src/contract/destination-types.ts'
import { authority, TRUSTED_FILES } from './certificates.ts'
import { freePort } from './free-port.ts'

/** A message as a consumer sees it. */
export interface Consumed {
  id: string
  body: string
}

export interface Broker {
  port: number
  /** Fields of a destination beside `type` and `url`. */
  fields: Record<string, unknown>
  /** All messages so far, in their order. */
  consumed(): Promise<Consumed[]>
  /** Ends the server without a warning. Undefined: it is not ours. */
  kill?: () => Promise<void>
  startAgain?: () => Promise<void>
  close(): Promise<void>
}

export type BrokerType = Exclude<DestinationType, 'sqs'>

const PROGRAMS = { nats: 'nats-server', mqtt: 'mosquitto', redis: 'redis-server' } as const
const RABBITMQ_PORT = 5672

/** Undefined: the broker can be used. Otherwise why its tests are skipped. */
export async function whyWithout(type: BrokerType): Promise<string | undefined> {
  if (type === 'rabbitmq')
    return (await isListening(RABBITMQ_PORT)) ? undefined : `no RabbitMQ on port ${RABBITMQ_PORT}`
  const { error } = spawnSync(PROGRAMS[type], ['-h'])
  return error ? `no ${PROGRAMS[type]} on the PATH` : undefined
}

/** `tls`: the server offers it, if no proxy can. */
export const startBroker = (type: BrokerType, tls = false): Promise<Broker> => STARTS[type](tls)

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return isOpen
}

/** A server program on a port and a directory of its own. */
async function startProgram(
  program: string,
  argumentsOf: (port: number, directory: string) => Promise<string[]>,
) {
  const directory = await mkdtemp(join(tmpdir(), 'broker-'))
  const port = await freePort()
  let child: ChildProcess | undefined
  const start = async (): Promise<void> => {
    child = spawn(program, await argumentsOf(port, directory), { stdio: 'ignore' })
    child.on('error', () => undefined)
    while (!(await isListening(port))) {
      if (child.exitCode !== null) throw new Error(`${program} has ended`)
      await sleep(20)
    }
  }
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  await start()
  return {
    port,
    start,
    end,
    async close() {
      await end('SIGKILL')
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function startRedisBroker(): Promise<Broker> {
  const password = 'a password of redis'
  const server = await startProgram('redis-server', async (port, directory) =>
    ['--port', String(port), '--dir', directory, '--appendonly', 'yes', '--requirepass', password].concat([
      '--save',
      '',
    ]),
  )
  const { createClient } = await import('@redis/client')
  const read = async (): Promise<Consumed[]> => {
    const client = createClient({ socket: { port: server.port }, password })
    client.on('error', () => undefined)
    await client.connect()
    const entries = await client.xRange('events', '-', '+')
    client.destroy()
    return (entries ?? []).map(({ message }) => ({ id: String(message.id), body: String(message.body) }))
  }
  return {
    port: server.port,
    fields: { password, topic: 'events' },
    consumed: read,
    kill: () => server.end('SIGKILL'),
    startAgain: server.start,
    close: server.close,
  }
}

/** TLS begins inside its protocol, so that only the server itself can offer it. */
async function startNatsBroker(tls: boolean): Promise<Broker> {
  const token = 'a-token-of-nats'
  const files = ['--tls', '--tlscert', TRUSTED_FILES.cert, '--tlskey', TRUSTED_FILES.key]
  const server = await startProgram('nats-server', async (port, directory) =>
    ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', directory, '--auth', token].concat(
      tls ? files : [],
    ),
  )
  const { connect: connectNats } = await import('@nats-io/transport-node')
  const { jetstreamManager } = await import('@nats-io/jetstream')
  // The library has one transport for all connections of a process, that of the gateway once it has connected. It reads these two.
  const guarded = {
    tlsName: '127.0.0.1',
    async dialGuarded() {
      const socket = connect(server.port, '127.0.0.1')
      await once(socket, 'connect')
      return socket
    },
  }
  const connection = await connectNats({
    servers: `127.0.0.1:${server.port}`,
    token,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 50,
    ...(tls ? { tls: { ca: authority() } } : {}),
    ...guarded,
  })
  const { streams } = await jetstreamManager(connection)
  await streams.add({ name: 'EVENTS', subjects: ['events.>'] })
  const read = async (): Promise<Consumed[]> => {
    const { state } = await streams.info('EVENTS')
    const found: Consumed[] = []
    for (let seq = 1; seq <= state.last_seq; seq += 1) {
      const message = await streams.getMessage('EVENTS', { seq })
      if (message) found.push({ id: message.header.get('id'), body: message.string() })
    }
    return found
  }
  return {
    port: server.port,
    fields: { password: token, topic: 'events.{instance}.{event}' },
    // A question that was under way when the broker was killed gets no answer; the next one does.
    consumed: () =>
      read().catch((error: Error) => {
        if (error.name === 'TimeoutError') return []
        throw error
      }),
    kill: () => server.end('SIGKILL'),
    startAgain: server.start,
    async close() {
      await connection.close()
      await server.close()
    },
  }
}

/** Mosquitto writes the sessions of its subscribers only at its end, so that it is ended in order. */
async function startMqttBroker(): Promise<Broker> {
  const server = await startProgram('mosquitto', async (port, directory) => {
    const file = join(directory, 'mosquitto.conf')
    const lines = [
      `listener ${port} 127.0.0.1`,
      'allow_anonymous true',
      'persistence true',
      `persistence_location ${directory}/`,
      'max_queued_messages 0',
      'user root',
    ]
    await writeFile(file, `${lines.join('\n')}\n`)
    return ['-c', file]
  })
  const { connectAsync } = await import('mqtt')
  const seen: Consumed[] = []
  const client = await connectAsync(`mqtt://127.0.0.1:${server.port}`, {
    protocolVersion: 5,
    clientId: 'consumer',
    clean: false,
    properties: { sessionExpiryInterval: 3600 },
    reconnectPeriod: 50,
  })
  client.on('error', () => undefined)
  client.on('message', (_topic, payload, packet) => {
    const id = packet.properties?.userProperties?.id
    seen.push({ id: String(id), body: payload.toString() })
  })
  await client.subscribeAsync(['events/#', 'homeassistant/#'], { qos: 1 })
  return {
    port: server.port,
    fields: { topic: 'events/{instance}/{event}' },
    consumed: async () => [...seen],
    kill: () => server.end('SIGTERM'),
    startAgain: server.start,
    async close() {
      client.end(true)
      await server.close()
    },
  }
}

async function startRabbitBroker(): Promise<Broker> {
  const { default: amqp } = await import('amqplib')
  const connection = await amqp.connect(`amqp://127.0.0.1:${RABBITMQ_PORT}`)
  connection.on('error', () => undefined)
  const channel = await connection.createChannel()
  const exchange = `events-${process.pid}-${Date.now()}`
  await channel.assertExchange(exchange, 'topic', { autoDelete: true })
  const { queue } = await channel.assertQueue('', { exclusive: true })
  await channel.bindQueue(queue, exchange, '#')
  const seen: Consumed[] = []
  await channel.consume(queue, (message) => {
    if (!message) return
    seen.push({ id: String(message.properties.messageId), body: message.content.toString() })
    channel.ack(message)
  })
  return {
    port: RABBITMQ_PORT,
    fields: { exchange },
    consumed: async () => [...seen],
    close: () => connection.close(),
  }
}

const STARTS: Record<BrokerType, (tls: boolean) => Promise<Broker>> = {
  redis: startRedisBroker,
  nats: startNatsBroker,
  mqtt: startMqttBroker,
  rabbitmq: startRabbitBroker,
}
