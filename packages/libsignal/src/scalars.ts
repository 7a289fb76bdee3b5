// The one calculation of a signature with secret numbers: nonce + challenge · key, modulo the order of the base point.
//
// Every loop has a fixed length, no branch and no index depends on a value, and all values are doubles in typed arrays: whole numbers
// far below 2^53, on which a processor takes the same time for each operation. BigInt, in contrast, is faster for numbers with leading
// zeros. JavaScript gives no guarantee about time, but nothing here lets it depend on the key.

/** 21 limbs of 12 bits are 252 bits, the position of the highest bit of the order. */
const LIMB_BITS = 12
const LIMB = 2 ** LIMB_BITS
const ORDER_LIMBS = 21
const BYTES = 32
/** For 256 bits. */
const SCALAR_LIMBS = 22
/** For a product, and for the 512 bits of a hash. */
const PRODUCT_LIMBS = 44
/** The order is 2^252 + this. */
const ORDER_REST = toLimbs(Buffer.from('edd3f55c1a631258d69cf7a2def9de14', 'hex'), 12)
const ORDER = Float64Array.from({ length: SCALAR_LIMBS }, (_, index) =>
  index === ORDER_LIMBS ? 1 : (ORDER_REST[index] ?? 0),
)

/** `sign` is 1 or -1. All bytes are little-endian; the challenge may have up to 64, the others have 32. */
export function multiplyAdd(
  nonce: Uint8Array,
  sign: number,
  challenge: Uint8Array,
  secret: Uint8Array,
): Buffer {
  const reduced = toLimbs(reduce(toLimbs(challenge, PRODUCT_LIMBS)), SCALAR_LIMBS)
  const factor = toLimbs(secret, SCALAR_LIMBS)
  const sum = new Float64Array(PRODUCT_LIMBS)
  const added = toLimbs(nonce, SCALAR_LIMBS)
  for (let index = 0; index < SCALAR_LIMBS; index += 1) sum[index] = sign * added[index]!
  for (let i = 0; i < SCALAR_LIMBS; i += 1)
    for (let j = 0; j < SCALAR_LIMBS; j += 1) sum[i + j]! += reduced[i]! * factor[j]!
  return reduce(sum)
}

/** The number modulo the order, as 32 bytes. Changes the given limbs. */
function reduce(limbs: Float64Array): Buffer {
  // 2^252 is congruent to the negative of the rest. Each pass leaves about half of the excess; three leave a few bits, with a sign.
  for (let pass = 0; pass < 3; pass += 1) {
    carry(limbs)
    for (let high = ORDER_LIMBS; high < PRODUCT_LIMBS; high += 1) {
      const value = limbs[high]!
      limbs[high] = 0
      for (let j = 0; j < ORDER_REST.length; j += 1) limbs[high - ORDER_LIMBS + j]! -= value * ORDER_REST[j]!
    }
  }
  carry(limbs)
  // Between -2 and 2 times the order now: added while negative, subtracted while not smaller.
  addIf(limbs, isNegative(limbs))
  addIf(limbs, isNegative(limbs))
  subtractUnlessNegative(limbs)
  subtractUnlessNegative(limbs)
  return toBytes(limbs)
}

/** Brings each limb into its range; the sign of the number moves to the last one. */
function carry(limbs: Float64Array): void {
  for (let index = 0; index < PRODUCT_LIMBS - 1; index += 1) {
    const carried = Math.floor(limbs[index]! / LIMB)
    limbs[index]! -= carried * LIMB
    limbs[index + 1]! += carried
  }
}

/** 1 or 0, without a branch. */
const isNegative = (limbs: Float64Array): number => -Math.max(-1, Math.min(0, limbs[PRODUCT_LIMBS - 1]!))

function addIf(limbs: Float64Array, condition: number): void {
  for (let index = 0; index < SCALAR_LIMBS; index += 1) limbs[index]! += condition * ORDER[index]!
  carry(limbs)
}

function subtractUnlessNegative(limbs: Float64Array): void {
  addIf(limbs, -1)
  addIf(limbs, isNegative(limbs))
}

/** Three bytes are two limbs. The count is even, and missing bytes are zero. */
function toLimbs(bytes: Uint8Array, count: number): Float64Array {
  const limbs = new Float64Array(count)
  const padded = new Uint8Array((count / 2) * 3)
  padded.set(bytes)
  for (let index = 0, start = 0; index < count; index += 2, start += 3) {
    limbs[index] = padded[start]! | ((padded[start + 1]! & 0x0f) << 8)
    limbs[index + 1] = (padded[start + 1]! >> 4) | (padded[start + 2]! << 4)
  }
  return limbs
}

function toBytes(limbs: Float64Array): Buffer {
  const bytes = Buffer.alloc(BYTES + 1)
  for (let index = 0, start = 0; index < SCALAR_LIMBS; index += 2, start += 3) {
    const low = limbs[index]!
    const high = limbs[index + 1]!
    bytes[start] = low & 0xff
    bytes[start + 1] = (low >> 8) | ((high & 0x0f) << 4)
    bytes[start + 2] = high >> 4
  }
  return bytes.subarray(0, BYTES)
}
