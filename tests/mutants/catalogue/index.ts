import { advancedQueriesMutants } from './advanced-queries.js'
import { aggregationMutants } from './aggregation.js'
import { authenticationMutants } from './authentication.js'
import { choicesMutants } from './choices.js'
import { deltaMutants } from './delta.js'
import { derivedTypesMutants } from './derived-types.js'
import { entityTagsMutants } from './entity-tags.js'
import { errorsMutants } from './errors.js'
import { expandMutants } from './expand.js'
import { filterFunctionMutants } from './filter-functions.js'
import { filterLibraryMutants } from './filter-library.js'
import { filterOperatorMutants } from './filter-operators.js'
import { filterRareMutants } from './filter-rare.js'
import { filterRowMutants } from './filter-rows.js'
import { itemsMutants } from './items.js'
import type { Mutant } from './mutant.js'
import { operationsMutants } from './operations.js'
import { orderingMutants } from './ordering.js'
import { pagingMutants } from './paging.js'
import { preferencesMutants } from './preferences.js'
import { protocolMutants } from './protocol.js'
import { searchMutants } from './search.js'
import { selectMutants } from './select.js'
import { topSkipCountMutants } from './top-skip-count.js'
import { writingMutants } from './writing.js'

/** All mutants, by area. */
export const mutants: readonly Mutant[] = [
  ...authenticationMutants,
  ...errorsMutants,
  ...filterOperatorMutants,
  ...filterFunctionMutants,
  ...filterRowMutants,
  ...filterLibraryMutants,
  ...filterRareMutants,
  ...aggregationMutants,
  ...orderingMutants,
  ...pagingMutants,
  ...topSkipCountMutants,
  ...selectMutants,
  ...expandMutants,
  ...searchMutants,
  ...advancedQueriesMutants,
  ...itemsMutants,
  ...writingMutants,
  ...derivedTypesMutants,
  ...entityTagsMutants,
  ...preferencesMutants,
  ...operationsMutants,
  ...deltaMutants,
  ...protocolMutants,
  ...choicesMutants,
]
