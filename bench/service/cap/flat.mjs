/** A message in the form of CAP, which flattens structures except those in collections. */
export function flat({ body, from, ...message }) {
  return {
    ...message,
    ...(body && { body_contentType: body.contentType, body_content: body.content }),
    ...(from && {
      from_emailAddress_address: from.emailAddress.address,
      from_emailAddress_name: from.emailAddress.name,
    }),
  }
}
