import { bugReport, exitCode, handleOutputErrors, isOutOfFileDescriptors, outOfFileDescriptors } from './output.js'
import { packageVersion } from './package-root.js'

/** Runs the command line of this process. */
export async function main(): Promise<void> {
  const version = packageVersion()
  const args = process.argv.slice(2)

  leaveOutWarnings()
  handleOutputErrors(process.stdout, process.stderr, code => process.exit(code))

  const report = (error: unknown): void => {
    const isLimit = isOutOfFileDescriptors(error)
    process.stderr.write(`${isLimit ? `error: ${outOfFileDescriptors}` : bugReport(error, version)}\n`)
    process.exitCode = isLimit ? exitCode.usage : exitCode.bug
  }
  // Without this, an exception in a callback would end the process with exit code 1, as if the spec had errors.
  process.on('uncaughtException', error => {
    report(error)
    process.exit()
  })

  try {
    const { processTerminal } = await import('./terminal.js')
    const { run } = await import('./run.js')
    process.exitCode = await run(args, processTerminal(), version)
  } catch (error) {
    report(error)
  }
}

/** Node.js 22 prints that its SQLite is experimental, which concerns nobody who serves a spec. All other warnings are printed. */
function leaveOutWarnings(): void {
  const listeners = process.listeners('warning')
  process.removeAllListeners('warning')
  for (const listener of listeners) {
    process.on('warning', warning => {
      if (warning.name !== 'ExperimentalWarning' || !warning.message.startsWith('SQLite is')) listener(warning)
    })
  }
}
