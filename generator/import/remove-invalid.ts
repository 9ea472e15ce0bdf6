import {
  buildTypeTable,
  checkService,
  checkShape,
  omitPointers,
  type Problem,
  pointerKeys,
  pointerTo,
  resolveService,
  type SpecDocument,
} from '../../spec/language/index.js'
import type { CsdlLocation } from './csdl/csdl-element.js'
import { type Finding, importError, omission, type ReportFinding } from './finding.js'

/** Removing a part can invalidate another. Metadata that needs more rounds cannot be imported. */
const mostRounds = 16

/**
 * Removes the parts of a document that the spec checker rejects, because metadata can express what a spec cannot.
 *
 * @param origins where the parts of the document come from, by JSON Pointer
 */
export function removeInvalidParts(
  document: object,
  origins: ReadonlyMap<string, CsdlLocation>,
  report: ReportFinding,
): SpecDocument | Finding {
  let rest = document
  for (let round = 0; round < mostRounds; round++) {
    const { problems, checked } = checkDocument(rest)
    if (problems.length === 0 && checked !== undefined) return checked
    const refused = new Map<string, Problem>()
    for (const problem of problems) {
      const part = smallestRemovablePart(problem.at)
      if (part === undefined)
        return importError('refused', `The spec would be wrong: ${problem.message}`, locationOf(problem.at, origins))
      if (!refused.has(part)) refused.set(part, problem)
    }
    for (const problem of refused.values()) {
      const finding = findingOf(problem, round, origins)
      if (finding !== undefined) report(finding)
    }
    rest = omitPointers(rest, new Set(refused.keys()))
  }
  return importError('refused', 'A spec cannot hold so much of the metadata that the import leaves no valid spec.', 0)
}

/** Query options of removed endpoints; their removal needs no warning. */
const unused = 'spec/unused-query-options'

/** The finding for a removed part; undefined if an earlier finding explains it. */
function findingOf(
  { code, message, at }: Problem,
  round: number,
  origins: ReadonlyMap<string, CsdlLocation>,
): Finding | undefined {
  if (code === unused) return undefined
  const location = locationOf(at, origins)
  if (code === 'spec/key-missing') {
    return omission(
      'key',
      'Entity types in collections need a key; those without one are left out',
      elementName(at),
      location,
    )
  }
  // Only a part that this loop removed can be missing. No change to the metadata can fix that.
  if (round > 0 && /^spec\/(?:unknown-|unresolved-path$)/.test(code)) {
    if (isDerived(at)) return undefined
    return omission(
      'refers-to-left-out',
      'Elements that refer to omitted elements are left out, too',
      elementName(at),
      location,
    )
  }
  return omission('refused', `Elements that the spec checker rejects are left out (${code})`, message, location)
}

/** Whether a part of the spec was derived and is not in the metadata itself. */
const isDerived = (pointer: string): boolean => /^\/(?:paths|queryOptions)\//.test(pointer)

/** `Order/Items` for `/resources/Order/navigation/Items/to`. */
function elementName(pointer: string): string {
  const [, name = '', group, member] = pointerKeys(pointer)
  return group === undefined || member === undefined ? name : `${name}/${member}`
}

function checkDocument(data: object): {
  readonly problems: readonly Problem[]
  readonly checked: SpecDocument | undefined
} {
  const { document, problems: shapeProblems, omitted: leftOut } = checkShape(data)
  const problems = [...shapeProblems]
  if (document === undefined || problems.length > 0) return { problems, checked: document }
  const report = (problem: Problem): void => void problems.push(problem)
  const { service, isIncomplete } = resolveService(document, leftOut, report)
  checkService({ document, service, types: buildTypeTable(service), report, isIncomplete })
  return {
    problems: problems.filter(({ severity = 'error', code }) => severity === 'error' || code === unused),
    checked: document,
  }
}

/** The smallest part that can be removed to fix an error at a pointer. */
function smallestRemovablePart(pointer: string): string | undefined {
  const keys = pointerKeys(pointer)
  const [chapter, name, group, member, detail] = keys
  const upTo = (length: number): string => keys.slice(0, length).reduce(pointerTo, '')
  switch (chapter) {
    case 'resources':
      if (group === 'properties' || group === 'navigation') {
        const isWhole = detail === undefined || detail === 'type' || detail === 'to'
        return member === undefined ? upTo(3) : isWhole ? upTo(4) : upTo(5)
      }
      if (group === 'members' && member !== undefined) return upTo(4)
      return name === undefined ? undefined : group === undefined || group === 'type' ? upTo(2) : upTo(3)
    case 'container':
      return name === undefined ? undefined : group === 'bindings' ? upTo(member === undefined ? 3 : 4) : upTo(2)
    case 'queryOptions':
      return name === undefined ? undefined : upTo(Math.min(keys.length, 5))
    case 'paths':
      return name === undefined ? undefined : upTo(group === undefined || group === 'resource' ? 2 : 3)
    case 'operations':
      return name === undefined ? undefined : upTo(2)
    default:
      return undefined
  }
}

/** The location of the nearest part that has one; for a derived part, the location of its source in the container. */
function locationOf(pointer: string, origins: ReadonlyMap<string, CsdlLocation>): CsdlLocation {
  const [chapter, template = ''] = pointerKeys(pointer)
  if (isDerived(pointer)) {
    const [start = ''] = chapter === 'paths' ? template.slice(1).split(/[/(]/) : template.split('.')
    return origins.get(pointerTo('/container', start)) ?? origins.get('/container') ?? 0
  }
  for (let end = pointer.length; end > 0; end = pointer.lastIndexOf('/', end - 1)) {
    const location = origins.get(pointer.slice(0, end))
    if (location !== undefined) return location
  }
  return origins.get('') ?? 0
}
