// Reads the operator's own certificate authorities: `EXTRA_CA_FILE` (decisions 1).
import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g

/** The certificates of the file. Rejects with what is wrong with it: a typo must not look like trust. */
export async function readExtraCa(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new Error('the file cannot be read', { cause })
  })
  const certificates = text.match(CERTIFICATE) ?? []
  if (certificates.length === 0) throw new Error('the file holds no certificate in PEM form')
  for (const [index, pem] of certificates.entries()) {
    try {
      void new X509Certificate(pem)
    } catch (cause) {
      throw new Error(`certificate ${index + 1} of the file is broken`, { cause })
    }
  }
  return certificates
}
