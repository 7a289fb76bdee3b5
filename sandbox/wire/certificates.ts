// The certificate chain of the sandbox: a root that clients are configured to trust, an intermediate and a server key.
import { Curve, type KeyPair, proto } from 'baileys'

export interface Certificates {
  rootPublicKey: Buffer
  /** The static key of the Noise handshake, certified by the chain. */
  serverKey: KeyPair
  chain: Buffer
}

const VALID_SECONDS = 10 * 365 * 86_400
/** The library requires that the intermediate names serial 0, the root, as its issuer. */
const ROOT_SERIAL = 0

export function createCertificates(nowMs: number): Certificates {
  const root = Curve.generateKeyPair()
  const intermediate = Curve.generateKeyPair()
  const serverKey = Curve.generateKeyPair()
  const notBefore = Math.floor(nowMs / 1000) - 86_400
  const sign = (issuer: KeyPair, subject: KeyPair, serial: number, issuerSerial: number) => {
    const details = proto.CertChain.NoiseCertificate.Details.encode({
      serial,
      issuerSerial,
      key: subject.public,
      notBefore,
      notAfter: notBefore + VALID_SECONDS,
    }).finish()
    return { details, signature: Curve.sign(issuer.private, details) }
  }
  const chain = proto.CertChain.encode({
    intermediate: sign(root, intermediate, 1, ROOT_SERIAL),
    leaf: sign(intermediate, serverKey, 2, 1),
  }).finish()
  return { rootPublicKey: Buffer.from(root.public), serverKey, chain: Buffer.from(chain) }
}
