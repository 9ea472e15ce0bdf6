import { areas, type Rule } from '../rule/rule.js'

/** The page `docs/rules.md`: every rule, by area. */
export function rulesPage(rules: readonly Rule[]): string {
  const head = `# Conformance rules

${rules.length} rules. *must*: the interface requires it. *should*: a service that violates it contradicts itself or its protocol.
\`specwright conformance --explain RULE\` prints one rule. \`--only\` and \`--skip\` take names of rules and areas. For how the
suite checks a service, see [conformance.md](conformance.md). \`npm run docs\` generates this page from the rules.
`
  return [
    head,
    ...areas.flatMap(area =>
      areaText(
        area,
        rules.filter(rule => rule.area === area),
      ),
    ),
  ].join('\n')
}

function areaText(area: string, rules: readonly Rule[]): readonly string[] {
  if (rules.length === 0) return []
  return [`## ${area}\n`, ...rules.map(ruleText)]
}

function ruleText(rule: Rule): string {
  const writes = rule.kind === 'active' && rule.changesExisting === true ? 'changes existing items' : 'writes'
  const kind = rule.kind === 'passive' ? 'inspects every response' : rule.writes ? writes : 'reads'
  return `### ${rule.id}

*${rule.severity}, ${kind}.* ${rule.statement}

${rule.advice}
${listed('Aspects', rule.aspects)}${listed('Covers', rule.covers)}`
}

function listed(label: string, names: readonly string[]): string {
  return names.length === 0 ? '' : `\n${label}: ${names.map(name => `\`${name}\``).join(', ')}.\n`
}
