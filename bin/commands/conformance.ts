import { Command, Option } from 'commander'
import { wrapText } from '../../spec/language/index.js'
import {
  type ConformanceFlags,
  parseHeader,
  parseNames,
  parsePercent,
  parsePositive,
  parseReport,
  wholeNumber,
} from '../conformance/flags.js'
import { type ExitCode, exitCode, type HelpFooter, helpFooter, jsonOption, UsageError, writeJson } from '../output.js'
import { parseToken } from '../serve/flags.js'
import type { Terminal } from '../terminal.js'

const help: HelpFooter = {
  examples: [
    'specwright conformance http://localhost:8080/v1.0 --spec service.yaml',
    'specwright conformance http://localhost:8080/v1.0 --allow-writes --report report.html --report junit.xml',
    'specwright conformance http://localhost:8080/v1.0 --only filter,paging-* --seed 7',
    'specwright conformance http://localhost:8080/v1.0 --replay eyJydWxlIjoi…',
    'specwright conformance --explain filter-model',
  ],
  notes: [
    'Only reads by default. With --allow-writes it also creates items, changes and deletes only those, and removes them at the end.',
    'Exit codes: 0 conforms, or conforms as far as it was checked, 1 violations, 2 usage, 3 target unreachable or credential refused, 4 too little could be checked, 5 a known failure now passes, 70 a bug in Specwright.',
  ],
}

/** `specwright conformance URL`: checks an implementation against its spec. */
export function conformanceCommand(terminal: Terminal, setExitCode: (code: ExitCode) => void): Command {
  return new Command('conformance')
    .summary('check a service at a live URL')
    .description('Checks any implementation against its spec. Every violation is real, small and explained.')
    .argument('[url]', 'the address of the service root, with the version')
    .option('--spec <spec>', 'the spec to check against (default: the Directory and Mailbox service of this package)')
    .addOption(new Option('--token <token>', 'a bearer token').env('SPECWRIGHT_TOKEN').argParser(parseToken))
    .addOption(new Option('--header <header>', '"Name: value"; can be repeated; never printed').argParser(parseHeader))
    .option('--allow-writes', 'let rules create items, and change and delete what they created')
    .option('--allow-leftovers', 'with --allow-writes: also create items that cannot be deleted again')
    .option(
      '--allow-changes',
      'with --allow-writes: also change existing items that cannot be created, such as /me, and set their old values again',
    )
    .addOption(
      new Option('--seed <number>', 'the same seed on the same data sends the same requests').argParser(wholeNumber(0)),
    )
    .addOption(
      new Option('--requests <number>', 'maximum number of requests (default: 2000)').argParser(wholeNumber(1)),
    )
    .addOption(
      new Option('--runs <number>', 'maximum number of cases for each rule and endpoint').argParser(wholeNumber(1)),
    )
    .addOption(new Option('--time <seconds>', 'time limit (default: 600)').argParser(parsePositive))
    .addOption(new Option('--only <rules>', 'rules or areas; * is a wildcard; can be repeated').argParser(parseNames))
    .addOption(new Option('--skip <rules>', 'rules or areas; * is a wildcard; can be repeated').argParser(parseNames))
    .option('--profile <profile>', 'a profile of the spec: require its choices')
    .addOption(
      new Option('--report <report>', 'write a .html, .xml, .json, .sarif or .txt report; can be repeated').argParser(
        parseReport,
      ),
    )
    .addOption(
      new Option('--format <format>', 'on standard output (default: pretty on a terminal, otherwise plain)').choices([
        'pretty',
        'plain',
        'json',
        'github',
      ]),
    )
    .addOption(jsonOption('the report, the rules or the result of --cleanup').conflicts('format'))
    .option('--known-failures <file>', 'violations that are accepted for now; exit 5 when one now passes')
    .option('--write-known-failures <file>', 'write the violations of this run to a file for --known-failures')
    .addOption(
      new Option(
        '--require-coverage <number>',
        'exit 4 when less than this share of what the spec declares was checked, in percent',
      ).argParser(parsePercent),
    )
    .option('--replay <text>', 'check one violation of an earlier report again')
    .addOption(new Option('--rate <number>', 'maximum number of requests per second').argParser(parsePositive))
    .addOption(
      new Option('--concurrency <number>', 'maximum number of concurrent requests (default: 4)').argParser(
        wholeNumber(1),
      ),
    )
    .addOption(
      new Option('--max-rows <number>', 'maximum number of rows to read from a collection (default: 2000)').argParser(
        wholeNumber(1),
      ),
    )
    .addOption(new Option('--timeout <seconds>', 'for one response (default: 30)').argParser(parsePositive))
    .option('--journal <journal>', 'file that lists created items (default: one in this folder, removed at the end)')
    .option('--cleanup <journal>', 'remove what the run of this journal left behind')
    .option('--list-rules', 'print all rules')
    .option('--explain <rule>', 'explain a rule')
    .addHelpText('after', helpFooter(terminal, help))
    .action(async (url: string | undefined, flags: ConformanceFlags) =>
      setExitCode(await conformance(terminal, url, flags)),
    )
}

async function conformance(terminal: Terminal, url: string | undefined, flags: ConformanceFlags): Promise<ExitCode> {
  if (flags.listRules === true || flags.explain !== undefined) return describeRules(terminal, flags.explain, flags.json)
  if (flags.cleanup !== undefined) {
    const { cleanUp: cleanUpFrom } = await import('../conformance/journal.js')
    return cleanUpFrom(terminal, flags.cleanup, url, flags)
  }
  if (url === undefined) {
    throw new UsageError('Name the service: specwright conformance http://localhost:8080/v1.0 --spec service.yaml')
  }
  const { checkService } = await import('../conformance/check-service.js')
  return checkService(terminal, url, flags.json ? { ...flags, format: 'json' } : flags)
}

async function describeRules(terminal: Terminal, id: string | undefined, json: true | undefined): Promise<ExitCode> {
  const { rules } = await import('../../conformance/index.js')
  const { explainRule, findRule, listRules } = await import('../conformance/rules-text.js')
  const { ruleToJson: ruleAsJson } = await import('../conformance/rules-text.js')
  const { suggest } = await import('../../spec/language/index.js')
  if (id === undefined) {
    if (json) writeJson(terminal, rules.map(ruleAsJson))
    else terminal.out(listRules(rules, terminal.interactive ? terminal.columns : undefined))
    return exitCode.done
  }
  const rule = findRule(id, rules, suggest)
  if (json) writeJson(terminal, ruleAsJson(rule))
  else
    terminal.out(
      wrapText(explainRule(rule), terminal.interactive ? terminal.columns : Number.POSITIVE_INFINITY).join('\n'),
    )
  return exitCode.done
}
