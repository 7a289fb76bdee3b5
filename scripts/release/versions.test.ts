// The rules for versions and the changelog of a release.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { faultLine } from './fault.ts'
import {
  apiVersionFaults,
  changelogFaults,
  fieldFaults,
  namedVersionFaults,
  ownVersionFaults,
} from './versions.ts'

const RELEASED =
  '# Changelog\n\n## 1.2.0 - 2026-01-31\n\nAPI version 1.0.0.\n\n- A change.\n\n## 1.1.0 - 2025-12-01\n\n- Old.\n'
const linesOf = (changelog: string, today = '2026-02-01'): string[] =>
  changelogFaults({ changelog, version: '1.2.0', apiVersion: '1.0.0', today }).map(faultLine)

describe('the changelog of a release', () => {
  test('a dated section of this version at the top is enough, also below an empty "Unreleased"', () => {
    assert.deepEqual(linesOf(RELEASED), [])
    assert.deepEqual(linesOf(RELEASED.replace('## 1.2.0', '## Unreleased\n\n## 1.2.0')), [])
  })

  test('without a heading of the version the line names the heading to write', () => {
    assert.deepEqual(linesOf('# Changelog\n\n## Unreleased\n\n- A change.\n'), [
      'CHANGELOG.md: a release needs a heading with its version and date, and there is none: rename "## Unreleased" to "## 1.2.0 - 2026-02-01"',
    ])
    assert.deepEqual(linesOf(RELEASED.replace('1.2.0', '1.1.5')), [
      'CHANGELOG.md: a release needs a heading with its version and date, and the newest is "## 1.1.5 - 2026-01-31": add "## 1.2.0 - 2026-02-01"',
    ])
    assert.match(linesOf(RELEASED.replace(' - 2026-01-31', ''))[0] ?? '', /the newest is "## 1\.2\.0": add/)
  })

  test('entries that stay unreleased are a fault', () => {
    const [line] = linesOf(RELEASED.replace('## 1.2.0', '## Unreleased\n\n- Forgotten.\n\n## 1.2.0'))
    assert.match(line ?? '', /"## Unreleased" has entries: move them/)
  })

  test('a day that does not exist or is to come is a fault, today is not', () => {
    assert.deepEqual(linesOf(RELEASED, '2026-01-31'), [])
    assert.match(linesOf(RELEASED, '2026-01-30')[0] ?? '', /2026-01-31 is not a day up to 2026-01-30/)
    assert.match(
      linesOf(RELEASED.replace('01-31', '02-30'), '2026-12-01')[0] ?? '',
      /2026-02-30 is not a day/,
    )
  })

  test('a section that is empty or does not name the API is a fault', () => {
    assert.match(
      linesOf(RELEASED.replace('version 1.0.0', 'version 0.9.0'))[0] ?? '',
      /add the line "API version 1\.0\.0\."/,
    )
    assert.match(linesOf('## 1.2.0 - 2026-01-31\n')[0] ?? '', /is empty: describe the release/)
  })
})

describe('versions in other files', () => {
  test('every file that names another version, or none, is reported', () => {
    const files = {
      'compose.yaml': 'image: switchboard-gateway:1.2.0',
      'docs/deploy.md': 'switchboard-gateway-1.1.0.tgz and switchboard-gateway:1.2.0',
      'compose.cluster.yaml': 'image: another',
    }
    assert.deepEqual(namedVersionFaults('1.2.0', files).map(faultLine), [
      'docs/deploy.md: names 1.1.0: change it to 1.2.0',
      'compose.cluster.yaml: names no version of switchboard-gateway: name it, or remove the file from NAMING_FILES',
    ])
    assert.deepEqual(
      fieldFaults('Chart.yaml', '1.2.0', { version: '1.2.0', appVersion: undefined }).map(faultLine),
      ['Chart.yaml: appVersion is undefined: change it to 1.2.0'],
    )
  })

  test('a version has three numbers, and the API has the first one in its path', () => {
    assert.deepEqual([...ownVersionFaults('1.2.0'), ...apiVersionFaults('1.4.0', '/api/v1')], [])
    assert.equal(ownVersionFaults('1.2').length, 1)
    assert.equal(apiVersionFaults('1', '/api/v1').length, 1)
    assert.match(
      apiVersionFaults('2.0.0', '/api/v1').map(faultLine)[0] ?? '',
      /^src\/contract\/version\.ts: .*\/api\/v1/,
    )
  })
})
