#!/usr/bin/env node
// `npx switchboard-gateway`: without a command it runs the server.
import { launch } from './launch.js'

const words = process.argv.slice(2)
if (words.length === 0) launch('main', [])
else launch('cli', words)
