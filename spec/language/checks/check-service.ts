import type { Check, CheckContext } from './check.js'
import { clauseQuote, openChoices } from './clauses.js'
import { facetBounds, facets } from './facets.js'
import { functionDefinitions } from './function-definitions.js'
import {
  authenticationStatus,
  entityTagConditions,
  errorBody,
  errorCodeStatus,
  preferences,
  principalSingleton,
} from './http.js'
import { keyless, keyPresence, keyProperty } from './keys.js'
import {
  ambiguousPaths,
  duplicateQualifiedName,
  endpointNames,
  memberNames,
  pathStarts,
  reservedNamespace,
} from './names.js'
import { meaning, operationKind, parameterFormats, queryFunctions } from './operations.js'
import { entityAsValue, propertyRoles, streams } from './properties.js'
import {
  conditionConstructs,
  pageSizes,
  queryLimits,
  queryPaths,
  searchable,
  unusedQueryOptions,
} from './query-options.js'
import { partnerAgreement, referentialConstraints, requiredCycle } from './relations.js'
import { defaultValues, enumMembers } from './values.js'

/** The semantic checks of a spec, beyond its shape and its references. */
const checks: Readonly<Record<string, Check>> = {
  ambiguousPaths,
  authenticationStatus,
  clauseQuote,
  conditionConstructs,
  defaultValues,
  duplicateQualifiedName,
  endpointNames,
  entityAsValue,
  entityTagConditions,
  enumMembers,
  errorBody,
  errorCodeStatus,
  facetBounds,
  facets,
  functionDefinitions,
  keyless,
  keyPresence,
  keyProperty,
  meaning,
  memberNames,
  openChoices,
  operationKind,
  pageSizes,
  parameterFormats,
  partnerAgreement,
  pathStarts,
  preferences,
  principalSingleton,
  propertyRoles,
  queryFunctions,
  queryLimits,
  queryPaths,
  referentialConstraints,
  requiredCycle,
  reservedNamespace,
  searchable,
  streams,
  unusedQueryOptions,
}

/** Runs all semantic checks. */
export function checkService(context: CheckContext): void {
  for (const rule of Object.values(checks)) rule(context)
}
