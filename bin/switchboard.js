#!/usr/bin/env node
// `switchboard COMMAND`: the server and all commands of the command line.
import { launch } from './launch.js'

const [first, ...rest] = process.argv.slice(2)
// The server has an entry of its own, which loads faster than the command line.
if (first === 'serve' && rest.length === 0) launch('main', [])
else launch('cli', process.argv.slice(2))
