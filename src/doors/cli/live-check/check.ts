// One live check from the first question to the report.

import type { FileHandle } from 'node:fs/promises'
import type { Client } from '../../../contract/client.ts'
import { wallClock } from '../../../kernel/async/clock.ts'
import { type Findings, newFindings } from './findings.ts'
import { type Answers, askAtTerminal, askFile } from './interview.ts'
import { reportOf } from './report.ts'
import { finishFindings, runTrial } from './run.ts'
import type { Trial } from './trial.ts'

/** For what is read at the end of an interrupted check. */
const LAST_CALLS_MS = 5000

export interface CheckParts {
  account: Client
  /** Without a key. */
  system: Client
  /** Undefined: a person answers at the terminal. */
  answers: Answers | undefined
  report: Pick<FileHandle, 'writeFile'>
}

export interface Conducted {
  findings: Findings
  /** The API name of the instance, if it still exists. */
  leftInstance: string | undefined
}

export async function conductCheck({ account, system, answers, report }: CheckParts): Promise<Conducted> {
  const controller = new AbortController()
  const { signal } = controller
  const interrupt = () => controller.abort(new Error('interrupted'))
  // The conversation is not the output of the command.
  const output = process.stderr
  const interview = answers
    ? askFile(answers, output)
    : askAtTerminal({ input: process.stdin, output, interrupt, signal })
  const findings = newFindings(new Date(wallClock()))
  const hidden: Trial['private'] = {
    instanceName: undefined,
    recipient: '',
    messageIds: new Map(),
    lastMetrics: undefined,
  }
  const trial: Trial = { account, system, interview, findings, signal, private: hidden }
  // A second Ctrl-C ends the process at once.
  process.once('SIGINT', interrupt)
  try {
    await runTrial(trial)
  } finally {
    process.off('SIGINT', interrupt)
    interview.close()
    await finishFindings({ ...trial, signal: AbortSignal.timeout(LAST_CALLS_MS) })
    await report.writeFile(`${reportOf(findings)}\n`)
  }
  return { findings, leftInstance: hidden.instanceName }
}
