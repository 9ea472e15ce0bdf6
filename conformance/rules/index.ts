import type { Rule } from '../rule/rule.js'
import { headerRequired, headerSuffices } from './advanced-queries/header-required.js'
import { plainNeedsNone } from './advanced-queries/plain-needs-none.js'
import { applyRows } from './aggregation/apply-rows.js'
import { computeValues } from './aggregation/compute-values.js'
import { authenticationRequired } from './authentication/authentication-required.js'
import { deltaChanges, deltaUpdates } from './delta/delta-changes.js'
import { deltaInitial } from './delta/delta-initial.js'
import { deltaPreference } from './delta/delta-preference.js'
import { deltaLinks, deltaToken } from './delta/delta-round.js'
import { entityTagAgrees, entityTagOfList } from './entity-tags/entity-tag.js'
import { ifMatch, ifMatchExisting } from './entity-tags/if-match.js'
import { ifNoneMatch, ifNoneMatchChanged, ifNoneMatchChangedExisting } from './entity-tags/if-none-match.js'
import { errorShape, errorStatus, noServerError } from './errors/error-response.js'
import { largeBody, malformedBody, wholeBody } from './errors/malformed-body.js'
import { malformedKey } from './errors/malformed-key.js'
import { malformedOption } from './errors/malformed-option.js'
import { itemNotFound, pathNotFound } from './errors/not-found.js'
import { queryLimits } from './errors/query-limits.js'
import { unknownOption, unknownProperty, unsupportedOption } from './errors/unsupported-option.js'
import { allowHeader, methodNotAllowed, methodSupported } from './errors/wrong-method.js'
import { expandCombined } from './expand/expand-combined.js'
import { expandContinues } from './expand/expand-continues.js'
import { expandEach, expandItem } from './expand/expand-each.js'
import { expandNested } from './expand/expand-nested.js'
import { expandOnly } from './expand/expand-only.js'
import { expandSame } from './expand/expand-same.js'
import { filterEncoding, filterTimeEquivalent } from './filter/equivalent-notations.js'
import { filterAnyOr, filterAnyVariable } from './filter/filter-any.js'
import { filterCast } from './filter/filter-cast.js'
import { filterCountPath } from './filter/filter-count-path.js'
import { filterCountsAddUp } from './filter/filter-counts-add-up.js'
import { filterLiteralIndependence } from './filter/filter-literal-independence.js'
import {
  filterAbsorb,
  filterCommute,
  filterDeMorgan,
  filterDoubleNegation,
  filterMonotone,
  filterParentheses,
  filterSplit,
} from './filter/filter-logic.js'
import { filterModel, filterScope } from './filter/filter-model.js'
import { filterComplement, filterPartition } from './filter/filter-partition.js'
import { filterPivot } from './filter/filter-pivot.js'
import { filterRareFunctions } from './filter/filter-rare-functions.js'
import { filterServiceFunctions } from './filter/filter-service-functions.js'
import { filterSpatial } from './filter/filter-spatial.js'
import { alternateKey } from './items/alternate-key.js'
import { castPath } from './items/cast-path.js'
import { itemElsewhere } from './items/item-elsewhere.js'
import { itemEnvelope, propertyNames } from './items/item-members.js'
import { itemOfList } from './items/item-of-list.js'
import { keyForms } from './items/key-forms.js'
import { propertyPath } from './items/property-path.js'
import { referencePath } from './items/reference-path.js'
import { containedOnce, relatedOnce } from './items/related-once.js'
import { singleRelation } from './items/single-relation.js'
import { streamPath } from './items/stream-path.js'
import { operationMeaning } from './operations/operation-meaning.js'
import { operationParameters } from './operations/operation-parameters.js'
import { operationWindow } from './operations/operation-window.js'
import { orderAscending, orderReversed } from './ordering/order-direction.js'
import { orderSorted } from './ordering/order-sorted.js'
import { listEnvelope, nextLinkLeadsOn, pageDistinct } from './paging/page.js'
import { pagingCovers } from './paging/paging-covers.js'
import { pagingKeeps } from './paging/paging-keeps.js'
import { pagingOrder } from './paging/paging-order.js'
import { asyncResult } from './preferences/async-result.js'
import { omitValues } from './preferences/omit-values.js'
import { preferenceHonoured } from './preferences/preference-honoured.js'
import { bodyCharset, bodyChunks, concurrentReads, harmlessHeaders } from './protocol/harmless-headers.js'
import { headAndOptions } from './protocol/head-and-options.js'
import { jsonContentType } from './protocol/json-content-type.js'
import { versionSegment } from './protocol/version-segment.js'
import { searchAnd, searchFilter, searchNot, searchOr, searchTerm } from './search/search-rules.js'
import { declaredTypes } from './select/declared-types.js'
import { defaultProjection, unselectedAbsent } from './select/default-projection.js'
import { itemType } from './select/item-type.js'
import { sameValues } from './select/same-values.js'
import { selectIndependent } from './select/select-independent.js'
import { selectItem, selectValues } from './select/select-values.js'
import { countPath, countType, countUnasked } from './top-skip-count/count-rules.js'
import { countValue } from './top-skip-count/count-value.js'
import { optionsCombined } from './top-skip-count/options-combined.js'
import { skipLeavesOut } from './top-skip-count/skip-leaves-out.js'
import { topBounds } from './top-skip-count/top-bounds.js'
import { topFiltered, topFirst, topRespected } from './top-skip-count/top-rules.js'
import { constraintsKept } from './writing/constraints-kept.js'
import { createLocation, createOnce } from './writing/create-once.js'
import { derivedCreate, derivedShows, derivedUpdate } from './writing/derived-items.js'
import { concurrentCreates, duplicateKey } from './writing/duplicate-key.js'
import { updateExisting } from './writing/existing-item.js'
import { bindLinks, deepInsert, deepUpdate, referencesCast, referencesChange } from './writing/links.js'
import { createKeeps, deleteRemoves, lifeCycle, patchKeeps, replaceSets } from './writing/sequence-rule.js'
import { stamps } from './writing/stamps.js'
import { streamKeeps } from './writing/stream-keeps.js'
import { typeKept } from './writing/type-kept.js'
import { unfitBody, writeNotFound } from './writing/unfit-body.js'
import { upsert } from './writing/upsert.js'
import { writeShows } from './writing/write-shows.js'

export const authenticationRules: readonly Rule[] = [authenticationRequired]

export const errorsRules: readonly Rule[] = [
  errorShape,
  errorStatus,
  noServerError,
  wholeBody,
  allowHeader,
  methodSupported,
  itemNotFound,
  malformedOption,
  unsupportedOption,
  pathNotFound,
  methodNotAllowed,
  unknownOption,
  unknownProperty,
  malformedBody,
  malformedKey,
  queryLimits,
  largeBody,
]

/**
 * The oracle comes first: it detects most. The metamorphic relations need no oracle and also work where rows cannot be
 * harvested.
 */
const filterRules: readonly Rule[] = [
  filterModel,
  filterCountPath,
  filterScope,
  filterPivot,
  filterLiteralIndependence,
  filterPartition,
  filterParentheses,
  filterSplit,
  filterDeMorgan,
  filterComplement,
  filterDoubleNegation,
  filterAbsorb,
  filterCommute,
  filterMonotone,
  filterCountsAddUp,
  filterAnyOr,
  filterAnyVariable,
  filterTimeEquivalent,
  filterEncoding,
  filterRareFunctions,
  filterServiceFunctions,
  filterSpatial,
  filterCast,
]

const aggregationRules: readonly Rule[] = [applyRows, computeValues]

const orderingRules: readonly Rule[] = [orderSorted, orderReversed, orderAscending]

const pagingRules: readonly Rule[] = [
  pagingCovers,
  pagingOrder,
  pagingKeeps,
  nextLinkLeadsOn,
  listEnvelope,
  pageDistinct,
]

const topSkipCountRules: readonly Rule[] = [
  topFirst,
  skipLeavesOut,
  optionsCombined,
  countValue,
  countPath,
  topFiltered,
  topBounds,
  topRespected,
  countType,
  countUnasked,
]

const selectRules: readonly Rule[] = [
  selectValues,
  selectIndependent,
  selectItem,
  unselectedAbsent,
  sameValues,
  declaredTypes,
  itemType,
  defaultProjection,
]

const expandRules: readonly Rule[] = [
  expandSame,
  expandNested,
  expandItem,
  expandEach,
  expandCombined,
  expandContinues,
  expandOnly,
]

const searchRules: readonly Rule[] = [searchTerm, searchOr, searchAnd, searchNot, searchFilter]

export const advancedQueriesRules: readonly Rule[] = [headerRequired, headerSuffices, plainNeedsNone]

export const itemsRules: readonly Rule[] = [
  itemOfList,
  itemElsewhere,
  singleRelation,
  propertyPath,
  referencePath,
  streamPath,
  relatedOnce,
  containedOnce,
  alternateKey,
  keyForms,
  propertyNames,
  itemEnvelope,
  castPath,
]

export const writingRules: readonly Rule[] = [
  createKeeps,
  createOnce,
  createLocation,
  patchKeeps,
  updateExisting,
  replaceSets,
  streamKeeps,
  deleteRemoves,
  unfitBody,
  constraintsKept,
  stamps,
  duplicateKey,
  typeKept,
  derivedCreate,
  derivedUpdate,
  derivedShows,
  writeNotFound,
  writeShows,
  lifeCycle,
  bindLinks,
  referencesChange,
  referencesCast,
  deepInsert,
  deepUpdate,
  upsert,
  concurrentCreates,
]

export const entityTagsRules: readonly Rule[] = [
  entityTagAgrees,
  ifNoneMatch,
  entityTagOfList,
  ifMatch,
  ifMatchExisting,
  ifNoneMatchChanged,
  ifNoneMatchChangedExisting,
]

export const preferencesRules: readonly Rule[] = [preferenceHonoured, asyncResult, omitValues]

export const operationsRules: readonly Rule[] = [operationMeaning, operationWindow, operationParameters]

export const deltaRules: readonly Rule[] = [
  deltaLinks,
  deltaInitial,
  deltaPreference,
  deltaToken,
  deltaChanges,
  deltaUpdates,
]

export const protocolRules: readonly Rule[] = [
  jsonContentType,
  versionSegment,
  harmlessHeaders,
  bodyCharset,
  headAndOptions,
  bodyChunks,
  concurrentReads,
]

/** All rules, by area. */
export const rules: readonly Rule[] = [
  ...authenticationRules,
  ...errorsRules,
  ...filterRules,
  ...aggregationRules,
  ...orderingRules,
  ...pagingRules,
  ...topSkipCountRules,
  ...selectRules,
  ...expandRules,
  ...searchRules,
  ...advancedQueriesRules,
  ...itemsRules,
  ...writingRules,
  ...entityTagsRules,
  ...preferencesRules,
  ...operationsRules,
  ...deltaRules,
  ...protocolRules,
]
