// The report of a live check, in Markdown.
import { type Check, type Findings, hasProblem, type Platform, type Section } from './findings.ts'

const PLATFORM_NAMES: Record<Platform, string> = { android: 'Android', ios: 'iOS', web: 'Web or desktop' }

const TITLES: Record<Section, string> = {
  sending: 'Sent messages',
  changes: 'Changes of messages',
  receiving: 'Received messages',
  people: 'People',
  connection: 'Connection',
}

export function reportOf(findings: Findings): string {
  const { startedAt, server, paired, platforms, checks, isInterrupted } = findings
  const problems = checks.filter(hasProblem).length
  const facts: [string, string][] = [
    ['Date', startedAt.toISOString().slice(0, 10)],
    ['API version', server?.version ?? 'unknown'],
    ['Network', server?.network ?? 'unknown'],
    ['Library', server?.library ?? 'unknown'],
    ['Client version', server?.client ?? 'unknown'],
    ['Paired by', paired === undefined ? 'not paired' : paired === 'qr' ? 'QR code' : 'pairing code'],
    ['Looked at on', platforms.map((name) => PLATFORM_NAMES[name]).join(', ') || 'none'],
    ['Complete', isInterrupted ? 'no' : 'yes'],
    ['Checks', `${checks.length}, ${problems} with a problem`],
  ]
  return [
    '# Live check',
    'This report contains no numbers, names, texts or ids.',
    table(['', ''], facts),
    ...(['sending', 'changes'] as const).map((section) => messageSection(findings, section)),
    ...(['receiving', 'people', 'connection'] as const).map((section) => stepSection(findings, section)),
    statesSection(findings),
    closesSection(findings),
    '## Notes\n\nDescribe here what differs, without private data.',
  ].join('\n\n')
}

function messageSection({ checks, platforms }: Findings, section: Section): string {
  const names = platforms.map((platform) => PLATFORM_NAMES[platform])
  const row = ({ sentMs, deliveredMs, shown = {}, ...check }: Check): string[] => {
    const views = platforms.map((platform) => shown[platform] ?? '–')
    return [check.name, outcome(check), seconds(sentMs), seconds(deliveredMs), ...views]
  }
  const columns = ['Message', 'Outcome', 'Sent after', 'Delivered after', ...names]
  return titled(section, columns, checks.filter((check) => check.section === section).map(row))
}

const stepSection = ({ checks }: Findings, section: Section): string =>
  titled(
    section,
    ['Check', 'Outcome', 'Took'],
    checks
      .filter((check) => check.section === section)
      .map((check) => [check.name, outcome(check), seconds(check.durationMs)]),
  )

function statesSection({ states }: Findings): string {
  const rows = states.map(({ state, reason, afterMs }) => [
    reason === null ? state : `${state}/${reason}`,
    seconds(afterMs),
  ])
  return `## States of the instance\n\n${rows.length === 0 ? 'None known.' : table(['State', 'After'], rows)}`
}

function closesSection({ closes }: Findings): string {
  const rows = Object.entries(closes).map(([code, count]) => [code, String(count)])
  const text = rows.length === 0 ? 'None known.' : table(['Code', 'Connections'], rows)
  return `## Close codes of the server during the check\n\n${text}`
}

function outcome({ outcome: word, reason, code }: Check): string {
  const details = [reason, code === null || code === undefined ? undefined : `code ${code}`].filter(Boolean)
  return details.length === 0 ? word : `${word} (${details.join(', ')})`
}

const seconds = (ms: number | undefined): string => (ms === undefined ? '–' : `${(ms / 1000).toFixed(1)} s`)

const titled = (section: Section, columns: string[], rows: string[][]): string =>
  `## ${TITLES[section]}\n\n${rows.length === 0 ? 'Not checked.' : table(columns, rows)}`

const table = (columns: string[], rows: readonly (readonly string[])[]): string =>
  [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
