#!/usr/bin/env node
import { bugReport, exitCode } from './exit-code.js'
import { packageVersion } from './package-root.js'
import { handleOutputErrors, processTerminal } from './terminal.js'

const version = packageVersion()
const args = process.argv.slice(2)

handleOutputErrors(process.stdout, process.stderr, code => process.exit(code))

const reportBug = (error: unknown): void => {
  process.stderr.write(`${bugReport(error, version)}\n`)
  process.exitCode = exitCode.bug
}
// What a callback throws when no command waits for it would end the process as if the spec had errors.
process.on('uncaughtException', error => {
  reportBug(error)
  process.exit()
})

if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  // Answered before anything is loaded.
  process.stdout.write(`${version}\n`)
} else {
  try {
    const { run } = await import('./run.js')
    process.exitCode = await run(args, processTerminal(), version)
  } catch (error) {
    reportBug(error)
  }
}
