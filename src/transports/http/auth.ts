import { OAuthError, OAuthErrorCode, requireBearerAuth } from '@modelcontextprotocol/server'
import type { MiddlewareHandler } from 'hono'
import type { HttpEnv } from './http-env.ts'
import type { Principals } from './principals.ts'

/**
 * Owner of all sessions where there are no tokens. Its callers cannot be told apart, so none may see a list.
 * The blank keeps it apart from the name of any principal.
 */
const ANYONE = { owner: 'not authenticated', maySeeList: false }

/** Tokens of the configuration do not expire; the SDK takes none without a date. */
const NEVER_EXPIRES = Number.MAX_SAFE_INTEGER

/** Tells who sends a request, and answers 401 with `WWW-Authenticate` where the token is missing or unknown. */
export function authenticate(principals: Principals | undefined): MiddlewareHandler<HttpEnv> {
  if (principals === undefined) {
    return async (c, next) => {
      c.set('requester', ANYONE)
      return next()
    }
  }
  const authenticateBearer = requireBearerAuth({
    verifier: {
      async verifyAccessToken(token) {
        const name = principals.identify(token)
        if (name === undefined) throw new OAuthError(OAuthErrorCode.InvalidToken, 'The token is not known.')
        // The token itself goes no further, so that nothing behind can log it.
        return { token: '', clientId: name, scopes: [], expiresAt: NEVER_EXPIRES }
      },
    },
  })
  return async (c, next) => {
    const authenticated = await authenticateBearer(c.req.raw)
    if (authenticated instanceof Response) return authenticated
    c.set('principal', authenticated.clientId)
    c.set('requester', { owner: authenticated.clientId, maySeeList: true })
    return next()
  }
}
