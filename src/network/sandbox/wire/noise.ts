// The responder's side of the Noise handshake (Noise_XX_25519_AESGCM_SHA256), in which client and server agree on keys.
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

/** Encrypts and decrypts frames after the handshake. Each direction has its own frame counter. */
export interface Transport {
  encrypt(plain: Uint8Array): Buffer
  decrypt(cipher: Uint8Array): Buffer
}

export interface Handshake {
  /** client hello → server hello */
  answerHello(hello: Uint8Array): Uint8Array
  /** client finish → the client's key and payload, and the keys of the transport */
  finish(finish: Uint8Array): { clientKey: Buffer; payload: proto.ClientPayload; transport: Transport }
}

export function startHandshake(certificates: Certificates): Handshake {
  const state = createSymmetricState()
  const ephemeral = Curve.generateKeyPair()
  return {
    answerHello(hello) {
      const clientEphemeral = proto.HandshakeMessage.decode(hello).clientHello?.ephemeral
      if (!clientEphemeral) throw new Error('the handshake does not start with a client hello')
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

/** The symmetric state of Noise: a running hash over the handshake, and the key mixed so far. */
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
