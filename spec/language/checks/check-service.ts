import type { Check, CheckContext } from './check.js'
import { clauseQuote } from './clause-quote.js'
import { conditionConstructs } from './condition-constructs.js'
import { defaultValues } from './default-values.js'
import { duplicateQualifiedName, reservedNamespace } from './duplicate-qualified-name.js'
import { endpointNames, memberNames } from './endpoint-names.js'
import { entityAsValue } from './entity-as-value.js'
import { entityTagConditions } from './entity-tag-conditions.js'
import { enumMembers } from './enum-members.js'
import { authenticationStatus, errorBody, errorCodeStatus } from './error-body.js'
import { facetBounds, facets } from './facets.js'
import { keyPresence } from './key-presence.js'
import { keyProperty } from './key-property.js'
import { keyless } from './keyless.js'
import { meaning } from './meaning.js'
import { openChoices } from './open-choices.js'
import { operationKind } from './operation-kind.js'
import { pageSizes, queryLimits } from './page-sizes.js'
import { parameterFormats } from './parameter-formats.js'
import { partnerAgreement } from './partner-agreement.js'
import { ambiguousPaths, pathStarts } from './path-starts.js'
import { preferences } from './preferences.js'
import { principalSingleton } from './principal-singleton.js'
import { propertyRoles } from './property-roles.js'
import { queryFunctions } from './query-functions.js'
import { queryPaths } from './query-paths.js'
import { referentialConstraints } from './referential-constraints.js'
import { requiredCycle } from './required-cycle.js'
import { searchable } from './searchable.js'
import { streams } from './streams.js'
import { unusedQueryOptions } from './unused-query-options.js'

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
