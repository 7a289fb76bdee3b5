// Reads `EXTRA_CA_FILE`: additional certificate authorities for outgoing TLS.
import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g

/** Rejects when the file is missing or invalid, so that a typo is noticed at start. */
export async function readExtraCa(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new Error('the file cannot be read', { cause })
  })
  const certificates = text.match(CERTIFICATE) ?? []
  if (certificates.length === 0) throw new Error('the file contains no PEM certificate')
  for (const [index, pem] of certificates.entries()) {
    try {
      void new X509Certificate(pem)
    } catch (cause) {
      throw new Error(`certificate ${index + 1} in the file is not valid`, { cause })
    }
  }
  return certificates
}
