import { Command, Option } from 'commander'
import { wrapText } from '../../spec/language/index.js'
import {
  type ConformanceFlags,
  parseHeader,
  parseNames,
  parsePositive,
  parseReport,
  wholeNumber,
} from '../conformance/flags.js'
import { type ExitCode, exitCode, UsageError } from '../exit-code.js'
import { type HelpFooter, helpFooter } from '../help.js'
import { jsonOption, writeJson } from '../output.js'
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
    'Reads only, unless --allow-writes: then it creates items of its own, changes and deletes only these, and removes them.',
    'Exit codes: 0 conforms, 1 violations, 2 usage, 3 no answer or credential refused, 4 too little could be judged, 5 a known failure is none any more, 70 a bug in Specwright.',
  ],
}

/** `specwright conformance URL`: judges an implementation by its spec. */
export function conformanceCommand(terminal: Terminal, settle: (code: ExitCode) => void): Command {
  return new Command('conformance')
    .summary('judge a service at a live URL')
    .description('Holds an implementation to its spec, whoever wrote it: every violation is real, small and explained.')
    .argument('[url]', 'the address of its root, version included')
    .option('--spec <spec>', 'what it is judged by (default: the Directory and Mailbox service of this package)')
    .addOption(new Option('--token <token>', 'a bearer token').env('SPECWRIGHT_TOKEN').argParser(parseToken))
    .addOption(new Option('--header <header>', '"Name: value", several times; never shown').argParser(parseHeader))
    .option('--allow-writes', 'rules may create items, and change and delete these')
    .addOption(new Option('--seed <number>', 'the same seed on the same data asks the same').argParser(wholeNumber(0)))
    .addOption(new Option('--requests <number>', 'most requests (default: 2000)').argParser(wholeNumber(1)))
    .addOption(new Option('--runs <number>', 'most cases of a rule at one address').argParser(wholeNumber(1)))
    .addOption(new Option('--time <seconds>', 'most seconds (default: 600)').argParser(parsePositive))
    .addOption(new Option('--only <rules>', 'rules or areas, * allowed, several times').argParser(parseNames))
    .addOption(new Option('--skip <rules>', 'rules or areas, * allowed, several times').argParser(parseNames))
    .option('--profile <profile>', 'a profile of the spec: its choices become demands')
    .addOption(
      new Option('--report <report>', 'a .html, .xml, .json, .sarif or .txt, several times').argParser(parseReport),
    )
    .addOption(
      new Option('--format <format>', 'on standard output (default: pretty on a terminal, otherwise plain)').choices([
        'pretty',
        'plain',
        'json',
        'github',
      ]),
    )
    .addOption(jsonOption('the report, or what else was asked for,').conflicts('format'))
    .option('--known-failures <file>', 'violations accepted for now; exit 5 when one is gone')
    .option('--replay <text>', 'tries one violation of an earlier report again')
    .addOption(new Option('--rate <number>', 'most requests a second').argParser(parsePositive))
    .addOption(new Option('--concurrency <number>', 'most requests at once (default: 4)').argParser(wholeNumber(1)))
    .addOption(
      new Option('--max-rows <number>', 'most rows read of a collection (default: 2000)').argParser(wholeNumber(1)),
    )
    .addOption(new Option('--timeout <seconds>', 'for one answer (default: 30)').argParser(parsePositive))
    .option('--journal <journal>', 'where created items are noted (default: a file here, removed in the end)')
    .option('--cleanup <journal>', 'removes what the run of this journal left over')
    .option('--list-rules', 'prints all rules')
    .option('--explain <rule>', 'prints what a rule is about')
    .addHelpText('after', helpFooter(terminal, help))
    .action(async (url: string | undefined, flags: ConformanceFlags) => settle(await conformance(terminal, url, flags)))
}

async function conformance(terminal: Terminal, url: string | undefined, flags: ConformanceFlags): Promise<ExitCode> {
  if (flags.listRules === true || flags.explain !== undefined) return tellRules(terminal, flags.explain, flags.json)
  if (flags.cleanup !== undefined) {
    const { cleanUp: cleanUpFrom } = await import('../conformance/journal.js')
    return cleanUpFrom(terminal, flags.cleanup, url, flags)
  }
  if (url === undefined) {
    throw new UsageError('Name the service: specwright conformance http://localhost:8080/v1.0 --spec service.yaml')
  }
  const { checkService: runJudge } = await import('../conformance/check-service.js')
  return runJudge(terminal, url, flags.json ? { ...flags, format: 'json' } : flags)
}

async function tellRules(terminal: Terminal, id: string | undefined, json: true | undefined): Promise<ExitCode> {
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
