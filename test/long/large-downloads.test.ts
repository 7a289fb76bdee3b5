// Promise F3 with files of the full size. `test/flow/outbound-media.test.ts` has smaller ones.
import { test } from 'node:test'
import { checkManyDownloads } from '../support/many-downloads.ts'

test('F3: 20 files of 100 MB at once add at most 150 MB', () => checkManyDownloads(100))
