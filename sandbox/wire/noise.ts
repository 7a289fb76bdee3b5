// The responder's side of the Noise handshake, in which client and server agree on keys: XX for a client that does not know the server's
// key, IK for one that does, and XXfallback for one that knows another key.
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
const IK = 'Noise_IK_25519_AESGCM_SHA256\0\0\0\0'
const XX_FALLBACK = 'Noise_XXfallback_25519_AESGCM_SHA256'
/** A name of this length is used as it is, a longer one by its hash. */
const HASH_BYTES = 32

/** Encrypts and decrypts frames after the handshake. Each direction has its own frame counter. */
export interface Transport {
  encrypt(plain: Uint8Array): Buffer
  decrypt(cipher: Uint8Array): Buffer
}

/** The client's key and payload, and the keys of the transport. */
export interface Opened {
  clientKey: Buffer
  payload: proto.ClientPayload
  transport: Transport
}

export interface Handshake {
  /** client hello → server hello. With `opened` the handshake is complete, and there is no client finish. */
  answerHello(hello: Uint8Array): { answer: Uint8Array; opened?: Opened }
  finish(finish: Uint8Array): Opened
}

export function startHandshake(certificates: Certificates): Handshake {
  let state = createSymmetricState(NOISE_MODE)
  const ephemeral = Curve.generateKeyPair()
  return {
    answerHello(hello) {
      const message = proto.HandshakeMessage.decode(hello).clientHello
      if (!message?.ephemeral) throw new Error('the handshake does not start with a client hello')
      if (message.static && message.payload) {
        const resumed = resume(certificates, ephemeral, message as ResumingHello)
        if (resumed) return resumed
        state = createSymmetricState(XX_FALLBACK)
      }
      const clientEphemeral = message.ephemeral
      state.mixHash(clientEphemeral)
      state.mixHash(ephemeral.public)
      state.mixKey(agree(ephemeral, clientEphemeral))
      const encryptedStatic = state.encrypt(certificates.serverKey.public)
      state.mixKey(agree(certificates.serverKey, clientEphemeral))
      const payload = state.encrypt(certificates.chain)
      return { answer: serverHello({ ephemeral: ephemeral.public, static: encryptedStatic, payload }) }
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

type ResumingHello = Record<'ephemeral' | 'static' | 'payload', Uint8Array>

/** Undefined if the hello was not encrypted for the key of this server. */
function resume({ serverKey, chain }: Certificates, ephemeral: KeyPair, hello: ResumingHello) {
  const state = createSymmetricState(IK)
  state.mixHash(serverKey.public)
  state.mixHash(hello.ephemeral)
  state.mixKey(agree(serverKey, hello.ephemeral))
  const clientKey = tryDecrypt(() => state.decrypt(hello.static))
  if (!clientKey) return undefined
  state.mixKey(agree(serverKey, clientKey))
  const payload = proto.ClientPayload.decode(state.decrypt(hello.payload))
  state.mixHash(ephemeral.public)
  state.mixKey(agree(ephemeral, hello.ephemeral))
  state.mixKey(agree(ephemeral, clientKey))
  const answer = serverHello({ ephemeral: ephemeral.public, payload: state.encrypt(chain) })
  return { answer, opened: { clientKey, payload, transport: state.split() } }
}

function tryDecrypt(decrypt: () => Buffer): Buffer | undefined {
  try {
    return decrypt()
  } catch {
    return undefined
  }
}

const serverHello = (hello: proto.HandshakeMessage.IServerHello): Uint8Array =>
  proto.HandshakeMessage.encode({ serverHello: hello }).finish()

function agree(own: KeyPair, theirs: Uint8Array): Buffer {
  return Curve.sharedKey(own.private, theirs)
}

/** The symmetric state of Noise: a running hash over the handshake, and the key mixed so far. */
function createSymmetricState(name: string) {
  let hash: Buffer = name.length === HASH_BYTES ? Buffer.from(name) : sha256(Buffer.from(name))
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
