// TLS between nodes: each shows a certificate of the same authority, as a server and as a client.
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'

export interface NodeTls {
  /** In PEM. */
  files: { cert: string; key: string; ca: string }
  /** A name that the certificates of all nodes have; absent: each has the host of its NODE_URL. */
  name?: string | undefined
}

/** The settings of one node. */
export interface NodeTlsSettings {
  NODE_CERT_FILE?: string | undefined
  NODE_KEY_FILE?: string | undefined
  NODE_CA_FILE?: string | undefined
  NODE_TLS_NAME?: string | undefined
}

/** Undefined: plain HTTP. Rejects with the name of the setting when a file is missing or not valid. */
export async function readNodeTls(settings: NodeTlsSettings): Promise<NodeTls | undefined> {
  const { NODE_CERT_FILE, NODE_KEY_FILE, NODE_CA_FILE, NODE_TLS_NAME: name } = settings
  if (!NODE_CERT_FILE || !NODE_KEY_FILE || !NODE_CA_FILE) return undefined
  const [cert, key, ca] = await Promise.all([
    readPem('NODE_CERT_FILE', NODE_CERT_FILE),
    readPem('NODE_KEY_FILE', NODE_KEY_FILE),
    readPem('NODE_CA_FILE', NODE_CA_FILE),
  ])
  check('NODE_CA_FILE: expected a certificate in PEM', { ca })
  check('NODE_CERT_FILE: expected a certificate in PEM', { cert })
  check('NODE_KEY_FILE: expected the key of the certificate in NODE_CERT_FILE, in PEM', { cert, key })
  return { files: { cert, key, ca }, name }
}

async function readPem(setting: string, path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new Error(`${setting}: the file cannot be read`, { cause })
  })
  // An authority without a certificate would be accepted, and then refuse every node.
  if (!text.includes('-----BEGIN ')) throw new Error(`${setting}: expected a file in PEM`)
  return text
}

function check(message: string, parts: Partial<NodeTls['files']>): void {
  try {
    createSecureContext(parts)
  } catch (cause) {
    throw new Error(message, { cause })
  }
}
