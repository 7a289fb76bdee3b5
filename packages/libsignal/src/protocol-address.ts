// The address of a device: a name without a point, and the number of the device.

export class ProtocolAddress {
  readonly id: string
  readonly deviceId: number

  constructor(id: string, deviceId: number) {
    if (typeof id !== 'string' || id.includes('.')) throw new TypeError('id must be a name without a point')
    if (!Number.isInteger(deviceId)) throw new TypeError('deviceId must be an integer')
    this.id = id
    this.deviceId = deviceId
  }

  static from(text: string): ProtocolAddress {
    const parts = /^([^.]*)\.(\d+)$/.exec(text)
    if (!parts) throw new Error('Invalid address encoding')
    return new ProtocolAddress(parts[1] as string, Number(parts[2]))
  }

  is(other: ProtocolAddress): boolean {
    return other.id === this.id && other.deviceId === this.deviceId
  }

  toString(): string {
    return `${this.id}.${this.deviceId}`
  }
}
