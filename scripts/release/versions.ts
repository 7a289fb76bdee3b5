// The versions that a release names: the program's own in several files, and that of the API.
import type { Fault } from './fault.ts'

const VERSION = /^\d+\.\d+\.\d+$/
/** `## 1.2.0 - 2026-01-31` */
const RELEASE_HEADING = /^## (\d+\.\d+\.\d+) - (\d{4}-\d{2}-\d{2})$/
const UNRELEASED = '## Unreleased'

interface Section {
  heading: string
  text: string
}

/** The sections of the second level, in the order of the file. */
const sectionsOf = (changelog: string): Section[] =>
  changelog
    .split(/^(?=## )/m)
    .filter((part) => part.startsWith('## '))
    .map((part) => {
      const [heading = '', ...lines] = part.split('\n')
      return { heading: heading.trim(), text: lines.join('\n').trim() }
    })

export interface ChangelogInput {
  changelog: string
  version: string
  apiVersion: string
  /** As `2026-01-31`. */
  today: string
}

/** A release has a section of its own with a date, at the top, and nothing stays unreleased. */
export function changelogFaults({ changelog, version, apiVersion, today }: ChangelogInput): Fault[] {
  const file = 'CHANGELOG.md'
  const [first, ...others] = sectionsOf(changelog)
  const isOpen = first?.heading === UNRELEASED
  const release = isOpen ? others[0] : first
  const [, named, date = ''] = RELEASE_HEADING.exec(release?.heading ?? '') ?? []
  const wanted = `"## ${version} - ${today}"`
  if (named !== version) {
    const found = release === undefined ? 'there is none' : `the newest is "${release.heading}"`
    const remedy = isOpen ? `rename "${UNRELEASED}" to ${wanted}` : `add ${wanted}`
    return [{ file, text: `a release needs a heading with its version and date, and ${found}: ${remedy}` }]
  }
  const faults: Fault[] = []
  if (isOpen && first.text !== '')
    faults.push({
      file,
      text: `"${UNRELEASED}" has entries: move them to "## ${version}", or change the version`,
    })
  if (!isDate(date) || date > today)
    faults.push({ file, text: `${date} is not a day up to ${today}: correct the date of "## ${version}"` })
  if (release?.text === '') faults.push({ file, text: `"## ${version}" is empty: describe the release` })
  else if (!release?.text.includes(`API version ${apiVersion}`))
    faults.push({
      file,
      text: `"## ${version}" does not name the API: add the line "API version ${apiVersion}."`,
    })
  return faults
}

const isDate = (text: string): boolean => {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** `files` are texts by path that name the version as `switchboard-gateway:1.2.0` or `switchboard-gateway-1.2.0`. */
export function namedVersionFaults(version: string, files: Record<string, string>): Fault[] {
  const faults: Fault[] = []
  for (const [file, text] of Object.entries(files)) {
    const named = [...text.matchAll(/switchboard-gateway[:-](\d+\.\d+\.\d+)/g)].map(([, found = '']) => found)
    if (named.length === 0)
      faults.push({
        file,
        text: 'names no version of switchboard-gateway: name it, or remove the file from NAMING_FILES',
      })
    for (const other of new Set(named))
      if (other !== version) faults.push({ file, text: `names ${other}: change it to ${version}` })
  }
  return faults
}

/** `fields` are the versions by the name of their field. */
export function fieldFaults(file: string, version: string, fields: Record<string, unknown>): Fault[] {
  return Object.entries(fields)
    .filter(([, found]) => found !== version)
    .map(([name, found]) => ({ file, text: `${name} is ${String(found)}: change it to ${version}` }))
}

export const ownVersionFaults = (version: string): Fault[] =>
  VERSION.test(version)
    ? []
    : [{ file: 'package.json', text: `the version ${version} is not of the form 1.2.3: correct it` }]

/** Clients find the version of the API in its path, so both have the same first number. */
export function apiVersionFaults(apiVersion: string, basePath: string): Fault[] {
  const file = 'src/contract/version.ts'
  if (!VERSION.test(apiVersion)) return [{ file, text: `API_VERSION ${apiVersion} is not of the form 1.2.3` }]
  const [major] = apiVersion.split('.')
  return basePath.endsWith(`/v${major}`)
    ? []
    : [{ file, text: `API_VERSION is ${apiVersion}, but the path is ${basePath}: change one of them` }]
}
