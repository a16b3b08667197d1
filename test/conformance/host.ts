import { McpServer } from '@modelcontextprotocol/server'
import { createLogger } from '../../src/logger.ts'
import { type HttpListener, listenHttp } from '../../src/transports/http/listen.ts'
import { registerInputTools, stateCodec } from './input-tools.ts'
import { registerRequestTools } from './request-tools.ts'
import { registerPrompts, registerResources } from './resources-and-prompts.ts'
import { registerTools } from './tools.ts'

/** A server of the suite's fixtures behind the product's own HTTP code. */
export function startConformanceHost(): Promise<HttpListener> {
  return listenHttp({
    config: {
      host: '127.0.0.1',
      port: 0,
      authTokens: '',
      authTokensFile: '',
      allowedHosts: [],
      allowedOrigins: [],
      allowUnauthenticated: false,
    },
    principals: undefined,
    withSse: true,
    reportsProgress: true,
    createServer: createFixtureServer,
    maxSessions: 1000,
    logger: createLogger('error'),
  })
}

function createFixtureServer(): McpServer {
  const server = new McpServer(
    { name: 'conformance-host', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { subscribe: true, listChanged: false },
        logging: {},
        completions: {},
      },
      requestState: { verify: stateCodec.verify },
    },
  )
  registerTools(server)
  registerInputTools(server)
  registerRequestTools(server)
  registerResources(server)
  registerPrompts(server)
  return server
}
