// Values of the chart for its tests: its own, all options at once, and the simulated network.
import { randomBytes } from 'node:crypto'
import { newKey } from '../../support/started.ts'

/** By the key of the Secret. */
export const SECRETS = {
  'master-key': randomBytes(32).toString('base64'),
  'operator-key': newKey(),
  'api-key': newKey(),
  'database-url': `postgres://switchboard:${newKey()}@db.example.com:5432/switchboard`,
  'files-access-key': newKey(),
  'files-secret-key': newKey(),
  'sandbox-key': newKey(),
  'otlp-headers': `authorization=${newKey()}`,
}

const createdSecrets = {
  create: true,
  masterKey: SECRETS['master-key'],
  operatorKey: SECRETS['operator-key'],
  apiKey: SECRETS['api-key'],
  databaseUrl: SECRETS['database-url'],
  filesAccessKey: SECRETS['files-access-key'],
  filesSecretKey: SECRETS['files-secret-key'],
  sandboxKey: SECRETS['sandbox-key'],
  otlpHeaders: SECRETS['otlp-headers'],
  withOtlpHeaders: true,
}

const DATABASE_RULE = { to: [{ ipBlock: { cidr: '10.1.2.3/32' } }], ports: [{ port: 5432 }] }

/** Every option is on. */
export const FULL = {
  image: { repository: 'registry.example.com/switchboard', digest: `sha256:${'ab'.repeat(32)}` },
  imagePullSecrets: ['registry'],
  fullnameOverride: 'gateway',
  replicas: 5,
  secrets: createdSecrets,
  settings: {
    LOG_LEVEL: 'debug',
    SESSIONS: 'off',
    PUBLIC_URL: 'https://gateway.example.com',
    TRUST_PROXY: '10.0.0.0/8',
    ALLOW_TARGETS: 'receiver.example.com',
    FILES_URL: 's3://media/switchboard?region=eu-central-1',
    RATE_LIMIT: 1_000_000,
    SEND_CONCURRENCY: 10,
    LEASE_SECONDS: 60,
    WATCHDOG_SECONDS: 120,
    WHATSAPP_VERSION: '2.3000.1',
    PASSKEY_LINKING: 'on',
    HTTPS_PROXY: 'http://proxy.example.com:3128',
    HTTP_PROXY: 'http://proxy.example.com:3128',
    NO_PROXY: 'db.example.com,10.0.0.0/8',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
    OTEL_SERVICE_NAME: 'gateway',
  },
  ports: { http: 8090, node: 65_535 },
  nodeTls: { secret: 'node-certificate', name: 'gateway-node' },
  extraCa: { configMap: 'authorities', key: 'own.pem' },
  resources: { requests: { cpu: 2, memory: '1Gi' }, limits: { memory: '2Gi' } },
  podDisruptionBudget: { maxUnavailable: 2 },
  service: { type: 'LoadBalancer', port: 8080, annotations: { 'example.com/of': 'service' } },
  ingress: {
    enabled: true,
    className: 'nginx',
    annotations: { 'example.com/of': 'ingress' },
    host: 'gateway.example.com',
    tlsSecret: 'certificate',
    operator: true,
  },
  networkPolicy: {
    clients: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }],
    egress: { enabled: true, rules: [DATABASE_RULE] },
  },
  serviceMonitor: { enabled: true, interval: '15s', labels: { release: 'prometheus' } },
  podAnnotations: { 'example.com/of': 'pod' },
  podLabels: { team: 'messaging' },
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  tolerations: [{ key: 'dedicated', operator: 'Exists' }],
  affinity: { nodeAffinity: {} },
  priorityClassName: 'high',
  extraVolumes: [{ name: 'more', emptyDir: {} }],
  extraVolumeMounts: [{ name: 'more', mountPath: '/more' }],
}

/** The simulated network, with everything off that can be off. */
export const sandbox = (url: string) => ({
  network: 'sandbox',
  secrets: { existingSecret: 'own-secret' },
  settings: { SANDBOX_URL: url },
  ipFamily: 'IPv6',
  updateStrategy: 'Recreate',
  podDisruptionBudget: { enabled: false },
  topologySpread: { enabled: false },
  ingress: { enabled: true, host: 'gateway.example.com' },
  networkPolicy: { enabled: false },
})
