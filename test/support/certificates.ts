// The committed certificates of test hosts: good for `receiver.test`, `*.receivers.test`, `localhost` and the loopback
// addresses where they are good at all.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type CertificateName = 'trusted' | 'expired' | 'wrong-name' | 'self-signed'

const directory = join(import.meta.dirname, 'certificates')
const read = (file: string): string => readFileSync(join(directory, file), 'utf8')

/** For `EXTRA_CA_FILE`: the authority that signed all but the self-signed one. */
export const AUTHORITY_FILE: string = join(directory, 'authority-cert.pem')

export const authority = (): string => read('authority-cert.pem')

export const certificate = (name: CertificateName): { key: string; cert: string } => ({
  key: read(`${name}-key.pem`),
  cert: read(`${name}-cert.pem`),
})

/** For programs that read files. */
export const TRUSTED_FILES = {
  cert: join(directory, 'trusted-cert.pem'),
  key: join(directory, 'trusted-key.pem'),
}

/** For `NODE_CERT_FILE`, `NODE_KEY_FILE` and `NODE_CA_FILE`: good for `switchboard-node`, 127.0.0.1 and 127.0.0.2. */
export const NODE_TLS_FILES = {
  NODE_CERT_FILE: join(directory, 'node-cert.pem'),
  NODE_KEY_FILE: join(directory, 'node-key.pem'),
  NODE_CA_FILE: join(directory, 'node-authority-cert.pem'),
}
