import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createBoundedMap } from './bounded-map.ts'

describe('bounded map', () => {
  test('beyond the limit one entry is evicted: the one that was not used for the longest time', () => {
    const map = createBoundedMap<string, number>(3)
    for (const [index, key] of ['a', 'b', 'c'].entries()) map.set(key, index)
    map.get('a')
    map.set('b', 10)
    map.set('d', 3)
    assert.deepEqual([...map.values()], [0, 10, 3])
  })

  test('peek does not count as a use', () => {
    const map = createBoundedMap<string, number>(2)
    map.set('a', 1)
    map.set('b', 2)
    assert.equal(map.peek('a'), 1)
    map.set('c', 3)
    assert.deepEqual([map.peek('a'), map.peek('b')], [undefined, 2])
  })

  test('a value may be null, and a deleted key makes room', () => {
    const map = createBoundedMap<string, null>(2)
    map.set('a', null)
    map.set('b', null)
    assert.deepEqual([map.get('a'), map.delete('b'), map.delete('b')], [null, true, false])
    map.set('c', null)
    assert.deepEqual([map.size, map.peek('a')], [2, null])
  })

  test('with weights, as many entries are evicted as it takes, but not the new one', () => {
    const map = createBoundedMap<string, number>(10, { weigh: (value) => value })
    for (const [key, weight] of Object.entries({ a: 2, b: 3, c: 4 })) map.set(key, weight)
    map.set('d', 5)
    assert.deepEqual([[...map.values()], map.weight], [[4, 5], 9])
    map.set('e', 100)
    assert.deepEqual([[...map.values()], map.weight], [[100], 100])
    map.clear()
    assert.deepEqual([map.size, map.weight], [0, 0])
  })

  test('evicted entries are reported; deleted and replaced ones are not', () => {
    const evicted: [string, number][] = []
    const map = createBoundedMap<string, number>(2, { onEvict: (key, value) => evicted.push([key, value]) })
    map.set('a', 1)
    map.set('a', 2)
    map.set('b', 3)
    map.set('c', 4)
    map.delete('b')
    map.set('d', 5)
    assert.deepEqual(evicted, [['a', 2]])
  })

  test('after any calls it holds the most recently used entries that fit, and knows their weight', () => {
    const key = fc.integer({ min: 0, max: 7 })
    const call = fc.oneof(
      fc.record({ what: fc.constant('set' as const), key, value: fc.integer({ min: 0, max: 6 }) }),
      fc.record({ what: fc.constantFrom('get' as const, 'delete' as const), key }),
    )
    const weigh = (value: number) => value
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.array(call, { maxLength: 60, size: 'max' }),
        (limit, calls) => {
          const map = createBoundedMap<number, number>(limit, { weigh })
          /** The least recently used first. */
          let model: [number, number][] = []
          const sum = () => model.reduce((total, [, value]) => total + value, 0)
          for (const step of calls) {
            const found = model.find(([name]) => name === step.key)
            model = model.filter((entry) => entry !== found)
            if (step.what === 'set') {
              map.set(step.key, step.value)
              model.push([step.key, step.value])
              while (model.length > 1 && sum() > limit) model.shift()
            } else if (step.what === 'get') {
              assert.equal(map.get(step.key), found?.[1])
              if (found) model.push(found)
            } else assert.equal(map.delete(step.key), found !== undefined)
            assert.deepEqual([[...map.values()], map.weight], [model.map(([, value]) => value), sum()])
          }
        },
      ),
    )
  })
})
