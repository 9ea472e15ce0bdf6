import { Argument, Command } from 'commander'
import { type ExitCode, exitCode, type HelpFooter, helpFooter } from '../output.js'
import type { Terminal } from '../terminal.js'

const help: HelpFooter = {
  examples: [
    ['source <(specwright completion bash)', 'in ~/.bashrc'],
    ['source <(specwright completion zsh)', 'in ~/.zshrc'],
    'specwright completion fish > ~/.config/fish/completions/specwright.fish',
  ],
  notes: [
    'The scripts complete the command specwright and call it: install it globally, or define a function in the same file: specwright() { npx specwright "$@"; }',
  ],
}

const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]

/** `specwright completion SHELL`: prints a script with which a shell completes command lines. The script calls this program. */
export function completionCommand(terminal: Terminal, setExitCode: (code: ExitCode) => void): Command {
  return new Command('completion')
    .summary('print a script for the completion of a shell')
    .description('Prints a script with which bash, zsh or fish completes commands, options and their values.')
    .addArgument(new Argument('<shell>', 'the shell').choices([...shells]))
    .option('--line <line>', 'for the script: prints completions for the end of this line')
    .addHelpText('after', helpFooter(terminal, help))
    .action(async (shell: Shell, { line }: { readonly line?: string }, own: Command) =>
      setExitCode(await complete(terminal, shell, line, own.parent ?? own)),
    )
}

async function complete(
  terminal: Terminal,
  shell: Shell,
  line: string | undefined,
  program: Command,
): Promise<ExitCode> {
  if (line === undefined) terminal.out((await scripts[shell]()).trimEnd())
  else {
    const { completeLine } = await import('../completion/complete-line.js')
    const { formatForShell: forShell } = await import('../completion/complete-line.js')
    terminal.out(forShell(await completeLine(program, line)))
  }
  return exitCode.done
}

const scripts = {
  bash: async () => (await import('../completion/scripts.js')).bash,
  zsh: async () => (await import('../completion/scripts.js')).zsh,
  fish: async () => (await import('../completion/scripts.js')).fish,
} as const
