#!/usr/bin/env node
import { bugReport, exitCode, handleOutputErrors } from './exit-code.js'
import { packageVersion } from './package-root.js'

const version = packageVersion()
const args = process.argv.slice(2)

handleOutputErrors(process.stdout, process.stderr, code => process.exit(code))

const reportBug = (error: unknown): void => {
  process.stderr.write(`${bugReport(error, version)}\n`)
  process.exitCode = exitCode.bug
}
// Without this, an exception in a callback would end the process with exit code 1, as if the spec had errors.
process.on('uncaughtException', error => {
  reportBug(error)
  process.exit()
})

if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  // Does not load the program.
  process.stdout.write(`${version}\n`)
} else {
  try {
    const { processTerminal } = await import('./terminal.js')
    const { run } = await import('./run.js')
    process.exitCode = await run(args, processTerminal(), version)
  } catch (error) {
    reportBug(error)
  }
}
