/** Noise_XX_25519_AESGCM_SHA256, the responder's side: how a client and this server agree on keys. */
import {
  aesDecryptGCM,
  aesEncryptGCM,
  Curve,
  hkdf,
  type KeyPair,
  NOISE_MODE,
  NOISE_WA_HEADER,
  proto,
  sha256,
} from 'baileys'
import type { Certificates } from './certificates.ts'

const NO_DATA = Buffer.alloc(0)

/** Encrypts and decrypts frames once the handshake is over; each direction counts its own frames. */
export type Transport = { encrypt(plain: Uint8Array): Buffer; decrypt(cipher: Uint8Array): Buffer }

export type Handshake = {
  /** client hello → server hello */
  answerHello(hello: Uint8Array): Uint8Array
  /** client finish → who the client says it is, and the keys for everything after */
  finish(finish: Uint8Array): { clientKey: Buffer; payload: proto.ClientPayload; transport: Transport }
}

export function startHandshake(certificates: Certificates): Handshake {
  const state = createSymmetricState()
  const ephemeral = Curve.generateKeyPair()
  return {
    answerHello(hello) {
      const clientEphemeral = proto.HandshakeMessage.decode(hello).clientHello?.ephemeral
      if (!clientEphemeral) throw new Error('the handshake does not open with a client hello')
      state.mixHash(clientEphemeral)
      state.mixHash(ephemeral.public)
      state.mixKey(agree(ephemeral, clientEphemeral))
      const encryptedStatic = state.encrypt(certificates.serverKey.public)
      state.mixKey(agree(certificates.serverKey, clientEphemeral))
      const payload = state.encrypt(certificates.chain)
      return proto.HandshakeMessage.encode({
        serverHello: { ephemeral: ephemeral.public, static: encryptedStatic, payload },
      }).finish()
    },
    finish(finish) {
      const message = proto.HandshakeMessage.decode(finish).clientFinish
      if (!message?.static || !message.payload) throw new Error('the handshake lacks a client finish')
      const clientKey = state.decrypt(message.static)
      state.mixKey(agree(ephemeral, clientKey))
      const payload = proto.ClientPayload.decode(state.decrypt(message.payload))
      return { clientKey, payload, transport: state.split() }
    },
  }
}

function agree(own: KeyPair, theirs: Uint8Array): Buffer {
  return Curve.sharedKey(own.private, theirs)
}

/** What Noise calls the symmetric state: a running hash of all that was said, and the key mixed so far. */
function createSymmetricState() {
  let hash: Buffer = Buffer.from(NOISE_MODE)
  let salt = hash
  let key = hash
  let counter = 0
  const mixHash = (data: Uint8Array) => {
    hash = sha256(Buffer.concat([hash, data]))
  }
  const derive = (secret: Uint8Array): [Buffer, Buffer] => {
    const derived = Buffer.from(hkdf(secret, 64, { salt, info: '' }))
    return [derived.subarray(0, 32), derived.subarray(32)]
  }
  mixHash(NOISE_WA_HEADER)
  return {
    mixHash,
    mixKey(secret: Uint8Array) {
      ;[salt, key] = derive(secret)
      counter = 0
    },
    encrypt(plain: Uint8Array): Buffer {
      const cipher = aesEncryptGCM(plain, key, nonce(counter++), hash)
      mixHash(cipher)
      return cipher
    },
    decrypt(cipher: Uint8Array): Buffer {
      const plain = aesDecryptGCM(cipher, key, nonce(counter++), hash)
      mixHash(cipher)
      return plain
    },
    split(): Transport {
      const [fromClient, toClient] = derive(NO_DATA)
      let received = 0
      let sent = 0
      return {
        encrypt: (plain) => aesEncryptGCM(plain, toClient, nonce(sent++), NO_DATA),
        decrypt: (cipher) => aesDecryptGCM(cipher, fromClient, nonce(received++), NO_DATA),
      }
    },
  }
}

function nonce(counter: number): Buffer {
  const bytes = Buffer.alloc(12)
  bytes.writeUInt32BE(counter >>> 0, 8)
  return bytes
}
