// The objects that a chart renders, by kind, with the parts that tests read.
import { parseAllDocuments } from 'yaml'

export interface Variable {
  name: string
  value?: string
  valueFrom?: {
    fieldRef?: { fieldPath: string }
    secretKeyRef?: { name: string; key: string }
  }
}

type Labels = Record<string, string>

interface Probe {
  httpGet: { path: string; port: string }
}

interface Container {
  image: string
  env: Variable[]
  ports: { name: string; containerPort: number }[]
  securityContext: object
  startupProbe: Probe
  livenessProbe: Probe
  readinessProbe: Probe
  lifecycle: { preStop: { exec: { command: string[] } } }
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[]
}

interface Volume {
  name: string
  secret?: { secretName: string; items: { key: string; path: string }[] }
}

interface PolicyRule {
  ports?: { port: string | number }[]
  from?: { podSelector?: { matchLabels: Labels } }[]
}

export interface Manifest {
  kind: string
  metadata: { name: string; labels: Labels }
  automountServiceAccountToken?: boolean
  data?: Record<string, string>
  spec: {
    selector: { matchLabels: Labels } & Labels
    podSelector: { matchLabels: Labels }
    ports: { port: number; targetPort: string }[]
    endpoints: { port: string; path: string }[]
    ingress: PolicyRule[]
    egress: object[]
    rules: { host: string; http: { paths: { path: string; pathType: string }[] } }[]
    strategy: { type: string }
    template: {
      metadata: { labels: Labels; annotations?: Record<string, string> }
      spec: {
        automountServiceAccountToken: boolean
        terminationGracePeriodSeconds: number
        securityContext: object
        containers: Container[]
        volumes: Volume[]
      }
    }
  }
}

export interface Rendered {
  text: string
  all: Manifest[]
  /** The only object of this kind; throws where there is none or more. */
  one(kind: string): Manifest
  gateway: Container
}

export function parseManifests(text: string): Rendered {
  const all = parseAllDocuments(text)
    .map((document) => {
      if (document.errors.length > 0) throw document.errors[0]
      return document.toJS() as Manifest | null
    })
    .filter((manifest) => manifest !== null)
  const one = (kind: string): Manifest => {
    const found = all.filter((manifest) => manifest.kind === kind)
    if (found.length !== 1) throw new Error(`${found.length} objects of kind ${kind}`)
    return found[0] as Manifest
  }
  const [gateway] = one('Deployment').spec.template.spec.containers
  return { text, all, one, gateway: gateway as Container }
}

/** The environment as a pod has it: with references replaced, and the content of `secrets` where a variable refers to one. */
export function environmentOf(
  variables: readonly Variable[],
  podIp: string,
  secrets: Record<string, string>,
): Record<string, string> {
  const environment: Record<string, string> = {}
  for (const { name, value, valueFrom } of variables) {
    const given = valueFrom?.fieldRef ? podIp : secrets[valueFrom?.secretKeyRef?.key ?? '']
    const text = value ?? given ?? ''
    environment[name] = text.replaceAll(/\$\((\w+)\)/g, (_, other: string) => environment[other] ?? '')
  }
  return environment
}
