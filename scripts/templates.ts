// The templates in deploy/templates, one folder per platform, made from one description of the container: `npm run docs:templates` writes
// them. `--image NAME`, `--url URL` and `--out DIRECTORY` make them for a registry and a project of your own.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { stringify } from 'yaml'
import { PRODUCT, PRODUCT_VERSION } from '../src/contract/version.ts'

const DIRECTORY = join(import.meta.dirname, '../deploy/templates')

export interface TemplateSource {
  image: string
  /** Of the project; some platforms demand one. */
  url: string
}

export const DEFAULT_SOURCE: TemplateSource = {
  image: `switchboard-gateway:${PRODUCT_VERSION}`,
  url: 'https://example.com/switchboard',
}

const ID = 'switchboard'
const PORT = 8080
const TAGLINE = 'A self-hosted messaging gateway: one REST API, signed webhooks'
const DESCRIPTION =
  'Switchboard keeps WhatsApp sessions behind one REST API. Programs send messages, read contacts and groups, and receive events as ' +
  'signed webhooks. It starts with a sandbox of simulated phones; set NETWORK to whatsapp for the real network.'
const NETWORKS = ['sandbox', 'whatsapp']
const TAGS = ['messaging', 'api', 'webhooks', 'automation']

/** What every container of the gateway gets, as in compose.yaml. */
const HARDENED = {
  read_only: true,
  tmpfs: ['/tmp'],
  cap_drop: ['ALL'],
  security_opt: ['no-new-privileges:true'],
  restart: 'unless-stopped',
  stop_grace_period: '30s',
}

const yaml = (content: unknown): string => stringify(content, { lineWidth: 0 })
/** In the format of this project: a list of words is one line. */
const json = (content: unknown): string =>
  `${JSON.stringify(content, null, 2).replaceAll(/\[\s+("[^\]{}]*")\s+\]/g, (_whole, words: string) => `[${words.replaceAll(/,\s+/g, ', ')}]`)}\n`

const casaos = ({ image, url }: TemplateSource) => ({
  'casaos/docker-compose.yml': yaml({
    name: ID,
    services: {
      [ID]: {
        image,
        ...HARDENED,
        environment: { NETWORK: 'sandbox' },
        ports: [{ target: PORT, published: String(PORT), protocol: 'tcp' }],
        // A named volume: a folder would belong to root, and the container runs as user 1000.
        volumes: [{ type: 'volume', source: 'data', target: '/data' }],
        'x-casaos': {
          envs: [{ container: 'NETWORK', description: { en_us: NETWORKS.join(' or ') } }],
          ports: [{ container: String(PORT), description: { en_us: 'Dashboard and API' } }],
          volumes: [{ container: '/data', description: { en_us: 'All data, with the keys' } }],
        },
      },
    },
    volumes: { data: {} },
    'x-casaos': {
      architectures: ['amd64', 'arm64'],
      main: ID,
      author: PRODUCT,
      developer: PRODUCT,
      category: 'Utilities',
      description: { en_us: DESCRIPTION },
      tagline: { en_us: TAGLINE },
      title: { en_us: PRODUCT },
      tips: { before_install: { en_us: 'The log of the first start ends with the address and the keys.' } },
      icon: `${url}/icon.png`,
      index: '/',
      port_map: String(PORT),
      scheme: 'http',
    },
  }),
})

const umbrel = ({ image, url }: TemplateSource) => ({
  'umbrel/umbrel-app.yml': yaml({
    manifestVersion: 1,
    id: ID,
    category: 'automation',
    name: PRODUCT,
    version: PRODUCT_VERSION,
    tagline: TAGLINE,
    description: DESCRIPTION,
    releaseNotes: '',
    developer: PRODUCT,
    website: url,
    dependencies: [],
    repo: url,
    support: url,
    port: PORT,
    gallery: [],
    path: '',
    defaultUsername: '',
    // Umbrel shows it, and the gateway takes it as the API key.
    deterministicPassword: true,
    submitter: PRODUCT,
    submission: url,
  }),
  'umbrel/docker-compose.yml': yaml({
    version: '3.7',
    services: {
      // The gateway checks keys, and programs cannot sign in to Umbrel.
      app_proxy: {
        environment: { APP_HOST: `${ID}_server_1`, APP_PORT: PORT, PROXY_AUTH_ADD: 'false' },
      },
      server: {
        image,
        ...HARDENED,
        restart: 'on-failure',
        user: '1000:1000',
        environment: { NETWORK: 'sandbox', API_KEY: '${APP_PASSWORD}' },
        volumes: ['${APP_DATA_DIR}/data:/data'],
      },
    },
  }),
  // Umbrel copies it with the owner that the container runs as.
  'umbrel/data/.gitkeep': '',
})

const coolify = ({ image, url }: TemplateSource) => ({
  'coolify/switchboard.yaml': [
    `# documentation: ${url}`,
    `# slogan: ${TAGLINE}`,
    '# category: messaging',
    `# tags: ${TAGS.join(',')}`,
    '# logo: svgs/switchboard.svg',
    `# port: ${PORT}`,
    '',
    yaml({
      services: {
        [ID]: {
          image,
          ...HARDENED,
          environment: [
            `SERVICE_URL_SWITCHBOARD_${PORT}`,
            'NETWORK=${NETWORK:-sandbox}',
            'API_KEY=${SERVICE_PASSWORD_64_API}',
            'OPERATOR_KEY=${SERVICE_PASSWORD_64_OPERATOR}',
          ],
          volumes: ['switchboard-data:/data'],
        },
      },
      volumes: { 'switchboard-data': {} },
    }),
  ].join('\n'),
})

const dokploy = ({ image, url }: TemplateSource) => ({
  'dokploy/docker-compose.yml': yaml({
    services: {
      [ID]: {
        image,
        ...HARDENED,
        environment: {
          NETWORK: '${NETWORK}',
          API_KEY: '${API_KEY}',
          OPERATOR_KEY: '${OPERATOR_KEY}',
        },
        expose: [PORT],
        volumes: ['data:/data'],
      },
    },
    volumes: { data: {} },
  }),
  'dokploy/template.toml': `[variables]
main_domain = "\${domain}"
api_key = "\${password:48}"
operator_key = "\${password:48}"

[config]
env = ["NETWORK=sandbox", "API_KEY=\${api_key}", "OPERATOR_KEY=\${operator_key}"]

[[config.domains]]
serviceName = "${ID}"
port = ${PORT}
host = "\${main_domain}"
`,
  'dokploy/meta.json': json({
    id: ID,
    name: PRODUCT,
    version: PRODUCT_VERSION,
    description: TAGLINE,
    logo: `${ID}.svg`,
    links: { github: url, website: url, docs: url },
    tags: TAGS,
  }),
})

const easypanel = ({ image }: TemplateSource) => ({
  'easypanel/template.json': json({
    services: [
      {
        type: 'app',
        data: {
          serviceName: ID,
          env: 'NETWORK=sandbox',
          source: { type: 'image', image },
          domains: [{ host: '$(EASYPANEL_DOMAIN)', port: PORT }],
          mounts: [{ type: 'volume', name: 'data', mountPath: '/data' }],
        },
      },
    ],
  }),
})

const unraid = ({ image, url }: TemplateSource) => ({
  'unraid/switchboard.xml': `<?xml version="1.0"?>
<Container version="2">
  <Name>${ID}</Name>
  <Repository>${image}</Repository>
  <Network>bridge</Network>
  <Shell>sh</Shell>
  <Privileged>false</Privileged>
  <Support>${url}</Support>
  <Project>${url}</Project>
  <Overview>${DESCRIPTION} The container runs as user 1000: the folder for its data must belong to that user.</Overview>
  <Category>Tools: Other:</Category>
  <WebUI>http://[IP]:[PORT:${PORT}]/</WebUI>
  <Icon>${url}/icon.png</Icon>
  <ExtraParams>--read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges --stop-timeout 30</ExtraParams>
  <Config Name="Port" Target="${PORT}" Default="${PORT}" Mode="tcp" Description="Dashboard and API" Type="Port" Display="always" Required="true" Mask="false">${PORT}</Config>
  <Config Name="Data" Target="/data" Default="/mnt/user/appdata/${ID}" Mode="rw" Description="All data, with the keys" Type="Path" Display="always" Required="true" Mask="false">/mnt/user/appdata/${ID}</Config>
  <Config Name="Network" Target="NETWORK" Default="${NETWORKS.join('|')}" Mode="" Description="Simulated phones, or the real network" Type="Variable" Display="always" Required="true" Mask="false">sandbox</Config>
</Container>
`,
})

const homeAssistant = ({ image }: TemplateSource) => ({
  'home-assistant/switchboard/config.yaml': yaml({
    name: PRODUCT,
    version: PRODUCT_VERSION,
    slug: ID,
    description: TAGLINE,
    arch: ['amd64', 'aarch64'],
    startup: 'services',
    boot: 'auto',
    // The programs of the image need no other init than Docker's.
    init: true,
    ports: { [`${PORT}/tcp`]: PORT },
    ports_description: { [`${PORT}/tcp`]: 'Dashboard and API' },
    webui: `http://[HOST]:[PORT:${PORT}]`,
    watchdog: `http://[HOST]:[PORT:${PORT}]/healthz`,
    timeout: 30,
    options: { network: 'sandbox' },
    schema: { network: `list(${NETWORKS.join('|')})` },
  }),
  'home-assistant/switchboard/Dockerfile': `FROM ${image}
# Home Assistant gives /data to root. run.sh gives up that right before it starts the server.
USER root
COPY run.sh /run.sh
ENTRYPOINT ["sh", "/run.sh"]
`,
  'home-assistant/switchboard/run.sh': `#!/bin/sh
# Starts the server of the add-on as user 1000, with the options that were chosen in Home Assistant.
set -eu
DATA_DIR=/data/switchboard
install -d -o 1000 -g 1000 -m 700 "$DATA_DIR"
NETWORK=$(node -p 'JSON.parse(require("node:fs").readFileSync("/data/options.json", "utf8")).network')
export DATA_DIR NETWORK
exec setpriv --reuid=1000 --regid=1000 --clear-groups --no-new-privs --bounding-set=-all switchboard serve
`,
})

/** The text of each file by its path below deploy/templates. */
export const templates = (source: TemplateSource = DEFAULT_SOURCE): Record<string, string> =>
  Object.assign(
    {},
    ...[casaos, umbrel, coolify, dokploy, easypanel, unraid, homeAssistant].map((make) => make(source)),
  )

async function write(): Promise<void> {
  const { values } = parseArgs({
    options: { image: { type: 'string' }, url: { type: 'string' }, out: { type: 'string' } },
  })
  const source = { image: values.image ?? DEFAULT_SOURCE.image, url: values.url ?? DEFAULT_SOURCE.url }
  for (const [path, text] of Object.entries(templates(source))) {
    const file = join(values.out ?? DIRECTORY, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
}

if (import.meta.main) await write()
