/** Why a link was not followed: the credential would have gone along. */
export const linkElsewhere =
  'a link leads to another host, and was not followed: judge the service at the address that its links have'
