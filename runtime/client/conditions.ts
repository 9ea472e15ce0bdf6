/**
 * The headers that a query needs because of the constructs it uses. Generated code declares it from `requires` of the
 * spec, also where the spec leaves open whether a service insists. It is given the query percent-encoded, its string
 * literals left out, in which anything may stand.
 */
export type Conditions = (query: string) => Readonly<Record<string, string | undefined>>
