// `doctor`: checks settings, store, nodes, files, ffmpeg, disk, clock, network, client version, proxies and server, and suggests what to do.

import type { Maintenance } from '../../app/maintenance.ts'
import { type Settings, SettingsError } from '../../config.ts'
import { wallClock } from '../../kernel/async/clock.ts'
import {
  checkAgainstDatabase,
  checkNotBehind,
  checkSteadiness,
  pastEvents,
  sampleClock,
} from './checks/clock.ts'
import { checkDisk } from './checks/disk.ts'
import { checkFfmpeg } from './checks/ffmpeg.ts'
import { checkFiles } from './checks/files.ts'
import { type Finding, messageOf, ok, wrong } from './checks/finding.ts'
import { checkInstanceProxies } from './checks/instance-proxies.ts'
import { checkNetwork } from './checks/network.ts'
import { checkNodes } from './checks/nodes.ts'
import { checkProxy } from './checks/proxy.ts'
import { checkServer } from './checks/server.ts'
import { checkStore } from './checks/store.ts'
import { checkVersion } from './checks/version.ts'
import { command, type Output, SERVER_OPTIONS } from './command.ts'
import type { Context } from './context.ts'
import { escapeControls } from './print.ts'
import { UsageError } from './usage-error.ts'

interface CheckContext {
  context: Context
  settings: Settings
  maintenance: Maintenance
}

const CHECKS: Record<string, (checked: CheckContext) => Promise<Finding[]>> = {
  store: ({ settings, maintenance }) => checkStore(settings, maintenance),
  nodes: ({ settings, maintenance }) => checkNodes(settings, maintenance),
  files: ({ settings, maintenance }) => checkFiles(settings, maintenance),
  ffmpeg: () => checkFfmpeg(),
  disk: ({ settings }) => checkDisk(settings),
  clock: async ({ maintenance }) => [
    checkNotBehind(wallClock(), await pastEvents(maintenance)),
    ...(await checkAgainstDatabase(maintenance)),
  ],
  network: ({ settings }) => checkNetwork(settings),
  version: ({ settings, maintenance }) => checkVersion(settings, maintenance, wallClock()),
  proxies: ({ context, settings, maintenance }) =>
    checkInstanceProxies(settings, maintenance, context.serverUrl()),
  server: async ({ context }) =>
    checkServer(context.serverUrl(), context.anonymous(), await context.account().catch(() => undefined)),
}

export const doctor = command({
  name: 'doctor',
  summary:
    'Check settings, store, nodes, files, ffmpeg, disk, clock, network, client version, proxies and server, and suggest what to do',
  description: 'Can run while the server runs. Exit code 1 if something is wrong.',
  parameters: [],
  options: {
    ...SERVER_OPTIONS,
    skip: {
      type: 'string',
      value: 'CHECK',
      multiple: true,
      help: `Skip a check: ${Object.keys(CHECKS).join(', ')}`,
    },
  },
  async run(context, { skip = [] }) {
    for (const name of skip) if (!(name in CHECKS)) throw new UsageError(`--skip: unknown check ${name}`)
    const started = sampleClock()
    let settings: Settings
    try {
      settings = context.settings()
    } catch (error) {
      return report(settingsFaults(error))
    }
    const findings = [ok('settings', 'are valid'), ...checkProxy(settings)]
    findings.push(...(await runChecks(context, settings, skip)))
    if (!skip.includes('clock')) findings.push(checkSteadiness(started, sampleClock()))
    return report(findings)
  },
})

async function runChecks(context: Context, settings: Settings, skip: readonly string[]): Promise<Finding[]> {
  const { createMaintenance } = await import('../../app/maintenance.ts')
  const checkContext = { context, settings, maintenance: createMaintenance(settings, context.environment) }
  const results = await Promise.all(
    Object.entries(CHECKS)
      .filter(([name]) => !skip.includes(name))
      .map(([name, check]) =>
        // A check that throws must not hide the results of the others.
        check(checkContext).catch((error: unknown) => [
          wrong(name, messageOf(error), 'the check itself failed; please report this'),
        ]),
      ),
  )
  return results.flat()
}

function settingsFaults(error: unknown): Finding[] {
  if (!(error instanceof SettingsError)) throw error
  return error.faults.map((fault) =>
    wrong('settings', fault, 'correct the variable; docs/settings.md lists all settings'),
  )
}

const MARKS = { ok: 'ok     ', warning: 'warning', wrong: 'WRONG  ' } as const

function report(findings: Finding[]): Output {
  const wrongs = findings.filter(({ status }) => status === 'wrong').length
  const lines = findings.map(({ check, status, found, todo }) => {
    const advice = todo === undefined ? '' : `\n         -> ${escapeControls(todo)}`
    return `${MARKS[status]}  ${check}: ${escapeControls(found)}${advice}`
  })
  const verdict =
    wrongs === 0 ? 'Nothing is wrong.' : `${wrongs} ${wrongs === 1 ? 'thing is' : 'things are'} wrong.`
  return {
    json: { ok: wrongs === 0, findings },
    text: `${lines.join('\n')}\n\n${verdict}`,
    hasProblems: wrongs > 0,
  }
}
