// The heap stays below three times the memory in use. By default V8 lets it grow to four times and more.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

/** Keeps some objects and replaces many others that live long enough to reach the old generation. Prints peak over memory in use. */
const program = (isLimited: boolean) => `
import { getHeapStatistics } from 'node:v8'
import { limitHeapGrowth } from ${JSON.stringify(import.meta.resolve('./heap-growth.ts'))}
if (${isLimited}) limitHeapGrowth()
const used = () => getHeapStatistics().used_heap_size
const many = (count) => Array.from({ length: count }, () => new Array(100).fill(0))
const kept = many(60_000)
const passing = many(20_000)
globalThis.gc()
const inUse = used()
let peak = 0
for (let made = 0; made < 500_000; made += 1) {
  passing[made % passing.length] = new Array(100).fill(made)
  if (made % 5000 === 0) peak = Math.max(peak, used())
}
console.log(peak / inUse, kept.length)
`

/**
 * V8 derives the sizes of the generations from the memory of the machine, so both are given. It marks in steps while the program runs,
 * and the heap grows past its limit until they end, by as much as the machine is slow. Without steps and threads, a collection
 * begins and ends where the limit is.
 */
const FLAGS = [
  '--expose-gc',
  '--single-threaded-gc',
  '--no-incremental-marking',
  '--max-semi-space-size=4',
  '--input-type=module',
]

function peakOverMemoryInUse(isLimited: boolean, oldSpace: number): number {
  const args = [...FLAGS, `--max-old-space-size=${oldSpace}`, '-e', program(isLimited)]
  const child = spawnSync(process.execPath, args, { encoding: 'utf8' })
  assert.equal(child.status, 0, child.stderr)
  return Number(child.stdout.split(' ')[0])
}

for (const oldSpace of [2048, 16_384])
  test(`a process that produces much garbage stays below three times the memory in use, with ${oldSpace} MB at most`, () => {
    const [limited, unlimited] = [true, false].map((each) => peakOverMemoryInUse(each, oldSpace))
    assert.ok(limited !== undefined && unlimited !== undefined)
    assert.ok(limited > 1 && limited < 3, String(limited))
    assert.ok(unlimited > 3, `the program does not show growth: ${unlimited}`)
  })
