// Errors with the names and texts by which the network library recognizes them.

/** The message belongs to no session, or there is no session. */
export class SessionError extends Error {
  override name = 'SessionError'
}

/** The key of this message was used before. */
export class MessageCounterError extends SessionError {
  override name = 'MessageCounterError'
}

/** The message names a pre-key that is not stored. */
export class PreKeyError extends SessionError {
  override name = 'PreKeyError'
}

export class UntrustedIdentityKeyError extends SessionError {
  override name = 'UntrustedIdentityKeyError'
  readonly address: string

  constructor(address: string) {
    super('The identity key is not trusted')
    this.address = address
  }
}
