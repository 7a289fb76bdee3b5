// Logins and keys in the forms in which programs with the published library store them.
import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BufferJSON, initAuthCreds } from 'baileys'

export const json = (value: unknown): string => JSON.stringify(value, BufferJSON.replacer)
/** As Node itself writes bytes, and older programs with it. */
export const asNumbers = (value: unknown): string =>
  JSON.stringify(value, (_name, each) => {
    const { type, data } = (each ?? {}) as { type?: string; data?: number[] }
    return type === 'Buffer' ? { type, data: [...Buffer.from(data as number[])] } : each
  })
export const base64 = (length: number): string => randomBytes(length).toString('base64')

/** Of a device that is linked with this phone. */
export function linkedCreds(number = '5511912345678') {
  const creds = initAuthCreds()
  const account = { details: base64(20), accountSignatureKey: base64(32), accountSignature: base64(64) }
  return {
    ...creds,
    me: { id: `${number}:7@s.whatsapp.net`, lid: '123456789012345:7@lid', name: 'Support' },
    account: { ...account, deviceSignature: base64(64) },
    nextPreKeyId: 813,
    firstUnuploadedPreKeyId: 813,
  }
}

/** In the form of the published Signal package. */
export function sessionRecord() {
  const [own, theirs, baseKey] = [base64(33), base64(33), base64(33)]
  const chain = (chainType: number) => ({
    chainKey: { counter: 1, key: base64(32) },
    chainType,
    messageKeys: {},
  })
  return {
    _sessions: {
      [baseKey]: {
        registrationId: 1,
        currentRatchet: {
          ephemeralKeyPair: { pubKey: own, privKey: base64(32) },
          lastRemoteEphemeralKey: theirs,
          previousCounter: 0,
          rootKey: base64(32),
        },
        indexInfo: {
          baseKey,
          baseKeyType: 1,
          closed: -1,
          used: 1,
          created: 1,
          remoteIdentityKey: base64(33),
        },
        _chains: { [own]: chain(1), [theirs]: chain(2) },
      },
    },
    version: 'v1',
  }
}

/** A folder as the library writes it, with as many one-time keys as a pairing makes and as many contacts. */
export async function writeForeignFolder(folder: string, number: string, contacts: number): Promise<void> {
  await mkdir(folder, { recursive: true })
  const write = (name: string, value: unknown) => writeFile(join(folder, `${name}.json`), json(value))
  await write('creds', linkedCreds(number))
  for (let id = 1; id <= 812; id += 1)
    await write(`pre-key-${id}`, { public: randomBytes(32), private: randomBytes(32) })
  for (let contact = 0; contact < contacts; contact += 1)
    await write(`session-${5_511_900_000_000 + contact}.0`, sessionRecord())
}
