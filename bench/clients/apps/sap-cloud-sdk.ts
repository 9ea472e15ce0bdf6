import { directory } from 'bench-generated/sap-cloud-sdk/directory/index.js'
import type { MakeApp } from './app.d.ts'

/** Its generator writes classes for entity sets only, so there is none for mail. It lists people, and changes one. */
export const app: MakeApp = (baseUrl, token) => {
  const { usersApi } = directory()
  const { schema } = usersApi
  const destination = { url: baseUrl, headers: { authorization: `Bearer ${token}` } }
  return {
    async subjects(since) {
      const found = await usersApi
        .requestBuilder()
        .getAll()
        .filter(schema.JOB_TITLE.equals(since))
        .select(schema.ID, schema.DISPLAY_NAME)
        .top(10)
        .execute(destination)
      return found.map(({ displayName }) => displayName ?? '')
    },
    async name(id) {
      const { displayName } = await usersApi.requestBuilder().getByKey(id).execute(destination)
      return displayName
    },
    async markRead(id) {
      try {
        await usersApi
          .requestBuilder()
          .update(usersApi.entityBuilder().id(id).jobTitle('read').build())
          .execute(destination)
        return true
      } catch (error) {
        if (error instanceof Error && 'rootCause' in error) return false
        throw error
      }
    },
  }
}
