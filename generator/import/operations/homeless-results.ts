/** What is told of `EntitySetPath` and of the entity set of an operation import. */
export const homelessResults =
  'A spec does not say which entity set the results of an operation are in (no caller needs it)'
