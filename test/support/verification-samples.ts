// The samples of docs/webhooks.md for receivers, each run in its own language with a clock that a test sets, and the functions of the
// clients.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { verifyDelivery } from '../../clients/typescript/src/index.ts'
import { type Interpreter, php, python } from './client-programs.ts'
import { temporaryDirectory } from './engines.ts'

/** A delivery, intact or tampered with, and the correct verdict. */
export interface Trial {
  name: string
  body: string
  /** Names in lower case. */
  headers: Record<string, string>
  secret: string
  /** Seconds that the receiver's clock shows. */
  now: number
  genuine: boolean
}

export interface Sample {
  /** What verifies, as in "the sample for Python". */
  name: string
  /** Why it cannot run here; undefined: it can. */
  missing(): string | undefined
  verdicts(trials: Trial[]): Promise<boolean[]>
}

const document = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8')
const sampleOf = (language: string): string =>
  new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(document)?.[1] ??
  assert.fail(`no sample in ${language}`)

/** With a file of this name and program in a folder of its own. */
async function withFile<T>(name: string, program: string, work: (path: string) => Promise<T>): Promise<T> {
  const directory = await temporaryDirectory()
  const path = join(directory, name)
  try {
    await writeFile(path, program)
    return await work(path)
  } finally {
    await rm(directory, { recursive: true })
  }
}

/** A program that reads the trials and writes its verdicts; bodies as bytes, since JSON is not the same everywhere. */
async function runProgram(
  [command, ...args]: [string, ...string[]],
  trials: Trial[],
  headerName = (name: string) => name,
  surroundings: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<boolean[]> {
  const input = trials.map(({ body, headers, secret, now }) => ({
    body: Buffer.from(body).toString('base64'),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [headerName(name), value])),
    secret,
    now,
  }))
  const options = {
    ...surroundings,
    input: JSON.stringify(input),
    encoding: 'utf8',
    maxBuffer: 1024 * 1024,
    timeout: 120_000,
  } as const
  const run = spawnSync(command, args, options)
  assert.equal(run.status, 0, run.stderr)
  return JSON.parse(run.stdout) as boolean[]
}

/** A name of the module hides the clock of the process. */
const NODE = (sample: string): string => `let now
export const setNow = (seconds) => void (now = seconds)
const Date = { now: () => now * 1000 }
${sample}`

interface NodeSample {
  setNow(seconds: number): void
  isGenuine(body: string, headers: object, secret: string): boolean
}

async function inNode(trials: Trial[]): Promise<boolean[]> {
  const load = (path: string): Promise<NodeSample> => import(pathToFileURL(path).href)
  const sample = await withFile('sample.mjs', NODE(sampleOf('js')), load)
  return trials.map(({ body, headers, secret, now }) => {
    sample.setNow(now)
    return sample.isGenuine(body, headers, secret)
  })
}

const PYTHON = (sample: string): string => `${sample}
import base64, json, sys

class Headers(dict):
    def get(self, name, default=None):
        return super().get(name.lower(), default)

def verdict(trial):
    time.time = lambda: trial["now"]
    return is_genuine(base64.b64decode(trial["body"]), Headers(trial["headers"]), trial["secret"])

print(json.dumps([verdict(trial) for trial in json.load(sys.stdin)]))`

/** A function of the namespace comes before the language's own. */
const PHP = (sample: string): string => `<?php
namespace Sample;
function time(): int { global $trial; return $trial['now']; }
${sample}
$verdicts = [];
foreach (json_decode(file_get_contents('php://stdin'), true) as $trial) {
    $verdicts[] = is_genuine(base64_decode($trial['body']), $trial['headers'], $trial['secret']);
}
echo json_encode($verdicts);`

/** A name of the package stands in for the library that is not imported. */
const GO = (sample: string): string => `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"net/http"
	"os"
	"strconv"
)

type instant int64
type clock struct{ now instant }

func (c clock) Now() instant   { return c.now }
func (i instant) Unix() int64 { return int64(i) }

var time clock

${sample}
type trial struct {
	Body    []byte
	Headers map[string]string
	Secret  string
	Now     instant
}

func main() {
	var trials []trial
	if err := json.NewDecoder(os.Stdin).Decode(&trials); err != nil {
		panic(err)
	}
	verdicts := []bool{}
	for _, each := range trials {
		header := http.Header{}
		for name, value := range each.Headers {
			header.Set(name, value)
		}
		time = clock{each.Now}
		verdicts = append(verdicts, isGenuine(each.Body, header, each.Secret))
	}
	json.NewEncoder(os.Stdout).Encode(verdicts)
}
`

const inServer = (name: string): string => `HTTP_${name.toUpperCase().replaceAll('-', '_')}`

/** A command of the operating system, and how to ask for it. */
const withCommand = (command: string, question: string) => (): string | undefined =>
  spawnSync(command, [question]).status === 0 ? undefined : `there is no ${command} here`

const PYTHON_CLIENT = `
import base64, json, sys
from switchboard_client import verify_delivery

def verdict(trial):
    return verify_delivery(base64.b64decode(trial["body"]), trial["headers"], trial["secret"], now=trial["now"])

print(json.dumps([verdict(trial) for trial in json.load(sys.stdin)]))`

const PHP_CLIENT = `
require 'vendor/autoload.php';
$verify = static fn (array $trial): bool => Switchboard\\Client\\Delivery::verifyDelivery(
    base64_decode($trial['body']), $trial['headers'], $trial['secret'], now: $trial['now']);
echo json_encode(array_map($verify, json_decode(file_get_contents('php://stdin'), true)));`

/** The function of a client, in a program that gets the code as its last argument. */
function clientSample(
  name: string,
  interpreter: () => Interpreter | string,
  option: string,
  program: string,
  headerName?: (name: string) => string,
): Sample {
  return {
    name,
    missing() {
      const found = interpreter()
      return typeof found === 'string' ? found : undefined
    },
    async verdicts(trials) {
      const found = interpreter()
      if (typeof found === 'string') assert.fail(found)
      const { command, directory, environment } = found
      const options = { cwd: directory, env: { ...process.env, ...environment } }
      return runProgram([command, option, program], trials, headerName, options)
    },
  }
}

export const SAMPLES: Sample[] = [
  { name: 'the sample for Node', missing: () => undefined, verdicts: inNode },
  {
    name: 'the sample for Python',
    missing: withCommand('python3', '--version'),
    verdicts: (trials) => runProgram(['python3', '-c', PYTHON(sampleOf('python'))], trials),
  },
  {
    name: 'the sample for PHP',
    missing: withCommand('php', '--version'),
    verdicts: (trials) =>
      withFile('sample.php', PHP(sampleOf('php')), (path) => runProgram(['php', path], trials, inServer)),
  },
  {
    name: 'the sample for Go',
    missing: withCommand('go', 'version'),
    verdicts: (trials) =>
      withFile('sample.go', GO(sampleOf('go')), (path) => runProgram(['go', 'run', path], trials)),
  },
  {
    name: 'the TypeScript client',
    missing: () => undefined,
    verdicts: (trials) =>
      Promise.all(trials.map(({ now, ...trial }) => verifyDelivery({ ...trial, now: now * 1000 }))),
  },
  clientSample('the Python client', python, '-c', PYTHON_CLIENT),
  clientSample('the PHP client', php, '-r', PHP_CLIENT),
  clientSample('the PHP client with $_SERVER', php, '-r', PHP_CLIENT, inServer),
]
