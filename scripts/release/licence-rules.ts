// Which licences the shipped packages may have.
import type { Fault } from './fault.ts'
import type { Components } from './shipped.ts'

/** They ask for attribution at most. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
])

interface Exception {
  packages: RegExp
  licence: string
  /** What NOTICE calls it. */
  notice: string
}

/** Packages under a licence that asks for more. They are installed as they are, are never part of the bundle, and NOTICE names them. */
const EXCEPTIONS: Exception[] = [
  { packages: /^@img\/sharp-(libvips|wasm32|win32)/, licence: 'LGPL-3.0-or-later', notice: 'libvips' },
]

export function licenceFaults(components: Components, notice: string): Fault[] {
  const faults: Fault[] = []
  for (const { name, version, licence, form } of components.values()) {
    const refused = refusedLicences(licence)
    if (refused.length === 0) continue
    const exception = EXCEPTIONS.find(({ packages }) => packages.test(name) && form === 'installed')
    if (exception && refused.every((each) => each === exception.licence)) {
      if (!notice.includes(exception.notice))
        faults.push({
          file: 'NOTICE',
          text: `does not name ${exception.notice} (${name}): describe its licence`,
        })
      continue
    }
    const what = licence === '' ? 'names no licence' : `is under ${licence}`
    const remedy = 'replace it, or read the licence and add it to scripts/release/licence-rules.ts'
    faults.push({ file: 'package-lock.json', text: `${name} ${version} (${form}) ${what}: ${remedy}` })
  }
  return faults
}

/** The licences of an SPDX expression that are not allowed. A mix of OR and AND is refused as a whole. */
function refusedLicences(expression: string): string[] {
  const plain = expression.replaceAll(/[()]/g, '').trim()
  const choices = plain.split(' OR ')
  if (choices.length > 1 && plain.includes(' AND ')) return [expression]
  if (choices.length > 1) return choices.some((each) => ALLOWED.has(each)) ? [] : choices
  return plain.split(' AND ').filter((each) => !ALLOWED.has(each))
}
