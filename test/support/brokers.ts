// Brokers of their own for tests: servers that can be killed and started again on the same port, and what a consumer reads from them.
// RabbitMQ takes long to start, so that the one of the machine is used, with queues of its own, unless a test kills it.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
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
  /** From now on it refuses messages as a full one does, until it has room again. Undefined: it does not refuse any. */
  fill?: () => Promise<void>
  makeRoom?: () => Promise<void>
  close(): Promise<void>
}

export type BrokerType = Exclude<DestinationType, 'sqs'>

export const BROKER_TYPES: BrokerType[] = ['rabbitmq', 'nats', 'mqtt', 'redis']

const PROGRAMS = { nats: 'nats-server', mqtt: 'mosquitto', redis: 'redis-server' } as const
const RABBITMQ_PORT = 5672
/** The one on the `PATH` of Debian changes the user first. */
const RABBITMQ_SERVER = '/usr/lib/rabbitmq/bin/rabbitmq-server'

/** Undefined: the broker can be used. `own`: as a process of the test. */
async function whyWithout(type: BrokerType, own: boolean): Promise<string | undefined> {
  if (type === 'rabbitmq' && own) return existsSync(RABBITMQ_SERVER) ? undefined : `no ${RABBITMQ_SERVER}`
  if (type === 'rabbitmq')
    return (await isListening(RABBITMQ_PORT)) ? undefined : `no RabbitMQ on port ${RABBITMQ_PORT}`
  const { error } = spawnSync(PROGRAMS[type], ['-h'])
  return error ? `no ${PROGRAMS[type]} on the PATH` : undefined
}

/** Why the tests of some brokers are skipped, after one visible line about all of them. */
export async function reasonsWithout(own = false): Promise<Partial<Record<BrokerType, string>>> {
  const found: Partial<Record<BrokerType, string>> = {}
  for (const type of BROKER_TYPES) {
    const why = await whyWithout(type, own)
    if (why !== undefined) found[type] = why
  }
  const reasons = Object.values(found)
  if (reasons.length === 0) return found
  console.log(`SKIPPED with brokers: ${reasons.join(', ')}`)
  return found
}

export interface BrokerOptions {
  /** The server offers TLS, if no proxy can. */
  tls?: boolean
  own?: boolean
}

export const startBroker = (type: BrokerType, options: BrokerOptions = {}): Promise<Broker> =>
  type === 'rabbitmq' && options.own ? startOwnRabbitBroker() : STARTS[type](options.tls ?? false)

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
  environmentOf: (port: number, directory: string) => NodeJS.ProcessEnv = () => process.env,
) {
  const directory = await mkdtemp(join(tmpdir(), 'broker-'))
  const port = await freePort()
  let child: ChildProcess | undefined
  const start = async (): Promise<void> => {
    // As a group: RabbitMQ is started by a script, which is not what is to be killed.
    const settings = { stdio: 'ignore', detached: true, env: environmentOf(port, directory) } as const
    child = spawn(program, await argumentsOf(port, directory), settings)
    child.on('error', () => undefined)
    while (!(await isListening(port))) {
      if (child.exitCode !== null) throw new Error(`${program} has ended`)
      await sleep(20)
    }
  }
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    if (child.pid !== undefined) process.kill(-child.pid, signal)
    await ended
    while (await isListening(port)) await sleep(20)
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
  const newClient = () => createClient({ socket: { port: server.port }, password })
  const withClient = async <T>(use: (client: ReturnType<typeof newClient>) => Promise<T>): Promise<T> => {
    const client = newClient()
    client.on('error', () => undefined)
    await client.connect()
    try {
      return await use(client)
    } finally {
      client.destroy()
    }
  }
  const read = async (): Promise<Consumed[]> => {
    const entries = await withClient((client) => client.xRange('events', '-', '+'))
    return (entries ?? []).map(({ message }) => ({ id: String(message.id), body: String(message.body) }))
  }
  return {
    port: server.port,
    fields: { password, topic: 'events' },
    consumed: read,
    // It evicts nothing unless it is told to.
    fill: () => withClient(async (client) => void (await client.configSet('maxmemory', '1'))),
    makeRoom: () => withClient(async (client) => void (await client.configSet('maxmemory', '0'))),
    kill: () => server.end('SIGKILL'),
    async startAgain() {
      await server.start()
      // It listens before it has read its file, and refuses every command until then.
      const isLoaded = () =>
        withClient((client) => client.ping()).then(
          () => true,
          () => false,
        )
      while (!(await isLoaded())) await sleep(20)
    },
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
    async fill() {
      const { state } = await streams.info('EVENTS')
      // Zero stands for no limit.
      await streams.update('EVENTS', { max_msgs: Math.max(1, state.messages), discard: 'new' })
    },
    makeRoom: async () => void (await streams.update('EVENTS', { max_msgs: -1 })),
    kill: () => server.end('SIGKILL'),
    startAgain: server.start,
    async close() {
      await connection.close()
      await server.close()
    },
  }
}

/** Mosquitto writes the sessions of its subscribers at its end and from time to time; here after each change, so that it can be killed. */
async function startMqttBroker(): Promise<Broker> {
  const server = await startProgram('mosquitto', async (port, directory) => {
    const file = join(directory, 'mosquitto.conf')
    const lines = [
      `listener ${port} 127.0.0.1`,
      'allow_anonymous true',
      'persistence true',
      'autosave_on_changes true',
      'autosave_interval 1',
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
    kill: () => server.end('SIGKILL'),
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
  const full = `${exchange}-full`
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
    /** Another queue takes the place of the consumed one: it has a message that is not consumed, and no room for a second. */
    async fill() {
      const limits = { 'x-max-length': 1, 'x-overflow': 'reject-publish' }
      await channel.assertQueue(full, { exclusive: true, arguments: limits })
      channel.sendToQueue(full, Buffer.from('the only one'))
      await channel.bindQueue(full, exchange, '#')
      await channel.unbindQueue(queue, exchange, '#')
    },
    async makeRoom() {
      await channel.bindQueue(queue, exchange, '#')
      await channel.deleteQueue(full)
    },
    close: () => connection.close(),
  }
}

/** A node of its own beside that of the machine, with a durable queue that outlives a kill. */
async function startOwnRabbitBroker(): Promise<Broker> {
  const distributionPort = await freePort()
  const server = await startProgram(
    RABBITMQ_SERVER,
    async (_port, directory) => {
      await writeFile(join(directory, 'plugins'), '[].')
      return []
    },
    (port, directory) => ({
      ...process.env,
      HOME: directory,
      RABBITMQ_NODENAME: `test-${port}@localhost`,
      RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
      RABBITMQ_NODE_PORT: String(port),
      RABBITMQ_DIST_PORT: String(distributionPort),
      RABBITMQ_MNESIA_BASE: join(directory, 'data'),
      RABBITMQ_LOG_BASE: join(directory, 'log'),
      RABBITMQ_ENABLED_PLUGINS_FILE: join(directory, 'plugins'),
      RABBITMQ_CONFIG_FILE: join(directory, 'none'),
      RABBITMQ_CONF_ENV_FILE: join(directory, 'none.env'),
      RABBITMQ_PID_FILE: join(directory, 'pid'),
    }),
  )
  const { default: amqp } = await import('amqplib')
  const [exchange, queue] = ['events', 'all-events']
  const connect = async () => {
    const connection = await amqp.connect(`amqp://127.0.0.1:${server.port}`)
    connection.on('error', () => undefined)
    const channel = await connection.createChannel()
    channel.on('error', () => undefined)
    return { connection, channel }
  }
  const first = await connect()
  await first.channel.assertExchange(exchange, 'topic', { durable: true })
  await first.channel.assertQueue(queue, { durable: true })
  await first.channel.bindQueue(queue, exchange, '#')
  await first.connection.close()
  return {
    port: server.port,
    fields: { exchange },
    /** Reads the whole queue, and leaves it as it is: what is not acknowledged goes back at the end of the connection. */
    async consumed() {
      const { connection, channel } = await connect()
      const found: Consumed[] = []
      for (let message = await channel.get(queue); message; message = await channel.get(queue))
        found.push({ id: String(message.properties.messageId), body: message.content.toString() })
      await connection.close()
      return found
    },
    kill: () => server.end('SIGKILL'),
    startAgain: server.start,
    close: server.close,
  }
}

const STARTS: Record<BrokerType, (tls: boolean) => Promise<Broker>> = {
  redis: startRedisBroker,
  nats: startNatsBroker,
  mqtt: startMqttBroker,
  rabbitmq: startRabbitBroker,
}
