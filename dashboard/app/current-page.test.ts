import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currentPath } from './current-page.ts'

const PATHS = ['/instances', '/conversations', '/conversations/approvals']

test('one entry is current: that of the page, or of the page above it', () => {
  assert.equal(currentPath('/conversations', PATHS), '/conversations')
  assert.equal(currentPath('/conversations/approvals', PATHS), '/conversations/approvals')
  assert.equal(currentPath('/conversations/scheduled', PATHS), '/conversations')
  assert.equal(currentPath('/instances/support-k3v9x2ma', PATHS), '/instances')
  assert.equal(currentPath('/conversationsx', PATHS), undefined)
})
